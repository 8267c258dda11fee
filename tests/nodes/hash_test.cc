#include "relcache/nodes/hash.h"

#include <gtest/gtest.h>

#include "tree_test.h"

namespace relcache {
namespace {

using TreeHashTest = nodes_testing::TreeTest;

TEST_F(TreeHashTest, TheHashIsStable) {
  // A value that changes breaks whoever stored hashes: think twice before it is changed here.
  EXPECT_EQ(HashTree(Read("{RANGETBLREF :rtindex 7}")), HashTree(Read("{RANGETBLREF :rtindex 7}")));
  EXPECT_NE(HashTree(Read("{RANGETBLREF :rtindex 7}")), HashTree(Read("{RANGETBLREF :rtindex 8}")));
  EXPECT_NE(HashTree(Read("((i 1) <>)")), HashTree(Read("(<> (i 1))")));
  EXPECT_NE(HashTree(Read("((\"a\") \"b\")")), HashTree(Read("((\"a\" \"b\") <>)")));
  EXPECT_EQ(HashTree(nullptr), HashTree(nullptr));
}

}  // namespace
}  // namespace relcache
