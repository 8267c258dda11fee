#include "relcache/types/date_time_decode.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "relcache/types/c_locale.h"
#include "relcache/types/input_error.h"
#include "relcache/types/time_zone.h"

namespace relcache {
namespace {

using Fault = DateTimeFault;

#define RELCACHE_FAULT(expression)                                                \
  do {                                                                            \
    if (const Fault fault_ = (expression); fault_ != Fault::kNone) return fault_; \
  } while (false)

enum class Meridian : std::uint8_t { kNone, kAm, kPm };

bool TimeOverflows(const CalendarTime& t) {
  if (t.hour < 0 || t.hour > 24 || t.minute < 0 || t.minute > 59 || t.second < 0 || t.second > 60 ||
      t.usec < 0 || t.usec > 1000000)
    return true;
  return TimeOfDay(t) > kUsecsPerDay;
}

// Interprets fields one after the other: what a number means depends on what came before it.
class Decoder {
 public:
  Decoder(DateTimeFields& fields, const SessionSettings& settings)
      : fields_(fields), settings_(settings) {}

  Fault Decode(DecodedDateTime& out);
  std::optional<Error>& error() { return error_; }

 private:
  // Fields of one kind each; they set seen_ to what they found.
  Fault DateField(int i);
  Fault TimeField(int i);
  Fault NumberField(int i);
  Fault LabelledNumber(int i);
  Fault WordField(int i);
  Fault ReservedWord(Reserved word);
  Fault ZoneName(const char* name);
  Fault TimeAndZone(char* text);

  // Text that is all digits, by its length and place.
  Fault DelimitedDate(char* text);
  Fault DateNumber(const char* text, std::size_t length, bool text_month, FieldMask have);
  Fault RunTogether(const char* text, FieldMask have);

  // After the last field.
  Fault ValidateDate();
  Fault ApplyMeridian();
  Fault ResolveZone(const CalendarTime& at);

  CalendarTime Now(std::int32_t& utc_offset) const {
    CalendarTime now;
    ToLocalCalendar(settings_.now, SessionZone(settings_), now, utc_offset);
    return now;
  }

  DateTimeFields& fields_;
  const SessionSettings& settings_;
  CalendarTime time_;
  std::int32_t utc_offset_ = 0;
  DecodedDateTime::Kind kind_ = DecodedDateTime::Kind::kDate;

