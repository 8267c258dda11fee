#include "relcache/types/internal/float.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>

#include "relcache/types/internal/c_locale.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

template <class T>
struct FloatTraits;
template <>
struct FloatTraits<float> {
  static constexpr const char* kName = "real";
  static constexpr int kDigits = 6;  // FLT_DIG
  static float Parse(const char* text, char** end) { return strtof_l(text, end, CLocale()); }
};
template <>
struct FloatTraits<double> {
  static constexpr const char* kName = "double precision";
  static constexpr int kDigits = 15;  // DBL_DIG
  static double Parse(const char* text, char** end) { return strtod_l(text, end, CLocale()); }
};

// Everything strtod takes (hexadecimal too), which is what PostgreSQL takes.
template <class T>
Result<T> ParseSlowly(std::string_view text) {
  const std::string copy(text);
  const char* start = copy.c_str();
  const char* const limit = start + copy.size();
  while (start < limit && IsSpace(*start)) ++start;
  char* end = nullptr;
  errno = 0;
  const T value = FloatTraits<T>::Parse(start, &end);
  if (end == start) return Fail(InvalidSyntax(FloatTraits<T>::kName, text));
  // A denormal result sets ERANGE too but is a value.
  if (errno == ERANGE && (value == 0 || std::isinf(value))) {
    // float8in names the number, float4in the whole text.
    const char* stop = end;
    const std::string named = sizeof(T) == sizeof(float) ? copy : std::string(start, stop);
    return Fail(ErrorCode::kInvalidInput, "22003",
                "\"" + named + "\" is out of range for type " + FloatTraits<T>::kName);
  }
  while (end < limit && IsSpace(*end)) ++end;
  if (end != limit) return Fail(InvalidSyntax(FloatTraits<T>::kName, text));
  return value;
}

template <class T>
Result<T> FloatIn(std::string_view text) {
  T value;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && std::isfinite(value)) [[likely]]
    return value;
  return ParseSlowly<T>(text);
}

// value = digits * 10^exponent.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
  int length = 0;
};

Decimal ParseScientific(const char* p, const char* end) {
  Decimal out;
  bool fraction = false;
  for (; p < end && *p != 'e'; ++p) {
    if (*p == '-') continue;
    if (*p == '.') {
      fraction = true;
      continue;
    }
    out.digits = out.digits * 10 + static_cast<unsigned>(*p - '0');
    ++out.length;
    if (fraction) --out.exponent;
  }
  ++p;
  if (p < end && *p == '+') ++p;
  int exponent = 0;
  std::from_chars(p, end, exponent);
  out.exponent += exponent;
  return out;
}

// Whether the decimal lies exactly in the middle between `value` and one of its neighbours.
// PostgreSQL does not print those: they read back only because ties round to even.
template <class T>
bool IsMidpoint(const Decimal& decimal, T value) {
  if (decimal.exponent > 23 || decimal.exponent < -24) return false;  // never a multiple of 5^24
  unsigned __int128 n = decimal.digits;
  if (decimal.exponent >= 0) {
    for (int i = 0; i < decimal.exponent; ++i) n *= 5;
  } else {
    for (int i = 0; i > decimal.exponent; --i) {
      if (n % 5 != 0) return false;
      n /= 5;
    }
  }
  int n_exponent = decimal.exponent;  // the decimal is n * 2^n_exponent
  int value_exponent;
  constexpr int kBits = std::numeric_limits<T>::digits;
  const auto mantissa =
      static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(value), &value_exponent), kBits));
  value_exponent -= kBits;
  // In units of a quarter of the last place: the middle to the next lower power of two is nearer.
  const unsigned __int128 quarter = static_cast<unsigned __int128>(mantissa) * 4;
  const int quarter_exponent = value_exponent - 2;
  while (n_exponent > quarter_exponent && (n >> 126) == 0) {
    n *= 2;
    --n_exponent;
  }
  while (n_exponent < quarter_exponent && n % 2 == 0) {
    n /= 2;
    ++n_exponent;
  }
  if (n_exponent != quarter_exponent) return false;
  const bool power_of_two = mantissa == std::uint64_t{1} << (kBits - 1);
  return n == quarter + 2 || n == quarter - (power_of_two ? 1 : 2);
}

