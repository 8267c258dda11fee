// StringToNode reads node trees from their text form, which PostgreSQL stores in catalog columns of
// the type pg_node_tree (PostgreSQL's nodes/read.c, readfuncs.c). docs/node_text_format.md
// describes the text.
#pragma once

#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// Reads the tree that `text` describes; null for <> (stringToNode). Every label, field name,
/// number, enum and constant is checked: NodeToString writes any accepted text back byte for byte
/// under the same version.
/// Lifetime: one allocation in cx, of exactly the size needed; nothing is allocated there if the
/// call fails. The tree does not point into the text.
/// Cost: one pass over the text.
/// Errors: for any other text, with the byte offset, the node, the field and what was expected.
/// SQLSTATE XX001 (data_corrupted) for a malformed text, 54001 if it is nested too deeply, 54000 if
/// it has too many nodes or bytes, 0A000 for an unknown version.
Result<Node*> StringToNode(std::string_view text, const TreeOptions& options, MemoryContext& cx);

}  // namespace relcache
