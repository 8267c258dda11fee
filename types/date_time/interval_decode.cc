#include "relcache/types/date_time/interval_decode.h"

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/parts.h"
#include "relcache/types/internal/c_locale.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

constexpr std::int32_t kDaysPerMonth = 30;

FieldMask UnitMask(Unit unit) {
  switch (unit) {
    case Unit::kMicrosecond:
      return Mask(Token::kMicrosecond);
    case Unit::kMillisecond:
      return Mask(Token::kMillisecond);
    case Unit::kSecond:
      return Mask(Token::kSecond);
    case Unit::kMinute:
      return Mask(Token::kMinute);
    case Unit::kHour:
      return Mask(Token::kHour);
    case Unit::kDay:
      return Mask(Token::kDay);
    case Unit::kWeek:
      return Mask(Token::kWeek);
    case Unit::kMonth:
      return Mask(Token::kMonth);
    case Unit::kYear:
      return Mask(Token::kYear);
    case Unit::kDecade:
      return Mask(Token::kDecade);
    case Unit::kCentury:
      return Mask(Token::kCentury);
    case Unit::kMillennium:
      return Mask(Token::kMillennium);
    default:
      return 0;
  }
}

// What a number without unit counts: the smallest field of the typmod, seconds if there is none.
Unit RightmostUnit(std::int32_t range) {
  const auto has = [range](Token token) {
    return (static_cast<FieldMask>(range) & Mask(token)) != 0;
  };
  if (range == kIntervalFullRange || has(Token::kSecond)) return Unit::kSecond;
  if (has(Token::kMinute)) return Unit::kMinute;
  if (has(Token::kHour)) return Unit::kHour;
  if (has(Token::kDay)) return Unit::kDay;
  if (has(Token::kMonth)) return Unit::kMonth;
  return has(Token::kYear) ? Unit::kYear : Unit::kSecond;
}

bool AddUnit(IntervalSums& sums, Unit unit, std::int64_t value, double fraction) {
  switch (unit) {
    case Unit::kMicrosecond:
      return sums.AddUsecs(value, fraction, 1);
    case Unit::kMillisecond:
      return sums.AddUsecs(value, fraction, 1000);
    case Unit::kSecond:
      return sums.AddUsecs(value, fraction, kUsecsPerSec);
    case Unit::kMinute:
      return sums.AddUsecs(value, fraction, kUsecsPerMinute);
    case Unit::kHour:
      return sums.AddUsecs(value, fraction, kUsecsPerHour);
    case Unit::kDay:
      return sums.AddDays(value, 0, 1) && sums.AddFractionOfDay(fraction);
    case Unit::kWeek:
      return sums.AddDays(value, fraction, 7);
    case Unit::kMonth:
      return sums.AddMonths(value, fraction);
    case Unit::kYear:
      return sums.AddYears(value, fraction, 1);
    case Unit::kDecade:
      return sums.AddYears(value, fraction, 10);
    case Unit::kCentury:
      return sums.AddYears(value, fraction, 100);
    default:
      return sums.AddYears(value, fraction, 1000);
  }
}

// Reads fields from the last to the first, so that a unit is known before its number.
class IntervalDecoder {
 public:
  IntervalDecoder(std::int32_t range, bool all_negative, IntervalSums& sums)
      : sums_(sums), range_(range), all_negative_(all_negative) {}

  DateTimeFault Field(const DateTimeFields& fields, int i);
  DateTimeFault Finish();

 private:
  DateTimeFault TimeField(const char* text, bool negative);
  DateTimeFault NumberField(const char* text);
  DateTimeFault WordField(const char* text);

  IntervalSums& sums_;
  std::int32_t range_;
  bool all_negative_;  // a leading minus sign counts for every field
  bool ago_ = false;
  Unit unit_ = Unit::kNone;
  FieldMask have_ = 0;
  FieldMask seen_ = 0;
};

DateTimeFault IntervalDecoder::TimeField(const char* text, bool negative) {
  constexpr auto kMinuteSecond =
      static_cast<std::int32_t>(Mask(Token::kMinute) | Mask(Token::kSecond));
  DecodedTime time;
  seen_ = kTimeMask;
  const DateTimeFault fault = DecodeTimeField(text, range_ == kMinuteSecond, &time);
  if (fault != DateTimeFault::kNone) return fault;
  IntervalSums sums;
  if (!sums.AddUsecs(time.usec, 0, 1) || !sums.AddUsecs(time.hour, 0, kUsecsPerHour) ||
      !sums.AddUsecs(time.minute, 0, kUsecsPerMinute) ||
      !sums.AddUsecs(time.second, 0, kUsecsPerSec))
    return DateTimeFault::kFieldOverflow;
  // A time replaces what was summed up before; fields of it that came before are refused below.
  sums_.usec = negative || all_negative_ ? -sums.usec : sums.usec;
  unit_ = Unit::kDay;
  return DateTimeFault::kNone;
}

