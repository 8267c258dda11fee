// Arithmetic on intervals, and of intervals with timestamps.
#include <climits>
#include <cmath>

#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/date_time/parts.h"
#include "relcache/types/date_time/time_zone.h"

namespace relcache {
namespace {

constexpr std::int32_t kDaysPerMonth = 30;

Error OutOfRange() {
  return FaultError(Fault::kIntervalOutOfRange);
}

// Wraps around, as the subtraction of PostgreSQL does for the smallest numbers.
Interval Negated(const Interval& v) {
  return {static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(v.time)),
          static_cast<std::int32_t>(0 - static_cast<std::uint32_t>(v.day)),
          static_cast<std::int32_t>(0 - static_cast<std::uint32_t>(v.month))};
}

bool ToInt32(double value, std::int32_t* out) {
  // In this form NaN fails too.
  if (!(value >= -2147483648.0 && value < 2147483648.0)) return false;
  *out = static_cast<std::int32_t>(value);
  return true;
}

// To microseconds, so that what floating point adds does not show.
double Rounded(double value) {
  return std::rint(value * 1000000.0) / 1000000.0;
}

// An interval whose fields are these real numbers: fractions of a month become days and those of
// days become time.
Result<Interval> FromReal(double month, double day, double usec) {
  Interval out;
  if (!ToInt32(month, &out.month) || !ToInt32(day, &out.day)) return Fail(OutOfRange());
  const double month_days = Rounded((month - out.month) * kDaysPerMonth);
  const auto whole_days = static_cast<std::int32_t>(month_days);
  double seconds = Rounded((day - out.day + month_days - whole_days) * 86400.0);
  // Rounding, and the fractions of a month and of a day together, may come to a whole day or more.
  if (std::fabs(seconds) >= 86400.0) {
    const auto days = static_cast<std::int32_t>(seconds / 86400.0);
    if (__builtin_add_overflow(out.day, days, &out.day)) return Fail(OutOfRange());
    seconds -= days * 86400.0;
  }
  if (__builtin_add_overflow(out.day, whole_days, &out.day)) return Fail(OutOfRange());
  const double time = std::rint(usec + seconds * 1000000.0);
  if (!(time >= -9223372036854775808.0 && time < 9223372036854775808.0)) return Fail(OutOfRange());
  out.time = static_cast<std::int64_t>(time);
  return out;
}

// Adds months and days to a calendar time; the day of the month is cut to what the month has.
bool AddMonths(CalendarTime& t, std::int32_t months) {
  const std::int64_t sum = std::int64_t{t.year} * 12 + (t.month - 1) + months;
  const std::int64_t year = FloorDiv(sum, 12);
  if (year < INT_MIN || year > INT_MAX) return false;
  t.year = static_cast<std::int32_t>(year);
  t.month = static_cast<std::int32_t>(sum - year * 12) + 1;
  t.day = std::min(t.day, DaysInMonth(t.year, t.month));
  return true;
}
bool AddDays(CalendarTime& t, std::int32_t days) {
  const std::int64_t julian = std::int64_t{ToJulian(t.year, t.month, t.day)} + days;
  // FromJulian is right from -32044 on: a local date may be a day before the first valid one.
  if (julian < -32044 || julian > INT_MAX) return false;
  FromJulian(static_cast<std::int32_t>(julian), t);
  return true;
}

// zone is nullptr for a timestamp without one.
Result<Timestamp> Add(Timestamp value, const Interval& span, const TimeZone* zone) {
  if (!IsFinite(value)) return value;
  const auto out_of_range = [] { return Fail(FaultError(Fault::kTimestampOutOfRange)); };
  const auto change = [&value, zone](bool (*apply)(CalendarTime&, std::int32_t), std::int32_t n) {
    CalendarTime t;
    std::int32_t offset = 0;
    if (n == 0) return true;
    if (zone != nullptr ? !ToLocalCalendar(value, *zone, t, offset) : !ToCalendar(value, t))
      return false;
    if (!apply(t, n)) return false;
    if (zone != nullptr) offset = IsValidJulian(t) ? zone->OffsetAtLocal(LocalSeconds(t)) : 0;
    return FromCalendar(t, offset, value);
  };
  if (!change(AddMonths, span.month) || !change(AddDays, span.day)) return out_of_range();
  if (__builtin_add_overflow(value, span.time, &value) || !IsValidTimestamp(value))
    return out_of_range();
  return value;
}

// Hours are hours in any zone.
Result<TimestampTz> AddInSession(TimestampTz value, const Interval& span,
                                 const SessionSettings& settings) {
  const bool by_calendar = (span.month != 0 || span.day != 0) && IsFinite(value);
  if (by_calendar && settings.time_zone == nullptr)
    return Fail(FaultError(Fault::kTimeZoneNotGiven));
  return Add(value, span, settings.time_zone);
}

}  // namespace

Result<Interval> IntervalAdd(const Interval& a, const Interval& b) {
  Interval out;
  if (__builtin_add_overflow(a.month, b.month, &out.month) ||
      __builtin_add_overflow(a.day, b.day, &out.day) ||
      __builtin_add_overflow(a.time, b.time, &out.time))
    return Fail(OutOfRange());
  return out;
}

Result<Interval> IntervalSub(const Interval& a, const Interval& b) {
  Interval out;
  if (__builtin_sub_overflow(a.month, b.month, &out.month) ||
      __builtin_sub_overflow(a.day, b.day, &out.day) ||
      __builtin_sub_overflow(a.time, b.time, &out.time))
    return Fail(OutOfRange());
  return out;
}

Result<Interval> IntervalNegate(const Interval& a) {
  return IntervalSub({}, a);
}

Result<Interval> IntervalMul(const Interval& a, double factor) {
  return FromReal(a.month * factor, a.day * factor, static_cast<double>(a.time) * factor);
}

Result<Interval> IntervalDiv(const Interval& a, double factor) {
  if (factor == 0) return Fail(FaultError(Fault::kDivisionByZero));
  return FromReal(a.month / factor, a.day / factor, static_cast<double>(a.time) / factor);
}

Result<Timestamp> TimestampAddInterval(Timestamp a, const Interval& b) {
  return Add(a, b, nullptr);
}

Result<Timestamp> TimestampSubInterval(Timestamp a, const Interval& b) {
  return Add(a, Negated(b), nullptr);
}

Result<TimestampTz> TimestamptzAddInterval(TimestampTz a, const Interval& b,
                                           const SessionSettings& settings) {
  return AddInSession(a, b, settings);
}

Result<TimestampTz> TimestamptzSubInterval(TimestampTz a, const Interval& b,
                                           const SessionSettings& settings) {
  return AddInSession(a, Negated(b), settings);
}

Result<Interval> TimestampDiff(Timestamp a, Timestamp b) {
  if (!IsFinite(a) || !IsFinite(b)) return Fail(FaultError(Fault::kInfiniteTimestamps));
  Interval out;
  // Differences of more than 292277 years wrap around, as in PostgreSQL 15.
  out.time =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  // timestamp_mi counts days of 24 hours, whatever the zone.
  out.day = static_cast<std::int32_t>(out.time / kUsecsPerDay);
  out.time %= kUsecsPerDay;
  return out;
}

}  // namespace relcache
