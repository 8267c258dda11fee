#include "relcache/executor/expressions/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <string>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/catalog/memory_catalog.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/nodes/primnodes.h"
#include "relcache/nodes/read.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

using ::testing::HasSubstr;
using testing::IntText;

constexpr Oid kVarbitOid = 1562, kInt4ArrayOid = 1007;
constexpr Oid kDomainOid = 16501, kOuterDomainOid = 16502;
// a integer, t text, dropped, n numeric, i interval, d posint.
constexpr InputColumn kColumns[] = {
    {kInt4Oid, 4, true, false},       {kTextOid, -1, false, false},
    {kInt4Oid, 4, true, true},        {kNumericOid, -1, false, false},
    {kIntervalOid, 16, false, false}, {kDomainOid, 4, true, false}};

std::string VarText(int attno, Oid type, Oid collation = 0) {
  return "{VAR :varno 1 :varattno " + std::to_string(attno) + " :vartype " + std::to_string(type) +
         " :vartypmod -1 :varcollid " + std::to_string(collation) +
         " :varlevelsup 0 :varnosyn 1 :varattnosyn " + std::to_string(attno) + " :location -1}";
}
std::string OpText(Oid opno, Oid function, const std::string& args, Oid collation = 0) {
  return "{OPEXPR :opno " + std::to_string(opno) + " :opfuncid " + std::to_string(function) +
         " :opresulttype 16 :opretset false :opcollid 0 :inputcollid " + std::to_string(collation) +
         " :args " + args + " :location -1}";
}
std::string FunctionText(Oid function, Oid result, const std::string& args, Oid collation = 0) {
  return "{FUNCEXPR :funcid " + std::to_string(function) + " :funcresulttype " +
         std::to_string(result) +
         " :funcretset false :funcvariadic false :funcformat 0 :funccollid 0 :inputcollid " +
         std::to_string(collation) + " :args " + args + " :location -1}";
}
std::string BoolText(const char* op, const std::string& args) {
  return std::string("{BOOLEXPR :boolop ") + op + " :args (" + args + ") :location -1}";
}

class CompileTest : public ::testing::Test {
 protected:
  Result<const Program*> CompileText(const std::string& text) {
    RELCACHE_ASSIGN(const Node* tree, StringToNode(text, {}, *cx_));
    CompileOptions options;
    options.columns = kColumns;
    options.objects = objects_;
    return Compile(*tree, options, *cx_);
  }
  /// The message of compiling a tree that must not be compiled.
  std::string Refusal(const std::string& text) {
    const auto program = CompileText(text);
    return program ? "compiled" : program.error().ToString();
  }

  ContextPtr cx_ = AllocSet::CreateRoot("compile test");
  ObjectLookup* objects_ = nullptr;
  SessionSettings settings_ = AssumeUtcAndMdy(0);
};

TEST_F(CompileTest, RefusesSqlValueFunctionsByName) {
  for (const auto& [op, name] :
       std::initializer_list<std::pair<int, const char*>>{{1, "current_time"},
                                                          {5, "localtime"},
                                                          {9, "current_role"},
                                                          {10, "current_user"},
                                                          {11, "user"},
                                                          {12, "session_user"},
                                                          {13, "current_catalog"},
                                                          {14, "current_schema"}})
    EXPECT_THAT(Refusal("{SQLVALUEFUNCTION :op " + std::to_string(op) +
                        " :type 19 :typmod -1 :location -1}"),
                ::testing::EndsWith(std::string("not supported: SQLVALUEFUNCTION ") + name));
}

