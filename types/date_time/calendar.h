// The proleptic Gregorian calendar and broken-down times (utils/adt/datetime.c, timestamp.c).
// Internal to types/; other code uses date.h and timestamp.h.
#pragma once

#include <cstdint>

#include "relcache/types/date_time/representation.h"

namespace relcache {

inline constexpr std::int32_t kPostgresEpochJulian = 2451545;  // 2000-01-01
inline constexpr std::int32_t kUnixEpochJulian = 2440588;      // 1970-01-01
inline constexpr std::int64_t kSecondsPerDay = 86400;
inline constexpr std::int64_t kUsecsPerHour = 3'600'000'000;
inline constexpr std::int64_t kUsecsPerMinute = 60'000'000;
inline constexpr std::int64_t kUnixToPostgresSeconds =
    std::int64_t{kPostgresEpochJulian - kUnixEpochJulian} * kSecondsPerDay;

/// A date and time of day as separate fields (PostgreSQL's struct pg_tm). Years are counted through
/// zero, so 1 BC is 0. Months count from 1.
struct CalendarTime {
  std::int32_t year = 0;
  std::int32_t month = 0;
  std::int32_t day = 0;
  std::int32_t hour = 0;
  std::int32_t minute = 0;
  std::int32_t second = 0;
  std::int32_t usec = 0;
  std::int32_t day_of_year = 0;
};

constexpr std::int64_t FloorDiv(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

constexpr bool IsLeapYear(std::int32_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}
constexpr std::int32_t DaysInMonth(std::int32_t year, std::int32_t month) {
  constexpr std::int8_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && IsLeapYear(year) ? 1 : 0);
}

/// The Julian day of a date (date2j). For years outside of the range of dates it wraps around, as
/// PostgreSQL does.
constexpr std::int32_t ToJulian(std::int32_t year, std::int32_t month, std::int32_t day) {
  const bool late = month > 2;
  const std::int64_t m = std::int64_t{month} + (late ? 1 : 13);
  const auto y =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(year) + (late ? 4800u : 4799u));
  const std::int64_t century = y / 100;
  std::int64_t julian = std::int64_t{y} * 365 - 32167;
  julian += y / 4 - century + century / 4;
  julian += 7834 * m / 256 + day;
  return static_cast<std::int32_t>(julian);
}

/// The date of a Julian day (j2date).
constexpr void FromJulian(std::int32_t julian_day, CalendarTime& out) {
  std::uint32_t julian = static_cast<std::uint32_t>(julian_day) + 32044;
  std::uint32_t quad = julian / 146097;
  const std::uint32_t extra = (julian - quad * 146097) * 4 + 3;
  julian += 60 + quad * 3 + extra / 146097;
  quad = julian / 1461;
  julian -= quad * 1461;
  std::uint32_t year = julian * 4 / 1461;
  julian = (year != 0 ? (julian + 305) % 365 : (julian + 306) % 366) + 123;
  year += quad * 4;
  out.year = static_cast<std::int32_t>(year) - 4800;
  quad = julian * 2141 / 65536;
  out.day = static_cast<std::int32_t>(julian - 7834 * quad / 256);
  out.month = static_cast<std::int32_t>((quad + 10) % 12 + 1);
}

/// The day of the week, where 0 is Sunday (j2day).
constexpr std::int32_t DayOfWeek(std::int32_t julian_day) {
  return ((julian_day + 1) % 7 + 7) % 7;
}

/// Whether the date is not before 4714-11-24 BC (Julian day 0) and its number of days fits into 32
/// bits.
constexpr bool IsValidJulian(const CalendarTime& t) {
  return (t.year > -4713 || (t.year == -4713 && t.month >= 11)) &&
         (t.year < 5874898 || (t.year == 5874898 && t.month < 6));
}
constexpr bool IsValidDate(std::int64_t date) {
  return date >= -std::int64_t{kPostgresEpochJulian} &&
         date < std::int64_t{2147483494} - kPostgresEpochJulian;
}
inline constexpr Timestamp kMinTimestamp = -211'813'488'000'000'000;
inline constexpr Timestamp kEndTimestamp = 9'223'371'331'200'000'000;
constexpr bool IsValidTimestamp(Timestamp t) {
  return t >= kMinTimestamp && t < kEndTimestamp;
}

/// The seconds since midnight, in 32 bits that wrap around as in PostgreSQL, because the input
/// "h596524" can set a field to any number.
constexpr std::int64_t SecondsOfDay(const CalendarTime& t) {
  const auto unsigned_of = [](std::int32_t n) { return static_cast<std::uint32_t>(n); };
  return static_cast<std::int32_t>((unsigned_of(t.hour) * 60 + unsigned_of(t.minute)) * 60 +
                                   unsigned_of(t.second));
}

/// Microseconds since midnight.
constexpr std::int64_t TimeOfDay(const CalendarTime& t) {
  return SecondsOfDay(t) * kUsecsPerSec + t.usec;
}
constexpr void SetTimeOfDay(std::int64_t usecs, CalendarTime& out) {
  out.hour = static_cast<std::int32_t>(usecs / kUsecsPerHour);
  out.minute = static_cast<std::int32_t>(usecs / kUsecsPerMinute % 60);
  out.second = static_cast<std::int32_t>(usecs / kUsecsPerSec % 60);
  out.usec = static_cast<std::int32_t>(usecs % kUsecsPerSec);
}

/// Splits a finite timestamp into fields (timestamp2tm without a zone). Returns false before Julian
/// day 0, where no date is valid; the fields are nevertheless correct for some time before.
constexpr bool ToCalendar(Timestamp t, CalendarTime& out) {
  const std::int64_t day = FloorDiv(t, kUsecsPerDay);
  const std::int64_t julian = day + kPostgresEpochJulian;
  FromJulian(static_cast<std::int32_t>(julian), out);
  SetTimeOfDay(t - day * kUsecsPerDay, out);
  return julian >= 0;
}

/// Combines fields into a timestamp, minus utc_offset (tm2timestamp). Returns false if it is out of
/// range.
constexpr bool FromCalendar(const CalendarTime& t, std::int32_t utc_offset, Timestamp& out) {
  if (!IsValidJulian(t)) return false;
  const std::int64_t day = std::int64_t{ToJulian(t.year, t.month, t.day)} - kPostgresEpochJulian;
  std::int64_t result;
  if (__builtin_mul_overflow(day, kUsecsPerDay, &result) ||
      __builtin_add_overflow(result, TimeOfDay(t), &result))
    return false;
  // The same test for a wrapped result as PostgreSQL's.
  if ((result < 0 && day > 0) || (result > 0 && day < -1)) return false;
  if (__builtin_sub_overflow(result, utc_offset * kUsecsPerSec, &result)) return false;
  out = result;
  return IsValidTimestamp(result);
}

/// The seconds of the local time since 1970, for TimeZone::OffsetAtLocal.
constexpr std::int64_t LocalSeconds(const CalendarTime& t) {
  return std::int64_t{ToJulian(t.year, t.month, t.day) - kUnixEpochJulian} * kSecondsPerDay +
         SecondsOfDay(t);
}

}  // namespace relcache
