#include "relcache/executor/constraints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <tuple>

#include "relcache/cache/relation_cache.h"
#include "relcache/simulate/insert_session.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

using testing::RelationBuilder;

class ConstraintsTest : public ::testing::Test {
 protected:
  /// A table (id bigint NOT NULL, c integer, t text NOT NULL) with these checks.
  Oid PutTable(std::initializer_list<std::pair<const char*, std::string>> checks) {
    RelationBuilder table(kTable, "t");
    table.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("t", kTextOid, true);
    for (const auto& [name, tree] : checks) table.Check(name, tree);
    const Status put = table.PutInto(catalog_);
    EXPECT_TRUE(put) << put.error().ToString();
    return kTable;
  }
  std::vector<NullableDatum> Row(std::optional<std::int64_t> id, std::optional<std::int32_t> c,
                                 std::optional<std::string_view> t) {
    std::vector<NullableDatum> row(3);
    if (id) row[0] = {Int64GetDatum(*id), false};
    if (c) row[1] = {Int32GetDatum(*c), false};
    if (t) row[2] = {MakeVarlena(*t, *cx_), false};
    return row;
  }
  std::string Verify(const std::vector<NullableDatum>& row) {
    const auto pin = cache_.Open(kTable);
    if (!pin) return pin.error().ToString();
    const auto checks = ChecksOf(**pin);
    if (!checks) return checks.error().ToString();
    const Status status = CheckRow(**checks, row, scratch_);
    if (status) return "fine";
    const Error& e = status.error();
    return std::string(e.sqlstate) + " " + e.message + (e.detail.empty() ? "" : " | " + e.detail);
  }

  static constexpr Oid kTable = 16400;
  ContextPtr cx_ = AllocSet::CreateRoot("constraints test");
  MemoryCatalog catalog_;
  RelationCache cache_{catalog_};
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  Scratch scratch_{settings_, *cx_};
};

// c is attnum 2.
const std::string kCPositive = testing::IntComparison(2, ">", 0);
const std::string kCSmall = testing::IntComparison(2, "<=", 100);
/// 1/c > -5
const std::string kReciprocal = testing::OneByIntComparison(2, ">", -5);

TEST_F(ConstraintsTest, NotNullComesFirstColumnByColumn) {
  PutTable({{"t_c_check", kCPositive}});
  EXPECT_EQ(Verify(Row({}, -1, {})),
            "23502 null value in column \"id\" of relation \"t\" violates not-null constraint | "
            "Failing row contains (null, -1, null).");
  EXPECT_EQ(Verify(Row(1, -1, {})),
            "23502 null value in column \"t\" of relation \"t\" violates not-null constraint | "
            "Failing row contains (1, -1, null).");
  EXPECT_EQ(
      Verify(Row(1, -1, "x")),
      "23514 new row for relation \"t\" violates check constraint \"t_c_check\" | Failing row "
      "contains (1, -1, x).");
  EXPECT_EQ(Verify(Row(1, 1, "x")), "fine");
}

TEST_F(ConstraintsTest, ACheckThatIsNullPasses) {
  PutTable({{"t_c_check", kCPositive}});
  EXPECT_EQ(Verify(Row(1, {}, "x")), "fine");
}

/// A CHECK that calls clock_timestamp() may be satisfied when the row is verified for its message.
TEST_F(ConstraintsTest, ARowThatIsSatisfiedByNowHasNoError) {
  PutTable({{"positive", kCPositive}});
  const auto pin = cache_.Open(kTable).value();
  const RelationConstraints& checks = *ChecksOf(*pin).value();
  EXPECT_TRUE(WhyRowFails(checks, Row(1, 1, "x"), scratch_, {}));
  EXPECT_FALSE(WhyRowFails(checks, Row(1, 0, "x"), scratch_, {}));
}

