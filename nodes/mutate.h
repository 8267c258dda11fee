// Copying and changing a tree in one pass (PostgreSQL's nodeFuncs.c: expression_tree_mutator).
#pragma once

#include <functional>
#include <optional>

#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"

namespace relcache {

/// A copy of the tree in which `replace` has its way: it is asked about every node before its
/// children. nullopt: the node is copied, and its children are asked about. A node (made in cx):
/// it takes the place, and what was below is not looked at. Null: the place is <>.
///
///     Node* changed = MutateTree(tree, [&](const Node& node) -> std::optional<Node*> {
///       const Var* var = As<Var>(&node);
///       return var ? std::optional<Node*>(ValueOf(*var, cx)) : std::nullopt;
///     }, cx);
///
/// An expression may be replaced by an expression, any other node by one of its own type.
/// Lifetime: in cx; the copy shares no byte with its source. Cost: per node that is copied. Errors:
/// those of `replace`, as exceptions; trees of any depth from any stack.
Node* MutateTree(const Node& tree, const std::function<std::optional<Node*>(const Node&)>& replace,
                 MemoryContext& cx);

}  // namespace relcache