  FieldMask have_ = 0;        // fields found so far
  FieldMask seen_ = 0;        // fields found in the current one
  Unit label_ = Unit::kNone;  // what the next number is, as in "y2001m02d04"
  Meridian meridian_ = Meridian::kNone;
  bool text_month_ = false;
  bool is_julian_ = false;
  bool two_digits_ = false;
  bool bc_ = false;
  const TimeZone* zone_ = nullptr;
  const TimeZone* abbreviated_zone_ = nullptr;
  std::string abbreviation_;
  std::optional<Error> error_;  // more than a Fault can say
};

Fault Decoder::ZoneName(const char* name) {
  auto zone = FindTimeZone(name);
  if (!zone) {
    error_ = std::move(zone).error();
    return Fault::kBadFormat;
  }
  if (*zone == nullptr) return Fault::kBadFormat;
  zone_ = *zone;
  seen_ = Mask(Token::kZone);
  return Fault::kNone;
}

// "hhmmss-zz": a time without delimiters and its zone.
Fault Decoder::TimeAndZone(char* text) {
  if ((have_ & kTimeMask) == kTimeMask) return Fault::kBadFormat;
  char* sign = std::strchr(text, '-');
  if (sign == nullptr) return Fault::kBadFormat;
  RELCACHE_FAULT(DecodeNumericZone(sign, &utc_offset_));
  *sign = '\0';
  RELCACHE_FAULT(RunTogether(text, have_));
  seen_ |= Mask(Token::kZone);
  return Fault::kNone;
}

Fault Decoder::DateField(int i) {
  char* text = fields_.text(i);
  if (label_ == Unit::kJulian) {  // a whole Julian day and a zone: "j2451187-08"
    const char* end;
    std::int32_t day;
    if (!ParseInt32(text, &end, &day) || day < 0) return Fault::kFieldOverflow;
    FromJulian(day, time_);
    is_julian_ = true;
    RELCACHE_FAULT(DecodeNumericZone(end, &utc_offset_));
    seen_ = kDateMask | kTimeMask | Mask(Token::kZone);
    label_ = Unit::kNone;
    return Fault::kNone;
  }
  constexpr FieldMask kMonthDay = Mask(Token::kMonth) | Mask(Token::kDay);
  if (label_ == Unit::kNone && (have_ & kMonthDay) != kMonthDay) return DelimitedDate(text);
  // With month and day known this is a time with its zone, or the name of a zone.
  if (IsDigit(*text) || label_ != Unit::kNone) {
    if (label_ != Unit::kNone && label_ != Unit::kTime) return Fault::kBadFormat;
    label_ = Unit::kNone;
    return TimeAndZone(text);
  }
  const Fault fault = ZoneName(text);
  if (fault != Fault::kNone && !error_) {
    error_ = Error(ErrorCode::kInvalidInput, "22023",
                   "time zone \"" + std::string(text) + "\" not recognized");
  }
  return fault;
}

Fault Decoder::TimeField(int i) {
  if (label_ != Unit::kNone && label_ != Unit::kTime) return Fault::kBadFormat;
  label_ = Unit::kNone;
  DecodedTime time;
  RELCACHE_FAULT(DecodeTimeField(fields_.text(i), false, &time));
  if (time.hour > INT32_MAX) return Fault::kFieldOverflow;
  time_.hour = static_cast<std::int32_t>(time.hour);
  time_.minute = time.minute;
  time_.second = time.second;
  time_.usec = time.usec;
  seen_ = kTimeMask;
  return TimeOverflows(time_) ? Fault::kFieldOverflow : Fault::kNone;
}

// The number after a label: "y2001", "j2451187.5", "t040506".
Fault Decoder::LabelledNumber(int i) {
  const char* text = fields_.text(i);
  const char* end;
  std::int32_t value;
  if (!ParseInt32(text, &end, &value)) return Fault::kFieldOverflow;
  const bool may_have_fraction =
      label_ == Unit::kJulian || label_ == Unit::kTime || label_ == Unit::kSecond;
  if (*end != '\0' && !(*end == '.' && may_have_fraction)) return Fault::kBadFormat;
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
        RELCACHE_FAULT(ParseFractionalSecond(end, &time_.usec));
        seen_ = kSecondsMask;
      }
      break;
    case Unit::kJulian: {
      if (value < 0) return Fault::kFieldOverflow;
      seen_ = kDateMask;
      FromJulian(value, time_);
      is_julian_ = true;
      if (*end == '.') {
        double fraction;
        RELCACHE_FAULT(ParseFraction(end, &fraction));
        SetTimeOfDay(static_cast<std::int64_t>(fraction * static_cast<double>(kUsecsPerDay)),
                     time_);
        seen_ |= kTimeMask;
      }
      break;
    }
    case Unit::kTime:
      RELCACHE_FAULT(RunTogether(text, have_ | kDateMask));
      if (seen_ != kTimeMask) return Fault::kBadFormat;
      break;
    default:
      return Fault::kBadFormat;
  }
  label_ = Unit::kNone;
  kind_ = DecodedDateTime::Kind::kDate;
  return Fault::kNone;
}

Fault Decoder::NumberField(int i) {
  if (label_ != Unit::kNone) return LabelledNumber(i);
  char* text = fields_.text(i);
  const std::size_t length = std::strlen(text);
  const char* point = std::strchr(text, '.');
  const auto before_point = point == nullptr ? length : static_cast<std::size_t>(point - text);
  if (point != nullptr && (have_ & kDateMask) == 0) return DelimitedDate(text);
  if (point != nullptr && before_point > 2) return RunTogether(text, have_);
  // Six digits or more are a date or a time as long as one of them is missing; less are a year, a
  // month or a day.
  if (length >= 6 && ((have_ & kDateMask) == 0 || (have_ & kTimeMask) == 0))
    return RunTogether(text, have_);
  return DateNumber(text, length, text_month_, have_);
}

