// The columns that a tree reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"

namespace relcache {

/// The columns of range table entry `varno` that the tree reads, ascending, each once: 0 for the
/// whole row, negative numbers for system columns (PostgreSQL's pull_varattnos). Looks into
/// subqueries.
std::vector<AttrNumber> CollectColumns(const Node* tree, std::int32_t varno = 1);

/// A copy of the tree in which columns of range table entry `varno` have other numbers:
/// `attribute_map[i]` is the new number of column i + 1, or 0 if it is gone. For expressions that a
/// child table takes over from its parent, whose columns stand in another order (PostgreSQL's
/// map_variable_attnos). System columns stay. Looks into subqueries.
/// Errors: XX000 for a column that is gone or beyond the map; 0A000 for a whole-row reference,
/// which would need a conversion.
Result<Node*> ReplaceColumns(const Node& tree, std::span<const AttrNumber> attribute_map,
                             MemoryContext& cx, std::int32_t varno = 1);

}  // namespace relcache
