// Equal tells whether two node trees have the same meaning (PostgreSQL's equalfuncs.c).
#pragma once

#include "relcache/nodes/node.h"

namespace relcache {

/// Compares all fields except those that say how something was written (locations, forms of casts
/// and calls) or that are filled in later (equal()). Null is equal to null only. Both trees must be
/// of the same version.
/// Cost: proportional to the number of nodes. The depth does not matter.
[[nodiscard]] bool Equal(const Node* a, const Node* b);

}  // namespace relcache
