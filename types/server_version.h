// Which release of PostgreSQL a value belongs to: functions and text forms changed between them.
#pragma once

#include <cstdint>

namespace relcache {

/// server_version_num of the server that a catalog comes from. The default is the release that
/// everything is measured against.
struct ServerVersion {
  std::int32_t num = 150020;
  constexpr int major() const { return num / 10000; }

  /// The releases whose functions are known; expressions of any other are refused.
  static constexpr int kOldest = 12;
  static constexpr int kNewest = 18;
  constexpr bool is_known() const { return major() >= kOldest && major() <= kNewest; }
};

}  // namespace relcache
