// NodeToString writes node trees in the text form that PostgreSQL stores in columns of the type
// pg_node_tree (PostgreSQL's outfuncs.c).
#pragma once

#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// The text of a tree as a server of this version writes it; "<>" for null (nodeToString).
/// Lifetime: the text lies in cx, with a NUL behind it.
/// Cost: one pass over the tree.
/// Errors: for a tree that the reader would not accept under the same options: one that is nested
/// too deeply, has too many nodes or bytes, contains a node that the version does not have, or a
/// value that is out of range.
Result<std::string_view> NodeToString(const Node* tree, const TreeOptions& options,
                                      MemoryContext& cx);

}  // namespace relcache
