// Writes and reads node trees as JSON, for tools that have no reader for PostgreSQL's text form.
#pragma once

#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// The tree as JSON, with exactly the fields of the version, in the order of the text form:
///
///     {"node":"OpExpr","opno":521,...,"args":[{"node":"Var",...},...],"location":12}
///
/// Lists are arrays, strings in lists are strings, {"int":[..]} and {"oid":[..]} are lists of
/// numbers, and sets are arrays of numbers. The value of a constant is the integer of its machine
/// word if it is passed by value, and otherwise its bytes in hexadecimal. Strings that are not
/// UTF-8 are {"bytes":"hexadecimal"}.
/// Lifetime: the text lies in cx, with a NUL behind it.
/// Errors: as NodeToString.
Result<std::string_view> NodeToJson(const Node* tree, const TreeOptions& options,
                                    MemoryContext& cx);

/// Reads a tree that NodeToJson wrote under the same version; null for null.
/// Lifetime: the tree lies in cx, which also keeps what a failed call allocated.
/// Errors: as StringToNode, with the path ("args[1].opno") as place and, if the JSON itself is
/// malformed, the byte offset.
Result<Node*> JsonToNode(std::string_view json, const TreeOptions& options, MemoryContext& cx);

}  // namespace relcache
