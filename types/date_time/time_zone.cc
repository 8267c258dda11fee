#include "relcache/types/date_time/time_zone.h"

#include <algorithm>
#include <iterator>

#include "relcache/types/date_time/calendar.h"

namespace relcache {
namespace {

std::int64_t JanuaryFirst(std::int64_t year) {
  // Days from 1970 to the year, in years of 365 days and the leap days between.
  const std::int64_t y = year - 1;
  const std::int64_t leap_days = FloorDiv(y, 4) - FloorDiv(y, 100) + FloorDiv(y, 400);
  constexpr std::int64_t kLeapDaysTo1970 = 1969 / 4 - 1969 / 100 + 1969 / 400;
  return (year - 1970) * 365 + leap_days - kLeapDaysTo1970;
}

bool IsLeap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

std::int64_t YearOf(UnixSeconds t) {
  const std::int64_t day = FloorDiv(t, kSecondsPerDay);
  // 400 years have 146097 days; the estimate is off by one at the most.
  std::int64_t year = 1970 + FloorDiv(day * 400, 146097);
  while (JanuaryFirst(year) > day) --year;
  while (JanuaryFirst(year + 1) <= day) ++year;
  return year;
}

}  // namespace

std::int64_t TimeZone::YearDay::InYear(std::int64_t year) const {
  const bool leap = IsLeap(year);
  std::int64_t day_of_year = day;
  switch (kind) {
    case Kind::kJulian:  // 1..365, February 29 is never counted
      day_of_year = day - 1 + (leap && day >= 60 ? 1 : 0);
      break;
    case Kind::kZeroBased:
      break;
    case Kind::kMonthWeekDay: {
      constexpr std::int16_t kBefore[] = {0,   31,  59,  90,  120, 151, 181,
                                          212, 243, 273, 304, 334, 365};
      const std::int64_t month_start = kBefore[month - 1] + (leap && month > 2 ? 1 : 0);
      const std::int64_t length =
          kBefore[month] - kBefore[month - 1] + (leap && month == 2 ? 1 : 0);
      // 1970-01-01 was a Thursday.
      const std::int64_t first = JanuaryFirst(year) + month_start;
      const std::int64_t weekday = (first % 7 + 7 + 4) % 7;
      std::int64_t offset = (day - weekday + 7) % 7 + (std::int64_t{week} - 1) * 7;
      while (offset >= length) offset -= 7;
      day_of_year = month_start + offset;
      break;
    }
  }
  return day_of_year * kSecondsPerDay + seconds;
}

int TimeZone::RuleTransitions(std::int64_t year, std::array<Transition, 2>& out) const {
  const std::int64_t start = JanuaryFirst(year) * kSecondsPerDay;
  const std::int32_t standard = types_[rule_->standard].utc_offset;
  const std::int32_t dst = types_[rule_->dst].utc_offset;
  const Transition begins{start + rule_->dst_begins.InYear(year) - standard, rule_->dst};
  const Transition ends{start + rule_->dst_ends.InYear(year) - dst, rule_->standard};
  if (ends.at < begins.at) {
    out = {ends, begins};
    return 2;
  }
  const std::int64_t year_seconds = (IsLeap(year) ? 366 : 365) * kSecondsPerDay;
  // Daylight saving all year round has no transitions.
  if (begins.at == ends.at || ends.at - begins.at >= year_seconds + dst - standard) return 0;
  out = {begins, ends};
  return 2;
}

std::string_view TimeZone::Abbreviation(const Type& type) const {
  return abbreviations_.c_str() + type.abbreviation;
}

TimeZone::Period TimeZone::PeriodOf(std::uint8_t type) const {
  const Type& t = types_[type];
  return {t.utc_offset, t.is_dst, Abbreviation(t)};
}

std::uint8_t TimeZone::FirstStandardType() const {
  for (std::size_t i = 0; i < types_.size(); ++i)
    if (!types_[i].is_dst) return static_cast<std::uint8_t>(i);
  return 0;
}

TimeZone::Around TimeZone::Look(UnixSeconds t) const {
  const auto next = std::ranges::upper_bound(transitions_, t, {}, &Transition::at);
  if (next != transitions_.end())
    return {next == transitions_.begin() ? default_type_ : std::prev(next)->type, *next};
  // Behind the last transition of the file; a POSIX zone has none and its rule always holds.
  Around out{transitions_.empty() ? default_type_ : transitions_.back().type, std::nullopt};
  if (!rule_) return out;
  const bool from_file = !transitions_.empty();
  // For a rule without transitions, which is daylight saving all year round (tzparse).
  if (!from_file) out.before = rule_->dst;
  const std::int64_t year = YearOf(t);
  for (std::int64_t y = year - 1; y <= year + 1; ++y) {
    std::array<Transition, 2> changes{};
    const int n = RuleTransitions(y, changes);
    for (int i = 0; i < n; ++i) {
      const Transition& change = changes[static_cast<std::size_t>(i)];
      if (from_file && change.at <= transitions_.back().at) continue;
      if (change.at > t) {
        out.next = change;
        return out;
      }
      out.before = change.type;
    }
  }
  return out;
}

TimeZone::Period TimeZone::At(UnixSeconds t) const {
  return PeriodOf(Look(t).before);
}

std::int32_t TimeZone::OffsetAtLocal(std::int64_t local) const {
  // Offsets are less than a day and changes farther apart than two: the change that matters, if
  // any, is the first one after the day before.
  const Around around = Look(local - kSecondsPerDay);
  // Before everything, local mean time is taken from the first standard type.
  const bool first = around.next && !transitions_.empty() && around.next->at == transitions_[0].at;
  const std::int32_t before = types_[first ? FirstStandardType() : around.before].utc_offset;
  if (!around.next) return before;
  const std::int32_t after = types_[around.next->type].utc_offset;
  const UnixSeconds boundary = around.next->at;
  const UnixSeconds as_before = local - before;
  const UnixSeconds as_after = local - after;
  if (as_before < boundary && as_after < boundary) return before;
  if (as_before > boundary && as_after >= boundary) return after;
  // Skipped: the clock before the change. Shown twice: the clock after it.
  return as_before > as_after ? before : after;
}

std::optional<std::int32_t> TimeZone::OffsetOfAbbreviation(std::string_view abbreviation,
                                                           UnixSeconds t) const {
  const auto matches = [&](const Transition& transition) {
    return Abbreviation(types_[transition.type]) == abbreviation;
  };
  const auto cutoff = std::ranges::upper_bound(transitions_, t, {}, &Transition::at);
  for (auto it = cutoff; it != transitions_.begin();)
    if (matches(*--it)) return types_[it->type].utc_offset;
  const auto later = std::find_if(cutoff, transitions_.end(), matches);
  if (later != transitions_.end()) return types_[later->type].utc_offset;
  return std::nullopt;
}

std::optional<std::int32_t> TimeZone::FixedOffset() const {
  for (const Type& type : types_)
    if (type.utc_offset != types_[0].utc_offset) return std::nullopt;
  return types_[0].utc_offset;
}

}  // namespace relcache