Fault Decoder::ReservedWord(Reserved word) {
  std::int32_t offset = 0;
  switch (word) {
    case Reserved::kNow:
      time_ = Now(utc_offset_);
      seen_ = kDateMask | kTimeMask | Mask(Token::kZone);
      kind_ = DecodedDateTime::Kind::kDate;
      break;
    case Reserved::kToday:
    case Reserved::kTomorrow:
    case Reserved::kYesterday: {
      const CalendarTime now = Now(offset);
      const int shift = word == Reserved::kTomorrow ? 1 : word == Reserved::kYesterday ? -1 : 0;
      FromJulian(ToJulian(now.year, now.month, now.day) + shift, time_);
      seen_ = kDateMask;
      kind_ = DecodedDateTime::Kind::kDate;
      break;
    }
    case Reserved::kZulu:
      time_.hour = time_.minute = time_.second = 0;
      utc_offset_ = 0;
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
  return Fault::kNone;
}

Fault Decoder::WordField(int i) {
  const char* text = fields_.text(i);
  if (const TimeZoneAbbreviation* zone = FindTimeZoneAbbreviation(text)) {
    seen_ = Mask(Token::kZone);
    if (zone->zone != nullptr) {
      seen_ |= Mask(Token::kDynamicZone);
      auto found = FindTimeZone(zone->zone);
      if (!found) {
        error_ = std::move(found).error();
        return Fault::kBadFormat;
      }
      if (*found == nullptr) {
        error_ = NotSupported(std::string("time zone abbreviation without zone ") + zone->zone);
        return Fault::kBadFormat;
      }
      abbreviated_zone_ = *found;
      abbreviation_ = text;
    } else {
      if (zone->is_dst) seen_ |= Mask(Token::kDstZone);
      utc_offset_ = zone->utc_offset;
    }
    return Fault::kNone;
  }
  const Word word = FindDateWord(text);
  seen_ = Mask(word.token);
  switch (word.token) {
    case Token::kIgnored:
      seen_ = 0;
      return Fault::kNone;
    case Token::kReserved:
      return ReservedWord(static_cast<Reserved>(word.value));
    case Token::kMonth:
      // A number taken for the month was the day.
      if ((have_ & Mask(Token::kMonth)) != 0 && !text_month_ && (have_ & Mask(Token::kDay)) == 0 &&
          time_.month >= 1 && time_.month <= 31) {
        time_.day = time_.month;
        seen_ = Mask(Token::kDay);
      }
      text_month_ = true;
      time_.month = word.value;
      return Fault::kNone;
    case Token::kDstModifier:
      seen_ |= Mask(Token::kDstZone);
      utc_offset_ += word.value;
      return Fault::kNone;
    case Token::kAmPm:
      meridian_ = word.value == 0 ? Meridian::kAm : Meridian::kPm;
      return Fault::kNone;
    case Token::kEra:
      bc_ = word.value == 1;
      return Fault::kNone;
    case Token::kDayOfWeek:
      return Fault::kNone;
    case Token::kUnit:
      seen_ = 0;
      label_ = static_cast<Unit>(word.value);
      return Fault::kNone;
    case Token::kIsoTime: {
      seen_ = 0;
      if ((have_ & kDateMask) != kDateMask) return Fault::kBadFormat;
      if (i + 1 >= fields_.count()) return Fault::kBadFormat;
      const FieldKind next = fields_.kind(i + 1);
      if (next != FieldKind::kNumber && next != FieldKind::kTime && next != FieldKind::kDate)
        return Fault::kBadFormat;
      label_ = Unit::kTime;
      return Fault::kNone;
    }
    default:
      return ZoneName(text);
  }
}

// Digits and letters with delimiters between.
Fault Decoder::DelimitedDate(char* text) {
  constexpr int kMaxParts = DateTimeFields::kMaxFields;
  char* parts[kMaxParts];
  int count = 0;
  seen_ = 0;
  while (*text != '\0' && count < kMaxParts) {
    while (*text != '\0' && !IsAlnum(*text)) ++text;
    if (*text == '\0') return Fault::kBadFormat;
    parts[count++] = text;
    const bool digits = IsDigit(*text);
    while (digits ? IsDigit(*text) : IsAlpha(*text)) ++text;
    if (*text != '\0') *text++ = '\0';
  }
  // The month in letters first: it says what the numbers are.
  FieldMask have = have_;
  FieldMask found = 0;
  bool text_month = false;
  for (int i = 0; i < count; ++i) {
    if (!IsAlpha(*parts[i])) continue;
    const Word word = FindDateWord(parts[i]);
    if (word.token == Token::kIgnored) continue;
    if (word.token != Token::kMonth) return Fault::kBadFormat;
    time_.month = word.value;
    text_month = true;
    if ((have & Mask(Token::kMonth)) != 0) return Fault::kBadFormat;
    have |= Mask(Token::kMonth);
    found |= Mask(Token::kMonth);
    parts[i] = nullptr;
  }
  for (int i = 0; i < count; ++i) {
    if (parts[i] == nullptr) continue;
    const std::size_t length = std::strlen(parts[i]);
    if (length == 0) return Fault::kBadFormat;
    RELCACHE_FAULT(DateNumber(parts[i], length, text_month, have));
    if ((have & seen_) != 0) return Fault::kBadFormat;
    have |= seen_;
    found |= seen_;
  }
  if ((have & ~(Mask(Token::kDayOfYear) | Mask(Token::kZone))) != kDateMask)
    return Fault::kBadFormat;
  seen_ = found;
  return Fault::kNone;
}

// One number of a date, by what is known already and by DateOrder.
Fault Decoder::DateNumber(const char* text, std::size_t length, bool text_month, FieldMask have) {
  seen_ = 0;
  const char* end;
  std::int32_t value;
  if (!ParseInt32(text, &end, &value)) return Fault::kFieldOverflow;
  if (end == text) return Fault::kBadFormat;
  if (*end == '.') {
    if (end - text > 2) return RunTogether(text, have | kDateMask);
    RELCACHE_FAULT(ParseFractionalSecond(end, &time_.usec));
  } else if (*end != '\0') {
    return Fault::kBadFormat;
  }
  constexpr FieldMask kYear = Mask(Token::kYear);
  constexpr FieldMask kMonth = Mask(Token::kMonth);
  constexpr FieldMask kDay = Mask(Token::kDay);
  if (length == 3 && (have & kDateMask) == kYear && value >= 1 && value <= 366) {
    seen_ = Mask(Token::kDayOfYear) | kMonth | kDay;
    time_.day_of_year = value;
    return Fault::kNone;
  }
  const bool year_first = length >= 3 || settings_.date_order == DateOrder::kYmd;
  switch (have & kDateMask) {
    case 0:
      seen_ = year_first ? kYear : settings_.date_order == DateOrder::kDmy ? kDay : kMonth;
      break;
    case kYear:
      seen_ = kMonth;
      break;
    case kMonth:
      seen_ = text_month && year_first ? kYear : kDay;
      break;
    case kYear | kMonth:
      seen_ = kDay;
      if (text_month && length >= 3 && two_digits_) {
        // DD-MON-YYYY in YMD order: what was taken for the year was the day.
        time_.day = time_.year;
        time_.year = value;
        two_digits_ = false;
        return Fault::kNone;
      }
      break;
    case kDay:
      seen_ = kMonth;
      break;
    case kMonth | kDay:
      seen_ = kYear;
      break;
    case kDateMask:
      return RunTogether(text, have);
    default:
      return Fault::kBadFormat;
  }
  if (seen_ == kYear) {
    time_.year = value;
    two_digits_ = length <= 2;
  } else {
    (seen_ == kMonth ? time_.month : time_.day) = value;
  }
  return Fault::kNone;
}

// Digits without delimiters: yyyymmdd, hhmmss, hhmm, perhaps with a fraction.
Fault Decoder::RunTogether(const char* text, FieldMask have) {
  std::string digits = text;
  const auto number = [&digits](std::size_t at, std::size_t length) {
    return static_cast<std::int32_t>(std::strtol(digits.substr(at, length).c_str(), nullptr, 10));
  };
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) {
    if (point + 1 == digits.size()) {
      time_.usec = 0;
    } else {
      errno = 0;
      const double fraction = strtod_l(digits.c_str() + point, nullptr, CLocale());
      if (errno != 0) return Fault::kBadFormat;
      time_.usec = static_cast<std::int32_t>(std::rint(fraction * 1000000));
    }
    digits.resize(point);
  } else if ((have & kDateMask) != kDateMask && digits.size() >= 6) {
    const std::size_t n = digits.size();
    time_.day = number(n - 2, 2);
    time_.month = number(n - 4, 2);
    time_.year = number(0, n - 4);
    if (n - 4 == 2) two_digits_ = true;
    seen_ = kDateMask;
    return Fault::kNone;
  }
  if ((have & kTimeMask) == kTimeMask || (digits.size() != 6 && digits.size() != 4))
    return Fault::kBadFormat;
  time_.hour = number(0, 2);
  time_.minute = number(2, 2);
  time_.second = digits.size() == 6 ? number(4, 2) : 0;
  seen_ = kTimeMask;
  return Fault::kNone;
}

