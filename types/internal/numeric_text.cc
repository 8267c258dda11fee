// Decimal text to base-10000 digits and back; typmods.
#include <algorithm>
#include <charconv>
#include <climits>

#include "relcache/base/internal/format.h"
#include "relcache/types/internal/input_error.h"
#include "relcache/types/internal/numeric.h"
#include "relcache/types/internal/numeric_var.h"

namespace relcache {
namespace {

// The digits before and after the point, as they stand in the text.
struct DecimalText {
  std::string_view before;
  std::string_view after;
};

std::string_view TakeDigits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && IsDigit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

// strtol's idea of an exponent: white space and a sign may come first. False: no digits. Far out of
// range comes back as INT_MAX.
bool TakeExponent(std::string_view& text, std::int64_t* exponent) {
  std::string_view rest = text;
  while (!rest.empty() && IsSpace(rest.front())) rest.remove_prefix(1);
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  const std::string_view digits = TakeDigits(rest);
  if (digits.empty()) return false;
  std::int64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc()) value = INT_MAX;
  *exponent = negative ? -value : value;
  text = rest;
  return true;
}

// The decimal digit of 10^power in the number times 10^exponent.
int DecimalAt(const DecimalText& d, std::int64_t exponent, std::int64_t power) {
  const std::int64_t at = static_cast<std::int64_t>(d.before.size()) - 1 - (power - exponent);
  if (at < 0) return 0;
  const auto i = static_cast<std::size_t>(at);
  if (i < d.before.size()) return d.before[i] - '0';
  if (i - d.before.size() < d.after.size()) return d.after[i - d.before.size()] - '0';
  return 0;
}

std::int64_t FloorDiv4(std::int64_t n) {
  return n >= 0 ? n / 4 : -((-n + 3) / 4);
}

}  // namespace

Result<NumericVar> ParseNumeric(std::string_view text, std::string_view whole,
                                std::string_view* rest) {
  NumericVar out;
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  DecimalText decimal;
  decimal.before = TakeDigits(text);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    decimal.after = TakeDigits(text);
    if (!text.empty() && text.front() == '.') return Fail(InvalidSyntax("numeric", whole));
  }
  if (decimal.before.empty() && decimal.after.empty()) return Fail(InvalidSyntax("numeric", whole));
  std::int64_t exponent = 0;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (!TakeExponent(text, &exponent)) return Fail(InvalidSyntax("numeric", whole));
    // Without exponent, the number of digits is bounded by the length of a text, which is at most
    // 1 GB. With this bound on the exponent, sums of both fit into 32 bits. PackNumeric refuses
    // what is still too large with the same error (set_var_from_str).
    if (exponent >= INT_MAX / 2 || exponent <= -(INT_MAX / 2))
      return Fail(NumericOverflowsFormat());
  }
  *rest = text;
  const std::int64_t top = static_cast<std::int64_t>(decimal.before.size()) - 1 + exponent;
  const std::int64_t bottom = exponent - static_cast<std::int64_t>(decimal.after.size());
  out.dscale = static_cast<std::int32_t>(std::max<std::int64_t>(-bottom, 0));
  const std::int64_t high = FloorDiv4(top);
  const std::int64_t low = FloorDiv4(bottom);
  out.weight = static_cast<std::int32_t>(high);
  out.digits.reserve(static_cast<std::size_t>(high - low + 1));
  for (std::int64_t w = high; w >= low; --w) {
    int digit = 0;
    for (int i = kNumericDecDigits - 1; i >= 0; --i)
      digit = digit * 10 + DecimalAt(decimal, exponent, w * kNumericDecDigits + i);
    out.digits.push_back(static_cast<NumericDigit>(digit));
  }
  out.sign = negative ? NumericSign::kNegative : NumericSign::kPositive;
  out.Strip();
  return out;
}

std::string PrintNumeric(const NumericVar& var) {
  std::string out;
  if (var.negative()) out += '-';
  const auto append = [&out](int digit, int decimals) {
    char text[kNumericDecDigits];
    for (int i = kNumericDecDigits - 1; i >= 0; --i, digit /= 10)
      text[i] = static_cast<char>('0' + digit % 10);
    out.append(text, static_cast<std::size_t>(decimals));
  };
  if (var.weight < 0) {
    out += '0';
  } else {
    out += std::to_string(var.DigitAt(var.weight));
    for (std::int32_t w = var.weight - 1; w >= 0; --w) append(var.DigitAt(w), kNumericDecDigits);
  }
  if (var.dscale > 0) {
    out += '.';
    std::int32_t left = var.dscale;
    for (std::int32_t w = -1; left > 0; --w, left -= kNumericDecDigits)
      append(var.DigitAt(w), std::min(left, kNumericDecDigits));
  }
  return out;
}

Status ApplyNumericTypmod(NumericVar& var, std::int32_t typmod) {
  if (typmod < static_cast<std::int32_t>(kVarHdrSz)) return {};
  const int precision = NumericTypmodPrecision(typmod);
  const int scale = NumericTypmodScale(typmod);
  const int before_point = precision - scale;
  // Rounded first, because a carry may add a digit. A zero fits anywhere: it has no digits, and its
  // weight means nothing.
  var.Round(scale);
  var.dscale = std::max(scale, 0);
  if (var.digits.empty()) return {};
  std::int64_t decimals = (std::int64_t{var.weight} + 1) * kNumericDecDigits;
  for (int limit = kNumericBase / 10; limit > var.digits.front(); limit /= 10) --decimals;
  if (decimals <= before_point) return {};
  // PostgreSQL prints 10^0 as 1.
  const std::string bound = before_point == 0 ? "1" : Format("10^{}", before_point);
  return Fail(
      Error(ErrorCode::kEvaluation, "22003", "numeric field overflow")
          .WithDetail(Format(
              "A field with precision {}, scale {} must round to an absolute value less than {}.",
              precision, scale, bound)));
}

}  // namespace relcache
