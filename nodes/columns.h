// Functions about the columns that a tree refers to (PostgreSQL's optimizer/util/var.c,
// rewrite/rewriteManip.c).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"

namespace relcache {

/// The columns of range table entry `varno` that the tree refers to, ascending and each once: 0 for
/// the whole row, negative numbers for system columns (pull_varattnos). The range table is the list
/// of tables that a query reads; in an expression of a single table, that is entry 1. Subqueries
/// are included.
std::vector<AttrNumber> CollectColumns(const Node* tree, std::int32_t varno = 1);

/// A copy of the tree in which the columns of range table entry `varno` have other numbers:
/// `attribute_map[i]` is the new number of column i + 1, or 0 if it no longer exists. This is for
/// expressions that a child table inherits from its parent, whose columns may be in another order
/// (map_variable_attnos). System columns keep their numbers. Subqueries are included.
/// Lifetime: the copy lies in cx, each node as an allocation of its own.
/// Errors: SQLSTATE XX000 (internal_error) for a column that no longer exists or is not in the map;
/// 0A000 (feature_not_supported) for a reference to the whole row, which would need a conversion.
Result<Node*> ReplaceColumns(const Node& tree, std::span<const AttrNumber> attribute_map,
                             MemoryContext& cx, std::int32_t varno = 1);

}  // namespace relcache
