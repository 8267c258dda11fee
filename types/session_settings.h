// The session settings that the text form and the meaning of values depend on, as plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relcache/base/result.h"

namespace relcache {

class TimeZone;

/// The output half of DateStyle.
enum class DateStyle : std::uint8_t { kIso, kPostgres, kSql, kGerman };
/// The input half of DateStyle: how 01/02/03 is read. It also orders the fields of the SQL and
/// Postgres output styles.
enum class DateOrder : std::uint8_t { kYmd, kDmy, kMdy };
enum class IntervalStyle : std::uint8_t { kPostgres, kPostgresVerbose, kSqlStandard, kIso8601 };
enum class ByteaOutput : std::uint8_t { kHex, kEscape };

/// Copied at will and passed by const reference. The defaults are those of a server without
/// configuration file, in UTC.
/// Thread safety: a value.
struct SessionSettings {
  /// TimeZone; nullptr is UTC. From FindTimeZone (time_zone.h), which keeps zones for the life of
  /// the process.
  const TimeZone* time_zone = nullptr;
  DateStyle date_style = DateStyle::kIso;
  DateOrder date_order = DateOrder::kMdy;
  IntervalStyle interval_style = IntervalStyle::kPostgres;
  ByteaOutput bytea_output = ByteaOutput::kHex;
  /// extra_float_digits: above 0, the shortest text that reads back to the same value.
  int extra_float_digits = 1;
  /// now(), and what 'now' and 'today' mean: the start of the transaction, in microseconds since
  /// 2000-01-01 00:00 UTC.
  std::int64_t now = 0;
  /// search_path, as written.
  std::string search_path = "\"$user\", public";
};

/// What `SET name = value` does to `settings`, for TimeZone, DateStyle, IntervalStyle,
/// bytea_output, extra_float_digits and search_path; names in any case. On failure `settings` is
/// as before.
/// Errors: 22023 in PostgreSQL's words for a bad value; kNotSupported for any other name.
Status SetSetting(SessionSettings& settings, std::string_view name, std::string_view value);

/// What `SHOW name` prints: "ISO, MDY". Errors: as SetSetting.
Result<std::string> ShowSetting(const SessionSettings& settings, std::string_view name);

/// The clock, in the unit of SessionSettings::now.
std::int64_t CurrentTimestamp();

}  // namespace relcache
