// Programs as text, where it must read as the expression that was compiled; what the server says of
// the same text is in program_text_postgres_test.cc.
#include <gtest/gtest.h>

#include "relations.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/nodes/read.h"

namespace relcache {
namespace {

using testing::IntComparison;
using testing::IntText;
using testing::OneByIntComparison;
using testing::VarText;

std::string Joined(const std::string& op, const std::string& args) {
  return "{BOOLEXPR :boolop " + op + " :args (" + args + ") :location -1}";
}
std::string IsNull(const std::string& arg) {
  return "{NULLTEST :arg " + arg + " :nulltesttype 0 :argisrow false :location -1}";
}
std::string Coalesced(const std::string& args) {
  return "{COALESCEEXPR :coalescetype 23 :coalescecollid 0 :args (" + args + ") :location -1}";
}

class ProgramTextTest : public ::testing::Test {
 protected:
  const Program& ProgramFor(const std::string& tree) {
    static constexpr InputColumn kColumns[] = {{kInt4Oid, 4, true}, {kInt4Oid, 4, true}};
    const Node* node = StringToNode(tree, {}, *cx_).value();
    CompileOptions options;
    options.columns = kColumns;
    return *Compile(*node, options, *cx_).value();
  }
  ContextPtr cx_ = AllocSet::CreateRoot("programs");
};

TEST_F(ProgramTextTest, AnExpressionStandsOnOneLine) {
  const std::string above = IntComparison(1, ">", 5), below = IntComparison(2, "<", 9);
  // 1 / column may fail: a jump stands before it.
  const std::string fails = OneByIntComparison(1, ">", 0);
  const std::pair<std::string, std::string> kCases[] = {
      {VarText(2, kInt4Oid), "c1"},
      {IntText(-7), "-7"},
      {above, "int4gt(c0, 5)"},
      {fails, "int4gt(int4div(1, c0), 0)"},
      {Joined("and", above + " " + below), "int4gt(c0, 5) AND int4lt(c1, 9)"},
      {Joined("or", above + " " + below + " " + above),
       "int4gt(c0, 5) OR int4lt(c1, 9) OR int4gt(c0, 5)"},
      {Joined("and", above + " " + Joined("or", below + " " + above)),
       "int4gt(c0, 5) AND (int4lt(c1, 9) OR int4gt(c0, 5))"},
      {Joined("not", above), "NOT int4gt(c0, 5)"},
      {Joined("not", Joined("and", above + " " + below)), "NOT (int4gt(c0, 5) AND int4lt(c1, 9))"},
      {Joined("and", above + " " + fails), "int4gt(c0, 5) AND int4gt(int4div(1, c0), 0)"},
      {Joined("or", above + " " + fails + " " + below),
       "int4gt(c0, 5) OR int4gt(int4div(1, c0), 0) OR int4lt(c1, 9)"},
      {Joined("or", Joined("and", above + " " + fails) + " " + Joined("and", fails + " " + below)),
       "(int4gt(c0, 5) AND int4gt(int4div(1, c0), 0)) OR "
       "(int4gt(int4div(1, c0), 0) AND int4lt(c1, 9))"},
      {Joined("or", IsNull(VarText(1, kInt4Oid)) + " " + above), "(c0 IS NULL) OR int4gt(c0, 5)"},
  };
  for (const auto& [tree, text] : kCases) EXPECT_EQ(ProgramFor(tree).ToExpression(), text);
}

TEST_F(ProgramTextTest, ColumnsHaveTheNamesThatTheyAreGiven) {
  const Program& both =
      ProgramFor(Joined("and", IntComparison(1, ">", 5) + " " + IntComparison(2, "<", 9)));
  const std::vector<std::string> names = {"probe.c0", "build.c0"};
  EXPECT_EQ(both.ToExpression(names), "int4gt(probe.c0, 5) AND int4lt(build.c0, 9)");
  EXPECT_EQ(both.ToExpression(std::span(names).first(1)), "int4gt(probe.c0, 5) AND int4lt(c1, 9)");
}

TEST_F(ProgramTextTest, WhatIsNotOneExpressionIsGivenByItsInstructions) {
  const Program& coalesced =
      ProgramFor(testing::IntOperator(Coalesced(VarText(1, kInt4Oid) + " " + IntText(3)), ">", 2));
  EXPECT_EQ(coalesced.ToExpression(),
            "0 r1 = jump_if_not_null c0 -> 2; 1 r1 = move k1; 2: r0 = call int4gt r1, k2; "
            "result r0; k0 = null; k1 = 3; k2 = 2");
  const std::vector<std::string> names = {"a"};
  EXPECT_EQ(coalesced.ToExpression(names), coalesced.ToExpression() + "; c0 = a");
}

}  // namespace
}  // namespace relcache
