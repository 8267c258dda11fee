// The version of a tree's text, and the bounds that reader and writers keep alike.
#pragma once

#include <cstdint>

#include "relcache/nodes/field.h"

namespace relcache {

/// What a text that is read or written must keep to. Whatever one function writes under some
/// options, the other reads under the same.
struct TreeOptions {
  /// The major version of the server that the text comes from or goes to: 10 to 18.
  int pg_version = kDefaultPgVersion;
  /// Nodes and lists within each other. Whatever this says, the thread's stack is never
  /// overrun: what does not fit is an error.
  std::uint32_t max_depth = 4000;
  /// Nodes, lists and strings in lists.
  std::uint64_t max_nodes = 50'000'000;
  /// Of text: what PostgreSQL can store in one field.
  std::uint64_t max_bytes = 0x3fffffff;
};

using TreeOptions = TreeOptions;
using TreeOptions = TreeOptions;

}  // namespace relcache
