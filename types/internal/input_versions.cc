#include "relcache/types/internal/input_versions.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/fields.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/date_time/interval_decode.h"
#include "relcache/types/date_time/time_zone.h"
#include "relcache/types/date_time/time_zone_abbreviations.h"
#include "relcache/types/internal/float.h"
#include "relcache/types/internal/input_error.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

Error Refused(std::string_view type, std::string_view text, ServerVersion version) {
  return NotSupported(
      Format("input of type {}, \"{}\", as PostgreSQL {} reads it", type, text, version.major()));
}

// ---- Numbers: from 16 on in other bases and with underscores.

int DigitOf(char c, int base) {
  const char lower = ToLower(c);
  const int digit = IsDigit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : base;
  return digit < base ? digit : -1;
}

/// The base that a prefix at `p` announces, and the prefix skipped.
int TakeBase(const char*& p, const char* end) {
  if (end - p < 2 || *p != '0') return 10;
  const char letter = ToLower(p[1]);
  const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  if (base != 10) p += 2;
  return base;
}

// pg_strtoint32_safe and its siblings, which accumulate without a sign and check it at the end.
template <class T>
Result<T> IntIn16(std::string_view text, std::string_view type) {
  using U = std::make_unsigned_t<T>;
  constexpr U kLimit = static_cast<U>(U{1} << (sizeof(T) * 8 - 1));
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end && IsSpace(*p)) ++p;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;
  const int base = TakeBase(p, end);
  const char* first = p;
  U value = 0;
  for (; p < end; ++p) {
    if (*p == '_') {
      // Behind a prefix an underscore may come first: 0x_ff.
      if (p == first && base == 10) return Fail(InvalidSyntax(type, text));
      if (p + 1 == end || DigitOf(p[1], base) < 0) return Fail(InvalidSyntax(type, text));
      continue;
    }
    const int digit = DigitOf(*p, base);
    if (digit < 0) break;
    // An unsigned number has room for one digit more. The error is raised here, before what follows
    // the digits is looked at, as it is there.
    if (value > kLimit / static_cast<U>(base)) return Fail(ValueOutOfRange(type, text));
    value = static_cast<U>(value * static_cast<U>(base) + static_cast<U>(digit));
  }
  if (p == first) return Fail(InvalidSyntax(type, text));
  while (p < end && IsSpace(*p)) ++p;
  if (p != end) return Fail(InvalidSyntax(type, text));
  if (negative ? value > kLimit : value >= kLimit) return Fail(ValueOutOfRange(type, text));
  return static_cast<T>(negative ? static_cast<U>(0 - value) : value);
}

// uint32in_subr: strtoul with base 0, which reads "010" as an octal number. Texts that do not begin
// with a zero mean the same in 15.
std::optional<Result<Datum>> OidIn16(std::string_view text, ServerVersion version) {
  std::string_view digits = TrimSpace(text);
  const bool negative = !digits.empty() && digits.front() == '-';
  if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) digits.remove_prefix(1);
  if (digits.size() < 2 || digits.front() != '0') return std::nullopt;
  const char letter = ToLower(digits[1]);
  // Whether strtoul knows "0b" depends on the C library.
  if (letter == 'b') return Fail(Refused("oid", text, version));
  const int base = letter == 'x' ? 16 : 8;
  digits.remove_prefix(base == 16 ? 2 : 1);
  std::uint64_t value = 0;
  std::size_t n = 0;
  for (; n < digits.size() && DigitOf(digits[n], base) >= 0; ++n) {
    if (__builtin_mul_overflow(value, static_cast<std::uint64_t>(base), &value))
      return Fail(ValueOutOfRange("oid", text));
    // Cannot overflow: the product is a multiple of the base, which is a power of two.
    value += static_cast<std::uint64_t>(DigitOf(digits[n], base));
  }
  if (n != digits.size() || (n == 0 && base == 16)) return Fail(InvalidSyntax("oid", text));
  if (negative) value = 0 - value;
  const auto oid = static_cast<Oid>(value);
  // Numbers with a minus sign are accepted if they fit into 32 bits with a sign.
  const auto widened = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(oid)});
  if (value != oid && value != widened) return Fail(ValueOutOfRange("oid", text));
  return ObjectIdGetDatum(oid);
}