TEST_F(CompileTest, AColumnThatContradictsItsTypeIsRefused) {
  struct {
    const char* what;
    InputColumn column;
    bool good;
  } const cases[] = {
      {"integer", {kInt4Oid, 4, true, false}, true},
      {"integer of 8 bytes", {kInt4Oid, 8, true, false}, false},
      {"integer of 2 bytes", {kInt4Oid, 2, true, false}, false},
      {"integer by reference", {kInt4Oid, 4, false, false}, false},
      {"integer of any length", {kInt4Oid, -1, false, false}, false},
      {"text", {kTextOid, -1, false, false}, true},
      {"text by value", {kTextOid, 8, true, false}, false},
      {"text of 16 bytes", {kTextOid, 16, false, false}, false},
      {"C string for a text", {kTextOid, -2, false, false}, false},
      {"interval of 8 bytes", {kIntervalOid, 8, false, false}, false},
      {"interval by value", {kIntervalOid, 8, true, false}, false},
      {"boolean of 4 bytes", {kBoolOid, 4, true, false}, false},
      {"bigint by reference", {kInt8Oid, 8, false, false}, false},
      {"numeric of 8 bytes", {kNumericOid, 8, true, false}, false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const auto tree = StringToNode("{NULLTEST :arg " + VarText(1, c.column.type) +
                                       " :nulltesttype 0 :argisrow false :location -1}",
                                   {}, *cx_);
    ASSERT_TRUE(tree);
    CompileOptions options;
    options.columns = {&c.column, 1};
    const auto program = Compile(**tree, options, *cx_);
    EXPECT_EQ(program.has_value(), c.good);
    if (!program) {
      EXPECT_THAT(program.error().ToString(), HasSubstr("laid out otherwise"));
    }
  }
}

TEST_F(CompileTest, AnOperatorsFunctionIsThatOfTheCatalog) {
  // 97 is integer < integer; the tree says that it is integer > integer.
  const std::string a = VarText(1, kInt4Oid);
  const auto program = CompileText(OpText(97, 147, "(" + a + " " + IntText(5) + ")"));
  ASSERT_TRUE(program) << program.error().ToString();
  Scratch scratch(settings_, *cx_);
  const NullableDatum row[] = {{Int32GetDatum(1), false}};
  EXPECT_EQ(EvaluateBool(**program, row, scratch, nullptr), TruthValue::kTrue);
}

TEST_F(CompileTest, RefusesByNameWhatItDoesNotKnow) {
  const std::string a = VarText(1, kInt4Oid), t = VarText(2, kTextOid, 100);
  EXPECT_THAT(Refusal(FunctionText(2311, 25, "(" + t + ")")),
              HasSubstr("not supported: FUNCTION md5(text)"));
  EXPECT_THAT(Refusal(FunctionText(16400, 16, "(" + a + ")")),
              HasSubstr("not supported: FUNCTION 16400"));
  EXPECT_THAT(
      Refusal("{SUBLINK :subLinkType 0 :subLinkId 0 :testexpr <> :operName <> :subselect <> "
              ":location -1}"),
      HasSubstr("not supported: NODE SubLink"));
}

TEST_F(CompileTest, OrdersTextOnlyWhereBytesAreTheOrder) {
  const std::string t = VarText(2, kTextOid, 100);
  const std::string args = "(" + t + " " + t + ")";
  EXPECT_TRUE(CompileText(OpText(98, 67, args, 100)));    // texteq
  EXPECT_TRUE(CompileText(OpText(664, 740, args, 950)));  // text_lt under "C"
  EXPECT_THAT(Refusal(OpText(664, 740, args, 100)),
              HasSubstr("not supported: FUNCTION text_lt(text,text) under collation \"default\""));
  EXPECT_THAT(Refusal(OpText(98, 67, args, 0)),
              HasSubstr("could not determine which collation to use for string comparison"));
  EXPECT_THAT(Refusal(OpText(98, 67, args, 16600)), HasSubstr("not supported: COLLATION 16600"));

  MemoryCatalog catalog;
  CollationRow row;
  row.oid = 16600;
  row.collname = "ignore_case";
  row.collprovider = 'i';
  row.collisdeterministic = false;
  catalog.PutCollation(row);
  SourceObjects objects(catalog, *cx_);
  objects_ = &objects;
  EXPECT_THAT(
      Refusal(OpText(98, 67, args, 16600)),
      HasSubstr("not supported: FUNCTION texteq(text,text) under collation \"ignore_case\""));
  // The default collation of this catalog is "C".
  EXPECT_TRUE(CompileText(OpText(664, 740, args, 100)));
}

TEST_F(CompileTest, SaysWhatNeedsACollationAsTheReleaseDoes) {
  const std::string t = VarText(2, kTextOid, 100);
  const std::string one = "(" + t + ")", two = "(" + t + " " + t + ")";
  for (const int version : {120000, 150000, 170000, 180000}) {
    ServerInfo info;
    info.server_version_num = version;
    MemoryCatalog catalog(info);
    SourceObjects objects(catalog, *cx_);
    objects_ = &objects;
    // Columns whose collations conflict have none together.
    const std::string like = Refusal(OpText(1209, 850, two, 0));
    EXPECT_EQ(like.find("which collation to use for LIKE") != like.npos, version == 180000) << like;
    EXPECT_THAT(Refusal(OpText(1627, 1633, two, 0)), HasSubstr("collation to use for ILIKE"));
    EXPECT_THAT(Refusal(OpText(641, 1254, two, 0)), HasSubstr("to use for regular expression"));
    EXPECT_THAT(Refusal(OpText(664, 740, two, 0)), HasSubstr("to use for string comparison"));
    EXPECT_EQ(Refusal(OpText(2314, 2160, two, 0)), "compiled");  // ~<~
    for (const auto& [function, name] :
         {std::pair<Oid, const char*>{870, "lower"}, {871, "upper"}, {872, "initcap"}})
      EXPECT_THAT(Refusal(FunctionText(function, 25, one)),
                  HasSubstr("collation to use for " + std::string(name) + "() function"));
  }
}

std::string TextConst(const std::string& bytes) {
  std::string out =
      "{CONST :consttype 25 :consttypmod -1 :constcollid 100 :constlen -1 :constbyval "
      "false :constisnull false :location -1 :constvalue " +
      std::to_string(bytes.size() + 4) + " [ " + std::to_string((bytes.size() + 4) * 4) + " 0 0 0";
  for (const char c : bytes) out += " " + std::to_string(static_cast<unsigned char>(c));
  return out + " ]}";
}

struct TextCase {
  const char* encoding;
  std::string text;
  /// Of a row with t = title, and of one with t = \xe9.
  const char *ascii, *other;
};

TEST_F(CompileTest, TextOutsideAsciiIsRefusedWhereItsEncodingCounts) {
  const std::string t = VarText(2, kTextOid, 100);
  const std::string length = FunctionText(1317, kInt4Oid, "(" + t + ")", 100);
  const auto int4 = [](int n) {
    return "{CONST :consttype 23 :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true "
           ":constisnull false :location -1 :constvalue 4 [ " +
           std::to_string(n) + " 0 0 0 0 0 0 0 ]}";
  };
  const std::string five = OpText(96, 65, "(" + length + " " + int4(5) + ")");
  const auto equals = [&](const std::string& bytes) {
    return OpText(98, 67, "(" + t + " " + TextConst(bytes) + ")", 100);
  };
  const auto like = [&](const std::string& pattern) {
    return OpText(1209, 850, "(" + t + " " + TextConst(pattern) + ")", 100);
  };
  const auto less = OpText(664, 740, "(" + t + " " + TextConst("u") + ")", 950);
  const std::string lower = OpText(
      98, 67,
      "(" + FunctionText(870, kTextOid, "(" + t + ")", 100) + " " + TextConst("title") + ")", 100);
  const char* const kLength =
      "not supported: characters outside ASCII for FUNCTION length(text) in encoding LATIN1";
  const char* const kLike =
      "not supported: characters outside ASCII for FUNCTION textlike(text,text) in encoding LATIN1";
  const char* const kConst =
      "not supported: CONST of type text with characters outside ASCII in encoding LATIN1";
  const TextCase cases[] = {
      {"UTF8", equals("\xe9"), "false", "true"},
      {"UTF8", five, "true", "false"},
      {"LATIN1", equals("title"), "true", "false"},
      {"LATIN1", equals("\xe9"), kConst, kConst},
      {"LATIN1", five, "true", kLength},
      {"LATIN1", like("t%"), "true", "false"},
      {"LATIN1", like("t_tle"), "true", kLike},
      {"LATIN1", less, "true",
       "not supported: characters outside ASCII for FUNCTION text_lt(text,text) in encoding "
       "LATIN1"},
      {"LATIN1", lower, "true",
       "not supported: characters outside ASCII for FUNCTION lower(text) in encoding LATIN1"},
      {"SJIS", equals("title"), "not supported: ENCODING SJIS", "not supported: ENCODING SJIS"},
  };
  const Datum title = MakeVarlena("title", *cx_), other = MakeVarlena("\xe9", *cx_);
  for (const TextCase& one : cases) {
    SCOPED_TRACE(one.encoding + (" " + one.text));
    ServerInfo info;
    info.server_encoding = one.encoding;
    MemoryCatalog catalog(info);
    SourceObjects objects(catalog, *cx_);
    objects_ = &objects;
    const auto program = CompileText(one.text);
    objects_ = nullptr;
    for (const bool ascii : {true, false}) {
      std::string ours;
      if (program) {
        std::vector<NullableDatum> row(std::size(kColumns));
        row[1] = {ascii ? title : other, false};
        Scratch scratch(settings_, *cx_);
        Error error;
        const TruthValue verdict = EvaluateBool(**program, row, scratch, &error);
        ours = verdict == TruthValue::kTrue    ? "true"
               : verdict == TruthValue::kFalse ? "false"
                                               : error.message;
      } else {
        ours = program.error().message;
      }
      EXPECT_THAT(ours, HasSubstr(ascii ? one.ascii : one.other));
    }
  }
}

TEST_F(CompileTest, NoTreeMakesAFunctionReadAValueOfAnotherType) {
  const std::string a = VarText(1, kInt4Oid), t = VarText(2, kTextOid, 100);
  const std::string n = VarText(4, kNumericOid), i = VarText(5, kIntervalOid);
  const char* const kMalformed = "malformed expression";
  EXPECT_THAT(Refusal(OpText(98, 67, "(" + a + " " + t + ")", 100)), HasSubstr(kMalformed));
  EXPECT_THAT(Refusal(OpText(98, 67, "(" + i + " " + t + ")", 100)), HasSubstr(kMalformed));
  EXPECT_THAT(Refusal(OpText(1752, 1718, "(" + n + " " + t + ")")), HasSubstr(kMalformed));
  EXPECT_THAT(Refusal(OpText(96, 65, "(" + a + ")")), HasSubstr(kMalformed));
  EXPECT_THAT(Refusal(OpText(96, 65, "<>")), HasSubstr(kMalformed));
  EXPECT_THAT(Refusal(BoolText("and", a + " " + a)), HasSubstr(kMalformed));
  // A cast that changes no bit may not make a pointer out of a number.
  EXPECT_THAT(Refusal(OpText(98, 67,
                             "({RELABELTYPE :arg " + a +
                                 " :resulttype 25 :resulttypmod -1 :resultcollid 100 "
                                 ":relabelformat 2 :location -1} " +
                                 t + ")",
                             100)),
              HasSubstr(kMalformed));
  // A numeric of one byte.
  EXPECT_THAT(
      Refusal(OpText(
          1752, 1718,
          "(" + n +
              " {CONST :consttype 1700 :consttypmod -1 :constcollid 0 :constlen -1 "
              ":constbyval false :constisnull false :location -1 :constvalue 5 [ 20 0 0 0 1 ]})")),
      HasSubstr(kMalformed));
}

TEST_F(CompileTest, AVariableMustBeAColumnOfItsType) {
  EXPECT_THAT(Refusal(OpText(96, 65, "(" + VarText(9, kInt4Oid) + " " + IntText(1) + ")")),
              HasSubstr("a Var of column 9 of 6"));
  EXPECT_THAT(Refusal(OpText(96, 65, "(" + VarText(2, kInt4Oid) + " " + IntText(1) + ")")),
              HasSubstr("has wrong type"));
  EXPECT_THAT(Refusal(OpText(96, 65, "(" + VarText(3, kInt4Oid) + " " + IntText(1) + ")")),
              HasSubstr("has been dropped"));
  EXPECT_THAT(Refusal(OpText(96, 65, "(" + VarText(-1, kInt4Oid) + " " + IntText(1) + ")")),
              HasSubstr("not supported: NODE Var of a system column: ctid"));
}

std::string RelabelText(const std::string& arg, Oid type) {
  return "{RELABELTYPE :arg " + arg + " :resulttype " + std::to_string(type) +
         " :resulttypmod -1 :resultcollid 0 :relabelformat 2 :location -1}";
}

TEST_F(CompileTest, EveryBinaryCoercibleCastIsReadable) {
  std::size_t compiled = 0;
  for (const BuiltinCast& cast : BuiltinCasts()) {
    if (cast.castmethod != 'b') continue;
    const TypeInfo* from = FindTypeInfo(cast.castsource);
    if (from == nullptr) continue;
    const InputColumn column[] = {{from->oid, from->typlen, from->typbyval, false}};
    CompileOptions options;
    options.columns = column;
    const Node* tree =
        StringToNode(RelabelText(VarText(1, from->oid), cast.casttarget), {}, *cx_).value();
    const auto program = Compile(*tree, options, *cx_);
    const std::string what =
        FormatTypeName(cast.castsource) + " as " + FormatTypeName(cast.casttarget);
    if (program) {
      ++compiled;
      EXPECT_EQ((*program)->result_type(), cast.casttarget) << what;
    } else {
      EXPECT_EQ(program.error().code, ErrorCode::kNotSupported)
          << what << ": " << program.error().ToString();
    }
  }
  EXPECT_GE(compiled, 50u);
}

TEST_F(CompileTest, OtherTypesAreNotReadAsAPointersTarget) {
  // Each of another form, or with bytes that only the target's input makes sure of.
  const std::pair<Oid, Oid> kPairs[] = {
      {kTextOid, kNumericOid},  {kNumericOid, kInetOid},   {kTextOid, kInetOid},
      {kInetOid, kCidrOid},     {kInt4Oid, kTextOid},      {kTextOid, kInt4Oid},
      {kInt8Oid, kInt4Oid},     {kTextOid, kInt4ArrayOid}, {kByteaOid, kNumericOid},
      {kTextOid, kJsonbOid},    {kUuidOid, kTextOid},      {kIntervalOid, kUuidOid},
      {kUuidOid, kIntervalOid}, {kNumericOid, kVarbitOid}, {kInt4ArrayOid, kNumericOid},
      {kInt4Oid, kNumericOid},  {kNumericOid, kFloat8Oid}};
  for (const auto& [from, to] : kPairs) {
    const TypeInfo* info = FindTypeInfo(from);
    ASSERT_NE(info, nullptr) << from;
    const InputColumn column[] = {{from, info->typlen, info->typbyval, false}};
    CompileOptions options;
    options.columns = column;
    const Node* tree = StringToNode(RelabelText(VarText(1, from), to), {}, *cx_).value();
    const auto program = Compile(*tree, options, *cx_);
    EXPECT_FALSE(program) << FormatTypeName(from) << " as " << FormatTypeName(to);
  }
}

/// Var of column 1, with one thing changed.
std::string VarWith(const std::string& from, const std::string& to) {
  std::string text =
      "{VAR :varno 1 :varattno 1 :vartype 23 :vartypmod -1 :varcollid 0 :varnullingrels (b) "
      ":varlevelsup 0 :varreturningtype 0 :varnosyn 1 :varattnosyn 1 :location -1}";
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(CompileTest, AVariableOfARowThatIsNotReadIsRefused) {
  const struct {
    const char *from, *to, *message;
  } kCases[] = {
      {":varno 1", ":varno 0", "Var of range table entry 0"},
      {":varno 1", ":varno 2", "Var of range table entry 2"},
      {":varno 1", ":varno 3", "Var of range table entry 3"},
      {":varno 1", ":varno -2", "Var of range table entry -2"},
      {":varno 1", ":varno 65001", "Var of range table entry 65001"},
      {":varlevelsup 0", ":varlevelsup 1", "Var of an outer query"},
      {":varreturningtype 0", ":varreturningtype 1", "Var of OLD or NEW in RETURNING"},
      {":varreturningtype 0", ":varreturningtype 2", "Var of OLD or NEW in RETURNING"},
      {":varnullingrels (b)", ":varnullingrels (b 3)", "Var that an outer join may make NULL"},
      {":varattno 1", ":varattno 0", "Var of the whole row"},
      {":varattno 1", ":varattno -6", "Var of a system column"},
  };
  TreeOptions of18;
  of18.pg_version = 18;
  CompileOptions options;
  options.columns = kColumns;
  for (const auto& one : kCases) {
    const Node* var = StringToNode(VarWith(one.from, one.to), of18, *cx_).value();
    const auto program = Compile(*var, options, *cx_);
    ASSERT_FALSE(program) << one.to;
    EXPECT_THAT(program.error().ToString(), HasSubstr(one.message));
  }
}

TEST_F(CompileTest, ASecondRowsValuesFollowTheFirsts) {
  CompileOptions options;
  options.columns = kColumns;
  options.second_columns = kColumns;
  TreeOptions of18;
  of18.pg_version = 18;
  const Node* tree = StringToNode(VarWith(":varno 1", ":varno 2"), of18, *cx_).value();
  const Program* program = Compile(*tree, options, *cx_).value();
  EXPECT_EQ(program->row_size(), std::size(kColumns) + 1);
  tree = StringToNode(VarWith(":varno 1", ":varno 3"), of18, *cx_).value();
  EXPECT_FALSE(Compile(*tree, options, *cx_));
  options.columns = {};
  tree = StringToNode(VarWith(":varno 1", ":varno 2"), of18, *cx_).value();
  EXPECT_EQ(Compile(*tree, options, *cx_).value()->row_size(), 1u);
  tree = StringToNode(VarWith(":varno 1", ":varno 1"), of18, *cx_).value();
  EXPECT_FALSE(Compile(*tree, options, *cx_));
}

TEST_F(CompileTest, ATreeTooDeepForTheStackIsAnError) {
  // Built from the inside, as text of this depth would be refused by the reader before.
  auto* innermost = MakeNode<Var>(*cx_);
  innermost->varattno = 1;
  innermost->vartype = kBoolOid;
  Node* tree = innermost;
  for (int i = 0; i < 100'000; ++i) {
    auto* no = MakeNode<BoolExpr>(*cx_);
    no->boolop = BoolExprType::kNot;
    no->args = MakeList(*cx_, {tree});
    tree = no;
  }
  static constexpr InputColumn kBooleans[] = {{kBoolOid, 1, true, false}};
  std::string message;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 << 10);
  auto run = [&] {
    CompileOptions options;
    options.columns = kBooleans;
    const auto program = Compile(*tree, options, *cx_);
    message = program ? "compiled" : program.error().ToString();
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &small,
                [](void* f) -> void* {
                  (*static_cast<decltype(run)*>(f))();
                  return nullptr;
                },
                &run),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&small);
  EXPECT_THAT(message, HasSubstr("stack depth limit exceeded"));
}

