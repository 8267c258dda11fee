// The type interval: months, days and microseconds, which are kept separately because months and
// days differ in length (utils/adt/timestamp.c).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/datum.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// A value in PostgreSQL's layout; a Datum of type interval is the address of one.
struct Interval {
  std::int64_t time = 0;  ///< microseconds
  std::int32_t day = 0;
  std::int32_t month = 0;

  /// Compares the fields. Equality in SQL is IntervalCompare.
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};
static_assert(sizeof(Interval) == 16);

/// The infinite intervals of PostgreSQL 17 and later. For older versions they are ordinary values.
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

/// Reads all four styles of IntervalStyle. The setting decides whether a leading minus sign applies
/// to all fields.
/// Errors: SQLSTATE 22007, 22008, 22015.
Result<Interval> IntervalIn(std::string_view text, std::int32_t typmod,
                            const SessionSettings& settings);
std::string_view IntervalOut(const Interval& value, IntervalStyle style, MemoryContext& cx);
/// The cast interval(interval, int4): removes the fields that the typmod does not have and rounds
/// the seconds. A result beyond 64 bits wraps around, as in PostgreSQL 15.
/// Errors: SQLSTATE XX000 and 22023 for a number that is not a typmod of an interval.
Result<Interval> IntervalCoerce(const Interval& value, std::int32_t typmod);

/// Compares two intervals, counting a month as 30 days and a day as 24 hours (interval_cmp).
int IntervalCompare(const Interval& a, const Interval& b);

/// Hashes (interval_hash, interval_hash_extended). Intervals that are equal in SQL, such as '1 day'
/// and '24 hours', have equal hashes.
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
/// Months and days are added in the time zone of the session.
Result<TimestampTz> TimestamptzAddInterval(TimestampTz a, const Interval& b,
                                           const SessionSettings& settings);
Result<TimestampTz> TimestamptzSubInterval(TimestampTz a, const Interval& b,
                                           const SessionSettings& settings);
/// The difference as days and the rest of the time (timestamp_mi, timestamptz_mi).
/// Errors: SQLSTATE 22008 "cannot subtract infinite timestamps".
Result<Interval> TimestampDiff(Timestamp a, Timestamp b);

}  // namespace relcache
