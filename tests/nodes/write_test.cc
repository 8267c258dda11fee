#include "relcache/nodes/write.h"
#include "relcache/nodes/nodes.h"

#include <gtest/gtest.h>

#include <array>

#include "tree_test.h"

namespace relcache {
namespace {

using WriteTest = nodes_testing::TreeTest;

TEST_F(WriteTest, TheWriterRefusesWhatTheReaderWouldRefuse) {
  Const* constant = MakeNode<Const>(*cx_);
  constant->constlen = -1;
  EXPECT_FALSE(NodeToString(constant, {}, *cx_)) << "no bytes";
  constant->constbyval = true;
  EXPECT_FALSE(NodeToString(constant, {}, *cx_)) << "no length of a word";
  FromExpr* from = MakeNode<FromExpr>(*cx_);
  from->quals = MakeList<Bitmapset>(std::array{1}, *cx_);
  EXPECT_FALSE(NodeToString(from, {}, *cx_)) << "a set as a node";
  RangeTblEntry* rte = MakeNode<RangeTblEntry>(*cx_);
  rte->selectedCols = MakeList<Bitmapset>(std::array{2, 1}, *cx_);
  EXPECT_FALSE(NodeToString(rte, {}, *cx_)) << "a set out of order";
}

}  // namespace
}  // namespace relcache
