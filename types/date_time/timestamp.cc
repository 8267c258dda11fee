#include "relcache/types/date_time/timestamp.h"

#include <algorithm>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/decode.h"
#include "relcache/types/date_time/fields.h"
#include "relcache/types/date_time/parts.h"
#include "relcache/types/date_time/print.h"
#include "relcache/types/date_time/time_zone.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

constexpr Timestamp kEpoch = -kUnixToPostgresSeconds * kUsecsPerSec;

// Both types read the same texts; only timestamptz heeds the zone.
Result<Timestamp> In(std::string_view text, std::string_view type, bool with_zone,
                     std::int32_t typmod, const SessionSettings& settings) {
  RELCACHE_ASSIGN(const DecodedDateTime decoded,
                  DecodeDateTime(text, type, DateTimeFields::kTimestampBuffer, settings));
  switch (decoded.kind) {
    case DecodedDateTime::Kind::kInfinity:
      return kTimestampInfinity;
    case DecodedDateTime::Kind::kNegativeInfinity:
      return kTimestampNegativeInfinity;
    case DecodedDateTime::Kind::kEpoch:
      return TimestampCoerceChecked(kEpoch, typmod);
    case DecodedDateTime::Kind::kDate:
      break;
  }
  if (with_zone && decoded.zone_not_given) return Fail(FaultError(Fault::kTimeZoneNotGiven));
  Timestamp value;
  if (!FromCalendar(decoded.time, with_zone ? decoded.utc_offset : 0, value)) {
    return Fail(ErrorCode::kInvalidInput, "22008",
                "timestamp out of range: \"" + std::string(text) + "\"");
  }
  return TimestampCoerceChecked(value, typmod);
}

const char* InfinityText(Timestamp value) {
  return value == kTimestampInfinity ? "infinity" : "-infinity";
}

// The local time in the session's zone of an instant, and the instant of a local time.
Fault ToLocal(TimestampTz value, const SessionSettings& settings, Timestamp& out) {
  if (settings.time_zone == nullptr) return Fault::kTimeZoneNotGiven;
  CalendarTime t;
  std::int32_t offset;
  if (!ToLocalCalendar(value, *settings.time_zone, t, offset) || !FromCalendar(t, 0, out))
    return Fault::kTimestampOutOfRange;
  return Fault::kNone;
}
Fault FromLocal(Timestamp value, const SessionSettings& settings, TimestampTz& out) {
  if (settings.time_zone == nullptr) return Fault::kTimeZoneNotGiven;
  CalendarTime t;
  if (!ToCalendar(value, t)) return Fault::kTimestampOutOfRange;
  const std::int32_t offset =
      IsValidJulian(t) ? settings.time_zone->OffsetAtLocal(LocalSeconds(t)) : 0;
  return FromCalendar(t, offset, out) ? Fault::kNone : Fault::kTimestampOutOfRange;
}

template <class T>
int Compare(T a, T b) {
  return int{a > b} - int{a < b};
}

// 1 if the date is later than a timestamp can be, otherwise 0. Both types begin on the same day, so
// no date is too early.
int DateBeyondTimestamp(Date date) {
  constexpr Date kEndDate = static_cast<Date>(kEndTimestamp / kUsecsPerDay);
  return date >= kEndDate ? 1 : 0;
}

}  // namespace

Result<Timestamp> TimestampIn(std::string_view text, std::int32_t typmod,
                              const SessionSettings& settings) {
  return In(text, "timestamp", false, typmod, settings);
}

Result<TimestampTz> TimestamptzIn(std::string_view text, std::int32_t typmod,
                                  const SessionSettings& settings) {
  return In(text, "timestamp with time zone", true, typmod, settings);
}

Result<std::string_view> TimestampOut(Timestamp value, const SessionSettings& settings,
                                      MemoryContext& cx) {
  if (!IsFinite(value)) return InfinityText(value);
  if (LacksDateOrder(settings)) return Fail(SettingNotGiven("DateStyle"));
  CalendarTime t;
  if (!ToCalendar(value, t)) return Fail(FaultError(Fault::kTimestampOutOfRange));
  std::string out;
  AppendDateTime(out, t, nullptr, settings);
  return cx.CopyString(out);
}

Result<std::string_view> TimestamptzOut(TimestampTz value, const SessionSettings& settings,
                                        MemoryContext& cx) {
  if (!IsFinite(value)) return InfinityText(value);
  if (LacksDateOrder(settings)) return Fail(SettingNotGiven("DateStyle"));
  if (settings.time_zone == nullptr) return Fail(FaultError(Fault::kTimeZoneNotGiven));
  CalendarTime t;
  ShownZone zone;
  if (!ToLocalCalendar(value, *settings.time_zone, t, zone.utc_offset, &zone.abbreviation))
    return Fail(FaultError(Fault::kTimestampOutOfRange));
  std::string out;
  AppendDateTime(out, t, &zone, settings);
  return cx.CopyString(out);
}