TEST_F(ConstraintsTest, ChecksAreEvaluatedByName) {
  PutTable({{"z", kCPositive}, {"b", testing::IntComparison(2, "<", 0)}, {"a", kReciprocal}});
  EXPECT_THAT(Verify(Row(1, 5, "x")), ::testing::HasSubstr("violates check constraint \"b\""));
  EXPECT_EQ(Verify(Row(1, 0, "x")), "22012 division by zero");
  EXPECT_THAT(Verify(Row(1, -1, "x")), ::testing::HasSubstr("violates check constraint \"z\""));
}

TEST_F(ConstraintsTest, AConstraintThatCannotBePreparedStopsTheRowBeforeAnyIsEvaluated) {
  PutTable({{"a", kCPositive}, {"b", testing::Unsupported(2)}});
  EXPECT_THAT(Verify(Row(1, -1, "x")),
              ::testing::AllOf(::testing::HasSubstr("constraint b"),
                               ::testing::HasSubstr("not supported: FUNCTION")));
}

TEST_F(ConstraintsTest, ValuesAreCutToSixtyFourBytesOfWholeCharacters) {
  PutTable({{"t_c_check", kCPositive}});
  const std::string exact(64, 'x');
  EXPECT_THAT(Verify(Row(1, 0, exact)), ::testing::HasSubstr("(1, 0, " + exact + ")."));
  EXPECT_THAT(Verify(Row(1, 0, exact + "y")), ::testing::HasSubstr("(1, 0, " + exact + "...)."));
  const std::string umlauts = std::string(63, 'x') + "äz";
  EXPECT_THAT(Verify(Row(1, 0, umlauts)),
              ::testing::HasSubstr("(1, 0, " + std::string(63, 'x') + "...)."));
}

TEST_F(ConstraintsTest, AValueThatCannotBePrintedIsShownAsItWasPutIn) {
  constexpr Oid kJsonbOid = 3802;
  RelationBuilder table(kTable, "t");
  table.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("j", kJsonbOid);
  table.Check("t_c_check", kCPositive);
  ASSERT_TRUE(table.PutInto(catalog_));
  const auto pin = cache_.Open(kTable);
  ASSERT_TRUE(pin);
  const auto row = Row(1, 0, "{}");
  const std::string_view input[] = {"1", "0", "{ }"};
  RowMessageInput text;
  EXPECT_EQ(DescribeRow(**pin, row, settings_, text, *cx_),
            "Failing row contains (1, 0, ??"
            "?).");
  text.input = input;
  EXPECT_EQ(DescribeRow(**pin, row, settings_, text, *cx_), "Failing row contains (1, 0, { }).");
}

TEST_F(ConstraintsTest, APinnedVersionIsEvaluatedAfterItsInvalidationThoughNobodyHadUsedIt) {
  PutTable({{"t_c_check", kCPositive}});
  const auto pin = cache_.Open(kTable);
  ASSERT_TRUE(pin);
  PutTable({{"t_c_check", kCSmall}});
  EXPECT_TRUE(pin->stale());
  const auto old_checks = ChecksOf(**pin);
  ASSERT_TRUE(old_checks);
  EXPECT_FALSE(CheckRow(**old_checks, Row(1, 0, "x"), scratch_));
  EXPECT_TRUE(CheckRow(**old_checks, Row(1, 101, "x"), scratch_));
  EXPECT_EQ(Verify(Row(1, 0, "x")), "fine");
  EXPECT_THAT(Verify(Row(1, 101, "x")), ::testing::HasSubstr("23514"));
}

void InvalidateOpenCheck(RelationCache& cache, Oid table, DatumRow row, Scratch& scratch,
                         int times) {
  for (int i = 0; i < times; ++i) {
    cache.Invalidate(table);
    const auto pin = cache.Open(table);
    ASSERT_TRUE(pin);
    const auto checks = ChecksOf(**pin);
    ASSERT_TRUE(checks);
    ASSERT_TRUE(CheckRow(**checks, row, scratch));
  }
}

