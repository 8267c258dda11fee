// TreeOptions has the version of a tree's text form, and limits that reader and writers have in
// common.
#pragma once

#include <cstdint>

#include "relcache/nodes/field.h"

namespace relcache {

/// The limits for a text. A text that one of the functions writes under some options can be read
/// under the same options.
struct TreeOptions {
  /// The major version of the server that the text comes from or is meant for: 10 to 18.
  int pg_version = kDefaultPgVersion;
  /// How deeply nodes and lists may be nested. Independently of this, a tree that would overrun the
  /// thread's stack is an error.
  std::uint32_t max_depth = 4000;
  /// The number of nodes, lists, and strings in lists.
  std::uint64_t max_nodes = 50'000'000;
  /// The bytes of the text; the default is what PostgreSQL can store in one value.
  std::uint64_t max_bytes = 0x3fffffff;
};

}  // namespace relcache