Fault Decoder::ValidateDate() {
  if ((have_ & Mask(Token::kYear)) != 0 && !is_julian_) {
    if (bc_) {
      if (time_.year <= 0) return Fault::kFieldOverflow;
      time_.year = -(time_.year - 1);
    } else if (two_digits_) {
      if (time_.year < 0) return Fault::kFieldOverflow;
      if (time_.year < 70)
        time_.year += 2000;
      else if (time_.year < 100)
        time_.year += 1900;
    } else if (time_.year <= 0) {
      return Fault::kFieldOverflow;
    }
  }
  if ((have_ & Mask(Token::kDayOfYear)) != 0) {
    const auto first = static_cast<std::uint32_t>(ToJulian(time_.year, 1, 1));
    FromJulian(static_cast<std::int32_t>(first + static_cast<std::uint32_t>(time_.day_of_year) - 1),
               time_);
  }
  if ((have_ & Mask(Token::kMonth)) != 0 && (time_.month < 1 || time_.month > 12))
    return Fault::kMonthDayOverflow;
  if ((have_ & Mask(Token::kDay)) != 0 && (time_.day < 1 || time_.day > 31))
    return Fault::kMonthDayOverflow;
  if ((have_ & kDateMask) == kDateMask && time_.day > DaysInMonth(time_.year, time_.month))
    return Fault::kFieldOverflow;
  return Fault::kNone;
}

