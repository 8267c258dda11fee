// interval: months, days and microseconds, kept apart (utils/adt/timestamp.c).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/datum.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// A value as it lies in memory; a Datum of type interval points at one.
struct Interval {
  std::int64_t time = 0;  ///< microseconds
  std::int32_t day = 0;
  std::int32_t month = 0;

  /// The same fields: equal in SQL is IntervalCompare.
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};
static_assert(sizeof(Interval) == 16);

/// The infinite intervals of PostgreSQL 17 and later; to older ones they are intervals like others.
inline constexpr Interval kIntervalInfinity{INT64_MAX, INT32_MAX, INT32_MAX};
inline constexpr Interval kIntervalNegativeInfinity{INT64_MIN, INT32_MIN, INT32_MIN};
constexpr bool IsFinite(const Interval& v) {
  return v != kIntervalInfinity && v != kIntervalNegativeInfinity;
}

inline Interval DatumGetInterval(Datum d) {
  Interval out;
  std::memcpy(&out, DatumGetPointer(d), sizeof out);
  return out;
}

inline Datum IntervalGetDatum(const Interval& value, MemoryContext& cx) {
  return PointerGetDatum(cx.New<Interval>(value));
}

/// All four styles of IntervalStyle are read; the setting decides how far a leading minus sign
/// reaches. Errors: 22007, 22008, 22015.
Result<Interval> IntervalIn(std::string_view text, std::int32_t typmod,
                            const SessionSettings& settings);
std::string_view IntervalOut(const Interval& value, IntervalStyle style, MemoryContext& cx);
/// interval(interval, int4): leaves out the fields that the typmod does not have, rounds seconds.
/// What rounds beyond 64 bits wraps around, as in PostgreSQL 15. Errors: XX000, 22023 for a number
/// that is no typmod of an interval.
Result<Interval> IntervalCoerce(const Interval& value, std::int32_t typmod);

/// A month counts 30 days and a day 24 hours, as interval_cmp has it.
int IntervalCompare(const Interval& a, const Interval& b);

/// interval_hash, interval_hash_extended: equal intervals hash alike ('1 day', '24 hours').
std::uint32_t IntervalHash(const Interval& value);
std::uint64_t IntervalHashExtended(const Interval& value, std::uint64_t seed);

// Errors: 22008 "interval out of range", "timestamp out of range"; 22012 "division by zero".
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
/// timestamp_mi, timestamptz_mi: days and the rest. Errors: 22008 "cannot subtract infinite
/// timestamps".
Result<Interval> TimestampDiff(Timestamp a, Timestamp b);

}  // namespace relcache
