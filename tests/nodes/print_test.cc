#include "relcache/nodes/print.h"
#include "relcache/nodes/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tree_test.h"

namespace relcache {
namespace {

using nodes_testing::kJob;
using testing::HasSubstr;

using PrintTest = nodes_testing::TreeTest;

TEST_F(PrintTest, PeopleReadATreeInAGlance) {
  const std::string text = NodeToText(Read(kJob));
  EXPECT_THAT(text, HasSubstr("BoolExpr boolop=and location=52\n  args: List of 2\n    OpExpr"));
  EXPECT_THAT(text, HasSubstr("constvalue=100000000"));
  EXPECT_THAT(text, HasSubstr(" varnosyn=1 varattnosyn=3 ")) << "not their names of 12";
  EXPECT_EQ(NodeToText(nullptr), "<>\n");
  EXPECT_THAT(NodeToDot(Read(kJob)), HasSubstr("n0 -> n1 [label=\"args\"];"));
}

}  // namespace
}  // namespace relcache
