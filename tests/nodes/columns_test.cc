#include "relcache/nodes/columns.h"
#include "relcache/nodes/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "relcache/nodes/walk.h"
#include "tree_test.h"

namespace relcache {
namespace {

using nodes_testing::kJob;
using testing::ElementsAre;

using ColumnsTest = nodes_testing::TreeTest;

TEST_F(ColumnsTest, ColumnsAreThoseOfTheRightQueryLevel) {
  EXPECT_THAT(CollectColumns(Read(kJob)), ElementsAre(3));
  EXPECT_THAT(CollectColumns(Read(kJob), 2), ElementsAre());
  // A subquery: level 1 seen from inside is level 0 seen from outside.
  Query* query = MakeNode<Query>(*cx_);
  Var* outer = MakeNode<Var>(*cx_);
  outer->varno = 1, outer->varattno = 7, outer->varlevelsup = 1;
  Var* inner = MakeNode<Var>(*cx_);
  inner->varno = 1, inner->varattno = 8;
  query->targetList = MakeList(*cx_, {outer, inner});
  SubLink* link = MakeNode<SubLink>(*cx_);
  link->subselect = query;
  EXPECT_THAT(CollectColumns(link), ElementsAre(7));
}

TEST_F(ColumnsTest, ColumnsAreReplacedByAMap) {
  const Node* tree = Read(kJob);
  const auto mapped = ReplaceColumns(*tree, std::array<AttrNumber, 3>{1, 2, 5}, *cx_);
  ASSERT_TRUE(mapped);
  EXPECT_THAT(CollectColumns(*mapped), ElementsAre(5));
  EXPECT_THAT(CollectColumns(tree), ElementsAre(3)) << "the source stays as it is";
  EXPECT_EQ(FindNode<Var>(*mapped)->varattnosyn, 5);
  const auto dropped = ReplaceColumns(*tree, std::array<AttrNumber, 3>{1, 2, 0}, *cx_);
  ASSERT_FALSE(dropped);
  EXPECT_EQ(dropped.error().message, "unexpected varattno 3 in expression to be mapped");
  EXPECT_FALSE(ReplaceColumns(*tree, std::array<AttrNumber, 2>{1, 2}, *cx_));
  Var* row = MakeNode<Var>(*cx_);
  row->varno = 1;
  EXPECT_EQ(ReplaceColumns(*row, std::array<AttrNumber, 1>{1}, *cx_).error().code,
            ErrorCode::kNotSupported);
}

}  // namespace
}  // namespace relcache