/// A whole number in another base as decimal digits; empty if there is none at `p`.
std::string DecimalOf(const char*& p, const char* end, int base) {
  std::vector<std::uint32_t> groups{0};  // of nine digits, the lowest first
  const char* first = p;
  for (; p < end; ++p) {
    if (*p == '_') {
      if (p + 1 == end || DigitOf(p[1], base) < 0) return {};
      continue;
    }
    const int digit = DigitOf(*p, base);
    if (digit < 0) break;
    auto carry = static_cast<std::uint64_t>(digit);
    for (std::uint32_t& group : groups) {
      carry += std::uint64_t{group} * static_cast<std::uint64_t>(base);
      group = static_cast<std::uint32_t>(carry % 1000000000);
      carry /= 1000000000;
    }
    if (carry != 0) groups.push_back(static_cast<std::uint32_t>(carry));
  }
  if (p == first) return {};
  std::string out = std::to_string(groups.back());
  for (std::size_t i = groups.size() - 1; i-- > 0;) {
    const std::string group = std::to_string(groups[i]);
    out.append(9 - group.size(), '0').append(group);
  }
  return out;
}

/// Texts beyond this are refused: the conversion takes quadratic time.
constexpr std::size_t kLongestNonDecimal = 4096;

std::optional<Result<Datum>> NumericIn16(std::string_view text, std::int32_t typmod,
                                         ServerVersion version, MemoryContext& cx) {
  const std::string_view trimmed = TrimSpace(text);
  const char* p = trimmed.data();
  const char* end = p + trimmed.size();
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;
  if (const int base = TakeBase(p, end); base != 10) {
    if (trimmed.size() > kLongestNonDecimal) return Fail(Refused("numeric", "0x...", version));
    const std::string digits = DecimalOf(p, end, base);
    if (digits.empty() || p != end) return Fail(InvalidSyntax("numeric", text));
    return NumericIn((negative ? "-" : "") + digits, typmod, cx);
  }
  // An exponent follows its letter at once; 15 reads it with strtol, which skips white space.
  for (std::size_t i = 0; i + 1 < trimmed.size(); ++i)
    if (ToLower(trimmed[i]) == 'e' && IsSpace(trimmed[i + 1]))
      return Fail(InvalidSyntax("numeric", text));
  if (trimmed.find('_') == std::string_view::npos) return std::nullopt;
  std::string plain;
  for (std::size_t i = 0; i < trimmed.size(); ++i) {
    if (trimmed[i] != '_') {
      plain += trimmed[i];
    } else if (i == 0 || i + 1 == trimmed.size() || !IsDigit(trimmed[i - 1]) ||
               !IsDigit(trimmed[i + 1])) {
      // Between digits it counts for nothing; a few other places depend on what stands around it.
      return i > 0 && trimmed[i - 1] == '.' ? Result<Datum>(Fail(Refused("numeric", text, version)))
                                            : Result<Datum>(Fail(InvalidSyntax("numeric", text)));
    }
  }
  // The message must show the text with its underscores.
  Result<Datum> value = NumericIn(plain, typmod, cx);
  if (!value && value.error().sqlstate == std::string_view("22P02"))
    return Fail(InvalidSyntax("numeric", text));
  return value;
}

std::optional<Result<Datum>> NumericIn13(std::string_view text) {
  std::string_view word = TrimSpace(text);
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  // No infinity before 14.
  if (StartsWithNoCase(word, "i")) return Fail(InvalidSyntax("numeric", text));
  return std::nullopt;
}

// Out-of-range messages show what was read of a text, and how much that is differs.
bool EndsInPlainNumber(std::string_view text) {
  text = TrimSpace(text);
  const std::size_t exponent = text.find_last_of("eE");
  const std::string_view tail = exponent == std::string_view::npos ? text : text.substr(exponent);
  return !tail.empty() && IsDigit(tail.back()) &&
         tail.find('.') ==
             (exponent == std::string_view::npos ? text.find('.') : std::string_view::npos);
}
template <class T>
std::string SqlstateOf(const Result<T>& result) {
  return result ? std::string() : std::string(result.error().sqlstate);
}

// ---- Dates and times.

bool HasPointWithoutDigits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '.' && (i + 1 == text.size() || !IsDigit(text[i + 1]))) return true;
  return false;
}

