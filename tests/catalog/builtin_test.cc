#include "relcache/catalog/internal/builtin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "relcache/catalog/memory_catalog.h"

namespace relcache {
namespace {

TEST(BuiltinTest, FormatProcPrintsAsRegprocedure) {
  const std::pair<Oid, const char*> cases[] = {
      {150, "int4ge(integer,integer)"},
      {1703, "\"numeric\"(numeric,integer)"},
      {1254, "textregexeq(text,text)"},
      {1569, "\"like\"(text,text)"},
      {1271,
       "\"overlaps\"(time with time zone,time with time zone,time with time zone,time with time "
       "zone)"},
      {78, "\"char\"(integer)"},
      {1048, "bpchareq(character,character)"},
      {440, "num_nonnulls(\"any\")"},
      {1299, "now()"},
      {999999, "999999"},
  };
  for (const auto& [oid, text] : cases) EXPECT_EQ(FormatProc(oid), text);
}

TEST(BuiltinTest, FormatOperatorPrintsAsRegoperator) {
  EXPECT_EQ(FormatOperator(521), ">(integer,integer)");
  EXPECT_EQ(FormatOperator(558), "-(NONE,integer)");
  EXPECT_EQ(FormatOperator(999999), "999999");
}

TEST(BuiltinTest, FindsByOidWhatIsThereAndNothingElse) {
  const BuiltinProc* int4ge = FindBuiltinProc(150);
  ASSERT_NE(int4ge, nullptr);
  EXPECT_EQ(int4ge->proname, "int4ge");
  EXPECT_THAT(int4ge->proargtypes, ::testing::ElementsAre(23, 23));
  EXPECT_EQ(int4ge->prorettype, 16u);
  EXPECT_TRUE(int4ge->proisstrict);
  EXPECT_EQ(int4ge->provolatile, 'i');
  EXPECT_FALSE(int4ge->proretset);
  for (const Oid none : {0u, 1u, 9999u, 10000u, 4294967295u}) {
    EXPECT_EQ(FindBuiltinProc(none), nullptr) << none;
    EXPECT_EQ(FindBuiltinOperator(none), nullptr) << none;
  }
}

TEST(BuiltinTest, TablesAreSortedAndComplete) {
  EXPECT_GT(BuiltinProcs().size(), 3200u);
  EXPECT_GT(BuiltinOperators().size(), 790u);
  EXPECT_TRUE(std::ranges::is_sorted(BuiltinProcs(), {}, &BuiltinProc::oid));
  EXPECT_TRUE(std::ranges::is_sorted(BuiltinOperators(), {}, &BuiltinOperator::oid));
  std::size_t named = 0;
  std::map<std::string_view, int> names;
  for (const BuiltinProc& proc : BuiltinProcs()) ++names[proc.proname];
  for (const auto& [name, count] : names) {
    const auto found = BuiltinProcsNamed(name);
    EXPECT_EQ(found.size(), static_cast<std::size_t>(count)) << name;
    EXPECT_TRUE(std::ranges::is_sorted(found, {}, &BuiltinProc::oid)) << name;
    named += found.size();
  }
  EXPECT_EQ(named, BuiltinProcs().size());
}

TEST(BuiltinTest, OperatorsAreConsistentWithTheirFunctions) {
  for (const BuiltinOperator& op : BuiltinOperators()) {
    EXPECT_EQ(FindBuiltinOperator(op.oprname, op.oprleft, op.oprright), &op)
        << FormatOperator(op.oid);
    if (op.oprcode == kInvalidOid) continue;
    const BuiltinProc* proc = FindBuiltinProc(op.oprcode);
    ASSERT_NE(proc, nullptr) << FormatOperator(op.oid);
    EXPECT_EQ(proc->prorettype, op.oprresult) << FormatOperator(op.oid);
    EXPECT_EQ(proc->proargtypes.size(), op.oprkind == 'b' ? 2u : 1u) << FormatOperator(op.oid);
    if (op.oprnegate != kInvalidOid) {
      ASSERT_NE(FindBuiltinOperator(op.oprnegate), nullptr);
      EXPECT_EQ(FindBuiltinOperator(op.oprnegate)->oprnegate, op.oid);
    }
  }
}

TEST(BuiltinTest, CastsAreFoundByTheirTypes) {
  const BuiltinCast* cast = FindBuiltinCast(23, 20);
  ASSERT_NE(cast, nullptr);
  EXPECT_EQ(FormatProc(cast->castfunc), "int8(integer)");
  EXPECT_EQ(cast->castcontext, 'i');
  EXPECT_EQ(FindBuiltinCast(1043, 25)->castmethod, 'b');
  EXPECT_EQ(FindBuiltinCast(16, 1700), nullptr);
}

TEST(BuiltinTest, IdentifiersAreQuotedAsPostgresqlDoes) {
  const std::pair<const char*, const char*> cases[] = {
      {"a", "a"},
      {"_a1", "_a1"},
      {"A", "\"A\""},
      {"1a", "\"1a\""},
      {"", "\"\""},
      {"a b", "\"a b\""},
      {"a\"b", "\"a\"\"b\""},
      {"select", "\"select\""},
      {"between", "\"between\""},
      {"insert", "insert"},
      {"a$b", "\"a$b\""},
      {"\xc3\xa4", "\"\xc3\xa4\""},
  };
  for (const auto& [name, quoted] : cases) EXPECT_EQ(QuoteIdentifier(name), quoted);
  EXPECT_EQ(QuoteQualifiedIdentifier("public", "Order"), "public.\"Order\"");
  EXPECT_EQ(QuoteQualifiedIdentifier("", "t"), "t");
}

TEST(BuiltinTest, SourcesKnowBuiltinObjects) {
  MemoryCatalog catalog;
  const ContextPtr cx = Bump::CreateRoot("test");
  const TypeRows* range = catalog.LoadType(3904, *cx).value();
  ASSERT_NE(range, nullptr);
  EXPECT_EQ(range->pg_type.typname, "int4range");
  EXPECT_EQ(range->nspname, "pg_catalog");
  ASSERT_NE(range->range, nullptr);
  EXPECT_EQ(range->range->rngsubtype, 23u);
  EXPECT_EQ(catalog.LoadType(23, *cx).value()->pg_type.typinput, 42u);
  EXPECT_EQ(catalog.LoadProc(150, *cx).value()->proargtypes.size(), 2u);
  EXPECT_EQ(catalog.LoadOperator(521, *cx).value()->oprname, ">");
  EXPECT_EQ(catalog.LoadCollation(950, *cx).value()->collname, "C");
  EXPECT_EQ(catalog.LoadOpclass(1978, *cx).value()->opcname, "int4_ops");
  EXPECT_EQ(catalog.LoadOpclass(1978, *cx).value()->amprocs.front().amproc, 351u);
  EXPECT_EQ(catalog.LoadNamespace(2200, *cx).value()->nspname, "public");
  EXPECT_EQ(catalog.LoadProc(16384, *cx).value(), nullptr);
}

}  // namespace
}  // namespace relcache