Timestamp TimestampCoerce(Timestamp value, std::int32_t typmod) {
  constexpr std::int64_t kUnits[] = {1000000, 100000, 10000, 1000, 100, 10};
  if (!IsFinite(value) || typmod < 0 || typmod >= 6) return value;
  // Half away from zero. No valid timestamp is so close to the limits of 64 bits that this
  // overflows.
  const std::int64_t unit = kUnits[typmod];
  return value >= 0 ? (value + unit / 2) / unit * unit : -((-value + unit / 2) / unit * unit);
}

Result<Timestamp> TimestampCoerceChecked(Timestamp value, std::int32_t typmod) {
  if (IsFinite(value) && typmod != -1 && (typmod < 0 || typmod > 6)) {
    return Fail(ErrorCode::kEvaluation, "22023",
                Format("timestamp({}) precision must be between 0 and 6", typmod));
  }
  return TimestampCoerce(value, typmod);
}

Fault DateToTimestamp(Date date, Timestamp& out) {
  if (!IsFinite(date)) {
    out = date == kDateInfinity ? kTimestampInfinity : kTimestampNegativeInfinity;
    return Fault::kNone;
  }
  if (DateBeyondTimestamp(date) > 0) return Fault::kDateOutOfRangeForTimestamp;
  out = date * kUsecsPerDay;
  return Fault::kNone;
}

Fault DateToTimestamptz(Date date, const SessionSettings& settings, TimestampTz& out) {
  Timestamp local;
  if (const Fault fault = DateToTimestamp(date, local); fault != Fault::kNone) return fault;
  out = local;
  if (!IsFinite(date)) return Fault::kNone;
  const Fault fault = FromLocal(local, settings, out);
  return fault == Fault::kTimestampOutOfRange ? Fault::kDateOutOfRangeForTimestamp : fault;
}

Fault DateAddTime(Date date, std::int64_t time, Timestamp& out) {
  const Fault fault = DateToTimestamp(date, out);
  if (fault != Fault::kNone || !IsFinite(out)) return fault;
  // 24:00:00 of the last day is beyond the end.
  out += time;
  return IsValidTimestamp(out) ? Fault::kNone : Fault::kTimestampOutOfRange;
}

Fault TimestampToDate(Timestamp value, Date& out) {
  if (!IsFinite(value)) {
    out = value == kTimestampInfinity ? kDateInfinity : kDateNegativeInfinity;
    return Fault::kNone;
  }
  CalendarTime t;
  if (!ToCalendar(value, t)) return Fault::kTimestampOutOfRange;
  out = ToJulian(t.year, t.month, t.day) - kPostgresEpochJulian;
  return Fault::kNone;
}

Fault TimestamptzToDate(TimestampTz value, const SessionSettings& settings, Date& out) {
  if (!IsFinite(value)) return TimestampToDate(value, out);
  if (settings.time_zone == nullptr) return Fault::kTimeZoneNotGiven;
  CalendarTime t;
  std::int32_t offset;
  if (!ToLocalCalendar(value, *settings.time_zone, t, offset)) return Fault::kTimestampOutOfRange;
  out = ToJulian(t.year, t.month, t.day) - kPostgresEpochJulian;
  return Fault::kNone;
}

Fault TimestampToTimestamptz(Timestamp value, const SessionSettings& settings, TimestampTz& out) {
  out = value;
  return IsFinite(value) ? FromLocal(value, settings, out) : Fault::kNone;
}

Fault TimestamptzToTimestamp(TimestampTz value, const SessionSettings& settings, Timestamp& out) {
  out = value;
  return IsFinite(value) ? ToLocal(value, settings, out) : Fault::kNone;
}

int DateCompareTimestamp(Date a, Timestamp b) {
  Timestamp at;
  if (DateToTimestamp(a, at) == Fault::kNone) return Compare(at, b);
  // Later than any timestamp, but not than infinity.
  return b == kTimestampInfinity ? -1 : 1;
}

namespace {

// Compares what a conversion to an instant gave or, where it has none, an end of the range: a
// comparison must not fail because a value is beyond the range of the other type.
Fault CompareConverted(Fault fault, TimestampTz at, bool early, TimestampTz b, int& out) {
  if (fault == Fault::kTimeZoneNotGiven) return fault;
  if (fault == Fault::kNone) {
    out = Compare(at, b);
  } else if (early) {
    out = b == kTimestampNegativeInfinity ? 1 : -1;
  } else {
    out = b == kTimestampInfinity ? -1 : 1;
  }
  return Fault::kNone;
}

}  // namespace

Fault DateCompareTimestamptz(Date a, TimestampTz b, const SessionSettings& settings, int& out) {
  TimestampTz at = 0;
  const Fault fault = DateToTimestamptz(a, settings, at);
  return CompareConverted(fault, at, a < 0, b, out);
}

Fault TimestampCompareTimestamptz(Timestamp a, TimestampTz b, const SessionSettings& settings,
                                  int& out) {
  TimestampTz at = 0;
  const Fault fault = TimestampToTimestamptz(a, settings, at);
  return CompareConverted(fault, at, a < 0, b, out);
}

}  // namespace relcache
