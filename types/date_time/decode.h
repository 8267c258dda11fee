// Computes what the fields of a date or time text mean together (DecodeDateTime in
// utils/adt/datetime.c). Internal to types/.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/fields.h"
#include "relcache/types/date_time/time_zone.h"
#include "relcache/types/session_settings.h"

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

/// Errors mention `type`; `buffer_size` is DateTimeFields' size for it.
/// Errors: DateTimeError; SQLSTATE 22023 `time zone "x" not recognized`; kNotSupported for a zone,
/// and for a text that depends on a setting which is not given.
Result<DecodedDateTime> DecodeDateTime(std::string_view text, std::string_view type,
                                       std::size_t buffer_size, const SessionSettings& settings);

/// The same for a time of day. A date is read only if the zone needs one.
Result<DecodedDateTime> DecodeTimeOnly(std::string_view text, std::string_view type,
                                       const SessionSettings& settings);

/// Reads hh:mm, hh:mm:ss or mm:ss.fff. Hours are not bounded. With `minutes_first`, two fields are
/// minutes and seconds.
struct DecodedTime {
  std::int64_t hour = 0;
  std::int32_t minute = 0;
  std::int32_t second = 0;
  std::int32_t usec = 0;
};
DateTimeFault DecodeTimeField(const char* text, bool minutes_first, DecodedTime* out);

/// A numeric zone, "+hh[[:]mm[:ss]]", as seconds east.
DateTimeFault DecodeNumericZone(const char* text, std::int32_t* utc_offset);

/// The local fields of an instant, and the zone's offset at that time. Returns false if it is out
/// of range.
bool ToLocalCalendar(TimestampTz t, const TimeZone& zone, CalendarTime& out,
                     std::int32_t& utc_offset, std::string_view* abbreviation = nullptr);

}  // namespace relcache