/// Whether a field of the text may be such a zone.
bool NamesPosixWithoutRules(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    const std::string_view field = text.substr(i, end - i);
    if (!field.empty() && !IsDigit(field[0]) && IsPosixWithoutRules(field)) return true;
    i = end + 1;
  }
  return false;
}

/// Calls `f` with each run of letters, in lower case, and what follows it; until it says true.
template <class F>
bool AnyWord(std::string_view text, F f) {
  for (std::size_t i = 0; i < text.size();) {
    if (!IsAlpha(text[i])) {
      ++i;
      continue;
    }
    std::string word;
    for (; i < text.size() && IsAlpha(text[i]); ++i) word += ToLower(text[i]);
    if (f(word, text.substr(i))) return true;
  }
  return false;
}

/// Units that 15 reads before or behind numbers ("y2000m01d01", "12h"), and 16 does not, but for
/// Julian days.
bool HasLooseUnit(std::string_view text, bool time_only) {
  return AnyWord(text, [time_only](const std::string& word, std::string_view rest) {
    const Word known = FindDateWord(word);
    if (known.token != Token::kUnit) return false;
    if (time_only) return true;
    return static_cast<Unit>(known.value) != Unit::kJulian || rest.empty() || !IsDigit(rest[0]);
  });
}

// ---- Intervals.

bool IsNumber(DateTimeFieldKind kind) {
  return kind != DateTimeFieldKind::kText && kind != DateTimeFieldKind::kSpecial;
}

/// Whether releases before 15, which count in floating point and 32 bits, are sure to agree.
bool NumberIsPlain(std::string_view number, Unit unit) {
  const bool time = number.find(':') != std::string_view::npos;
  std::size_t longest = 0, run = 0, fraction = 0;
  bool in_fraction = false;
  for (const char c : number) {
    if (c == '.') in_fraction = true;
    run = IsDigit(c) ? run + 1 : 0;
    if (in_fraction && IsDigit(c)) ++fraction;
    if (!in_fraction) longest = std::max(longest, run);
  }
  const bool small_unit = time || (unit >= Unit::kMicrosecond && unit <= Unit::kDay);
  // Nine digits fit into 32 bits, and so do the years of six digits of millennia.
  if (longest > (small_unit ? 9u : 6u)) return false;
  if (fraction == 0) return !in_fraction;
  if (time || unit == Unit::kSecond) return fraction <= 6;
  if (fraction > 3 || unit == Unit::kMicrosecond) return false;
  int years = 0;
  switch (unit) {
    case Unit::kYear:
      years = 1;
      break;
    case Unit::kDecade:
      years = 10;
      break;
    case Unit::kCentury:
      years = 100;
      break;
    case Unit::kMillennium:
      years = 1000;
      break;
    default:
      return unit >= Unit::kMillisecond && unit <= Unit::kMonth;
  }
  // What is left of a month is cut off there and rounded here.
  const double part = std::stod("0" + std::string(number.substr(number.find('.'))));
  const double months = part * 12 * years;
  return months == std::floor(months);
}

bool IntervalIsPlainBefore15(DateTimeFields& fields, std::string_view text, std::int32_t typmod) {
  if (HasPointWithoutDigits(text)) return false;
  const std::string_view trimmed = TrimSpace(text);
  if (StartsWithNoCase(trimmed, "p"))
    return trimmed.find('.') == std::string_view::npos && NumberIsPlain(trimmed, Unit::kYear);
  const bool seconds = typmod < 0 || IntervalRange(typmod) == kIntervalFullRange;
  for (int i = 0; i < fields.count(); ++i) {
    if (!IsNumber(fields.kind(i))) continue;
    Unit unit = seconds ? Unit::kSecond : Unit::kYear;
    if (i + 1 < fields.count() && !IsNumber(fields.kind(i + 1))) {
      const Word word = FindIntervalWord(fields.text(i + 1));
      if (word.token == Token::kUnit) unit = static_cast<Unit>(word.value);
    } else if (i + 1 < fields.count()) {
      unit = Unit::kDay;  // before a time
    }
    if (!NumberIsPlain(fields.text(i), unit)) return false;
  }
  return true;
}

