// interval: months, days and microseconds, kept apart (utils/adt/timestamp.c).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/session_settings.h"
#include "relcache/types/timestamp.h"

namespace relcache {

/// A value as it lies in memory; a Datum of type interval points at one.
struct Interval {
  std::int64_t time = 0;  ///< microseconds
  std::int32_t day = 0;
  std::int32_t month = 0;
};
static_assert(sizeof(Interval) == 16);

inline Interval DatumGetInterval(Datum d) {
  Interval out;
  std::memcpy(&out, DatumGetPointer(d), sizeof out);
  return out;
}

Result<Interval> IntervalIn(std::string_view text, std::int32_t typmod,
                            const SessionSettings& settings);
std::string_view IntervalOut(const Interval& value, IntervalStyle style, MemoryContext& cx);
/// interval(interval, int4). Errors: kNotSupported is never one: all field ranges are known.
Result<Interval> IntervalCoerce(const Interval& value, std::int32_t typmod);

/// A month counts 30 days and a day 24 hours, as interval_cmp has it.
int IntervalCompare(const Interval& a, const Interval& b);

// Errors: 22008 "interval out of range", "timestamp out of range".
Result<Interval> IntervalAdd(const Interval& a, const Interval& b);
Result<Interval> IntervalSub(const Interval& a, const Interval& b);
Result<Interval> IntervalNegate(const Interval& a);
Result<Interval> IntervalMul(const Interval& a, double factor);
Result<Interval> IntervalDiv(const Interval& a, double factor);

Result<Timestamp> TimestampAddInterval(Timestamp a, const Interval& b);
Result<Timestamp> TimestampSubInterval(Timestamp a, const Interval& b);
/// Months and days are added in the session's time zone.
Result<TimestampTz> TimestamptzAddInterval(TimestampTz a, const Interval& b,
                                           const SessionSettings& settings);
Result<TimestampTz> TimestamptzSubInterval(TimestampTz a, const Interval& b,
                                           const SessionSettings& settings);
/// timestamp_mi, timestamptz_mi: days and the rest.
Result<Interval> TimestampDiff(Timestamp a, Timestamp b);

}  // namespace relcache