TEST_F(ConstraintsTest, InvalidatingOverAndOverLeavesNothingBehind) {
  PutTable({{"a", kCPositive}, {"b", kCSmall}});
  const auto row = Row(1, 1, "x");
  InvalidateOpenCheck(cache_, kTable, row, scratch_, 100);
  const std::size_t before = cache_.stats().bytes;
  InvalidateOpenCheck(cache_, kTable, row, scratch_, 2000);
  EXPECT_EQ(cache_.stats().bytes, before);
}

using SlowConstraintsTest = ConstraintsTest;

TEST_F(SlowConstraintsTest, InvalidatingAHundredThousandTimesLeavesNothingBehind) {
  PutTable({{"a", kCPositive}, {"b", kCSmall}});
  const auto row = Row(1, 1, "x");
  InvalidateOpenCheck(cache_, kTable, row, scratch_, 100);
  const std::size_t before = cache_.stats().bytes;
  InvalidateOpenCheck(cache_, kTable, row, scratch_, 100'000);
  EXPECT_EQ(cache_.stats().bytes, before);
}

/// A relation of one version of PostgreSQL, and what its rows come to.
struct VersionedTable {
  explicit VersionedTable(int version, const char* collate = "C")
      : catalog(InfoOf(version, collate)) {}

  static ServerInfo InfoOf(int version, const char* collate) {
    ServerInfo info;
    info.server_version_num = version * 10000;
    info.datcollate = info.datctype = collate;
    return info;
  }
  /// The error of ChecksOf or of a row; "fine" if there is none.
  std::string Verify(Oid relation, const std::vector<NullableDatum>& row) {
    RelationCache cache(catalog);
    const RelationPin pin = cache.Open(relation).value();
    const auto checks = ChecksOf(*pin);
    const Status status = checks ? CheckRow(**checks, row, scratch) : Fail(Error(checks.error()));
    return status ? "fine" : status.error().sqlstate + (" " + status.error().ToString());
  }

  MemoryCatalog catalog;
  ContextPtr cx = AllocSet::CreateRoot("versioned table");
  SessionSettings settings;
  Scratch scratch{settings, *cx};
};

constexpr Oid kRelation = 16400;

std::vector<NullableDatum> Ints(std::initializer_list<std::optional<int>> values) {
  std::vector<NullableDatum> row;
  for (const auto& v : values)
    row.push_back(v ? NullableDatum{Int32GetDatum(*v), false} : NullableDatum{});
  return row;
}

TEST(RelChecksTest, DecideAsTheServerOfTheVersionDoes) {
  // create table m (a int not null, b int check (b > 1), constraint z check (a > 5));
  // update pg_class set relchecks = N where relname = 'm'; insert into m values (...);
  struct Case {
    int version;
    int relchecks;
    std::vector<NullableDatum> row;
    const char* expected;
  };
  const char* const kNotNull12 =
      "23502 null value in column \"a\" violates not-null constraint (Failing row contains (null, "
      "1).)";
  const char* const kNotNull =
      "23502 null value in column \"a\" of relation \"m\" violates not-null constraint (Failing "
      "row contains (null, 1).)";
  const char* const kMissing = "XX000 1 pg_constraint record(s) missing for relation \"m\"";
  const char* const kMissing13 = "XX000 1 constraint record(s) missing for rel m";
  const char* const kTooMany13 = "XX000 unexpected constraint record found for rel m";
  const char* const kB =
      "23514 new row for relation \"m\" violates check constraint \"m_b_check\" (Failing row "
      "contains (1, 0).)";
  // Trees are of the form that 13 to 15 write; the live server has the other versions.
  for (const Case& c : std::initializer_list<Case>{{12, 3, Ints({{}, 1}), kMissing13},
                                                   {13, 3, Ints({9, 9}), kMissing13},
                                                   {12, 1, Ints({9, 9}), kTooMany13},
                                                   {13, 1, Ints({{}, 1}), kTooMany13},
                                                   {12, 0, Ints({1, 0}), "fine"},
                                                   {13, 0, Ints({1, 0}), "fine"},
                                                   {12, 0, Ints({{}, 1}), kNotNull12},
                                                   {13, 0, Ints({{}, 1}), kNotNull},
                                                   {13, 2, Ints({{}, 1}), kNotNull},
                                                   {14, 3, Ints({{}, 1}), kNotNull},
                                                   {14, 3, Ints({9, 9}), kMissing},
                                                   {18, 3, Ints({9, 9}), kMissing},
                                                   {18, 3, Ints({1, 0}), kMissing},
                                                   {14, 1, Ints({1, 9}), "fine"},
                                                   {15, 1, Ints({1, 0}), kB},
                                                   {15, 1, Ints({{}, 1}), kNotNull},
                                                   {18, 0, Ints({1, 0}), "fine"},
                                                   {15, -1, Ints({1, 0}), kB}}) {
    VersionedTable table(c.version);
    ASSERT_TRUE(RelationBuilder(kRelation, "m")
                    .Column("a", kInt4Oid, true)
                    .Column("b", kInt4Oid)
                    .Check("m_b_check", testing::IntComparison(2, ">", 1))
                    .Check("z", testing::IntComparison(1, ">", 5))
                    .RelChecks(c.relchecks)
                    .PutInto(table.catalog));
    EXPECT_EQ(table.Verify(kRelation, c.row), c.expected) << c.version << " " << c.relchecks;
  }
}

TEST(RelKindTest, OnlyTablesHaveChecksAndForeignOnesNone) {
  for (const auto& [relkind, expected] : std::initializer_list<std::pair<char, const char*>>{
           {'r', "23514"},
           {'p', "23514"},
           {'f', "fine"},
           {'v', "0A000 not supported: rows of view \"m\""},
           {'m', "0A000 not supported: rows of materialized view \"m\""},
           {'S', "0A000 not supported: rows of sequence \"m\""},
           {'t', "0A000 not supported: rows of toast table \"m\""},
           {'i', "0A000 not supported: rows of index \"m\""},
           {'I', "0A000 not supported: rows of partitioned index \"m\""},
           {'c', "0A000 not supported: rows of composite type \"m\""},
           {'x', "0A000 not supported: rows of relation of kind 'x' \"m\""}}) {
    VersionedTable table(15);
    const Status put = RelationBuilder(kRelation, "m")
                           .Kind(relkind)
                           .Column("a", kInt4Oid, true)
                           .Check("m_a_check", testing::IntComparison(1, ">", 1))
                           .PutInto(table.catalog);
    ASSERT_TRUE(put) << relkind << put.error().ToString();
    EXPECT_THAT(table.Verify(kRelation, Ints({0})), ::testing::StartsWith(expected)) << relkind;
  }
}

TEST(RelKindTest, AnInsertSaysWhatTheServerOfTheVersionSays) {
  // create materialized view, sequence, table (its toast table), index, composite type m;
  // insert into m values (1);
  for (const auto& [version, relkind, expected] :
       std::initializer_list<std::tuple<int, char, const char*>>{
           {12, 'm', "42809 cannot change materialized view \"m\""},
           {18, 'm', "42809 cannot change materialized view \"m\""},
           {15, 'S', "42809 cannot change sequence \"m\""},
           {15, 't', "42809 cannot change TOAST relation \"m\""},
           {15, 'i', "42809 \"m\" is an index"},
           {12, 'I', "42809 \"m\" is an index"},
           {15, 'c', "42809 \"m\" is a composite type"},
           {16, 'i',
            "42809 cannot open relation \"m\" (This operation is not supported for indexes.)"},
           {18, 'I',
            "42809 cannot open relation \"m\" (This operation is not supported for partitioned "
            "indexes.)"},
           {16, 'c',
            "42809 cannot open relation \"m\" (This operation is not supported for composite "
            "types.)"},
           {15, 'v', "0A000 not supported: INSERT into view \"m\""},
           {15, 'p', "0A000 not supported: INSERT into partitioned table \"m\""},
           {15, 'f', "0A000 not supported: INSERT into foreign table \"m\""}}) {
    VersionedTable table(version);
    const Status put =
        RelationBuilder(kRelation, "m").Kind(relkind).Column("a", kInt4Oid).PutInto(table.catalog);
    ASSERT_TRUE(put) << relkind << put.error().ToString();
    RelationCache cache(table.catalog);
    InsertSession session(cache, table.settings);
    for (const UnsupportedConstraints unsupported :
         {UnsupportedConstraints::kFail, UnsupportedConstraints::kSkip}) {
      session.set_unsupported(unsupported);
      const auto stored = session.Insert(kRelation, Ints({1}));
      ASSERT_FALSE(stored) << relkind;
      EXPECT_EQ(stored.error().sqlstate + (" " + stored.error().ToString()), expected);
    }
  }
}

TEST(GeneratedColumnsTest, AVirtualOneIsItsExpressionWhateverStandsInItsPlace) {
  // create table t (a int, v int generated always as (1 / a) virtual not null check (v > -5));
  VersionedTable table(15);
  ASSERT_TRUE(RelationBuilder(kRelation, "t")
                  .Column("a", kInt4Oid)
                  .Generated("v", kInt4Oid, 'v',
                             testing::OperatorText(
                                 528, 154, kInt4Oid,
                                 testing::IntText(10) + " " + testing::VarText(1, kInt4Oid)),
                             true)
                  .Check("v_check", testing::IntComparison(2, ">", -5))
                  .PutInto(table.catalog));
  for (const std::optional<int> place : {std::optional<int>(), std::optional<int>(7)}) {
    EXPECT_EQ(table.Verify(kRelation, Ints({5, place})), "fine");
    EXPECT_EQ(table.Verify(kRelation, Ints({-2, place})),
              "23514 new row for relation \"t\" violates check constraint \"v_check\" (Failing row "
              "contains (-2, virtual).)");
    EXPECT_EQ(table.Verify(kRelation, Ints({{}, place})),
              "23502 null value in column \"v\" of relation \"t\" violates not-null constraint "
              "(Failing row contains (null, virtual).)");
    EXPECT_EQ(table.Verify(kRelation, Ints({0, place})),
              "22012 relation public.t, column v: division by zero");
  }
}

/// A table (a integer NOT NULL, t text) whose checks are fine, not supported, and fine.
class UnsupportedTest : public ::testing::Test {
 protected:
  UnsupportedTest() {
    EXPECT_TRUE(RelationBuilder(kRelation, "t")
                    .Column("a", kInt4Oid, true)
                    .Column("t", kTextOid)
                    .Generated("v", kInt4Oid, 'v', SizeOf(1), true)
                    .Check("a_positive", testing::IntComparison(1, ">", 0))
                    .Check("b_unknown", testing::Unsupported(1))
                    .Check("c_lower", LowerIs("abc"))
                    .Check("d_small", testing::IntComparison(1, "<=", 100))
                    .PutInto(table_.catalog));
  }
  static std::string SizeOf(int attnum) {
    return "{FUNCEXPR :funcid 1269 :funcresulttype 23 :funcretset false :funcvariadic false "
           ":funcformat 0 :funccollid 0 :inputcollid 0 :args (" +
           testing::VarText(attnum, kInt4Oid) + ") :location -1}";
  }
  /// lower(t) = text, under the database's collation.
  static std::string LowerIs(std::string_view text) {
    std::string bytes = std::to_string((text.size() + 4) * 4) + " 0 0 0 ";
    for (const char c : text) bytes += std::to_string(static_cast<int>(c)) + " ";
    return "{OPEXPR :opno 98 :opfuncid 67 :opresulttype 16 :opretset false :opcollid 0 "
           ":inputcollid "
           "100 :args ({FUNCEXPR :funcid 870 :funcresulttype 25 :funcretset false :funcvariadic "
           "false :funcformat 0 :funccollid 100 :inputcollid 100 :args (" +
           testing::VarText(2, kTextOid) +
           ") :location -1} {CONST :consttype 25 :consttypmod -1 :constcollid 100 :constlen -1 "
           ":constbyval false :constisnull false :location -1 :constvalue " +
           std::to_string(text.size() + 4) + " [ " + bytes + "]}) :location -1}";
  }
  std::vector<NullableDatum> Row(std::optional<int> a, std::string_view t) {
    auto row = Ints({a, {}, {}});
    row[1] = {MakeVarlena(t, *table_.cx), false};
    return row;
  }

  VersionedTable table_{15, "en_US.UTF-8"};
};

constexpr const char* kColumnReason =
    "relation public.t, column v: adbin: not supported: FUNCTION pg_column_size(\"any\")";
constexpr const char* kUnknownReason =
    "relation public.t, constraint b_unknown: conbin: not supported: FUNCTION "
    "pg_column_size(\"any\")";

TEST_F(UnsupportedTest, FailsUnlessTheCallerSaysOtherwise) {
  EXPECT_EQ(table_.Verify(kRelation, Row(1, "ABC")), std::string("0A000 ") + kColumnReason);
}

TEST_F(UnsupportedTest, IsListedByNameAndReasonWhenSkipped) {
  RelationCache cache(table_.catalog);
  const RelationPin pin = cache.Open(kRelation).value();
  for (const CheckMode way :
       {CheckMode::kReparse, CheckMode::kCopy, CheckMode::kCached, CheckMode::kCompiled}) {
    const auto checks =
        PrepareChecks(*pin, way, *table_.cx, nullptr, UnsupportedConstraints::kSkip);
    ASSERT_TRUE(checks) << checks.error().ToString();
    ASSERT_EQ((*checks)->refused.size(), 2u);
    const RefusedConstraint& column = (*checks)->refused[0];
    EXPECT_EQ(column.name, "v");
    EXPECT_EQ(column.attnum, 3);
    EXPECT_EQ(column.reason.Get().ToString(), kColumnReason);
    const RefusedConstraint& check = (*checks)->refused[1];
    EXPECT_EQ(check.name, "b_unknown");
    EXPECT_EQ(check.attnum, 0);
    EXPECT_EQ(check.reason.Get().ToString(), kUnknownReason);
    EXPECT_EQ(check.reason.Get().code, ErrorCode::kNotSupported);
    EXPECT_EQ((*checks)->checks.size(), 3u);
  }
  EXPECT_NE(*ChecksOf(*pin, UnsupportedConstraints::kSkip), nullptr);
  EXPECT_FALSE(ChecksOf(*pin));
}

TEST_F(UnsupportedTest, ARowThatWasNotVerifiedIsSaidToBeSo) {
  RelationCache cache(table_.catalog);
  const RelationPin pin = cache.Open(kRelation).value();
  const RelationConstraints& checks = **ChecksOf(*pin, UnsupportedConstraints::kSkip);
  const char* const kLower =
      "relation public.t, constraint c_lower: not supported: characters outside ASCII for FUNCTION "
      "lower(text) under collation \"default\" of locale en_US.UTF-8 (libc)";
  struct Case {
    std::optional<int> a;
    const char* t;
    RowVerdict verdict;
    std::string why;      ///< of VerifyRow
    std::string refusal;  ///< of CheckRow
  };
  const std::string small =
      "new row for relation \"t\" violates check constraint \"d_small\" (Failing row contains ";
  for (const Case& c : std::initializer_list<Case>{
           {1, "ABC", RowVerdict::kNotVerified, kColumnReason, kColumnReason},
           {0, "ABC", RowVerdict::kFails,
            "new row for relation \"t\" violates check constraint \"a_positive\" (Failing row "
            "contains (0, ABC, virtual).)",
            ""},
           {101, "ABC", RowVerdict::kFails, small + "(101, ABC, virtual).)", ""},
           {1, "\xC3\x84", RowVerdict::kNotVerified, kLower, ""},
           {101, "\xC3\x84", RowVerdict::kFails, small + "(101, \xC3\x84, virtual).)", kLower},
           {{},
            "ABC",
            RowVerdict::kFails,
            "null value in column \"a\" of relation \"t\" violates not-null constraint (Failing "
            "row "
            "contains (null, ABC, virtual).)",
            ""}}) {
    const auto row = Row(c.a, c.t);
    Error why;
    EXPECT_EQ(VerifyRow(checks, row, table_.scratch, &why), c.verdict);
    EXPECT_EQ(why.ToString(), c.why);
    EXPECT_EQ(VerifyRow(checks, row, table_.scratch), c.verdict);
    EXPECT_FALSE(RowPasses(checks, row, table_.scratch));
    const Status status = CheckRow(checks, row, table_.scratch);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().ToString(), c.refusal.empty() ? c.why : c.refusal);
  }
}