/// Releases from 17 on want a number before each unit, and "ago" at the end.
bool IntervalIsPlainFrom17(DateTimeFields& fields, std::string_view text) {
  if (StartsWithNoCase(TrimSpace(text), "p")) return true;
  for (int i = 0; i < fields.count(); ++i) {
    if (IsNumber(fields.kind(i))) continue;
    const Word word = FindIntervalWord(fields.text(i));
    if (word.token != Token::kUnit && word.token != Token::kAgo) return false;
    if (word.token == Token::kAgo && i + 1 != fields.count()) return false;
    if (word.token == Token::kUnit &&
        (i == 0 || !IsNumber(fields.kind(i - 1)) || static_cast<Unit>(word.value) == Unit::kOther))
      return false;
  }
  return true;
}

std::optional<Result<Datum>> IntervalInOf(std::int32_t typmod, std::string_view text,
                                          const SessionSettings& settings, ServerVersion version,
                                          MemoryContext& cx) {
  const std::string_view word = TrimSpace(text);
  if (version.major() >= 17) {
    if (EqualNoCase(word, "infinity") || EqualNoCase(word, "+infinity"))
      return IntervalGetDatum(kIntervalInfinity, cx);
    if (EqualNoCase(word, "-infinity")) return IntervalGetDatum(kIntervalNegativeInfinity, cx);
    const bool infinite =
        AnyWord(text, [](const std::string& w, std::string_view) { return w.starts_with("inf"); });
    if (infinite) return Fail(Refused("interval", text, version));
  }
  DateTimeFields fields;
  if (fields.Split(text, DateTimeFields::kIntervalBuffer) == DateTimeFault::kNone) {
    const bool plain = version.major() < 15
                           ? IntervalIsPlainBefore15(fields, text, typmod)
                           : version.major() < 17 || IntervalIsPlainFrom17(fields, text);
    if (!plain) return Fail(Refused("interval", text, version));
  }
  if (version.major() < 17 || typmod < 0) return std::nullopt;
  Result<Interval> value = IntervalIn(text, -1, settings);
  if (!value) return std::nullopt;
  // Rounding beyond 64 bits is an error there. No typmod moves a time by more than a second.
  if (IsFinite(*value) && (value->time > INT64_MAX - 1000000 || value->time < INT64_MIN + 1000000))
    return Fail(Refused("interval", text, version));
  return std::nullopt;
}

std::optional<Result<Datum>> DateTimeIn(Oid type, std::string_view text,
                                        const SessionSettings& settings, ServerVersion version) {
  const std::string name = FormatTypeName(type);
  if (version.major() < 15) {
    if (HasPointWithoutDigits(text) || (version.major() < 13 && NamesPosixWithoutRules(text)))
      return Fail(Refused(name, text, version));
    return std::nullopt;
  }
  if (version.major() < 16) return std::nullopt;
  // New in 16. The type time has no infinity.
  if (EqualNoCase(TrimSpace(text), "+infinity") && type != kTimeOid) {
    if (type == kDateOid) return Int32GetDatum(INT32_MAX);
    return Int64GetDatum(INT64_MAX);
  }
  // Beside other fields these are errors there.
  std::string_view alone = TrimSpace(text);
  if (!alone.empty() && alone.front() == '-') alone.remove_prefix(1);
  const bool special =
      !EqualNoCase(alone, "infinity") && !EqualNoCase(alone, "epoch") &&
      AnyWord(text, [](const std::string& word, std::string_view) {
        return word.find("inf") != std::string::npos || word.find("epoch") != std::string::npos;
      });
  const bool signed_word =
      text.find("+i") != std::string_view::npos || text.find("+I") != std::string_view::npos;
  if (signed_word || special || HasLooseUnit(text, type == kTimeOid))
    return Fail(Refused(name, text, version));
  if (version.major() >= 18) {
    const bool own = AnyWord(text, [&settings](const std::string& word, std::string_view) {
      return SessionZoneMayKnow(word, settings);
    });
    if (own) return Fail(Refused(name, text, version));
  }
  return std::nullopt;
}

