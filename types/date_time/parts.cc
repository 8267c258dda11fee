#include "relcache/types/date_time/parts.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace relcache {

DateTimeFault DecodeTimeField(const char* text, bool minutes_first, DecodedTime* out) {
  using Fault = DateTimeFault;
  char* stop = nullptr;
  errno = 0;
  out->hour = std::strtoll(text, &stop, 10);
  if (errno == ERANGE) return Fault::kFieldOverflow;
  if (*stop != ':') return Fault::kBadFormat;
  const char* end;
  if (!ParseInt32(stop + 1, &end, &out->minute)) return Fault::kFieldOverflow;
  bool shift = minutes_first && *end == '\0';  // the fields are minutes and seconds
  if (*end == ':') {
    if (!ParseInt32(end + 1, &end, &out->second)) return Fault::kFieldOverflow;
  } else if (*end == '.') {
    shift = true;  // two fields and a fraction are always minutes and seconds
  }
  if (*end == '.') {
    const Fault fault = ParseFractionalSecond(end, &out->usec);
    if (fault != Fault::kNone) return fault;
  } else if (*end != '\0') {
    return Fault::kBadFormat;
  }
  if (shift) {
    if (out->hour > INT32_MAX || out->hour < INT32_MIN) return Fault::kFieldOverflow;
    out->second = out->minute;
    out->minute = static_cast<std::int32_t>(out->hour);
    out->hour = 0;
  }
  // 60 seconds, and a fraction that was rounded up to a whole second, carry over later.
  const bool in_range = out->hour >= 0 && out->minute >= 0 && out->minute <= 59 &&
                        out->second >= 0 && out->second <= 60 && out->usec >= 0 &&
                        out->usec <= kUsecsPerSec;
  return in_range ? Fault::kNone : Fault::kFieldOverflow;
}

DateTimeFault DecodeNumericZone(const char* text, std::int32_t* utc_offset) {
  using Fault = DateTimeFault;
  constexpr std::int32_t kMaxHour = 15;  // MAX_TZDISP_HOUR
  if (*text != '+' && *text != '-') return Fault::kBadFormat;
  const char* end;
  std::int32_t hour;
  std::int32_t minute = 0;
  std::int32_t second = 0;
  if (!ParseInt32(text + 1, &end, &hour)) return Fault::kZoneOverflow;
  if (*end == ':') {
    if (!ParseInt32(end + 1, &end, &minute)) return Fault::kZoneOverflow;
    if (*end == ':' && !ParseInt32(end + 1, &end, &second)) return Fault::kZoneOverflow;
  } else if (*end == '\0' && std::strlen(text) > 3) {  // "-0730"
    minute = hour % 100;
    hour /= 100;
  }
  if (hour < 0 || hour > kMaxHour || minute < 0 || minute > 59 || second < 0 || second > 59)
    return Fault::kZoneOverflow;
  const std::int32_t seconds = (hour * 60 + minute) * 60 + second;
  *utc_offset = *text == '-' ? -seconds : seconds;
  return *end == '\0' ? Fault::kNone : Fault::kBadFormat;
}

bool ToLocalCalendar(TimestampTz t, const TimeZone& zone, CalendarTime& out,
                     std::int32_t& utc_offset, std::string_view* abbreviation) {
  const TimeZone::Period period = zone.At(FloorDiv(t, kUsecsPerSec) + kUnixToPostgresSeconds);
  utc_offset = period.utc_offset;
  if (abbreviation != nullptr) *abbreviation = period.abbreviation;
  Timestamp local;
  if (__builtin_add_overflow(t, period.utc_offset * kUsecsPerSec, &local)) return false;
  // Only the instant must be in range; its local date may be a day before the first one.
  if (!ToCalendar(t, out)) return false;
  ToCalendar(local, out);
  return true;
}

}  // namespace relcache
