// From a tree to the text of a pg_node_tree.
#pragma once

#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// The text of a tree as a server of that version writes it; "<>" for null (PostgreSQL's
/// nodeToString).
/// Lifetime: the text lies in cx, followed by a NUL. Cost: one pass over the tree.
/// Errors: a tree that the reader would not take back under the same options: too deep, too many
/// nodes, too many bytes, a node that the version does not have, a value out of its range.
Result<std::string_view> NodeToString(const Node* tree, const TreeOptions& options,
                                      MemoryContext& cx);

}  // namespace relcache
