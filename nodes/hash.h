// A hash of what a tree means.
#pragma once

#include <cstdint>

#include "relcache/nodes/node.h"

namespace relcache {

/// Equal trees have equal hashes. The value depends on the tree alone: not on addresses, the
/// process or the machine, nor on fields that are at their default, so that a later version of this
/// library gives the same. Null hashes like no tree. Cost: per node; no depth is too deep.
std::uint64_t HashTree(const Node* tree);

}  // namespace relcache
