// The abbreviations of time zones that PostgreSQL knows by default. Internal to types/.
#pragma once

#include <cstdint>
#include <string_view>

namespace relcache {

/// The meaning of an abbreviation in a date: a fixed offset, or the meaning that it has in a zone
/// at that time.
struct TimeZoneAbbreviation {
  std::string_view name;  ///< lower case
  std::int32_t utc_offset = 0;
  bool is_dst = false;
  const char* zone = nullptr;  ///< not nullptr: the zone that knows
};
/// An entry of PostgreSQL's default set (timezone_abbreviations = 'Default'), or nullptr. `name`
/// must be in lower case, and only its first ten bytes count.
const TimeZoneAbbreviation* FindTimeZoneAbbreviation(std::string_view name);

}  // namespace relcache