TEST_F(UnsupportedTest, AnInsertStoresWhatPassesTheRestIfTheCallerSaysSo) {
  RelationCache cache(table_.catalog);
  InsertSession session(cache, table_.settings);
  EXPECT_EQ(session.Insert(kRelation, Row(1, "ABC")).error().ToString(), kColumnReason);
  session.set_unsupported(UnsupportedConstraints::kSkip);
  EXPECT_EQ(session.Insert(kRelation, Row(1, "ABC")).value_or(9), 1u);
  EXPECT_STREQ(session.Insert(kRelation, Row(0, "ABC")).error().sqlstate, "23514");
  EXPECT_STREQ(session.Insert(kRelation, Row({}, "ABC")).error().sqlstate, "23502");
  EXPECT_EQ((*session.Table(kRelation))->size(), 1u);
}

TEST(ErrorPlaceTest, AnErrorOfARowNamesTheConstraintAndKeepsTheMessage) {
  VersionedTable table(15);
  ASSERT_TRUE(RelationBuilder(kRelation, "t")
                  .Column("a", kInt4Oid)
                  .Column("b", kInt4Oid)
                  .Check("t_check", testing::OneByIntComparison(2, ">", -5))
                  .PutInto(table.catalog));
  RelationCache cache(table.catalog);
  const RelationPin pin = cache.Open(kRelation).value();
  const Status status = CheckRow(**ChecksOf(*pin), Ints({1, 0}), table.scratch);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "division by zero");
  EXPECT_EQ(status.error().place, "relation public.t, constraint t_check");
}

