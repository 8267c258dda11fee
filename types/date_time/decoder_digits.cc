// Numbers in a date text.
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "relcache/types/date_time/decoder.h"
#include "relcache/types/internal/c_locale.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {

// Digits and letters with delimiters between.
DateTimeFault DateTimeDecoder::DelimitedDate(char* text) {
  constexpr int kMaxParts = DateTimeFields::kMaxFields;
  char* parts[kMaxParts];
  int count = 0;
  seen_ = 0;
  while (*text != '\0' && count < kMaxParts) {
    while (*text != '\0' && !IsAlnum(*text)) ++text;
    if (*text == '\0') return DateTimeFault::kBadFormat;
    parts[count++] = text;
    const bool digits = IsDigit(*text);
    while (digits ? IsDigit(*text) : IsAlpha(*text)) ++text;
    // This overwrites the delimiter. Where letters and digits meet without one it takes a digit or
    // a letter instead, as in DecodeDate: the year of "1-jan2000" is read as 000.
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
    if (word.token != Token::kMonth) return DateTimeFault::kBadFormat;
    time_.month = word.value;
    text_month = true;
    if ((have & Mask(Token::kMonth)) != 0) return DateTimeFault::kBadFormat;
    have |= Mask(Token::kMonth);
    found |= Mask(Token::kMonth);
    parts[i] = nullptr;
  }
  for (int i = 0; i < count; ++i) {
    if (parts[i] == nullptr) continue;
    const std::size_t length = std::strlen(parts[i]);
    if (length == 0) return DateTimeFault::kBadFormat;
    RELCACHE_TRY_FIELD(DateNumber(parts[i], length, text_month, have));
    if ((have & seen_) != 0) return DateTimeFault::kBadFormat;
    have |= seen_;
    found |= seen_;
  }
  if ((have & ~(Mask(Token::kDayOfYear) | Mask(Token::kZone))) != kDateMask)
    return DateTimeFault::kBadFormat;
  seen_ = found;
  return DateTimeFault::kNone;
}

// One number of a date, by what is known already and by DateOrder.
DateTimeFault DateTimeDecoder::DateNumber(const char* text, std::size_t length, bool text_month,
                                          FieldMask have) {
  seen_ = 0;
  const char* end;
  std::int32_t value;
  if (!ParseInt32(text, &end, &value)) return DateTimeFault::kFieldOverflow;
  if (end == text) return DateTimeFault::kBadFormat;
  if (*end == '.') {
    if (end - text > 2) return RunTogether(text, have | kDateMask);
    RELCACHE_TRY_FIELD(ParseFractionalSecond(end, &time_.usec));
  } else if (*end != '\0') {
    return DateTimeFault::kBadFormat;
  }
  constexpr FieldMask kYear = Mask(Token::kYear);
  constexpr FieldMask kMonth = Mask(Token::kMonth);
  constexpr FieldMask kDay = Mask(Token::kDay);
  // After a year alone, three digits are the day of the year.
  if (length == 3 && (have & kDateMask) == kYear && value >= 1 && value <= 366) {
    seen_ = Mask(Token::kDayOfYear) | kMonth | kDay;
    time_.day_of_year = value;
    return DateTimeFault::kNone;
  }
  // Asked for only where it decides.
  DateOrder order = DateOrder::kMdy;
  const FieldMask date = have & kDateMask;
  if (length < 3 && (date == 0 || (date == kMonth && text_month))) RELCACHE_TRY_FIELD(Order(order));
  const bool year_first = length >= 3 || order == DateOrder::kYmd;
  switch (date) {
    case 0:
      seen_ = year_first ? kYear : order == DateOrder::kDmy ? kDay : kMonth;
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
        return DateTimeFault::kNone;
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
      return DateTimeFault::kBadFormat;
  }
  if (seen_ == kYear) {
    time_.year = value;
    two_digits_ = length <= 2;
  } else {
    (seen_ == kMonth ? time_.month : time_.day) = value;
  }
  return DateTimeFault::kNone;
}

// Digits without delimiters: yyyymmdd, hhmmss, hhmm, perhaps with a fraction.
DateTimeFault DateTimeDecoder::RunTogether(const char* text, FieldMask have) {
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
      if (errno != 0) return DateTimeFault::kBadFormat;
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
    return DateTimeFault::kNone;
  }
  if ((have & kTimeMask) == kTimeMask || (digits.size() != 6 && digits.size() != 4))
    return DateTimeFault::kBadFormat;
  time_.hour = number(0, 2);
  time_.minute = number(2, 2);
  time_.second = digits.size() == 6 ? number(4, 2) : 0;
  seen_ = kTimeMask;
  return DateTimeFault::kNone;
}

}  // namespace relcache
