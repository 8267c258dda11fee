// ServerVersion says which release of PostgreSQL a catalog comes from. Functions, node trees and
// the text forms of values changed between releases, so most operations need to know it
// (docs/versions.md).
#pragma once

#include <cstdint>

namespace relcache {

/// The setting server_version_num of the server: 150020 is PostgreSQL 15.20.
struct ServerVersion {
  /// The default is the release with which relcache is compared most thoroughly.
  std::int32_t num = 150020;
  constexpr int major() const { return num / 10000; }

  /// The major releases whose functions are known. Expressions of any other release are refused.
  static constexpr int kOldest = 12;
  static constexpr int kNewest = 18;
  constexpr bool is_known() const { return major() >= kOldest && major() <= kNewest; }
};

}  // namespace relcache
