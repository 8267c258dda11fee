#include "relcache/types/date_time/fields.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>

#include "relcache/types/internal/c_locale.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

constexpr std::int32_t Value(Unit unit) {
  return static_cast<std::int32_t>(unit);
}
constexpr std::int32_t Value(Reserved word) {
  return static_cast<std::int32_t>(word);
}

// Both tables in order of text.
constexpr Word kDateWords[] = {
    {"-infinity", Token::kReserved, Value(Reserved::kEarly)},
    {"ad", Token::kEra, 0},
    {"allballs", Token::kReserved, Value(Reserved::kZulu)},
    {"am", Token::kAmPm, 0},
    {"apr", Token::kMonth, 4},
    {"april", Token::kMonth, 4},
    {"at", Token::kIgnored, 0},
    {"aug", Token::kMonth, 8},
    {"august", Token::kMonth, 8},
    {"bc", Token::kEra, 1},
    {"d", Token::kUnit, Value(Unit::kDay)},
    {"dec", Token::kMonth, 12},
    {"december", Token::kMonth, 12},
    {"dow", Token::kUnit, Value(Unit::kOther)},
    {"doy", Token::kUnit, Value(Unit::kOther)},
    {"dst", Token::kDstModifier, 3600},
    {"epoch", Token::kReserved, Value(Reserved::kEpoch)},
    {"feb", Token::kMonth, 2},
    {"february", Token::kMonth, 2},
    {"fri", Token::kDayOfWeek, 5},
    {"friday", Token::kDayOfWeek, 5},
    {"h", Token::kUnit, Value(Unit::kHour)},
    {"infinity", Token::kReserved, Value(Reserved::kLate)},
    {"isodow", Token::kUnit, Value(Unit::kOther)},
    {"isoyear", Token::kUnit, Value(Unit::kOther)},
    {"j", Token::kUnit, Value(Unit::kJulian)},
    {"jan", Token::kMonth, 1},
    {"january", Token::kMonth, 1},
    {"jd", Token::kUnit, Value(Unit::kJulian)},
    {"jul", Token::kMonth, 7},
    {"julian", Token::kUnit, Value(Unit::kJulian)},
    {"july", Token::kMonth, 7},
    {"jun", Token::kMonth, 6},
    {"june", Token::kMonth, 6},
    {"m", Token::kUnit, Value(Unit::kMonth)},
    {"mar", Token::kMonth, 3},
    {"march", Token::kMonth, 3},
    {"may", Token::kMonth, 5},
    {"mm", Token::kUnit, Value(Unit::kMinute)},
    {"mon", Token::kDayOfWeek, 1},
    {"monday", Token::kDayOfWeek, 1},
    {"nov", Token::kMonth, 11},
    {"november", Token::kMonth, 11},
    {"now", Token::kReserved, Value(Reserved::kNow)},
    {"oct", Token::kMonth, 10},
    {"october", Token::kMonth, 10},
    {"on", Token::kIgnored, 0},
    {"pm", Token::kAmPm, 1},
    {"s", Token::kUnit, Value(Unit::kSecond)},
    {"sat", Token::kDayOfWeek, 6},
    {"saturday", Token::kDayOfWeek, 6},
    {"sep", Token::kMonth, 9},
    {"sept", Token::kMonth, 9},
    {"september", Token::kMonth, 9},
    {"sun", Token::kDayOfWeek, 0},
    {"sunday", Token::kDayOfWeek, 0},
    {"t", Token::kIsoTime, Value(Unit::kTime)},
    {"thu", Token::kDayOfWeek, 4},
    {"thur", Token::kDayOfWeek, 4},
    {"thurs", Token::kDayOfWeek, 4},
    {"thursday", Token::kDayOfWeek, 4},
    {"today", Token::kReserved, Value(Reserved::kToday)},
    {"tomorrow", Token::kReserved, Value(Reserved::kTomorrow)},
    {"tue", Token::kDayOfWeek, 2},
    {"tues", Token::kDayOfWeek, 2},
    {"tuesday", Token::kDayOfWeek, 2},
    {"wed", Token::kDayOfWeek, 3},
    {"wednesday", Token::kDayOfWeek, 3},
    {"weds", Token::kDayOfWeek, 3},
    {"y", Token::kUnit, Value(Unit::kYear)},
    {"yesterday", Token::kReserved, Value(Reserved::kYesterday)},
};

