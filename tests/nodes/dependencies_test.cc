#include "relcache/nodes/dependencies.h"
#include "relcache/nodes/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tree_test.h"

namespace relcache {
namespace {

using nodes_testing::kJob;
using testing::Pair;
using testing::UnorderedElementsAre;

using DependenciesTest = nodes_testing::TreeTest;

TEST_F(DependenciesTest, DependenciesAreTheObjectsNamed) {
  std::vector<std::pair<ObjectKind, Oid>> found;
  CollectDependencies(Read(kJob), [&](ObjectKind kind, Oid oid) { found.emplace_back(kind, oid); });
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  EXPECT_THAT(found, UnorderedElementsAre(
                         Pair(ObjectKind::kOperator, 521), Pair(ObjectKind::kOperator, 523),
                         Pair(ObjectKind::kFunction, 147), Pair(ObjectKind::kFunction, 149),
                         Pair(ObjectKind::kType, 16), Pair(ObjectKind::kType, 23)));
}

TEST_F(DependenciesTest, AConstantOfARegTypeIsADependency) {
  Const* constant = MakeNode<Const>(*cx_);
  constant->consttype = 2205;
  constant->constlen = 4;
  constant->constbyval = true;
  constant->constvalue = ObjectIdGetDatum(16400);
  std::vector<std::pair<ObjectKind, Oid>> found;
  CollectDependencies(constant, [&](ObjectKind kind, Oid oid) { found.emplace_back(kind, oid); });
  EXPECT_THAT(found, testing::Contains(Pair(ObjectKind::kRelation, 16400)));
}

}  // namespace
}  // namespace relcache
