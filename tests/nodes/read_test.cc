#include "relcache/nodes/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "relcache/nodes/json.h"
#include "relcache/nodes/nodes.h"
#include "relcache/nodes/write.h"

namespace relcache {
namespace {

using testing::HasSubstr;

class ReadTest : public testing::Test {
 protected:
  Result<Node*> Read(std::string_view text, int version = 15) {
    // Exactly as large as the text, so that asan sees a byte too far.
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    std::memcpy(exact.get(), text.data(), text.size());
    return StringToNode({exact.get(), text.size()}, {.pg_version = version}, *cx_);
  }
  void ExpectRoundTrip(std::string_view text, int version = 15) {
    const Result<Node*> tree = Read(text, version);
    ASSERT_TRUE(tree) << text << ": " << tree.error().ToString();
    const auto again = NodeToString(*tree, {.pg_version = version}, *cx_);
    ASSERT_TRUE(again) << again.error().ToString();
    EXPECT_EQ(*again, text);
  }

  ContextPtr cx_ = AllocSet::CreateRoot("test");
};

std::string Const(std::string_view length, std::string_view byval, std::string_view value,
                  std::string_view isnull = "false") {
  return "{CONST :consttype 25 :consttypmod -1 :constcollid 100 :constlen " + std::string(length) +
         " :constbyval " + std::string(byval) + " :constisnull " + std::string(isnull) +
         " :location 3 :constvalue " + std::string(value) + "}";
}

TEST_F(ReadTest, TextsThatComeBackByteForByte) {
  const std::string ref = "{RANGETBLREF :rtindex 1}";
  for (const std::string& text : {
           std::string("<>"),
           ref,
           "(" + ref + ")",
           "(" + ref + " <> " + ref + ")",
           std::string("(<>)"),
           std::string("(i 1 -2 3)"),
           std::string("(o 0 4294967295)"),
           std::string("(\"a\" \"\" \"quo\"te\" \"\\1a\" \"\\\"\" \"b\" \"x\\ y\\\\\")"),
           "((" + ref + ") (" + ref + " " + ref + "))",
           std::string("{FROMEXPR :fromlist <> :quals <>}"),
           std::string("{ALIAS :aliasname \\<> :colnames <>}"),
           std::string("{ALIAS :aliasname \\+.5 :colnames <>}"),
           std::string("{ALIAS :aliasname +a :colnames <>}"),
           std::string("{ALIAS :aliasname :a :colnames <>}"),
           std::string("{ALIAS :aliasname .5 :colnames <>}"),
           std::string("{ALIAS :aliasname a\\\nb\\\tc\\{d\\}\r\v\xc3\xa9\xff :colnames <>}"),
           std::string("{BOOLEXPR :boolop not :args <> :location -1}"),
           Const("4", "true", "4 [ -1 -1 -1 -1 -1 -1 -1 -1 ]"),
           Const("-1", "false", "5 [ 20 0 0 0 97 ]"),
           Const("-1", "false", "<>", "true"),
           Const("-2", "false", "3 [ 97 98 0 ]"),
           Const("16", "false", "16 [ 0 1 -2 3 0 0 0 0 0 0 0 0 0 0 -128 127 ]"),
       })
    ExpectRoundTrip(text);
  ExpectRoundTrip("{NOTIFYSTMT :conditionname a :payload \"\"}", 16);
}

// Kinds that no catalog holds: a transition table in a trigger's query, and the one row of a query
// without FROM after planning. As the servers print them (debug_print_parse, debug_print_plan).
TEST_F(ReadTest, RangeTableEntriesThatOnlyPlansAndTriggersHave) {
  const std::pair<int, const char*> entries[] = {
      {12,
       "{RTE :alias <> :eref {ALIAS :aliasname *RESULT* :colnames <>} :rtekind 8 :lateral false "
       ":inh false :inFromCl false :requiredPerms 0 :checkAsUser 0 :selectedCols (b) :insertedCols "
       "(b) :updatedCols (b) :extraUpdatedCols (b) :securityQuals <>}"},
      {12,
       "{RTE :alias <> :eref {ALIAS :aliasname n :colnames (\"a\" \"b\")} :rtekind 7 :enrname "
       "newtab :enrtuples 1 :relid 16384 :coltypes (o 23 25) :coltypmods (i -1 -1) :colcollations "
       "(o 0 100) :lateral false :inh false :inFromCl true :requiredPerms 0 :checkAsUser 0 "
       ":selectedCols (b) :insertedCols (b) :updatedCols (b) :extraUpdatedCols (b) :securityQuals "
       "<>}"},
      {15,
       "{RANGETBLENTRY :alias <> :eref {ALIAS :aliasname *RESULT* :colnames <>} :rtekind 8 "
       ":lateral false :inh false :inFromCl false :requiredPerms 0 :checkAsUser 0 :selectedCols "
       "(b) :insertedCols (b) :updatedCols (b) :extraUpdatedCols (b) :securityQuals <>}"},
      {15,
       "{RANGETBLENTRY :alias <> :eref {ALIAS :aliasname n :colnames (\"a\" \"b\")} :rtekind 7 "
       ":enrname newtab :enrtuples 1 :relid 16384 :coltypes (o 23 25) :coltypmods (i -1 -1) "
       ":colcollations (o 0 100) :lateral false :inh false :inFromCl true :requiredPerms 0 "
       ":checkAsUser 0 :selectedCols (b) :insertedCols (b) :updatedCols (b) :extraUpdatedCols (b) "
       ":securityQuals <>}"},
      {16,
       "{RANGETBLENTRY :alias <> :eref {ALIAS :aliasname *RESULT* :colnames <>} :rtekind 8 "
       ":lateral false :inh false :inFromCl false :securityQuals <>}"},
      {16,
       "{RANGETBLENTRY :alias <> :eref {ALIAS :aliasname n :colnames (\"a\" \"b\")} :rtekind 7 "
       ":enrname newtab :enrtuples 1 :coltypes (o 23 25) :coltypmods (i -1 -1) :colcollations (o 0 "
       "100) :relid 16384 :lateral false :inh false :inFromCl true :securityQuals <>}"},
      {18,
       "{RANGETBLENTRY :alias <> :eref {ALIAS :aliasname *RESULT* :colnames <>} :rtekind 8 "
       ":lateral false :inFromCl false :securityQuals <>}"},
      {18,
       "{RANGETBLENTRY :alias <> :eref {ALIAS :aliasname n :colnames (\"a\" \"b\")} :rtekind 7 "
       ":enrname newtab :enrtuples 1 :coltypes (o 23 25) :coltypmods (i -1 -1) :colcollations (o 0 "
       "100) :relid 16384 :lateral false :inFromCl true :securityQuals <>}"},
  };
  for (const auto& [version, text] : entries) {
    ExpectRoundTrip(text, version);
    const Result<Node*> tree = Read(text, version);
    ASSERT_TRUE(tree);
    const auto* entry = As<RangeTblEntry>(*tree);
    const bool is_table = entry->rtekind == RTEKind::kNamedTuplestore;
    EXPECT_EQ(entry->rtekind == RTEKind::kResult, !is_table) << text;
    EXPECT_EQ(entry->relid, is_table ? Oid{16384} : Oid{0});
    EXPECT_EQ(entry->enrname.view(), is_table ? "newtab" : "");
    EXPECT_EQ(entry->eref->aliasname.view(), is_table ? "n" : "*RESULT*");
  }
}

TEST_F(ReadTest, BytesOfAMachineWithUnsignedCharAreMarkedAndWrittenBackSo) {
  const std::string text = Const("-1", "false", "6 [ 24 0 0 0 195 169 ]");
  ExpectRoundTrip(text);
  const struct Const* constant = As<struct Const>(*Read(text));
  EXPECT_TRUE(constant->bytes_unsigned);
  EXPECT_EQ(constant->bytes().substr(4), "\xc3\xa9");
  EXPECT_FALSE(Read(Const("-1", "false", "6 [ 24 0 0 0 -61 169 ]")));
}

TEST_F(ReadTest, ValuesByReferenceCanBeUsedInPlace) {
  const struct Const* constant = As<struct Const>(*Read(Const("-1", "false", "5 [ 20 0 0 0 97 ]")));
  EXPECT_EQ(VarData(constant->constvalue), "a");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(constant->bytes().data()) % 8, 0u);
}

struct Refusal {
  std::string text;
  std::size_t offset;
  std::string says;
  int version = 15;
};

TEST_F(ReadTest, RefusesWithPlaceNodeFieldAndWhatWasExpected) {
  const std::string var =
      "{VAR :varno 1 :varattno 1 :vartype 23 :vartypmod -1 :varcollid 0 :varlevelsup 0 ";
  const Refusal refusals[] = {
      {"", 0, "a node, a list or <>"},
      {"x", 0, "a node, a list or <>"},
      {"<>x", 2, "the end of the text"},
      {"{FOO :x 1}", 1, "a node type of this version"},
      {"{VARX :varno 1}", 1, "a node type"},
      {"()", 1, "an element of a list"},
      {"(i)", 1, "an element of a list"},
      {"(i 1", 4, "numbers and )"},
      {"(i 1 x)", 5, "an integer from -2147483648"},
      {"(i  1)", 3, "an integer"},
      {"(o -1)", 3, "an integer from 0 to 4294967295"},
      {"(\"a)", 3, "a quote"},
      {"(\"\\a\")", 1, "backslashes"},
      {"{RANGETBLREF :rtindex 01}", 22, "an integer"},
      {"{RANGETBLREF :rtindex " + std::string(100, '0'), 22, "an integer"},
      {"({FUNCEXPR :funcid " + std::string(100, '0'), 19, "an integer"},
      {"{RANGETBLREF :rtindex -0}", 22, "an integer"},
      {"{RANGETBLREF :rtindex +1}", 22, "an integer"},
      {"{RANGETBLREF :rtindex 2147483648}", 22, "in field \"rtindex\" of RANGETBLREF"},
      {"{RANGETBLREF :rtindex 99999999999999999999999}", 22, "an integer"},
      {"{RANGETBLREF :rtindex 1 }", 23, "} after the last field of RANGETBLREF"},
      {"{RANGETBLREF :rtindex 1 :more 2}", 23, "} after the last field"},
      {"{RANGETBLREF :rtindex 1", 23, "the end of the text"},
      {"{RANGETBLREF}", 12, "\"rtindex\""},
      {"{RANGETBLREF  :rtindex 1}", 12, "\"rtindex\""},
      {var + ":varnoold 1 :varoattno 1 :location 1}", var.size() - 1,
       "field \"varnosyn\" of VAR, found \" :varnoold 1 :varoattno \", which PostgreSQL 10 to 12 "
       "write"},
      {var + ":varnosyn 1 :varattnosyn 1 :location 1}", 64, "\"varnullingrels\"", 16},
      {"{BOOLEXPR :boolop xor :args <> :location 1}", 18, "and, or, not"},
      {"{ALIAS :aliasname \"\" :colnames <>}", 18, "backslashes"},
      {"{ALIAS :aliasname 1a :colnames <>}", 18, "backslashes"},
      {"{ALIAS :aliasname x :colnames (i 1)}", 35, "another type"},
      {"{NULLTEST :arg {ALIAS :aliasname x :colnames <>} :nulltesttype 0 :argisrow false :location "
       "1}",
       48, "another type"},
      {"{ALIAS :aliasname x :colnames (x)}", 31, "a list in field \"colnames\" of ALIAS"},
      {"{ALIAS :aliasname x :colnames ((\"y\" x))}", 36, "in field \"colnames\" of ALIAS"},
      {"{ALIAS :aliasname x :colnames (i x)}", 33, "2147483647 in field \"colnames\" of ALIAS"},
      {"{NULLTEST :arg {VARX}", 16, "version of PostgreSQL in field \"arg\" of NULLTEST, found"},
      {"{NULLTEST :arg {ALIAS :aliasname x :colnames (x)}}", 46, "\"colnames\" of ALIAS"},
      {"{NULLTEST :arg {ALIAS :aliasname x :colnames <> x}}", 47, "last field of ALIAS"},
      {"{CONST :consttype 23 :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true "
       ":constisnull false :location -1 :constvalue -4 [ 1 ]}",
       125, "a number of bytes in field \"constvalue\" of CONST"},
      {"{NULLTEST :arg <> :nulltesttype 2 :argisrow false :location 1}", 32, "from 0 to 1"},
      {"{NULLTEST :arg <> :nulltesttype 0 :argisrow yes :location 1}", 44, "true or false"},
      {"{CASE :casetype 1}", 1, "which PostgreSQL 10 to 14 write"},
      {"{CASEEXPR :casetype 1}", 1, "a node type of this version", 14},
  };
  for (const Refusal& r : refusals) {
    const Result<Node*> tree = Read(r.text, r.version);
    ASSERT_FALSE(tree) << r.text;
    EXPECT_EQ(tree.error().offset, r.offset) << r.text << ": " << tree.error().ToString();
    EXPECT_THAT(tree.error().message, HasSubstr(r.says)) << r.text;
    EXPECT_STREQ(tree.error().sqlstate, "XX001");
  }
}

TEST_F(ReadTest, RefusesDatumsThatAreNotWhatTheirConstSays) {
  const std::size_t at = Const("4", "true", "").size() - 1;
  const struct {
    const char *length, *byval, *value, *says;
  } refusals[] = {
      {"4", "true", "4 [ 1 0 0 ]", "a byte"},
      {"4", "true", "4 [ 1 0 0 0 0 0 0 0 0 ]", "] after the last byte"},
      {"4", "true", "8 [ 1 0 0 0 0 0 0 0 ]", "as many bytes as constlen"},
      {"4", "true", "4 [ 1 0 0 0 0 0 0 256 ]", "a byte"},
      {"4", "true", "4 [ 1 0 0 0 0 0 0 -129 ]", "a byte"},
      {"4", "true", "4 [ 01 0 0 0 0 0 0 0 ]", "a byte"},
      {"4", "true", "4 [ -0 0 0 0 0 0 0 0 ]", "a byte"},
      {"4", "true", "<>", "a number of bytes"},
      {"3", "true", "3 [ 1 0 0 0 0 0 0 0 ]", "constlen of 1, 2, 4 or 8"},
      {"0", "false", "0 [ ]", "constlen"},
      {"-3", "false", "1 [ 1 ]", "constlen"},
      {"-1", "false", "5 [ 24 0 0 0 97 ]", "varlena header"},
      {"-1", "false", "5 [ 22 0 0 0 97 ]", "varlena header"},
      {"-1", "false", "3 [ 12 0 0 ]", "varlena header"},
      {"-1", "false", "1000000000 [ 20 0 0 0 97 ]", "as many bytes as the text has"},
      {"-2", "false", "2 [ 97 98 ]", "zero byte"},
      {"-2", "false", "3 [ 97 0 0 ]", "zero byte"},
      {"8", "false", "7 [ 1 2 3 4 5 6 7 ]", "as many bytes as constlen"},
  };
  for (const auto& r : refusals) {
    const std::string text = Const(r.length, r.byval, r.value);
    const Result<Node*> tree = Read(text);
    ASSERT_FALSE(tree) << text;
    EXPECT_THAT(tree.error().message, HasSubstr(r.says)) << text;
    EXPECT_THAT(tree.error().message, HasSubstr("\"constvalue\" of CONST")) << text;
    EXPECT_GE(*tree.error().offset, at);
  }
  EXPECT_FALSE(Read(Const("4", "true", "4 [ 1 0 0 0 0 0 0 0 ]", "true")));
}

TEST_F(ReadTest, ANulAnywhereIsRefused) {
  const std::string text =
      "({ALIAS :aliasname abc :colnames (\"x\" \"y\")} {RANGETBLREF :rtindex 1} (i 1 2))";
  ASSERT_TRUE(Read(text));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = '\0';
    EXPECT_FALSE(Read(damaged)) << i;
    damaged = text;
    damaged.insert(i, 1, '\0');
    EXPECT_FALSE(Read(damaged)) << i;
  }
}