/// Whether some zone may have the abbreviation, and mean something of its own by it: abbreviations
/// of the time zone database have up to six letters. UTC is none that all agree about: a session's
/// TimeZone of 'UTC+3' means three hours west by it.
bool AnyZoneMayKnow(std::string_view lower) {
  constexpr std::size_t kLongest = 6;
  return lower.size() <= kLongest && std::ranges::all_of(lower, IsAlpha) &&
         FindDateWord(lower).token == Token::kUnknown;
}

}  // namespace

bool IsPosixWithoutRules(std::string_view zone) {
  // An offset between letters and no comma: which days the summer time begins and ends is not said.
  const std::size_t digit = zone.find_first_of("0123456789");
  return digit != std::string_view::npos && zone.find('/') == std::string_view::npos &&
         zone.find(',') == std::string_view::npos &&
         zone.find_first_not_of("+-0123456789:>", digit) != std::string_view::npos;
}

bool SessionZoneMayKnow(std::string_view lower, const SessionSettings& settings) {
  if (lower.size() < 3) return false;  // no abbreviation is shorter
  if (settings.time_zone == nullptr) return AnyZoneMayKnow(lower);
  std::string upper(lower);
  std::ranges::transform(upper, upper.begin(), ToUpper);
  const std::optional<std::int32_t> offset = settings.time_zone->OffsetOfAbbreviation(upper, 0);
  if (!offset) return false;
  // Where both agree, and the zone never meant anything else by it, nothing changed.
  const TimeZoneAbbreviation* known = FindTimeZoneAbbreviation(lower);
  if (known == nullptr || known->zone != nullptr || known->utc_offset != *offset) return true;
  for (const UnixSeconds t :
       {UnixSeconds{-4000000000}, UnixSeconds{-1500000000}, UnixSeconds{-800000000},
        UnixSeconds{1000000000}, UnixSeconds{4000000000}}) {
    if (settings.time_zone->OffsetOfAbbreviation(upper, t) != offset) return true;
  }
  return false;
}

std::optional<Result<Datum>> InputOfVersion(Oid type, std::int32_t typmod, std::string_view text,
                                            const SessionSettings& settings, ServerVersion version,
                                            MemoryContext& cx) {
  if (version.major() == 15) return std::nullopt;
  if (!version.is_known())
    return Fail(NotSupported(Format("input as PostgreSQL {} has it", version.major())));
  const bool from_16 = version.major() >= 16;
  switch (type) {
    case kInt2Oid:
      if (from_16) return IntIn16<std::int16_t>(text, "smallint").map(Int16GetDatum);
      return std::nullopt;
    case kInt4Oid:
      if (from_16) return IntIn16<std::int32_t>(text, "integer").map(Int32GetDatum);
      return std::nullopt;
    case kInt8Oid:
      if (from_16) return IntIn16<std::int64_t>(text, "bigint").map(Int64GetDatum);
      return std::nullopt;
    case kOidOid:
      return from_16 ? OidIn16(text, version) : std::nullopt;
    case kNumericOid:
      if (from_16) return NumericIn16(text, typmod, version, cx);
      return version.major() < 14 ? NumericIn13(text) : std::nullopt;
    case kFloat4Oid:
    case kFloat8Oid:
      if (from_16 && !EndsInPlainNumber(text)) {
        const auto sqlstate =
            type == kFloat4Oid ? SqlstateOf(Float4In(text)) : SqlstateOf(Float8In(text));
        if (sqlstate == "22003") return Fail(Refused(FormatTypeName(type), text, version));
      }
      return std::nullopt;
    case kCharOid:
      // Octal escapes came with 15.
      if (version.major() < 15) return CharGetDatum(text.empty() ? '\0' : text[0]);
      return std::nullopt;
    case kDateOid:
    case kTimeOid:
    case kTimestampOid:
    case kTimestamptzOid:
      return DateTimeIn(type, text, settings, version);
    case kIntervalOid:
      return IntervalInOf(typmod, text, settings, version, cx);
    default:
      return std::nullopt;
  }
}

