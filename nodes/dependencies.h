// Finds the catalog objects that a node tree refers to (PostgreSQL's find_expr_references_walker in
// dependency.c).
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "relcache/nodes/field.h"

namespace relcache {

/// Calls use(kind, oid) for every oid in the tree that refers to an object: those of types,
/// functions, operators, collations, relations and so on, as the declarations of the node types
/// say, and those in constants of the types regclass, regproc, regtype and the like. An object may
/// be reported more than once; 0 is never reported.
/// Cost: proportional to the number of nodes. The depth does not matter.
void CollectDependencies(const Node* tree, const std::function<void(ObjectKind, Oid)>& use);

using NamedObject = std::pair<ObjectKind, Oid>;

/// Adds the objects that the text of a node tree refers to, found by the labels of its fields
/// without making a tree. It may find too many (a label within a string), does not fail on any
/// text, and finds all that fields name in a text that a server wrote; constants are not looked at.
/// Cost: one pass over the text, about a nanosecond per byte.
void ScanDependencies(std::string_view text, std::vector<NamedObject>& found);

}  // namespace relcache