TEST_F(ReadTest, KeepsToItsLimitsAndSoDoesTheWriter) {
  const std::string text = "((((<>))) {RANGETBLREF :rtindex 1})";
  const auto read = [&](TreeOptions options) { return StringToNode(text, options, *cx_); };
  const Result<Node*> tree = read({});
  ASSERT_TRUE(tree);
  const auto write = [&](TreeOptions options) { return NodeToString(*tree, options, *cx_); };
  const auto json = [&](TreeOptions options) { return NodeToJson(*tree, options, *cx_); };
  EXPECT_TRUE(read({.max_depth = 4}) && write({.max_depth = 4}) && json({.max_depth = 4}));
  EXPECT_TRUE(read({.max_nodes = 6}) && write({.max_nodes = 6}));
  EXPECT_TRUE(read({.max_bytes = text.size()}) && write({.max_bytes = text.size()}));
  for (const auto& [options, state] :
       {std::pair<TreeOptions, const char*>{{.max_depth = 3}, "54001"},
        {{.max_nodes = 5}, "54000"},
        {{.max_bytes = text.size() - 1}, "54000"}}) {
    ASSERT_FALSE(read(options));
    ASSERT_FALSE(write(options));
    EXPECT_STREQ(read(options).error().sqlstate, state);
    EXPECT_STREQ(write(options).error().sqlstate, state);
    EXPECT_EQ(read(options).error().code, ErrorCode::kLimit);
  }
  EXPECT_FALSE(json({.max_depth = 3}));
}

TEST_F(ReadTest, AnUnknownVersionIsNotSupported) {
  for (const int version : {9, 19}) {
    EXPECT_EQ(Read("<>", version).error().code, ErrorCode::kNotSupported);
    EXPECT_EQ(NodeToString(nullptr, {.pg_version = version}, *cx_).error().code,
              ErrorCode::kNotSupported);
  }
}

TEST_F(ReadTest, AFailureLeavesNothingInTheContext) {
  cx_->Reset();
  const std::size_t before = cx_->bytes_used();
  EXPECT_FALSE(Read("({RANGETBLREF :rtindex 1} {RANGETBLREF :rtindex 2} {NONE})"));
  EXPECT_EQ(cx_->bytes_used(), before);
}

}  // namespace
}  // namespace relcache