namespace {

// What 17 says of an array's bounds, which it reads before the elements: "[1:2][3]=". Bounds that
// are not written well are refused: 15 takes "[1-2:3]".
std::optional<Error> BoundsError17(std::string_view text, ServerVersion version) {
  const Error malformed = Refused("array", text, version);
  const auto limit = [](std::string message) {
    return Error(ErrorCode::kInvalidInput, "54000", std::move(message));
  };
  // strtol: a sign and digits. What is beyond 64 bits is cut to them.
  const auto take = [&text](std::int64_t& bound) {
    std::size_t n = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    while (n < text.size() && IsDigit(text[n])) ++n;
    const std::string digits(text.substr(0, n));
    text.remove_prefix(n);
    char* end;
    bound = std::strtoll(digits.c_str(), &end, 10);
    return !digits.empty() && *end == '\0' && end != digits.c_str();
  };
  const auto out_of_range = [](std::int64_t n) { return n > INT_MAX || n < INT_MIN; };
  for (int dimensions = 0; dimensions < ArrayHead::kMaxDimensions; ++dimensions) {
    text = TrimSpace(text);
    if (!text.starts_with('[')) return std::nullopt;
    text.remove_prefix(1);
    std::int64_t lower = 1;
    std::int64_t upper;
    if (!take(upper)) return malformed;
    if (out_of_range(upper)) return limit("array bound is out of integer range");
    if (text.starts_with(':')) {
      text.remove_prefix(1);
      lower = upper;
      if (!take(upper)) return malformed;
      if (out_of_range(upper)) return limit("array bound is out of integer range");
    }
    if (!text.starts_with(']')) return malformed;
    text.remove_prefix(1);
    if (upper < lower) {
      return Error(ErrorCode::kInvalidInput, "2202E",
                   "upper bound cannot be less than lower bound");
    }
    // The bound of the next element must fit into 32 bits too.
    if (upper == INT_MAX) return limit(Format("array upper bound is too large: {}", upper));
    if (upper - lower + 1 > INT_MAX) return TooManyElements();
  }
  return std::nullopt;
}

/// Whether all elements of an array literal that 15 reads stand within the same number of braces.
bool HasOneDepth(std::string_view literal) {
  int depth = 0, depth_of_elements = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    const char c = literal[i];
    if (!quoted && c == '{') {
      ++depth;
    } else if (!quoted && c == '}') {
      --depth;
    } else if (quoted || (c != ',' && !IsSpace(c))) {
      if (depth_of_elements == 0) depth_of_elements = depth;
      if (depth != depth_of_elements) return false;
      if (c == '"') quoted = !quoted;
      if (c == '\\') ++i;
    }
  }
  return true;
}

}  // namespace

std::optional<Error> ArrayInputOfVersion(std::string_view text, const Result<Datum>& read,
                                         bool element_failed, ServerVersion version) {
  if (version.major() < 17) return std::nullopt;
  if (auto bounds = BoundsError17(text, version)) return bounds;
  if (!read) {
    if (element_failed) return std::nullopt;
    return Refused("array", text, version);
  }
  const std::string_view trimmed = TrimSpace(text);
  const Result<ArrayHead> head = ArrayHead::Of(*read);
  bool plain = head.has_value();
  if (plain && head->count() == 0) {
    plain = std::ranges::count(trimmed, '{') == 1;
  } else if (plain) {
    // 15 fills the gaps of sub-arrays that are less deep than others; from 17 they are an error.
    const std::size_t braces = trimmed.find('{');
    plain = braces != std::string_view::npos && HasOneDepth(trimmed.substr(braces));
  }
  if (plain) return std::nullopt;
  return Refused("array", text, version);
}

std::optional<Result<std::string_view>> OutputOfVersion(Oid type, Datum value,
                                                        ServerVersion version) {
  if (version.major() == 15) return std::nullopt;
  if (type == kIntervalOid) {
    const Interval interval = DatumGetInterval(value);
    if (version.major() >= 17) {
      if (interval == kIntervalInfinity) return std::string_view("infinity");
      if (interval == kIntervalNegativeInfinity) return std::string_view("-infinity");
    }
    // Hours are 32 bits wide before 15.
    const std::int64_t hours = interval.time / 3600000000;
    if (version.major() < 15 && (hours > INT_MAX || hours < INT_MIN))
      return Fail(FaultError(Fault::kIntervalOutOfRange));
  }
  if (type == kCharOid && version.major() < 15 && (DatumGetChar(value) & 0x80) != 0) {
    return Fail(NotSupported(
        Format("output of type \"char\" beyond ASCII as PostgreSQL {} has it", version.major())));
  }
  return std::nullopt;
}

}  // namespace relcache
