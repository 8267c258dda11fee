// MutateTree copies a node tree and changes the copy in one pass (PostgreSQL's
// expression_tree_mutator in nodeFuncs.c).
#pragma once

#include <functional>
#include <optional>

#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"

namespace relcache {

/// A copy of the tree in which `replace` can replace nodes. It is called for every node before its
/// children. If it returns nullopt, the node is copied and its children are visited. If it returns
/// a node, made in cx, that node takes the place, and the children are not visited. If it returns
/// null, the place becomes empty.
///
///     Node* changed = MutateTree(tree, [&](const Node& node) -> std::optional<Node*> {
///       const Var* var = As<Var>(&node);
///       return var ? std::optional<Node*>(ValueOf(*var, cx)) : std::nullopt;
///     }, cx);
///
/// An expression may be replaced by an expression, and any other node by one of its own type.
/// Lifetime: the copy lies in cx and shares no memory with its source.
/// Cost: proportional to the number of nodes that are copied. The depth does not matter.
/// Errors: exceptions of `replace` are passed on.
Node* MutateTree(const Node& tree, const std::function<std::optional<Node*>(const Node&)>& replace,
                 MemoryContext& cx);

}  // namespace relcache