class InsertTest : public ConstraintsTest {
 protected:
  static constexpr Oid kParent = 16401;
  InsertTest() {
    PutTable({{"t_c_check", kCPositive}});
    RelationBuilder parent(kParent, "p");
    parent.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("t", kTextOid, true);
    EXPECT_TRUE(parent.PutInto(catalog_));
  }
  InsertSession session_{cache_, settings_};
};

TEST_F(InsertTest, AStoredRowIsACopy) {
  std::string text = "abc";
  {
    ContextPtr own = AllocSet::CreateRoot("caller");
    std::vector<NullableDatum> row(3);
    row[0] = {Int64GetDatum(7), false};
    row[2] = {MakeVarlena("abc", *own), false};
    const auto stored = session_.Insert(kTable, row);
    ASSERT_TRUE(stored) << stored.error().ToString();
    EXPECT_EQ(*stored, 1u);
  }
  HeapTable& table = **session_.Table(kTable);
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(DatumGetInt64(table.Get(0, 0).value), 7);
  EXPECT_TRUE(table.Get(0, 1).isnull);
  EXPECT_EQ(VarData(table.Get(0, 2).value), text);
}

TEST_F(InsertTest, ARowThatBreaksAConstraintIsNotStored) {
  const auto stored = session_.Insert(kTable, Row(1, 0, "x"));
  ASSERT_FALSE(stored);
  EXPECT_STREQ(stored.error().sqlstate, "23514");
  EXPECT_EQ((*session_.Table(kTable))->size(), 0u);
}

