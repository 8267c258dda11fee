// Copies of trees.
#pragma once

#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"

namespace relcache {

/// A copy of the tree that shares no byte with it (PostgreSQL's copyObject): the way from a cached
/// tree, which is const, to one that can be changed. A TreeImage is copied faster by CopyTree.
/// Lifetime: in cx, node by node, so that single nodes can be freed (in an AllocSet). Cost: per
/// node. Errors: none; trees of any depth are copied from any stack.
[[nodiscard]] Node* CopyObject(const Node& tree, MemoryContext& cx);

template <class T>
requires(std::is_base_of_v<Node, T> && !std::is_same_v<T, Node>)
    [[nodiscard]] T* CopyObject(const T& tree, MemoryContext& cx) {
  return static_cast<T*>(CopyObject(static_cast<const Node&>(tree), cx));
}

}  // namespace relcache
