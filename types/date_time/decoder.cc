#include "relcache/types/date_time/decoder.h"

#include <cstring>
#include <string>
#include <utility>

#include "relcache/types/date_time/find_time_zone.h"
#include "relcache/types/date_time/parts.h"
#include "relcache/types/internal/fault.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {

DateTimeFault DateTimeDecoder::Now(CalendarTime& now, std::int32_t& utc_offset) {
  if (!KnowsNow()) {
    error_ = FaultError(settings_.now ? Fault::kTimeZoneNotGiven : Fault::kMomentNotGiven);
    return DateTimeFault::kBadFormat;
  }
  ToLocalCalendar(*settings_.now, *settings_.time_zone, now, utc_offset);
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::Order(DateOrder& out) {
  if (!settings_.date_order) {
    error_ = SettingNotGiven("DateStyle");
    return DateTimeFault::kBadFormat;
  }
  out = *settings_.date_order;
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::ZoneName(const char* name) {
  auto zone = FindTimeZone(name);
  if (!zone) {
    error_ = std::move(zone).error();
    return DateTimeFault::kBadFormat;
  }
  if (*zone == nullptr) return DateTimeFault::kBadFormat;
  zone_ = *zone;
  seen_ = Mask(Token::kZone);
  return DateTimeFault::kNone;
}

// "hhmmss-zz": a time without delimiters and its zone.
DateTimeFault DateTimeDecoder::TimeAndZone(char* text) {
  if ((have_ & kTimeMask) == kTimeMask) return DateTimeFault::kBadFormat;
  char* sign = std::strchr(text, '-');
  if (sign == nullptr) return DateTimeFault::kBadFormat;
  RELCACHE_TRY_FIELD(DecodeNumericZone(sign, &utc_offset_));
  *sign = '\0';
  // With the date taken for known, the digits can only be a time.
  RELCACHE_TRY_FIELD(RunTogether(text, only_time_ ? have_ | kDateMask : have_));
  seen_ |= Mask(Token::kZone);
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::DateField(int i) {
  char* text = fields_.text(i);
  if (only_time_) {
    // A date comes first, if at all, and only where something follows that needs it.
    const int last = fields_.count() - 1;
    if (i == 0 && last > 0 &&
        (fields_.kind(last) == DateTimeFieldKind::kDate ||
         fields_.kind(1) == DateTimeFieldKind::kTime))
      return DelimitedDate(text);
    if (IsDigit(*text)) return TimeAndZone(text);
    return FullZoneName(text);
  }
  if (label_ == Unit::kJulian) {  // a whole Julian day and a zone: "j2451187-08"
    const char* end;
    std::int32_t day;
    if (!ParseInt32(text, &end, &day) || day < 0) return DateTimeFault::kFieldOverflow;
    FromJulian(day, time_);
    is_julian_ = true;
    RELCACHE_TRY_FIELD(DecodeNumericZone(end, &utc_offset_));
    seen_ = kDateMask | kTimeMask | Mask(Token::kZone);
    label_ = Unit::kNone;
    return DateTimeFault::kNone;
  }
  constexpr FieldMask kMonthDay = Mask(Token::kMonth) | Mask(Token::kDay);
  if (label_ == Unit::kNone && (have_ & kMonthDay) != kMonthDay) return DelimitedDate(text);
  // With month and day known this is a time with its zone, or the name of a zone.
  if (IsDigit(*text) || label_ != Unit::kNone) {
    if (label_ != Unit::kNone && label_ != Unit::kTime) return DateTimeFault::kBadFormat;
    label_ = Unit::kNone;
    return TimeAndZone(text);
  }
  return FullZoneName(text);
}

// A name with punctuation in it can be nothing but a zone.
DateTimeFault DateTimeDecoder::FullZoneName(const char* text) {
  const DateTimeFault fault = ZoneName(text);
  if (fault != DateTimeFault::kNone && !error_) {
    error_ = Error(ErrorCode::kInvalidInput, "22023",
                   "time zone \"" + std::string(text) + "\" not recognized");
  }
  return fault;
}

DateTimeFault DateTimeDecoder::TimeField(int i) {
  if (!only_time_) {
    if (label_ != Unit::kNone && label_ != Unit::kTime) return DateTimeFault::kBadFormat;
    label_ = Unit::kNone;
  }
  DecodedTime time;
  RELCACHE_TRY_FIELD(DecodeTimeField(fields_.text(i), false, &time));
  if (time.hour > INT32_MAX) return DateTimeFault::kFieldOverflow;
  time_.hour = static_cast<std::int32_t>(time.hour);
  time_.minute = time.minute;
  time_.second = time.second;
  time_.usec = time.usec;
  seen_ = kTimeMask;
  // A time of day alone is checked after the last field, because AM or PM may still follow.
  return !only_time_ && TimeOverflows(time_) ? DateTimeFault::kFieldOverflow : DateTimeFault::kNone;
}

// The number after a label: "y2001", "j2451187.5", "t040506".
DateTimeFault DateTimeDecoder::LabelledNumber(int i) {
  const char* text = fields_.text(i);
  const char* end;
  std::int32_t value;
  if (!ParseInt32(text, &end, &value)) return DateTimeFault::kFieldOverflow;
  const bool may_have_fraction =
      label_ == Unit::kJulian || label_ == Unit::kTime || label_ == Unit::kSecond;
  if (*end != '\0' && !(*end == '.' && may_have_fraction)) return DateTimeFault::kBadFormat;
  switch (label_) {
    case Unit::kYear:
      time_.year = value;
      seen_ = Mask(Token::kYear);
      break;
    case Unit::kMonth:
      // After a month and an hour this is the minute.
      if ((have_ & Mask(Token::kMonth)) != 0 && (have_ & Mask(Token::kHour)) != 0) {
        time_.minute = value;
        seen_ = Mask(Token::kMinute);
      } else {
        time_.month = value;
        seen_ = Mask(Token::kMonth);
      }
      break;
    case Unit::kDay:
      time_.day = value;
      seen_ = Mask(Token::kDay);
      break;
    case Unit::kHour:
      time_.hour = value;
      seen_ = Mask(Token::kHour);
      break;
    case Unit::kMinute:
      time_.minute = value;
      seen_ = Mask(Token::kMinute);
      break;
    case Unit::kSecond:
      time_.second = value;
      seen_ = Mask(Token::kSecond);
      if (*end == '.') {
        RELCACHE_TRY_FIELD(ParseFractionalSecond(end, &time_.usec));
        seen_ = kSecondsMask;
      }
      break;
    case Unit::kJulian: {
      if (value < 0) return DateTimeFault::kFieldOverflow;
      seen_ = kDateMask;
      FromJulian(value, time_);
      is_julian_ = true;
      if (*end == '.') {
        double fraction;
        RELCACHE_TRY_FIELD(ParseFraction(end, &fraction));
        SetTimeOfDay(static_cast<std::int64_t>(fraction * static_cast<double>(kUsecsPerDay)),
                     time_);
        seen_ |= kTimeMask;
      }
      break;
    }
    case Unit::kTime:
      RELCACHE_TRY_FIELD(RunTogether(text, have_ | kDateMask));
      if (seen_ != kTimeMask) return DateTimeFault::kBadFormat;
      break;
    default:
      return DateTimeFault::kBadFormat;
  }
  label_ = Unit::kNone;
  kind_ = DecodedDateTime::Kind::kDate;
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::NumberField(int i) {
  if (label_ != Unit::kNone) return LabelledNumber(i);
  char* text = fields_.text(i);
  const std::size_t length = std::strlen(text);
  const char* point = std::strchr(text, '.');
  const auto before_point = point == nullptr ? length : static_cast<std::size_t>(point - text);
  if (only_time_) {
    const int last = fields_.count() - 1;
    if (point == nullptr)
      return length > 4 ? RunTogether(text, have_ | kDateMask)
                        : DateNumber(text, length, false, have_ | kDateMask);
    if (i == 0 && last > 0 && fields_.kind(last) == DateTimeFieldKind::kDate)
      return DelimitedDate(text);
    return before_point > 2 ? RunTogether(text, have_ | kDateMask) : DateTimeFault::kBadFormat;
  }
  if (point != nullptr && (have_ & kDateMask) == 0) return DelimitedDate(text);
  if (point != nullptr && before_point > 2) return RunTogether(text, have_);
  // Six digits or more are a date or a time as long as one of them is missing; less are a year, a
  // month or a day.
  if (length >= 6 && ((have_ & kDateMask) == 0 || (have_ & kTimeMask) == 0))
    return RunTogether(text, have_);
  return DateNumber(text, length, text_month_, have_);
}

DateTimeFault DateTimeDecoder::ReservedWord(Reserved word) {
  std::int32_t offset = 0;
  if (only_time_ && word != Reserved::kNow && word != Reserved::kZulu)
    return DateTimeFault::kBadFormat;
  switch (word) {
    case Reserved::kNow:
      RELCACHE_TRY_FIELD(Now(time_, offset));
      if (only_time_) {
        seen_ = kTimeMask;
        break;
      }
      utc_offset_ = offset;
      seen_ = kDateMask | kTimeMask | Mask(Token::kZone);
      kind_ = DecodedDateTime::Kind::kDate;
      break;
    case Reserved::kToday:
    case Reserved::kTomorrow:
    case Reserved::kYesterday: {
      CalendarTime now;
      RELCACHE_TRY_FIELD(Now(now, offset));
      const int shift = word == Reserved::kTomorrow ? 1 : word == Reserved::kYesterday ? -1 : 0;
      FromJulian(ToJulian(now.year, now.month, now.day) + shift, time_);
      seen_ = kDateMask;
      kind_ = DecodedDateTime::Kind::kDate;
      break;
    }
    case Reserved::kZulu:
      time_.hour = time_.minute = time_.second = 0;
      if (!only_time_) utc_offset_ = 0;
      seen_ = kTimeMask | Mask(Token::kZone);
      kind_ = DecodedDateTime::Kind::kDate;
      break;
    case Reserved::kEarly:
      kind_ = DecodedDateTime::Kind::kNegativeInfinity;
      break;
    case Reserved::kLate:
      kind_ = DecodedDateTime::Kind::kInfinity;
      break;
    case Reserved::kEpoch:
      kind_ = DecodedDateTime::Kind::kEpoch;
      break;
  }
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::AbbreviatedZone(const TimeZoneAbbreviation& zone, const char* text) {
  seen_ = Mask(Token::kZone);
  if (zone.zone == nullptr) {
    if (zone.is_dst) seen_ |= Mask(Token::kDstZone);
    utc_offset_ = zone.utc_offset;
    return DateTimeFault::kNone;
  }
  seen_ |= Mask(Token::kDynamicZone);
  auto found = FindTimeZone(zone.zone);
  if (!found) {
    error_ = std::move(found).error();
    return DateTimeFault::kBadFormat;
  }
  if (*found == nullptr) {
    error_ = NotSupported(std::string("time zone abbreviation without zone ") + zone.zone);
    return DateTimeFault::kBadFormat;
  }
  abbreviated_zone_ = *found;
  abbreviation_ = text;
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::MonthWord(std::int32_t month) {
  if (only_time_) return DateTimeFault::kBadFormat;
  // A number taken for the month was the day.
  if ((have_ & Mask(Token::kMonth)) != 0 && !text_month_ && (have_ & Mask(Token::kDay)) == 0 &&
      time_.month >= 1 && time_.month <= 31) {
    time_.day = time_.month;
    seen_ = Mask(Token::kDay);
  }
  text_month_ = true;
  time_.month = month;
  return DateTimeFault::kNone;
}

// "t" announces a time, which must follow: hhmmss, hh:mm:ss or hhmmss-zz.
DateTimeFault DateTimeDecoder::TimeLabel(int i) {
  seen_ = 0;
  if (!only_time_ && (have_ & kDateMask) != kDateMask) return DateTimeFault::kBadFormat;
  if (i + 1 >= fields_.count()) return DateTimeFault::kBadFormat;
  const DateTimeFieldKind next = fields_.kind(i + 1);
  if (next != DateTimeFieldKind::kNumber && next != DateTimeFieldKind::kTime &&
      next != DateTimeFieldKind::kDate)
    return DateTimeFault::kBadFormat;
  label_ = Unit::kTime;
  return DateTimeFault::kNone;
}

DateTimeFault DateTimeDecoder::WordField(int i) {
  const char* text = fields_.text(i);
  // Before the words of dates: PostgreSQL lets the abbreviations of zones take precedence.
  if (const TimeZoneAbbreviation* zone = FindTimeZoneAbbreviation(text))
    return AbbreviatedZone(*zone, text);
  const Word word = FindDateWord(text);
  seen_ = Mask(word.token);
  switch (word.token) {
    case Token::kIgnored:
      seen_ = 0;
      return DateTimeFault::kNone;
    case Token::kReserved:
      return ReservedWord(static_cast<Reserved>(word.value));
    case Token::kMonth:
      return MonthWord(word.value);
    case Token::kDstModifier:
      // The same bit as that of a zone which is daylight saving already: "CEST DST" is refused.
      seen_ |= Mask(Token::kDstZone);
      utc_offset_ += word.value;
      return DateTimeFault::kNone;
    case Token::kAmPm:
      meridian_ = word.value == 0 ? Meridian::kAm : Meridian::kPm;
      return DateTimeFault::kNone;
    case Token::kEra:
      bc_ = word.value == 1;
      return DateTimeFault::kNone;
    case Token::kDayOfWeek:
      return only_time_ ? DateTimeFault::kBadFormat : DateTimeFault::kNone;
    case Token::kUnit:
      seen_ = 0;
      label_ = static_cast<Unit>(word.value);
      return DateTimeFault::kNone;
    case Token::kIsoTime:
      return TimeLabel(i);
    default:
      return ZoneName(text);
  }
}

DateTimeFault DateTimeDecoder::Field(int i) {
  seen_ = 0;
  switch (fields_.kind(i)) {
    case DateTimeFieldKind::kDate:
      return DateField(i);
    case DateTimeFieldKind::kTime:
      return TimeField(i);
    case DateTimeFieldKind::kSigned:
      seen_ = Mask(Token::kZone);
      return DecodeNumericZone(fields_.text(i), &utc_offset_);
    case DateTimeFieldKind::kNumber:
      return NumberField(i);
    case DateTimeFieldKind::kText:
    case DateTimeFieldKind::kSpecial:
      return WordField(i);
  }
  return DateTimeFault::kBadFormat;
}

DateTimeFault DateTimeDecoder::Decode(DecodedDateTime& out) {
  for (int i = 0; i < fields_.count(); ++i) {
    RELCACHE_TRY_FIELD(Field(i));
    if ((seen_ & have_) != 0) return DateTimeFault::kBadFormat;
    have_ |= seen_;
  }
  RELCACHE_TRY_FIELD(ValidateDate());
  RELCACHE_TRY_FIELD(ApplyMeridian());
  out.kind = kind_;
  if (only_time_) {
    RELCACHE_TRY_FIELD(ResolveZoneOfTimeOfDay());
  } else if (kind_ == DecodedDateTime::Kind::kDate) {
    if ((have_ & kDateMask) != kDateMask) return DateTimeFault::kBadFormat;
    RELCACHE_TRY_FIELD(ResolveZone(time_));
  }
  out.time = time_;
  out.utc_offset = utc_offset_;
  out.zone_not_given = zone_not_given_;
  return DateTimeFault::kNone;
}

}  // namespace relcache
