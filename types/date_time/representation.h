// How dates and times lie in memory. A leaf: everything else here stands on it.
#pragma once

#include <cstdint>
#include <limits>

namespace relcache {

/// Days since 2000-01-01, PostgreSQL's DateADT.
using Date = std::int32_t;
inline constexpr Date kDateNegativeInfinity = std::numeric_limits<Date>::min();
inline constexpr Date kDateInfinity = std::numeric_limits<Date>::max();
constexpr bool IsFinite(Date d) {
  return d != kDateNegativeInfinity && d != kDateInfinity;
}

/// Microseconds since 2000-01-01 00:00, local or UTC.
using Timestamp = std::int64_t;
using TimestampTz = std::int64_t;
inline constexpr Timestamp kTimestampNegativeInfinity = std::numeric_limits<Timestamp>::min();
inline constexpr Timestamp kTimestampInfinity = std::numeric_limits<Timestamp>::max();
inline constexpr std::int64_t kUsecsPerDay = 86'400'000'000;
inline constexpr std::int64_t kUsecsPerSec = 1'000'000;
constexpr bool IsFinite(Timestamp t) {
  return t != kTimestampNegativeInfinity && t != kTimestampInfinity;
}

}  // namespace relcache