DateTimeFault IntervalDecoder::NumberField(const char* text) {
  if (unit_ == Unit::kNone) unit_ = RightmostUnit(range_);
  char* end = nullptr;
  errno = 0;
  std::int64_t value = std::strtoll(text, &end, 10);
  if (errno == ERANGE) return DateTimeFault::kFieldOverflow;
  const bool negative = *text == '-';
  double fraction = 0;
  if (*end == '-') {  // SQL's years-months
    const char* stop;
    std::int32_t months;
    if (!ParseInt32(end + 1, &stop, &months) || months < 0 || months >= 12)
      return DateTimeFault::kFieldOverflow;
    if (*stop != '\0') return DateTimeFault::kBadFormat;
    unit_ = Unit::kMonth;
    if (__builtin_mul_overflow(value, std::int64_t{12}, &value) ||
        __builtin_add_overflow(value, negative ? -months : months, &value))
      return DateTimeFault::kFieldOverflow;
  } else if (*end == '.') {
    const DateTimeFault fault = ParseFraction(end, &fraction);
    if (fault != DateTimeFault::kNone) return fault;
    if (negative) fraction = -fraction;
  } else if (*end != '\0') {
    return DateTimeFault::kBadFormat;
  }
  if (all_negative_) {
    if (value > 0) value = -value;
    if (fraction > 0) fraction = -fraction;
  }
  seen_ = UnitMask(unit_);
  if (seen_ == 0) return DateTimeFault::kBadFormat;
  if (!AddUnit(sums_, unit_, value, fraction)) return DateTimeFault::kFieldOverflow;
  if (unit_ == Unit::kSecond && fraction != 0) seen_ = kSecondsMask;
  // A number before hours, or before a time, counts days: "3 4 hours".
  if (unit_ == Unit::kHour) unit_ = Unit::kDay;
  return DateTimeFault::kNone;
}

DateTimeFault IntervalDecoder::WordField(const char* text) {
  const Word word = FindIntervalWord(text);
  switch (word.token) {
    case Token::kIgnored:
      unit_ = Unit::kNone;
      return DateTimeFault::kNone;
    case Token::kUnit:
      unit_ = static_cast<Unit>(word.value);
      return DateTimeFault::kNone;
    case Token::kAgo:
      ago_ = true;
      unit_ = Unit::kOther;
      return DateTimeFault::kNone;
    default:
      return DateTimeFault::kBadFormat;
  }
}

DateTimeFault IntervalDecoder::Field(const DateTimeFields& fields, int i) {
  const char* text = fields.text(i);
  seen_ = 0;
  DateTimeFault fault = DateTimeFault::kNone;
  switch (fields.kind(i)) {
    case DateTimeFieldKind::kTime:
      fault = TimeField(text, false);
      break;
    case DateTimeFieldKind::kSigned:
      if (std::strchr(text, ':') == nullptr ||
          TimeField(text + 1, *text == '-') != DateTimeFault::kNone)
        fault = NumberField(text);
      break;
    case DateTimeFieldKind::kDate:
    case DateTimeFieldKind::kNumber:
      fault = NumberField(text);
      break;
    case DateTimeFieldKind::kText:
    case DateTimeFieldKind::kSpecial:
      fault = WordField(text);
      break;
  }
  if (fault != DateTimeFault::kNone) return fault;
  if ((seen_ & have_) != 0) return DateTimeFault::kBadFormat;
  have_ |= seen_;
  return DateTimeFault::kNone;
}

DateTimeFault IntervalDecoder::Finish() {
  if (have_ == 0) return DateTimeFault::kBadFormat;
  if (!ago_) return DateTimeFault::kNone;
  if (sums_.usec == INT64_MIN || sums_.day == INT_MIN || sums_.month == INT_MIN ||
      sums_.year == INT_MIN)
    return DateTimeFault::kFieldOverflow;
  sums_ = {-sums_.usec, -sums_.day, -sums_.month, -sums_.year};
  return DateTimeFault::kNone;
}

// A reader of "P..." texts: numbers, each followed by a letter or a delimiter.
class Iso8601Decoder {
 public:
  Iso8601Decoder(const char* text, IntervalSums& sums) : at_(text), sums_(sums) {}
  DateTimeFault Decode();

 private:
  enum class Next : std::uint8_t { kGoOn, kDone };
  DateTimeFault Number();
  DateTimeFault DatePart(char unit, Next& next);
  DateTimeFault TimePart(char unit, Next& next);
  DateTimeFault AlternativeDate(char unit, Next& next);
  DateTimeFault AlternativeTime(char unit);
  DateTimeFault Check(bool fits) const {
    return fits ? DateTimeFault::kNone : DateTimeFault::kFieldOverflow;
  }
  // Digits of the number that was read, without sign and fraction.
  std::size_t Width() const { return std::strspn(start_ + (*start_ == '-' ? 1 : 0), "0123456789"); }

