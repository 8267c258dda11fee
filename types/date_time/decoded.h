// The meaning of a date or time text. Internal to types/.
#pragma once

#include <cstdint>

#include "relcache/types/date_time/calendar.h"

namespace relcache {

/// The meaning of a text: a date and time in a zone, or one of the special instants.
struct DecodedDateTime {
  enum class Kind : std::uint8_t { kDate, kEpoch, kInfinity, kNegativeInfinity };
  Kind kind = Kind::kDate;
  CalendarTime time;
  std::int32_t utc_offset = 0;  ///< east
  /// The offset would be that of the session's time zone, which is not given.
  bool zone_not_given = false;
};

}  // namespace relcache