constexpr Word kIntervalWords[] = {
    {"@", Token::kIgnored, 0},
    {"ago", Token::kAgo, 0},
    {"c", Token::kUnit, Value(Unit::kCentury)},
    {"cent", Token::kUnit, Value(Unit::kCentury)},
    {"centuries", Token::kUnit, Value(Unit::kCentury)},
    {"century", Token::kUnit, Value(Unit::kCentury)},
    {"d", Token::kUnit, Value(Unit::kDay)},
    {"day", Token::kUnit, Value(Unit::kDay)},
    {"days", Token::kUnit, Value(Unit::kDay)},
    {"dec", Token::kUnit, Value(Unit::kDecade)},
    {"decade", Token::kUnit, Value(Unit::kDecade)},
    {"decades", Token::kUnit, Value(Unit::kDecade)},
    {"decs", Token::kUnit, Value(Unit::kDecade)},
    {"h", Token::kUnit, Value(Unit::kHour)},
    {"hour", Token::kUnit, Value(Unit::kHour)},
    {"hours", Token::kUnit, Value(Unit::kHour)},
    {"hr", Token::kUnit, Value(Unit::kHour)},
    {"hrs", Token::kUnit, Value(Unit::kHour)},
    {"m", Token::kUnit, Value(Unit::kMinute)},
    {"microsecon", Token::kUnit, Value(Unit::kMicrosecond)},
    {"mil", Token::kUnit, Value(Unit::kMillennium)},
    {"millennia", Token::kUnit, Value(Unit::kMillennium)},
    {"millennium", Token::kUnit, Value(Unit::kMillennium)},
    {"millisecon", Token::kUnit, Value(Unit::kMillisecond)},
    {"mils", Token::kUnit, Value(Unit::kMillennium)},
    {"min", Token::kUnit, Value(Unit::kMinute)},
    {"mins", Token::kUnit, Value(Unit::kMinute)},
    {"minute", Token::kUnit, Value(Unit::kMinute)},
    {"minutes", Token::kUnit, Value(Unit::kMinute)},
    {"mon", Token::kUnit, Value(Unit::kMonth)},
    {"mons", Token::kUnit, Value(Unit::kMonth)},
    {"month", Token::kUnit, Value(Unit::kMonth)},
    {"months", Token::kUnit, Value(Unit::kMonth)},
    {"ms", Token::kUnit, Value(Unit::kMillisecond)},
    {"msec", Token::kUnit, Value(Unit::kMillisecond)},
    {"msecond", Token::kUnit, Value(Unit::kMillisecond)},
    {"mseconds", Token::kUnit, Value(Unit::kMillisecond)},
    {"msecs", Token::kUnit, Value(Unit::kMillisecond)},
    {"qtr", Token::kUnit, Value(Unit::kQuarter)},
    {"quarter", Token::kUnit, Value(Unit::kQuarter)},
    {"s", Token::kUnit, Value(Unit::kSecond)},
    {"sec", Token::kUnit, Value(Unit::kSecond)},
    {"second", Token::kUnit, Value(Unit::kSecond)},
    {"seconds", Token::kUnit, Value(Unit::kSecond)},
    {"secs", Token::kUnit, Value(Unit::kSecond)},
    {"timezone", Token::kUnit, Value(Unit::kOther)},
    {"timezone_h", Token::kUnit, Value(Unit::kOther)},
    {"timezone_m", Token::kUnit, Value(Unit::kOther)},
    {"us", Token::kUnit, Value(Unit::kMicrosecond)},
    {"usec", Token::kUnit, Value(Unit::kMicrosecond)},
    {"usecond", Token::kUnit, Value(Unit::kMicrosecond)},
    {"useconds", Token::kUnit, Value(Unit::kMicrosecond)},
    {"usecs", Token::kUnit, Value(Unit::kMicrosecond)},
    {"w", Token::kUnit, Value(Unit::kWeek)},
    {"week", Token::kUnit, Value(Unit::kWeek)},
    {"weeks", Token::kUnit, Value(Unit::kWeek)},
    {"y", Token::kUnit, Value(Unit::kYear)},
    {"year", Token::kUnit, Value(Unit::kYear)},
    {"years", Token::kUnit, Value(Unit::kYear)},
    {"yr", Token::kUnit, Value(Unit::kYear)},
    {"yrs", Token::kUnit, Value(Unit::kYear)},
};
static_assert(std::ranges::is_sorted(kDateWords, {}, &Word::text));
static_assert(std::ranges::is_sorted(kIntervalWords, {}, &Word::text));

