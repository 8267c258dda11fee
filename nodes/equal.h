// Do two trees mean the same?
#pragma once

#include "relcache/nodes/node.h"

namespace relcache {

/// PostgreSQL's equal(): all fields but those that say how something was written (locations, forms
/// of casts and calls) or that are filled in later. Null equals null. Both trees must be of the
/// same version to mean the same. Cost: per node. Trees of any depth are compared from any stack.
[[nodiscard]] bool Equal(const Node* a, const Node* b);

}  // namespace relcache
