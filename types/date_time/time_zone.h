// Time zones from the system's zoneinfo (TZif files and the POSIX rules in them), for any year.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"

namespace relcache {

/// Seconds since 1970-01-01 00:00 UTC.
using UnixSeconds = std::int64_t;

class TimeZoneReader;

namespace internal {

/// One zone. Thread safety: const, read by all. Lifetime: until the process ends.
class TimeZone {
 public:
  /// What is in force for a while.
  struct Period {
    std::int32_t utc_offset = 0;  ///< seconds to add to UTC, positive east
    bool is_dst = false;
    std::string_view abbreviation = "UTC";  ///< lives as long as the zone
  };

  /// The name in its canonical spelling: "Europe/Berlin".
  const std::string& name() const { return name_; }

  /// What is in force at `t` (PostgreSQL's pg_localtime). Cost: a binary search.
  Period At(UnixSeconds t) const;

  /// Seconds to add to UTC at the local time that is `local` seconds after 1970-01-01 00:00 on the
  /// wall clock (PostgreSQL's DetermineTimeZoneOffset). A time that the clock skips is read with
  /// the offset before the change, one that it shows twice with the offset after it.
  std::int32_t OffsetAtLocal(std::int64_t local) const;

  /// The offset that `abbreviation` (upper case) last had in this zone at `t`, or first had after
  /// it (pg_interpret_timezone_abbrev); nothing if the zone does not use it.
  std::optional<std::int32_t> OffsetOfAbbreviation(std::string_view abbreviation,
                                                   UnixSeconds t) const;

  /// The one offset of a zone that never changed (pg_get_timezone_offset).
  std::optional<std::int32_t> FixedOffset() const;

 private:
  friend class relcache::TimeZoneReader;

  struct Type {
    std::int32_t utc_offset;
    bool is_dst;
    std::uint32_t abbreviation;  // where it starts in abbreviations_
  };
  // When in a year the clock changes, as POSIX writes it.
  struct YearDay {
    enum class Kind : std::uint8_t { kJulian, kZeroBased, kMonthWeekDay } kind;
    std::int32_t day;
    std::int32_t week;
    std::int32_t month;
    std::int64_t seconds;  // local time of day, may lie outside the day
    std::int64_t InYear(std::int64_t year) const;
  };
  // The rule for the years behind the last transition.
  struct Rule {
    std::uint8_t standard;  // types
    std::uint8_t dst;
    YearDay dst_begins;
    YearDay dst_ends;
  };
  struct Transition {
    UnixSeconds at;
    std::uint8_t type;
  };
  struct Around {
    std::uint8_t before;
    std::optional<Transition> next;
  };

  TimeZone() = default;
  Period PeriodOf(std::uint8_t type) const;
  std::string_view Abbreviation(const Type& type) const;
  // The type in force at `t` and the first transition after it.
  Around Look(UnixSeconds t) const;
  std::uint8_t FirstStandardType() const;
  // The transitions of the rule in one year, in order; fewer than two when it has none.
  int RuleTransitions(std::int64_t year, std::array<Transition, 2>& out) const;

  std::string name_;
  std::vector<Transition> transitions_;
  std::vector<Type> types_;
  std::string abbreviations_;  // each ends in NUL
  std::uint8_t default_type_ = 0;
  std::optional<Rule> rule_;
};

}  // namespace internal

using internal::TimeZone;

/// UTC.
const TimeZone& UtcZone();

/// The zone that PostgreSQL knows under `name`: a zoneinfo name in any case ("europe/berlin"), or a
/// POSIX specification ("<+03>-3", "FOO5BAR,M3.2.0,M11.1.0"). nullptr when there is none. Zones are
/// read once and kept until the process ends.
/// Thread safety: any threads. Errors: kNotSupported for a zone that counts leap seconds; kLimit
/// when too many different specifications were asked for.
Result<const TimeZone*> FindTimeZone(std::string_view name);

/// The zone of a fixed offset that SET TimeZone makes from a number of hours: seconds east, named
/// "<+03>-03". Errors: as FindTimeZone; nullptr when out of range.
Result<const TimeZone*> FixedTimeZone(std::int64_t utc_offset);

/// What an abbreviation means in a date: a fixed offset, or whatever it means in a zone at the
/// time.
struct TimeZoneAbbreviation {
  std::string_view name;  ///< lower case
  std::int32_t utc_offset = 0;
  bool is_dst = false;
  const char* zone = nullptr;  ///< not nullptr: the zone that knows
};
/// An entry of PostgreSQL's default set (timezone_abbreviations = 'Default'), or nullptr. `name` in
/// lower case; only its first ten bytes count.
const TimeZoneAbbreviation* FindTimeZoneAbbreviation(std::string_view name);

}  // namespace relcache
