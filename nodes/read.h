// From the text of a pg_node_tree to a tree.
#pragma once

#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// The tree that `text` describes; null for <> (PostgreSQL's stringToNode). Every label, field
/// name, number, enum and datum is checked: what is accepted, NodeToString writes back byte for
/// byte under the same version.
/// Lifetime: one allocation in cx, of exactly the bytes needed; of a failure nothing remains there.
/// The tree does not point into the text. Cost: one pass over the text.
/// Errors: any other text is an error with the byte offset, the node, the field and what was
/// expected there. XX001 malformed; 54001 too deep; 54000 too many nodes or bytes; 0A000 a version
/// that is not known.
Result<Node*> StringToNode(std::string_view text, const TreeOptions& options, MemoryContext& cx);

}  // namespace relcache
