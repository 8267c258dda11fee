// Time zones from the system's zoneinfo (TZif) and their POSIX rules, for any year.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "relcache/base/result.h"

namespace relcache {

/// Seconds since 1970-01-01 00:00 UTC.
using UnixSeconds = std::int64_t;

/// One zone. Thread safety: const, read by all.
class TimeZone {
 public:
  /// What is in force at an instant.
  struct Period {
    std::int32_t utc_offset = 0;  ///< seconds to add to UTC, positive east
    bool is_dst = false;
    const char* abbreviation = "UTC";  ///< lives as long as the zone
  };

  /// The name in its canonical spelling: "Europe/Berlin".
  const std::string& name() const { return name_; }

  /// What is in force at `t` (PostgreSQL's pg_localtime). Cost: a binary search.
  Period At(UnixSeconds t) const;

  /// Seconds to add to UTC at the local time that is `local` seconds after 1970-01-01 00:00 on the
  /// wall clock (PostgreSQL's DetermineTimeZoneOffset). A local time that occurs twice or never
  /// is read as standard time.
  std::int32_t OffsetAtLocal(std::int64_t local) const;

 private:
  friend class TimeZoneReader;
  TimeZone() = default;

  std::string name_;
};

/// UTC.
const TimeZone& UtcZone();

/// The zone that PostgreSQL knows under `name`: a zoneinfo name in any case ("europe/berlin"), or a
/// POSIX specification ("FOO5BAR", "<+03>-3"). nullptr when there is none. Zones are read once and
/// kept until the process ends.
/// Thread safety: any threads. Errors: none; an unreadable file is no zone.
const TimeZone* FindTimeZone(std::string_view name);

/// A zone of a fixed offset as SET TimeZone makes from a number: seconds east, "<+03>-03".
const TimeZone* FixedTimeZone(std::int32_t utc_offset);

}  // namespace relcache
