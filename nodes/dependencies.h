// The objects that a tree names.
#pragma once

#include <functional>

#include "relcache/nodes/field.h"

namespace relcache {

/// Calls use(kind, oid) for every oid in the tree that names an object: types, functions,
/// operators, collations, relations ... as the declarations of the node types say, and constants
/// of the types regclass, regproc, regtype ... (PostgreSQL's find_expr_references). An object may
/// come more than once; 0 never comes. Cost: per node; no depth is too deep.
void CollectDependencies(const Node* tree, const std::function<void(ObjectKind, Oid)>& use);

}  // namespace relcache
