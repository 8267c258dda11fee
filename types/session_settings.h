// SessionSettings holds the settings of a session (PostgreSQL calls them GUC variables) that affect
// what a value means or how it is printed: time zone, date style, the current time and a few more.
// PostgreSQL keeps them in global variables; relcache passes them as a parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "relcache/base/result.h"

namespace relcache {

namespace internal {
class TimeZone;
}

/// The first half of the setting DateStyle, which determines how dates are printed.
enum class DateStyle : std::uint8_t { kIso, kPostgres, kSql, kGerman };
/// The second half of the setting DateStyle, which determines how an input like 01/02/03 is read.
/// It also orders the fields when the style is kSql or kPostgres.
enum class DateOrder : std::uint8_t { kYmd, kDmy, kMdy };
/// The setting IntervalStyle: how intervals are printed.
enum class IntervalStyle : std::uint8_t { kPostgres, kPostgresVerbose, kSqlStandard, kIso8601 };
/// The setting bytea_output: how byte strings are printed.
enum class ByteaOutput : std::uint8_t { kHex, kEscape };

/// The settings as plain values. Some of them differ between servers even if nobody changed them:
/// the current time, and what initdb takes from the machine (the time zone and the order of day,
/// month and year). These have no default. An operation that depends on one of them is refused
/// (kNotSupported, see SettingNotGiven) until it is given. The other members have PostgreSQL's
/// defaults.
/// Thread safety: a plain value. The functions below may be called by any thread.
struct SessionSettings {
  /// TimeZone, or nullptr if it is not given. Pointers to zones come from SetSetting and
  /// AssumeUtcAndMdy, and are valid until the process ends.
  const internal::TimeZone* time_zone = nullptr;
  DateStyle date_style = DateStyle::kIso;
  /// Needed only for what would be ambiguous without it: dates like 01/02/03, and the output styles
  /// kSql and kPostgres.
  std::optional<DateOrder> date_order;
  IntervalStyle interval_style = IntervalStyle::kPostgres;
  ByteaOutput bytea_output = ByteaOutput::kHex;
  /// extra_float_digits. Above 0, floating-point numbers are printed as the shortest text that
  /// reads back as the same number; otherwise they are rounded to 15 (float4: 6) significant digits
  /// plus this number.
  int extra_float_digits = 1;
  /// The value of now(), from which the inputs 'now' and 'today' derive: the start of the
  /// transaction in microseconds since 2000-01-01 00:00 UTC. CurrentTimestamp() is the usual choice
  /// if rows are checked as of the present moment.
  std::optional<std::int64_t> now;
  /// The value of statement_timestamp(), the start of the statement, in the same unit. It equals
  /// `now` only in the first statement of a transaction.
  std::optional<std::int64_t> statement_now;
  /// search_path, the list of schemas in which names are looked up, as it was written.
  std::string search_path = "\"$user\", public";
};

/// Changes `settings` as the statement `SET name = value` does, for TimeZone, DateStyle,
/// IntervalStyle, bytea_output, extra_float_digits and search_path. The case of the name does not
/// matter. If the call fails, `settings` is unchanged. Time zones are read from the files of the
/// machine, in /usr/share/zoneinfo (Debian's package tzdata), once per zone and process.
/// Errors: SQLSTATE 22023 (invalid_parameter_value) with PostgreSQL's message for an invalid value;
/// kNotSupported for any other name, for a TimeZone that is an interval, and for a zone such as
/// "localtime" that depends on the machine; kLimit for more than 10000 different zones.
Status SetSetting(SessionSettings& settings, std::string_view name, std::string_view value);

/// The value of a setting as the statement `SHOW name` prints it, such as "ISO, MDY".
/// Errors: as SetSetting; kNotSupported for a setting that was not given.
Result<std::string> ShowSetting(const SessionSettings& settings, std::string_view name);

/// Settings in which everything is given: time zone UTC, DateStyle "ISO, MDY", and a transaction
/// and statement that both started at `now`. A server has these values if initdb ran in UTC with
/// the locale C; the name says that this is an assumption.
SessionSettings AssumeUtcAndMdy(std::int64_t now);

/// The error for an operation that depends on a setting which was not given; it names the setting.
[[gnu::cold]] Error SettingNotGiven(std::string_view setting);

/// The system clock in the unit of SessionSettings::now.
std::int64_t CurrentTimestamp();

}  // namespace relcache