// TOKMAXLEN: PostgreSQL's tables keep so many bytes of a word and compare no more. "microsecon"
// above stands for every word that begins so.
constexpr std::size_t kTokenMax = 10;

template <std::size_t N>
Word FindWord(const Word (&words)[N], std::string_view text) {
  const std::string_view key = text.substr(0, kTokenMax);
  const Word* found = std::ranges::lower_bound(words, key, {}, &Word::text);
  if (found != std::end(words) && found->text == key) return *found;
  return {text, Token::kUnknown, 0};
}

constexpr bool IsPunctuation(char c) {
  return c > ' ' && c < 0x7f && !IsAlnum(c);
}

}  // namespace

Error DateTimeError(DateTimeFault fault, std::string_view type, std::string_view text) {
  const std::string quoted = ": \"" + std::string(text) + "\"";
  switch (fault) {
    case DateTimeFault::kFieldOverflow:
    case DateTimeFault::kMonthDayOverflow:
      return Error(ErrorCode::kInvalidInput, "22008",
                   "date/time field value out of range" + quoted);
    case DateTimeFault::kIntervalOverflow:
      return Error(ErrorCode::kInvalidInput, "22015", "interval field value out of range" + quoted);
    case DateTimeFault::kZoneOverflow:
      return Error(ErrorCode::kInvalidInput, "22009",
                   "time zone displacement out of range" + quoted);
    default:
      return Error(ErrorCode::kInvalidInput, "22007",
                   "invalid input syntax for type " + std::string(type) + quoted);
  }
}

Word FindDateWord(std::string_view text) {
  return FindWord(kDateWords, text);
}

Word FindIntervalWord(std::string_view text) {
  return FindWord(kIntervalWords, text);
}

bool ParseInt32(const char* text, const char** end, std::int32_t* value) {
  char* stop = nullptr;
  errno = 0;
  const long long wide = std::strtoll(text, &stop, 10);
  *end = stop;
  *value = static_cast<std::int32_t>(wide);
  return errno != ERANGE && wide == *value;
}

DateTimeFault ParseFraction(const char* text, double* value) {
  *value = 0;
  // strtod refuses a point alone, which means zero here.
  if (text[1] == '\0') return DateTimeFault::kNone;
  char* stop = nullptr;
  errno = 0;
  *value = strtod_l(text, &stop, CLocale());
  return *stop != '\0' || errno != 0 ? DateTimeFault::kBadFormat : DateTimeFault::kNone;
}

DateTimeFault ParseFractionalSecond(const char* text, std::int32_t* usec) {
  double fraction;
  const DateTimeFault fault = ParseFraction(text, &fraction);
  if (fault == DateTimeFault::kNone)
    *usec = static_cast<std::int32_t>(std::rint(fraction * 1000000));
  return fault;
}

// Moves bytes of the text to the buffer, as long as they belong to a field.
class DateTimeFields::Splitter {
 public:
  Splitter(std::string_view text, char* buffer, std::size_t size)
      : at_(text.data()), end_(at_ + text.size()), out_(buffer), out_end_(buffer + size) {}

  bool Done() const { return at_ == end_; }
  char Peek() const { return at_ == end_ ? '\0' : *at_; }
  void Skip() { ++at_; }
  char* out() const { return out_; }
  bool overflow() const { return overflow_; }

