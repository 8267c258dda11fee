// What is left to do when all fields of a date text are known: checks, the year, the zone.
#include <algorithm>
#include <string>
#include <utility>

#include "relcache/types/date_time/decoder.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {

DateTimeFault DateTimeDecoder::ValidateDate() {
  if ((have_ & Mask(Token::kYear)) != 0 && !is_julian_) {
    if (bc_) {
      // 1 BC is the year 0 here, and the text has no year 0.
      if (time_.year <= 0) return DateTimeFault::kFieldOverflow;
      time_.year = -(time_.year - 1);
    } else if (two_digits_) {
      if (time_.year < 0) return DateTimeFault::kFieldOverflow;
      // The years 1970 to 2069.
      if (time_.year < 70)
        time_.year += 2000;
      else if (time_.year < 100)
        time_.year += 1900;
    } else if (time_.year <= 0) {
      return DateTimeFault::kFieldOverflow;
    }
  }
  if ((have_ & Mask(Token::kDayOfYear)) != 0) {
    // Unsigned, because ToJulian wraps around for years that no date has.
    const auto first = static_cast<std::uint32_t>(ToJulian(time_.year, 1, 1));
    FromJulian(static_cast<std::int32_t>(first + static_cast<std::uint32_t>(time_.day_of_year) - 1),
               time_);
  }
  if ((have_ & Mask(Token::kMonth)) != 0 && (time_.month < 1 || time_.month > 12))
    return DateTimeFault::kMonthDayOverflow;
  if ((have_ & Mask(Token::kDay)) != 0 && (time_.day < 1 || time_.day > 31))
    return DateTimeFault::kMonthDayOverflow;
  if ((have_ & kDateMask) == kDateMask && time_.day > DaysInMonth(time_.year, time_.month))
    return DateTimeFault::kFieldOverflow;
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::ApplyMeridian() {
  if (meridian_ == Meridian::kNone) return DateTimeFault::kNone;
  if (time_.hour > 12) return DateTimeFault::kFieldOverflow;
  if (meridian_ == Meridian::kAm && time_.hour == 12)
    time_.hour = 0;
  else if (meridian_ == Meridian::kPm && time_.hour != 12)
    time_.hour += 12;
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::ResolveZone(const CalendarTime& at) {
  const bool dst_modifier = (have_ & Mask(Token::kDstModifier)) != 0;
  // A local time that is no valid date counts as UTC (DetermineTimeZoneOffset). The caller finds
  // later that it is out of range.
  const auto offset_in = [&at](const TimeZone& zone) {
    return IsValidJulian(at) ? zone.OffsetAtLocal(LocalSeconds(at)) : 0;
  };
  // A zone says by itself whether daylight saving is in force, and DST must not contradict it.
  if (zone_ != nullptr) {
    if (dst_modifier) return DateTimeFault::kBadFormat;
    utc_offset_ = offset_in(*zone_);
  }
  if (abbreviated_zone_ != nullptr) {
    if (dst_modifier) return DateTimeFault::kBadFormat;
    std::string upper = abbreviation_;
    std::ranges::transform(upper, upper.begin(), ToUpper);
    const std::int32_t zone_offset = offset_in(*abbreviated_zone_);
    utc_offset_ = abbreviated_zone_->OffsetOfAbbreviation(upper, LocalSeconds(at) - zone_offset)
                      .value_or(zone_offset);
  }
  if ((have_ & Mask(Token::kZone)) == 0) {
    if (dst_modifier) return DateTimeFault::kBadFormat;
    // Only a timestamptz asks for the offset.
    zone_not_given_ = settings_.time_zone == nullptr;
    utc_offset_ = zone_not_given_ ? 0 : offset_in(*settings_.time_zone);
  }
  return DateTimeFault::kNone;
}

// A time of day needs a date only where the zone's offset changes.
DateTimeFault DateTimeDecoder::ResolveZoneOfTimeOfDay() {
  if (TimeOverflows(time_)) return DateTimeFault::kFieldOverflow;
  if ((have_ & kTimeMask) != kTimeMask) return DateTimeFault::kBadFormat;
  const FieldMask date = have_ & kDateMask;
  const bool by_session = (have_ & Mask(Token::kZone)) == 0;
  if (zone_ != nullptr) {
    if ((have_ & Mask(Token::kDstModifier)) != 0) return DateTimeFault::kBadFormat;
    if (!zone_->FixedOffset() && date != kDateMask) return DateTimeFault::kBadFormat;
  }
  if (date != 0 && date != kDateMask && (abbreviated_zone_ != nullptr || by_session))
    return DateTimeFault::kBadFormat;
  CalendarTime at = time_;
  if (date == 0) {
    // The zone's offset today. It is no part of a time of day, so any date will do where today is
    // not known.
    std::int32_t offset = 0;
    CalendarTime now{.year = 2000, .month = 1, .day = 1};
    if (KnowsNow()) RELCACHE_TRY_FIELD(Now(now, offset));
    at.year = now.year;
    at.month = now.month;
    at.day = now.day;
  }
  return ResolveZone(at);
}

}  // namespace relcache
