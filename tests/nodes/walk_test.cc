#include "relcache/nodes/walk.h"
#include "relcache/nodes/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tree_test.h"

namespace relcache {
namespace {

using nodes_testing::kJob;
using testing::ElementsAre;

using WalkTest = nodes_testing::TreeTest;

TEST_F(WalkTest, AWalkVisitsParentsFirstInTheOrderOfTheText) {
  std::vector<std::string> seen;
  TreeWalker walker(Read(kJob));
  while (const Node* node = walker.Next())
    seen.push_back(std::to_string(walker.depth()) + std::string(NodeTypeName(node->tag)));
  EXPECT_THAT(seen, ElementsAre("0BoolExpr", "1List", "2OpExpr", "3List", "4Var", "4Const",
                                "2OpExpr", "3List", "4Var", "4Const"));
}

TEST_F(WalkTest, AWalkCanLeaveOutWhatIsBelow) {
  int nodes = 0;
  TreeWalker walker(Read(kJob));
  while (const Node* node = walker.Next()) {
    ++nodes;
    if (IsA<OpExpr>(node)) walker.SkipChildren();
  }
  EXPECT_EQ(nodes, 4);
}

}  // namespace
}  // namespace relcache
