// A time zone: its offset from UTC at any time, in any year. find_time_zone.h finds one by its
// name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace relcache {

/// Seconds since 1970-01-01 00:00 UTC.
using UnixSeconds = std::int64_t;

class TimeZoneReader;

namespace internal {

/// A time zone.
/// Lifetime: until the process ends.
/// Thread safety: const; any number of threads may use it.
class TimeZone {
 public:
  /// The offset and abbreviation that are in force during a period.
  struct Period {
    std::int32_t utc_offset = 0;  ///< seconds to add to UTC, positive east
    bool is_dst = false;
    std::string_view abbreviation = "UTC";  ///< lives as long as the zone
  };

  /// The name in its official spelling, such as "Europe/Berlin".
  const std::string& name() const { return name_; }

  /// The period that `t` belongs to (pg_localtime).
  /// Cost: a binary search.
  Period At(UnixSeconds t) const;

  /// The seconds to add to UTC to get a local time, where `local` is that local time in seconds
  /// since 1970-01-01 00:00 on the wall clock (DetermineTimeZoneOffset). For a local time that the
  /// clock skips, it is the offset before the change; for one that occurs twice, the offset after
  /// the change.
  std::int32_t OffsetAtLocal(std::int64_t local) const;

  /// The offset that `abbreviation` (in upper case) last had at or before `t` in this zone or,
  /// failing that, had first after it (pg_interpret_timezone_abbrev). nullopt if the zone does not
  /// use the abbreviation.
  std::optional<std::int32_t> OffsetOfAbbreviation(std::string_view abbreviation,
                                                   UnixSeconds t) const;

  /// The offset of a zone that never changed; otherwise nullopt (pg_get_timezone_offset).
  std::optional<std::int32_t> FixedOffset() const;

 private:
  friend class relcache::TimeZoneReader;

  struct Type {
    std::int32_t utc_offset;
    bool is_dst;
    std::uint32_t abbreviation;  // where it starts in abbreviations_
  };
  // The time of a year at which the clock changes, in the notation of POSIX.
  struct YearDay {
    enum class Kind : std::uint8_t { kJulian, kZeroBased, kMonthWeekDay } kind;
    std::int32_t day;
    std::int32_t week;
    std::int32_t month;
    std::int64_t seconds;  // local time of day, may lie outside the day
    std::int64_t InYear(std::int64_t year) const;
  };
  // The rule for the years after the last transition.
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
  // The type in force at `t`, and the first transition after it.
  Around Look(UnixSeconds t) const;
  std::uint8_t FirstStandardType() const;
  // The transitions of the rule in one year, in order. Fewer than two if the rule has none.
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

}  // namespace relcache
