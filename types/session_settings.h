// The session settings that the text form and the meaning of values depend on, as plain values.
#pragma once

#include <cstdint>
#include <optional>
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

/// Copied at will and passed by const reference. What differs from one server to the next without
/// anybody having changed it (the moment, and what initdb takes from the machine: the time zone,
/// the order of day, month and year) has no default: whatever depends on it is refused
/// (kNotSupported, NotGiven) until it is given. The other members begin as every server does.
/// Thread safety: a value.
struct SessionSettings {
  /// TimeZone; nullptr: not given. From SetSetting, FindTimeZone (time_zone.h), which keeps zones
  /// for the life of the process, or UtcZone.
  const TimeZone* time_zone = nullptr;
  DateStyle date_style = DateStyle::kIso;
  /// Needed only for what is ambiguous without: dates like 01/02/03, the styles SQL and Postgres.
  std::optional<DateOrder> date_order;
  IntervalStyle interval_style = IntervalStyle::kPostgres;
  ByteaOutput bytea_output = ByteaOutput::kHex;
  /// extra_float_digits: above 0, the shortest text that reads back to the same value.
  int extra_float_digits = 1;
  /// now(), and what 'now' and 'today' mean: the start of the transaction, in microseconds since
  /// 2000-01-01 00:00 UTC. CurrentTimestamp() where rows are judged as of this moment.
  std::optional<std::int64_t> now;
  /// statement_timestamp(): the start of the statement, which is that of the transaction only in
  /// the first one.
  std::optional<std::int64_t> statement_now;
  /// search_path, as written.
  std::string search_path = "\"$user\", public";
};

/// What `SET name = value` does to `settings`, for TimeZone, DateStyle, IntervalStyle,
/// bytea_output, extra_float_digits and search_path; names in any case. On failure `settings` is
/// as before.
/// Errors: 22023 in PostgreSQL's words for a bad value; kNotSupported for any other name.
Status SetSetting(SessionSettings& settings, std::string_view name, std::string_view value);

/// What `SHOW name` prints: "ISO, MDY". Errors: as SetSetting; kNotSupported for one that was not
/// given.
Result<std::string> ShowSetting(const SessionSettings& settings, std::string_view name);

/// Everything given: UTC, "ISO, MDY", one statement at `now`. The name says what is assumed: a
/// server has these where initdb ran in UTC under the locale C.
SessionSettings AssumeUtcAndMdy(std::int64_t now);

/// The refusal of what depends on a setting that was not given, by its name.
[[gnu::cold]] Error NotGiven(std::string_view setting);

/// The clock, in the unit of SessionSettings::now.
std::int64_t CurrentTimestamp();

}  // namespace relcache
