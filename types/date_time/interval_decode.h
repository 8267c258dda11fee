// Computes what an interval text means (DecodeInterval, DecodeISO8601Interval in
// utils/adt/datetime.c). Internal to types/.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/types/date_time/fields.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// The sums of an interval's fields, each with its own overflow check (PostgreSQL's struct
/// pg_itm_in).
struct IntervalSums {
  std::int64_t usec = 0;
  std::int32_t day = 0;
  std::int32_t month = 0;
  std::int32_t year = 0;

  // These return false on overflow. `fraction` is less than 1 and is carried to smaller units.
  bool AddUsecs(std::int64_t value, double fraction, std::int64_t scale);
  bool AddFractionOfDay(double fraction) { return AddUsecs(0, fraction, 86'400'000'000); }
  bool AddDays(std::int64_t value, double fraction, std::int32_t scale);
  bool AddMonths(std::int64_t value, double fraction);
  bool AddYears(std::int64_t value, double fraction, std::int32_t scale);
};

/// The parts of an interval's typmod: the fields that it keeps, as a FieldMask, and the precision
/// of the seconds.
inline constexpr std::int32_t kIntervalFullRange = 0x7fff;
inline constexpr std::int32_t kIntervalFullPrecision = 0xffff;
constexpr std::int32_t IntervalRange(std::int32_t typmod) {
  return typmod < 0 ? kIntervalFullRange : typmod >> 16 & 0x7fff;
}
constexpr std::int32_t IntervalPrecision(std::int32_t typmod) {
  return typmod < 0 ? kIntervalFullPrecision : typmod & 0xffff;
}

DateTimeFault DecodeInterval(DateTimeFields& fields, std::int32_t range, IntervalStyle style,
                             IntervalSums& out);
/// "P1Y2M3DT4H5M6S" and "P0001-02-03T04:05:06".
DateTimeFault DecodeIso8601Interval(std::string_view text, IntervalSums& out);

}  // namespace relcache