TEST_F(CompileTest, AWideExpressionIsNoProblem) {
  const std::string a = VarText(1, kInt4Oid);
  std::string args;
  for (int i = 0; i < 64'000; ++i)
    args += (i > 0 ? " " : "") + OpText(96, 65, "(" + a + " " + IntText(i) + ")");
  const auto program = CompileText(BoolText("or", args));
  ASSERT_TRUE(program) << program.error().ToString();
  EXPECT_LT((*program)->register_count(), 8u);
  Scratch scratch(settings_, *cx_);
  std::vector<NullableDatum> row(6);
  row[0] = {Int32GetDatum(63'999), false};
  EXPECT_EQ(EvaluateBool(**program, row, scratch, nullptr), TruthValue::kTrue);
  row[0] = {Int32GetDatum(64'000), false};
  EXPECT_EQ(EvaluateBool(**program, row, scratch, nullptr), TruthValue::kFalse);
}

TEST_F(CompileTest, AnErrorOfAConstantPartIsRaisedBeforeAnyRow) {
  const std::string one_by_zero = OpText(528, 154, "(" + IntText(1) + " " + IntText(0) + ")");
  const std::string positive =
      OpText(521, 147, "(" + VarText(1, kInt4Oid) + " " + IntText(0) + ")");
  const std::string of_it = OpText(521, 147, "(" + one_by_zero + " " + IntText(0) + ")");
  const auto program = CompileText(BoolText("or", positive + " " + of_it));
  ASSERT_FALSE(program);
  EXPECT_STREQ(program.error().sqlstate, "22012");
  EXPECT_EQ(program.error().message, "division by zero");
}

/// posint is integer with CHECK (VALUE > 0); small is over posint, NOT NULL, with CHECK (VALUE <
/// 10).
class DomainTest : public CompileTest {
 protected:
  DomainTest() {
    const std::string value =
        "{COERCETODOMAINVALUE :typeId 23 :typeMod -1 :collation 0 :location -1}";
    positive_ = OpText(521, 147, "(" + value + " " + IntText(0) + ")");
    small_ = OpText(97, 66, "(" + value + " " + IntText(10) + ")");
    Put(kDomainOid, "posint", kInt4Oid, false, "posint_check", positive_);
    Put(kOuterDomainOid, "small", kDomainOid, true, "small_check", small_);
    objects_ = &catalog_objects_;
  }
  void Put(Oid oid, std::string_view name, Oid base, bool not_null, std::string_view check,
           std::string_view tree) {
    NamespaceRow schema{2200, "public"};
    catalog_.PutNamespace(schema);
    TypeRows rows;
    rows.nspname = "public";
    rows.pg_type.oid = oid;
    rows.pg_type.typname = name;
    rows.pg_type.typnamespace = 2200;
    rows.pg_type.typlen = 4;
    rows.pg_type.typbyval = true;
    rows.pg_type.typtype = 'd';
    rows.pg_type.typbasetype = base;
    rows.pg_type.typnotnull = not_null;
    ConstraintRow row;
    row.oid = oid + 100;
    row.conname = check;
    row.contype = 'c';
    row.contypid = oid;
    row.conbin = tree;
    rows.constraints = {&row, 1};
    const Status put = catalog_.PutType(rows);
    ASSERT_TRUE(put) << put.error().ToString();
  }
  std::string Verify(Oid domain, NullableDatum value) {
    const auto program = CompileText(
        "{COERCETODOMAIN :arg " + VarText(1, kInt4Oid) + " :resulttype " + std::to_string(domain) +
        " :resulttypmod -1 :resultcollid 0 :coercionformat 2 :location -1}");
    if (!program) return program.error().ToString();
    Scratch scratch(settings_, *cx_);
    std::vector<NullableDatum> row(6);
    row[0] = value;
    const auto result = Evaluate(**program, row, scratch);
    return result ? "fine" : std::string(result.error().sqlstate) + " " + result.error().message;
  }

  std::string positive_, small_;
  MemoryCatalog catalog_;
  SourceObjects catalog_objects_{catalog_, *cx_};
};

TEST_F(DomainTest, ConstraintsOfTheBaseComeFirstAndNotNullBeforeAll) {
  EXPECT_EQ(Verify(kDomainOid, {Int32GetDatum(1), false}), "fine");
  EXPECT_EQ(Verify(kDomainOid, {}), "fine");
  EXPECT_EQ(Verify(kDomainOid, {Int32GetDatum(0), false}),
            "23514 value for domain posint violates check constraint \"posint_check\"");
  EXPECT_EQ(Verify(kOuterDomainOid, {Int32GetDatum(9), false}), "fine");
  EXPECT_EQ(Verify(kOuterDomainOid, {Int32GetDatum(10), false}),
            "23514 value for domain small violates check constraint \"small_check\"");
  EXPECT_EQ(Verify(kOuterDomainOid, {Int32GetDatum(0), false}),
            "23514 value for domain small violates check constraint \"posint_check\"");
  EXPECT_EQ(Verify(kOuterDomainOid, {}), "23502 domain small does not allow null values");
}

TEST_F(DomainTest, ACastOfAConstantFailsWhereItStandsAndOnlyThere) {
  const std::string cast = "{COERCETODOMAIN :arg " + IntText(-1) + " :resulttype " +
                           std::to_string(kDomainOid) +
                           " :resulttypmod -1 :resultcollid 0 :coercionformat 2 :location -1}";
  const std::string test =
      "{NULLTEST :arg " + cast + " :nulltesttype 1 :argisrow false :location -1}";
  const std::string equal = OpText(96, 65, "(" + cast + " " + IntText(-1) + ")");
  const std::string positive =
      OpText(521, 147, "(" + VarText(1, kInt4Oid) + " " + IntText(0) + ")");
  const struct {
    std::string tree;
    bool fails_for_one, fails_for_zero;
  } cases[] = {{BoolText("or", positive + " " + test), false, true},
               {BoolText("and", positive + " " + test), true, false},
               {BoolText("or", test + " " + positive), true, true},
               {BoolText("and", test + " " + positive), true, true},
               {BoolText("or", equal + " " + positive), true, true},
               {BoolText("not", equal), true, true},
               {BoolText("or", positive + " " + BoolText("not", test)), false, true},
               {test, true, true}};
  Scratch scratch(settings_, *cx_);
  for (const auto& one : cases) {
    const auto program = CompileText(one.tree);
    ASSERT_TRUE(program) << program.error().ToString();
    for (const bool zero : {false, true}) {
      std::vector<NullableDatum> row(6);
      row[0] = {Int32GetDatum(zero ? 0 : 1), false};
      Error error;
      const TruthValue verdict = EvaluateBool(**program, row, scratch, &error);
      EXPECT_EQ(verdict == TruthValue::kError, zero ? one.fails_for_zero : one.fails_for_one)
          << one.tree;
      EXPECT_STREQ(error.sqlstate, verdict == TruthValue::kError ? "23514" : Error().sqlstate);
    }
  }
}

TEST_F(DomainTest, AShellTypeIsRefusedByName) {
  TypeRows rows;
  rows.nspname = "public";
  rows.pg_type.oid = 16503;
  rows.pg_type.typname = "shell";
  rows.pg_type.typnamespace = 2200;
  rows.pg_type.typlen = 4;
  rows.pg_type.typbyval = true;
  rows.pg_type.typtype = 'p';
  rows.pg_type.typisdefined = false;
  ASSERT_TRUE(catalog_.PutType(rows));
  EXPECT_THAT(Refusal(RelabelText(VarText(1, kInt4Oid), 16503)),
              HasSubstr("not supported: TYPE shell, which is not defined yet"));
}

TEST_F(DomainTest, ADomainVerifiesAValueOfItsBase) {
  const auto domain = CompileDomain(kOuterDomainOid, *objects_, *cx_);
  ASSERT_TRUE(domain) << domain.error().ToString();
  EXPECT_EQ(domain->base, kInt4Oid);
  Scratch scratch(settings_, *cx_);
  const NullableDatum good{Int32GetDatum(5), false}, bad{Int32GetDatum(50), false};
  const auto value = Evaluate(*domain->program, {&good, 1}, scratch);
  ASSERT_TRUE(value);
  EXPECT_EQ(DatumGetInt32(value->value), 5);
  EXPECT_FALSE(Evaluate(*domain->program, {&bad, 1}, scratch));
  EXPECT_FALSE(CompileDomain(99'999, *objects_, *cx_));
}

TEST_F(DomainTest, AColumnOfADomainIsReadAsItsBase) {
  const std::string relabeled = "{RELABELTYPE :arg " + VarText(6, kDomainOid) +
                                " :resulttype 23 :resulttypmod -1 :resultcollid 0 :relabelformat 2 "
                                ":location -1}";
  const auto program = CompileText(OpText(97, 66, "(" + relabeled + " " + IntText(5) + ")"));
  ASSERT_TRUE(program) << program.error().ToString();
  Scratch scratch(settings_, *cx_);
  std::vector<NullableDatum> row(6);
  row[5] = {Int32GetDatum(-4), false};
  EXPECT_EQ(EvaluateBool(**program, row, scratch, nullptr), TruthValue::kTrue);
}

}  // namespace
}  // namespace relcache
