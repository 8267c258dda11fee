// HashTree computes a hash of a node tree's meaning. PostgreSQL has no such function for stored
// trees.
#pragma once

#include <cstdint>

#include "relcache/nodes/node.h"

namespace relcache {

/// A hash for which equal trees have equal values. It depends on the tree only and not on
/// addresses, the process or the machine. Fields with their default value do not affect it, so that
/// a later version of relcache, with more fields, computes the same. Different trees, null
/// included, usually have different hashes.
/// Cost: proportional to the number of nodes. The depth does not matter.
std::uint64_t HashTree(const Node* tree);

}  // namespace relcache