  const char* at_;
  const char* start_ = nullptr;
  IntervalSums& sums_;
  std::int64_t value_ = 0;
  double fraction_ = 0;
  bool in_date_ = true;
  bool have_field_ = false;
};

DateTimeFault Iso8601Decoder::Number() {
  start_ = at_;
  if (!IsDigit(*at_) && *at_ != '-' && *at_ != '.') return DateTimeFault::kBadFormat;
  char* end = nullptr;
  errno = 0;
  const double number = strtod_l(at_, &end, CLocale());
  if (end == at_ || errno != 0) return DateTimeFault::kBadFormat;
  // Within these bounds the whole part is exact.
  if (!(number >= -1.0e15 && number <= 1.0e15)) return DateTimeFault::kFieldOverflow;
  at_ = end;
  value_ = static_cast<std::int64_t>(std::trunc(number));
  fraction_ = number - static_cast<double>(value_);
  return DateTimeFault::kNone;
}

// yyyymmdd or yyyy-mm-dd, each part of the latter optional from the right.
DateTimeFault Iso8601Decoder::AlternativeDate(char unit, Next& next) {
  const auto end_of_part = [&](char c) {
    if (c == 'T') {
      in_date_ = false;
      have_field_ = false;
    } else {
      next = Next::kDone;
    }
    return DateTimeFault::kNone;
  };
  if (unit != '-' && Width() == 8 && !have_field_) {
    if (!sums_.AddYears(value_ / 10000, 0, 1) || !sums_.AddMonths(value_ / 100 % 100, 0) ||
        !sums_.AddDays(value_ % 100, 0, 1) || !sums_.AddFractionOfDay(fraction_))
      return DateTimeFault::kFieldOverflow;
    return end_of_part(unit);
  }
  if (have_field_) return DateTimeFault::kBadFormat;
  if (!sums_.AddYears(value_, fraction_, 1)) return DateTimeFault::kFieldOverflow;
  if (unit != '-') return end_of_part(unit);
  if (const auto fault = Number(); fault != DateTimeFault::kNone) return fault;
  if (!sums_.AddMonths(value_, fraction_)) return DateTimeFault::kFieldOverflow;
  if (*at_ == '\0') return end_of_part(*at_);
  if (*at_ == 'T') return end_of_part(*at_);
  if (*at_ != '-') return DateTimeFault::kBadFormat;
  ++at_;
  if (const auto fault = Number(); fault != DateTimeFault::kNone) return fault;
  if (!sums_.AddDays(value_, 0, 1) || !sums_.AddFractionOfDay(fraction_))
    return DateTimeFault::kFieldOverflow;
  return *at_ == '\0' || *at_ == 'T' ? end_of_part(*at_) : DateTimeFault::kBadFormat;
}

// hhmmss or hh:mm:ss; always the end of the text.
DateTimeFault Iso8601Decoder::AlternativeTime(char unit) {
  if (unit == '\0' && Width() == 6 && !have_field_) {
    return Check(sums_.AddUsecs(value_ / 10000, 0, kUsecsPerHour) &&
                 sums_.AddUsecs(value_ / 100 % 100, 0, kUsecsPerMinute) &&
                 sums_.AddUsecs(value_ % 100, 0, kUsecsPerSec) && sums_.AddUsecs(0, fraction_, 1));
  }
  if (have_field_) return DateTimeFault::kBadFormat;
  if (!sums_.AddUsecs(value_, fraction_, kUsecsPerHour)) return DateTimeFault::kFieldOverflow;
  if (unit == '\0') return DateTimeFault::kNone;
  for (const std::int64_t scale : {kUsecsPerMinute, kUsecsPerSec}) {
    if (const auto fault = Number(); fault != DateTimeFault::kNone) return fault;
    if (!sums_.AddUsecs(value_, fraction_, scale)) return DateTimeFault::kFieldOverflow;
    if (*at_ == '\0') return DateTimeFault::kNone;
    if (*at_ != ':') return DateTimeFault::kBadFormat;
    ++at_;
  }
  return DateTimeFault::kBadFormat;
}

DateTimeFault Iso8601Decoder::DatePart(char unit, Next& next) {
  have_field_ = have_field_ || unit == 'Y' || unit == 'M' || unit == 'W' || unit == 'D';
  switch (unit) {
    case 'Y':
      return Check(sums_.AddYears(value_, fraction_, 1));
    case 'M':
      return Check(sums_.AddMonths(value_, fraction_));
    case 'W':
      return Check(sums_.AddDays(value_, fraction_, 7));
    case 'D':
      return Check(sums_.AddDays(value_, 0, 1) && sums_.AddFractionOfDay(fraction_));
    case 'T':
    case '\0':
    case '-':
      return AlternativeDate(unit, next);
    default:
      return DateTimeFault::kBadFormat;
  }
}

