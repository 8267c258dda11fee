// Times and numeric zones inside a date text, and instants as local fields. Internal to types/.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/fields.h"
#include "relcache/types/date_time/time_zone.h"

namespace relcache {

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