  void Take() {
    if (out_ + 1 >= out_end_) {
      overflow_ = true;
      at_ = end_;
      return;
    }
    *out_++ = ToLower(*at_++);
  }
  template <class Predicate>
  void TakeWhile(Predicate belongs) {
    while (!Done() && belongs(*at_)) Take();
  }
  bool EndField() {
    if (overflow_ || out_ == out_end_) return false;
    *out_++ = '\0';
    return true;
  }

  // Digits come first: a number, time or date.
  DateTimeFieldKind TakeNumeric() {
    TakeWhile(IsDigit);
    if (Peek() == ':') {
      TakeWhile([](char c) { return IsDigit(c) || c == ':' || c == '.'; });
      return DateTimeFieldKind::kTime;
    }
    const char delimiter = Peek();
    if (delimiter != '-' && delimiter != '/' && delimiter != '.') return DateTimeFieldKind::kNumber;
    Take();
    if (!IsDigit(Peek())) {  // a month in letters
      TakeWhile([delimiter](char c) { return IsAlnum(c) || c == delimiter; });
      return DateTimeFieldKind::kDate;
    }
    TakeWhile(IsDigit);
    if (Peek() == delimiter) {
      TakeWhile([delimiter](char c) { return IsDigit(c) || c == delimiter; });
      return DateTimeFieldKind::kDate;
    }
    return delimiter == '.' ? DateTimeFieldKind::kNumber : DateTimeFieldKind::kDate;
  }

  // Letters come first: a word, or a date or zone with punctuation in it.
  DateTimeFieldKind TakeText() {
    const char* start = out_;
    TakeWhile(IsAlpha);
    const char next = Peek();
    bool continues = next == '-' || next == '/' || next == '.';
    // A digit or plus sign follows: a zone like "gmt+3" unless the letters are a word of their own.
    if (next == '+' || IsDigit(next))
      continues = FindDateWord({start, out_}).token == Token::kUnknown;
    if (!continues) return DateTimeFieldKind::kText;
    TakeWhile([](char c) {
      return IsAlnum(c) || c == '+' || c == '-' || c == '/' || c == '_' || c == '.' || c == ':';
    });
    return DateTimeFieldKind::kDate;
  }

 private:
  const char* at_;
  const char* end_;
  char* out_;
  char* out_end_;
  bool overflow_ = false;
};

DateTimeFault DateTimeFields::Split(std::string_view text, std::size_t buffer_size) {
  Splitter in(text, buffer_.data(), std::min(buffer_size, buffer_.size()));
  count_ = 0;
  while (!in.Done()) {
    const char c = in.Peek();
    if (IsSpace(c)) {
      in.Skip();
      continue;
    }
    if (count_ == kMaxFields) return DateTimeFault::kBadFormat;
    const auto i = static_cast<std::size_t>(count_);
    text_[i] = in.out();
    if (IsDigit(c)) {
      kind_[i] = in.TakeNumeric();
    } else if (c == '.') {
      in.Take();
      in.TakeWhile(IsDigit);
      kind_[i] = DateTimeFieldKind::kNumber;
    } else if (IsAlpha(c)) {
      kind_[i] = in.TakeText();
    } else if (c == '+' || c == '-') {
      in.Take();
      while (!in.Done() && IsSpace(in.Peek())) in.Skip();
      if (IsDigit(in.Peek())) {
        // The inner minus sign is that of SQL's years-months: "-1-2".
        in.TakeWhile([](char d) { return IsDigit(d) || d == ':' || d == '.' || d == '-'; });
        kind_[i] = DateTimeFieldKind::kSigned;
      } else if (IsAlpha(in.Peek())) {
        in.TakeWhile(IsAlpha);
        kind_[i] = DateTimeFieldKind::kSpecial;
      } else {
        return DateTimeFault::kBadFormat;
      }
    } else if (IsPunctuation(c)) {
      in.Skip();
      continue;
    } else {
      return DateTimeFault::kBadFormat;
    }
    if (!in.EndField()) return DateTimeFault::kBadFormat;
    ++count_;
  }
  return DateTimeFault::kNone;
}

}  // namespace relcache