template <class T>
Decimal Shortest(T value) {
  char buffer[64];
  auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  Decimal decimal = ParseScientific(buffer, result.ptr);
  for (int length = decimal.length + 1; IsMidpoint(decimal, value) && length <= 17; ++length) {
    result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific,
                           length - 1);
    const Decimal longer = ParseScientific(buffer, result.ptr);
    T read = 0;
    std::from_chars(buffer, result.ptr, read);
    if (read == value) decimal = longer;
  }
  return decimal;
}

// Fixed notation where the exponent is from -4 up to below `limit`, otherwise 1.5e+20.
std::string_view FormatShortest(bool negative, const Decimal& decimal, int limit,
                                MemoryContext& cx) {
  char digits[24];
  const char* digits_end = std::to_chars(digits, digits + sizeof digits, decimal.digits).ptr;
  while (digits_end - digits > 1 && digits_end[-1] == '0') --digits_end;
  const auto count = static_cast<int>(digits_end - digits);
  const int exponent = decimal.exponent + decimal.length - 1;
  char buffer[64];
  char* p = buffer;
  const auto put = [&p](const char* from, int n) { p = std::copy_n(from, n, p); };
  if (negative) *p++ = '-';
  if (exponent < -4 || exponent >= limit) {
    *p++ = digits[0];
    if (count > 1) {
      *p++ = '.';
      put(digits + 1, count - 1);
    }
    *p++ = 'e';
    *p++ = exponent < 0 ? '-' : '+';
    const int magnitude = std::abs(exponent);
    if (magnitude < 10) *p++ = '0';
    p = std::to_chars(p, buffer + sizeof buffer, magnitude).ptr;
  } else if (exponent < 0) {
    *p++ = '0';
    *p++ = '.';
    p = std::fill_n(p, -exponent - 1, '0');
    put(digits, count);
  } else if (count <= exponent + 1) {
    put(digits, count);
    p = std::fill_n(p, exponent + 1 - count, '0');
  } else {
    put(digits, exponent + 1);
    *p++ = '.';
    put(digits + exponent + 1, count - exponent - 1);
  }
  return cx.CopyString({buffer, p});
}

template <class T>
std::string_view FloatOut(T value, int extra_float_digits, MemoryContext& cx) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (extra_float_digits > 0) {
    if (value == 0) return std::signbit(value) ? "-0" : "0";
    return FormatShortest(value < 0, Shortest(value), FloatTraits<T>::kDigits, cx);
  }
  char buffer[64];
  const int digits = std::max(1, FloatTraits<T>::kDigits + extra_float_digits);
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
  return cx.CopyString({buffer, result.ptr});
}

template <class To>
Fault RoundTo(double a, To& out, Fault fault) {
  const double rounded = std::rint(a);
  // The bounds are exact powers of two; NaN fails both.
  constexpr double kLimit = -static_cast<double>(std::numeric_limits<To>::min());
  if (!(rounded >= -kLimit && rounded < kLimit)) return fault;
  out = static_cast<To>(rounded);
  return Fault::kNone;
}

}  // namespace

Result<float> Float4In(std::string_view text) {
  return FloatIn<float>(text);
}

Result<double> Float8In(std::string_view text) {
  return FloatIn<double>(text);
}

std::string_view Float4Out(float value, int extra_float_digits, MemoryContext& cx) {
  return FloatOut(value, extra_float_digits, cx);
}

std::string_view Float8Out(double value, int extra_float_digits, MemoryContext& cx) {
  return FloatOut(value, extra_float_digits, cx);
}

Fault Float8ToFloat4(double a, float& out) {
  out = static_cast<float>(a);
  if (std::isinf(out) && !std::isinf(a)) return Fault::kFloatOverflow;
  if (out == 0 && a != 0) return Fault::kFloatUnderflow;
  return Fault::kNone;
}

Fault FloatToInt(double a, std::int16_t& out) {
  return RoundTo(a, out, Fault::kSmallintOutOfRange);
}
Fault FloatToInt(double a, std::int32_t& out) {
  return RoundTo(a, out, Fault::kIntegerOutOfRange);
}
Fault FloatToInt(double a, std::int64_t& out) {
  return RoundTo(a, out, Fault::kBigintOutOfRange);
}

}  // namespace relcache
