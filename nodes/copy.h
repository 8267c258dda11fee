// CopyObject copies node trees (PostgreSQL's copyfuncs.c).
#pragma once

#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"

namespace relcache {

/// A copy of the tree that shares no memory with it (copyObject). It is the way to get a tree that
/// may be changed from a cached one, which is const. A TreeImage is copied faster by CopyTree
/// (tree_image.h).
/// Lifetime: the copy lies in cx, each node as an allocation of its own, so that in an AllocSet
/// single nodes can be freed.
/// Cost: proportional to the number of nodes. The depth of the tree does not matter.
/// Errors: none, apart from std::bad_alloc.
[[nodiscard]] Node* CopyObject(const Node& tree, MemoryContext& cx);

template <class T>
requires(std::is_base_of_v<Node, T> && !std::is_same_v<T, Node>)
    [[nodiscard]] T* CopyObject(const T& tree, MemoryContext& cx) {
  return static_cast<T*>(CopyObject(static_cast<const Node&>(tree), cx));
}

}  // namespace relcache