TEST_F(InsertTest, ATriggerRoutesRowsByStatementsOfItsOwn) {
  session_.AddTrigger(kParent, "route", [](TriggerContext& t) -> Result<TriggerAction> {
    RELCACHE_TRY(t.session.Insert(kTable, t.row));
    return TriggerAction::kSkip;
  });
  for (int i = 1; i <= 1000; ++i) {
    const auto stored = session_.Insert(kParent, Row(i, i, "x"));
    ASSERT_TRUE(stored) << stored.error().ToString();
    EXPECT_EQ(*stored, 0u);
  }
  EXPECT_EQ((*session_.Table(kTable))->size(), 1000u);
  EXPECT_EQ((*session_.Table(kParent))->size(), 0u);
  const auto refused = session_.Insert(kParent, Row(1, -1, "x"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("relation \"t\""));
}

TEST_F(InsertTest, TriggersFireByNameAndMayChangeTheRow) {
  std::string order;
  session_.AddTrigger(kTable, "b", [&](TriggerContext& t) -> Result<TriggerAction> {
    order += "b";
    t.row[2] = {MakeVarlena("changed", t.cx), false};
    return TriggerAction::kInsert;
  });
  session_.AddTrigger(kTable, "a", [&](TriggerContext& t) -> Result<TriggerAction> {
    order += "a";
    t.row[1] = {Int32GetDatum(DatumGetInt32(t.row[1].value) + 10), false};
    return TriggerAction::kInsert;
  });
  ASSERT_TRUE(session_.Insert(kTable, Row(1, -5, "x")));
  EXPECT_EQ(order, "ab");
  EXPECT_EQ(DatumGetInt32((*session_.Table(kTable))->Get(0, 1).value), 5);
  EXPECT_EQ(VarData((*session_.Table(kTable))->Get(0, 2).value), "changed");
}

TEST_F(InsertTest, ATriggerThatInsertsIntoItsOwnTableStopsAtTheLimit) {
  session_.AddTrigger(kTable, "again", [](TriggerContext& t) -> Result<TriggerAction> {
    RELCACHE_TRY(t.session.Insert(kTable, t.row));
    return TriggerAction::kInsert;
  });
  const auto stored = session_.Insert(kTable, Row(1, 1, "x"));
  ASSERT_FALSE(stored);
  EXPECT_STREQ(stored.error().sqlstate, "54001");
}

TEST_F(InsertTest, ManyRowsOfOneStatementAreEachVerified) {
  int n = 0;
  const auto stored =
      session_.InsertAll(kTable, [&](std::span<NullableDatum> row, MemoryContext& cx) {
        if (++n > 2000) return false;
        row[0] = {Int64GetDatum(n), false};
        row[1] = {Int32GetDatum(n), n % 2 == 0};
        row[2] = {MakeVarlena(std::to_string(n), cx), false};
        return true;
      });
  ASSERT_TRUE(stored);
  EXPECT_EQ(*stored, 2000u);
  const HeapTable& table = **session_.Table(kTable);
  ASSERT_EQ(table.size(), 2000u);
  EXPECT_EQ(VarData(table.Get(1999, 2).value), "2000");
  EXPECT_TRUE(table.Get(1, 1).isnull);
  EXPECT_FALSE(table.Get(0, 1).isnull);
}

TEST_F(InsertTest, ARelationThatGotAnotherColumnIsNoMisreadTable) {
  ASSERT_TRUE(session_.Insert(kTable, Row(1, 1, "x")));
  RelationBuilder wider(kTable, "t");
  wider.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("t", kTextOid, true);
  wider.Column("more", kInt4Oid);
  ASSERT_TRUE(wider.PutInto(catalog_));
  const auto stored = session_.Insert(kTable, Row(2, 1, "x"));
  ASSERT_FALSE(stored);
  EXPECT_STREQ(stored.error().sqlstate, "42804");
}

}  // namespace
}  // namespace relcache
