// Splits a date, time or interval text into fields, and knows the words that may occur in it
// (ParseDateTime and its token tables in utils/adt/datetime.c). Internal to types/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "relcache/base/error.h"

namespace relcache {

/// Why a text is not a date, time or interval.
enum class [[nodiscard]] DateTimeFault : std::uint8_t{
    kNone,
    kBadFormat,
    kFieldOverflow,
    kMonthDayOverflow,  ///< a field overflow that another DateStyle might cure
    kIntervalOverflow,
    kZoneOverflow,
};

/// The Error for a fault (PostgreSQL's DateTimeParseError).
[[gnu::cold]] Error DateTimeError(DateTimeFault fault, std::string_view type,
                                  std::string_view text);

/// The kind of a word. The values up to kUnknown are the numbers of the bits in a FieldMask and in
/// the typmod of an interval.
enum class Token : std::uint8_t {
  kReserved = 0,
  kMonth = 1,
  kYear = 2,
  kDay = 3,
  kZone = 5,
  kDstZone = 6,
  kDynamicZone = 7,
  kIgnored = 8,
  kAmPm = 9,
  kHour = 10,
  kMinute = 11,
  kSecond = 12,
  kMillisecond = 13,
  kMicrosecond = 14,
  kDayOfYear = 15,
  kDayOfWeek = 16,
  kUnit = 17,
  kEra = 18,
  kAgo = 19,
  kIsoTime = 23,
  kWeek = 24,
  kDecade = 25,
  kCentury = 26,
  kMillennium = 27,
  kDstModifier = 28,
  kUnknown = 31,
};

/// A set of fields that have been found.
using FieldMask = std::uint32_t;
constexpr FieldMask Mask(Token token) {
  return FieldMask{1} << static_cast<unsigned>(token);
}
inline constexpr FieldMask kDateMask = Mask(Token::kYear) | Mask(Token::kMonth) | Mask(Token::kDay);
inline constexpr FieldMask kSecondsMask =
    Mask(Token::kSecond) | Mask(Token::kMillisecond) | Mask(Token::kMicrosecond);
inline constexpr FieldMask kTimeMask = Mask(Token::kHour) | Mask(Token::kMinute) | kSecondsMask;

/// Values of Token::kUnit and Token::kReserved words.
enum class Unit : std::uint8_t {
  kNone,
  kMicrosecond,
  kMillisecond,
  kSecond,
  kMinute,
  kHour,
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear,
  kDecade,
  kCentury,
  kMillennium,
  kJulian,
  kTime,
  kOther,  ///< known to extract() but not to input: dow, isoyear, timezone ...
};
enum class Reserved : std::uint8_t {
  kEarly,
  kLate,
  kEpoch,
  kNow,
  kToday,
  kTomorrow,
  kYesterday,
  kZulu
};

struct Word {
  std::string_view text;
  Token token;
  std::int32_t value;
};
/// Looks up a word of dates and times; Token::kUnknown if there is none. `text` must be in lower
/// case, and only its first ten bytes count.
Word FindDateWord(std::string_view text);
/// Looks up a word of intervals.
Word FindIntervalWord(std::string_view text);

enum class DateTimeFieldKind : std::uint8_t {
  kNumber,   ///< digits, perhaps with a point
  kText,     ///< letters
  kDate,     ///< digits and letters with two delimiters; also names of zones
  kTime,     ///< digits with colons
  kSigned,   ///< a sign and digits, colons, points: a numeric zone, or a number
  kSpecial,  ///< a sign and letters
};

/// The fields of a text, each with a NUL at its end and in lower case. They may be overwritten
/// while they are interpreted.
class DateTimeFields {
 public:
  static constexpr int kMaxFields = 25;

  DateTimeFields() = default;
  DateTimeFields(const DateTimeFields&) = delete;
  DateTimeFields& operator=(const DateTimeFields&) = delete;

  /// The fields with their NULs may take `buffer_size` bytes; PostgreSQL's limit depends on the
  /// type.
  DateTimeFault Split(std::string_view text, std::size_t buffer_size);

  int count() const { return count_; }
  char* text(int i) { return text_[static_cast<std::size_t>(i)]; }
  const char* text(int i) const { return text_[static_cast<std::size_t>(i)]; }
  DateTimeFieldKind kind(int i) const { return kind_[static_cast<std::size_t>(i)]; }

  static constexpr std::size_t kTimestampBuffer = 128 + kMaxFields;
  static constexpr std::size_t kDateBuffer = 128 + 1;
  static constexpr std::size_t kIntervalBuffer = 256;

 private:
  class Splitter;
  std::array<char, 256> buffer_;
  std::array<char*, kMaxFields> text_;
  std::array<DateTimeFieldKind, kMaxFields> kind_;
  int count_ = 0;
};

/// strtol into 32 bits. Returns false if the number does not fit.
bool ParseInt32(const char* text, const char** end, std::int32_t* value);
/// Reads a fraction, ".digits"; `text` must not contain anything else.
DateTimeFault ParseFraction(const char* text, double* value);
/// The same in microseconds.
DateTimeFault ParseFractionalSecond(const char* text, std::int32_t* usec);

}  // namespace relcache