DateTimeFault Iso8601Decoder::TimePart(char unit, Next& next) {
  switch (unit) {
    case 'H':
      have_field_ = true;
      return Check(sums_.AddUsecs(value_, fraction_, kUsecsPerHour));
    case 'M':
      have_field_ = true;
      return Check(sums_.AddUsecs(value_, fraction_, kUsecsPerMinute));
    case 'S':
      have_field_ = true;
      return Check(sums_.AddUsecs(value_, fraction_, kUsecsPerSec));
    case '\0':
    case ':':
      next = Next::kDone;
      return AlternativeTime(unit);
    default:
      return DateTimeFault::kBadFormat;
  }
}

DateTimeFault Iso8601Decoder::Decode() {
  Next next = Next::kGoOn;
  while (*at_ != '\0') {
    if (*at_ == 'T') {
      in_date_ = false;
      have_field_ = false;
      ++at_;
      continue;
    }
    if (const auto fault = Number(); fault != DateTimeFault::kNone) return fault;
    const char unit = *at_;
    if (unit != '\0') ++at_;
    const auto fault = in_date_ ? DatePart(unit, next) : TimePart(unit, next);
    if (fault != DateTimeFault::kNone || next == Next::kDone) return fault;
  }
  return DateTimeFault::kNone;
}

}  // namespace

bool IntervalSums::AddUsecs(std::int64_t value, double fraction, std::int64_t scale) {
  std::int64_t product;
  if (__builtin_mul_overflow(value, scale, &product) ||
      __builtin_add_overflow(usec, product, &usec))
    return false;
  if (fraction == 0) return true;
  fraction *= static_cast<double>(scale);
  auto whole = static_cast<std::int64_t>(fraction);
  fraction -= static_cast<double>(whole);
  if (fraction > 0.5)
    ++whole;
  else if (fraction < -0.5)
    --whole;
  return !__builtin_add_overflow(usec, whole, &usec);
}

bool IntervalSums::AddDays(std::int64_t value, double fraction, std::int32_t scale) {
  std::int32_t days;
  if (value < INT_MIN || value > INT_MAX ||
      __builtin_mul_overflow(static_cast<std::int32_t>(value), scale, &days) ||
      __builtin_add_overflow(day, days, &day))
    return false;
  if (fraction == 0) return true;
  fraction *= scale;
  const auto whole = static_cast<std::int32_t>(fraction);
  return !__builtin_add_overflow(day, whole, &day) && AddFractionOfDay(fraction - whole);
}

bool IntervalSums::AddMonths(std::int64_t value, double fraction) {
  if (value < INT_MIN || value > INT_MAX ||
      __builtin_add_overflow(month, static_cast<std::int32_t>(value), &month))
    return false;
  return AddDays(0, fraction, kDaysPerMonth);
}

bool IntervalSums::AddYears(std::int64_t value, double fraction, std::int32_t scale) {
  std::int32_t years;
  if (value < INT_MIN || value > INT_MAX ||
      __builtin_mul_overflow(static_cast<std::int32_t>(value), scale, &years) ||
      __builtin_add_overflow(year, years, &year))
    return false;
  const auto months = static_cast<std::int32_t>(std::rint(fraction * scale * 12));
  return !__builtin_add_overflow(month, months, &month);
}

DateTimeFault DecodeInterval(DateTimeFields& fields, std::int32_t range, IntervalStyle style,
                             IntervalSums& out) {
  const auto signed_field = [&fields](int i, bool plus) {
    return *fields.text(i) == '-' || (plus && *fields.text(i) == '+');
  };
  // In SQL a leading minus sign counts for all fields, unless another one has a sign too.
  bool all_negative =
      style == IntervalStyle::kSqlStandard && fields.count() > 0 && signed_field(0, false);
  for (int i = 1; i < fields.count() && all_negative; ++i)
    if (signed_field(i, true)) all_negative = false;
  IntervalDecoder decoder(range, all_negative, out);
  for (int i = fields.count() - 1; i >= 0; --i)
    if (const auto fault = decoder.Field(fields, i); fault != DateTimeFault::kNone) return fault;
  return decoder.Finish();
}

DateTimeFault DecodeIso8601Interval(std::string_view text, IntervalSums& out) {
  if (text.size() < 2 || text.front() != 'P') return DateTimeFault::kBadFormat;
  const std::string terminated(text.substr(1));
  return Iso8601Decoder(terminated.c_str(), out).Decode();
}

}  // namespace relcache
