#include "relcache/nodes/node.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

#include "relcache/nodes/copy.h"
#include "relcache/nodes/nodes.h"
#include "tree_test.h"

namespace relcache {
namespace {

using NodeTest = nodes_testing::TreeTest;

TEST_F(NodeTest, ConstFlowsDown) {
  static_assert(std::is_same_v<decltype(std::declval<const OpExpr&>().args.get()), const List*>);
  static_assert(std::is_same_v<decltype(*std::declval<const List&>().begin()), const Node*>);
  static_assert(std::is_same_v<decltype(*std::declval<List&>().begin()), Node*>);
  static_assert(!std::is_copy_constructible_v<OpExpr>);
  static_assert(std::is_same_v<decltype(CopyObject(std::declval<const OpExpr&>(), *cx_)), OpExpr*>);
}

}  // namespace
}  // namespace relcache
