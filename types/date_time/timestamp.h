// The types timestamp (local time) and timestamptz (UTC): microseconds since 2000-01-01 00:00, and
// their conversions to and from date (utils/adt/timestamp.c).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/date_time/representation.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/fault.h"
#include "relcache/types/session_settings.h"

namespace relcache {

Result<Timestamp> TimestampIn(std::string_view text, std::int32_t typmod,
                              const SessionSettings& settings);
Result<TimestampTz> TimestamptzIn(std::string_view text, std::int32_t typmod,
                                  const SessionSettings& settings);
/// Errors: 22008 "timestamp out of range".
Result<std::string_view> TimestampOut(Timestamp value, const SessionSettings& settings,
                                      MemoryContext& cx);
Result<std::string_view> TimestamptzOut(TimestampTz value, const SessionSettings& settings,
                                        MemoryContext& cx);

/// The cast timestamp(timestamp, int4): rounds to `typmod` fractional digits (0 to 6; -1 changes
/// nothing).
Timestamp TimestampCoerce(Timestamp value, std::int32_t typmod);
/// The same for a typmod that may be any number.
/// Errors: SQLSTATE 22023 "timestamp(7) precision must be between 0 and 6", unless the value is
/// infinite.
Result<Timestamp> TimestampCoerceChecked(Timestamp value, std::int32_t typmod);

// Conversions. Faults: kTimestampOutOfRange, kDateOutOfRangeForTimestamp, kTimeZoneNotGiven.
// Infinity stays.
Fault DateToTimestamp(Date date, Timestamp& out);
Fault DateToTimestamptz(Date date, const SessionSettings& settings, TimestampTz& out);
/// The SQL operator date + time, which yields a timestamp.
Fault DateAddTime(Date date, std::int64_t time, Timestamp& out);
Fault TimestampToDate(Timestamp value, Date& out);
Fault TimestamptzToDate(TimestampTz value, const SessionSettings& settings, Date& out);
Fault TimestampToTimestamptz(Timestamp value, const SessionSettings& settings, TimestampTz& out);
Fault TimestamptzToTimestamp(TimestampTz value, const SessionSettings& settings, Timestamp& out);

// Comparisons across types: date_cmp_timestamp, date_cmp_timestamptz, timestamp_cmp_timestamptz.
// Values that do not fit the other type compare as beyond its ends, never an error. Faults:
// kTimeZoneNotGiven.
int DateCompareTimestamp(Date a, Timestamp b);
Fault DateCompareTimestamptz(Date a, TimestampTz b, const SessionSettings& settings, int& out);
Fault TimestampCompareTimestamptz(Timestamp a, TimestampTz b, const SessionSettings& settings,
                                  int& out);

/// The SQL function timezone(text, timestamptz): the local time in a zone.
/// Errors: SQLSTATE 22023 `time zone "x" not recognized`.
Result<Timestamp> TimestamptzAtZone(std::string_view zone, TimestampTz value);
/// The SQL function timezone(text, timestamp): the instant of a local time in a zone.
Result<TimestampTz> TimestampAtZone(std::string_view zone, Timestamp value);

}  // namespace relcache
