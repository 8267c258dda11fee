#include "relcache/nodes/mutate.h"
#include "relcache/nodes/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "relcache/nodes/columns.h"
#include "relcache/nodes/walk.h"
#include "tree_test.h"

namespace relcache {
namespace {

using nodes_testing::kJob;
using testing::ElementsAre;

using MutateTest = nodes_testing::TreeTest;

TEST_F(MutateTest, AMutatedTreeSharesNothingWithItsSource) {
  ContextPtr source = AllocSet::CreateRoot("source");
  const Node* tree = *StringToNode(kJob, {}, *source);
  Node* mutated = MutateTree(
      *tree,
      [&](const Node& node) -> std::optional<Node*> {
        if (!IsA<Var>(&node)) return std::nullopt;
        Const* value = MakeNode<Const>(*cx_);
        value->consttype = 23, value->constlen = 4, value->constbyval = true;
        value->constvalue = Int32GetDatum(42);
        return value;
      },
      *cx_);
  EXPECT_THAT(CollectColumns(tree), ElementsAre(3));
  source.reset();
  EXPECT_THAT(CollectColumns(mutated), ElementsAre());
  int constants = 0;
  ForEachNode<Const>(mutated, [&](const Const&) { ++constants; });
  EXPECT_EQ(constants, 4);
}

TEST_F(MutateTest, APlaceCanBeEmptied) {
  Node* mutated = MutateTree(
      *Read("{NULLTEST :arg {RELABELTYPE :arg <> :resulttype 25 :resulttypmod -1 :resultcollid 0 "
            ":relabelformat 2 :location 1} :nulltesttype 0 :argisrow false :location 1}"),
      [](const Node& node) {
        return IsA<RelabelType>(&node) ? std::optional<Node*>(nullptr) : std::nullopt;
      },
      *cx_);
  EXPECT_EQ(As<NullTest>(mutated)->arg.get(), nullptr);
}

}  // namespace
}  // namespace relcache
