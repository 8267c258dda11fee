// Trees as JSON, for tools that have no reader for PostgreSQL's own text.
#pragma once

#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// The tree as JSON, all fields of the version and no others, in the order of the text:
///
///     {"node":"OpExpr","opno":521,...,"args":[{"node":"Var",...},...],"location":12}
///
/// Lists are arrays, strings in lists are strings, {"int":[..]} and {"oid":[..]} are lists of
/// numbers, sets are arrays of numbers; a value by reference is its bytes in hexadecimal, one by
/// value the integer of its word; strings that are not UTF-8 are {"bytes":"hexadecimal"}.
/// Lifetime: in cx, followed by a NUL. Errors: as NodeToString.
Result<std::string_view> NodeToJson(const Node* tree, const TreeOptions& options,
                                    MemoryContext& cx);

/// The tree that NodeToJson wrote under the same version; null for null.
/// Lifetime: in cx, of a failure too. Errors: as StringToNode, with the path as place
/// ("args[1].opno") and, where the JSON itself is damaged, the byte offset.
Result<Node*> JsonToNode(std::string_view json, const TreeOptions& options, MemoryContext& cx);

}  // namespace relcache