Fault Decoder::ApplyMeridian() {
  if (meridian_ == Meridian::kNone) return Fault::kNone;
  if (time_.hour > 12) return Fault::kFieldOverflow;
  if (meridian_ == Meridian::kAm && time_.hour == 12)
    time_.hour = 0;
  else if (meridian_ == Meridian::kPm && time_.hour != 12)
    time_.hour += 12;
  return Fault::kNone;
}

Fault Decoder::ResolveZone(const CalendarTime& at) {
  const bool dst_modifier = (have_ & Mask(Token::kDstModifier)) != 0;
  const auto offset_in = [&at](const TimeZone& zone) {
    return IsValidJulian(at) ? zone.OffsetAtLocal(LocalSeconds(at)) : 0;
  };
  if (zone_ != nullptr) {
    if (dst_modifier) return Fault::kBadFormat;
    utc_offset_ = offset_in(*zone_);
  }
  if (abbreviated_zone_ != nullptr) {
    if (dst_modifier) return Fault::kBadFormat;
    std::string upper = abbreviation_;
    std::ranges::transform(upper, upper.begin(), ToUpper);
    const std::int32_t zone_offset = offset_in(*abbreviated_zone_);
    utc_offset_ = abbreviated_zone_->OffsetOfAbbreviation(upper, LocalSeconds(at) - zone_offset)
                      .value_or(zone_offset);
  }
  if ((have_ & Mask(Token::kZone)) == 0) {
    if (dst_modifier) return Fault::kBadFormat;
    utc_offset_ = offset_in(SessionZone(settings_));
  }
  return Fault::kNone;
}

Fault Decoder::Decode(DecodedDateTime& out) {
  for (int i = 0; i < fields_.count(); ++i) {
    seen_ = 0;
    switch (fields_.kind(i)) {
      case FieldKind::kDate:
        RELCACHE_FAULT(DateField(i));
        break;
      case FieldKind::kTime:
        RELCACHE_FAULT(TimeField(i));
        break;
      case FieldKind::kSigned:
        RELCACHE_FAULT(DecodeNumericZone(fields_.text(i), &utc_offset_));
        seen_ = Mask(Token::kZone);
        break;
      case FieldKind::kNumber:
        RELCACHE_FAULT(NumberField(i));
        break;
      case FieldKind::kText:
      case FieldKind::kSpecial:
        RELCACHE_FAULT(WordField(i));
        break;
    }
    if ((seen_ & have_) != 0) return Fault::kBadFormat;
    have_ |= seen_;
  }
  RELCACHE_FAULT(ValidateDate());
  RELCACHE_FAULT(ApplyMeridian());
  if (kind_ == DecodedDateTime::Kind::kDate) {
    if ((have_ & kDateMask) != kDateMask) return Fault::kBadFormat;
    RELCACHE_FAULT(ResolveZone(time_));
  }
  out.kind = kind_;
  out.time = time_;
  out.utc_offset = utc_offset_;
  return Fault::kNone;
}

}  // namespace

Result<DecodedDateTime> DecodeDateTime(std::string_view text, std::string_view type,
                                       std::size_t buffer_size, const SessionSettings& settings) {
  DateTimeFields fields;
  DecodedDateTime out;
  DateTimeFault fault = fields.Split(text, buffer_size);
  if (fault == DateTimeFault::kNone) {
    Decoder decoder(fields, settings);
    fault = decoder.Decode(out);
    if (fault != DateTimeFault::kNone && decoder.error()) return Fail(*std::move(decoder.error()));
  }
  if (fault != DateTimeFault::kNone) return Fail(DateTimeError(fault, type, text));
  return out;
}

}  // namespace relcache
