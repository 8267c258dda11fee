// A numeric taken apart for arithmetic, and the arithmetic. Not for other rooms: use numeric.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

/// Base 10000: what PostgreSQL stores.
using NumericDigit = std::int16_t;
inline constexpr int kNumericBase = 10000;
inline constexpr int kNumericDecDigits = 4;
inline constexpr int kNumericMaxDscale = 0x3fff;

enum class NumericSign : std::uint8_t { kPositive, kNegative, kNan, kInfinity, kNegativeInfinity };

/// The value is sign * sum of digits[i] * 10000^(weight - i). dscale is how many decimal digits
/// after the point are shown; digits beyond it do not occur. No digits: zero.
struct NumericVar {
  NumericSign sign = NumericSign::kPositive;
  std::int32_t weight = 0;
  std::int32_t dscale = 0;
  std::vector<NumericDigit> digits;

  bool special() const { return sign >= NumericSign::kNan; }
  bool negative() const {
    return sign == NumericSign::kNegative || sign == NumericSign::kNegativeInfinity;
  }
  bool zero() const { return !special() && digits.empty(); }
  int ndigits() const { return static_cast<int>(digits.size()); }
  /// The digit of 10000^w, 0 where there is none.
  NumericDigit DigitAt(std::int32_t w) const {
    const std::int32_t i = weight - w;
    return i >= 0 && i < ndigits() ? digits[static_cast<std::size_t>(i)] : NumericDigit{0};
  }
  /// Leaves out zero digits at either end; zero is positive.
  void Strip();
  /// Half away from zero at `rscale` decimal digits after the point, which may be negative.
  void Round(std::int32_t rscale);
  /// Towards zero.
  void Truncate(std::int32_t rscale);
};

/// The parts of a stored value, read in place.
class NumericView {
 public:
  explicit NumericView(Datum value);
  NumericSign sign() const { return sign_; }
  bool special() const { return sign_ >= NumericSign::kNan; }
  std::int32_t weight() const { return weight_; }
  std::int32_t dscale() const { return dscale_; }
  int ndigits() const { return ndigits_; }
  NumericDigit digit(int i) const {
    NumericDigit d;
    std::memcpy(&d, digits_ + static_cast<std::size_t>(i) * sizeof d, sizeof d);
    return d;
  }
  std::string_view digit_bytes(int first, int count) const {
    return {digits_ + static_cast<std::size_t>(first) * sizeof(NumericDigit),
            static_cast<std::size_t>(count) * sizeof(NumericDigit)};
  }

 private:
  const char* digits_ = nullptr;
  std::int32_t weight_ = 0;
  std::int32_t dscale_ = 0;
  int ndigits_ = 0;
  NumericSign sign_ = NumericSign::kPositive;
};

NumericVar UnpackNumeric(Datum value);
/// The stored form, in cx. Errors: 22003 "value overflows numeric format".
Result<Datum> PackNumeric(NumericVar& var, MemoryContext& cx);
/// The stored form of NaN or an infinity.
Datum PackSpecialNumeric(NumericSign sign, MemoryContext& cx);

/// The digits of a number that are known to begin one (sign, point, exponent); `rest` is what
/// follows. Errors: 22P02 naming `whole`, 22003.
Result<NumericVar> ParseNumeric(std::string_view text, std::string_view whole,
                                std::string_view* rest);
std::string PrintNumeric(const NumericVar& var);

/// -1, 0, 1. Neither is special.
int CompareVars(const NumericVar& a, const NumericVar& b);
NumericVar AddVars(const NumericVar& a, const NumericVar& b);
NumericVar SubVars(const NumericVar& a, const NumericVar& b);
/// Exact, dscale is the sum.
NumericVar MulVars(const NumericVar& a, const NumericVar& b);
/// a / b at `rscale` digits after the point, rounded or cut. b is not zero.
NumericVar DivVars(const NumericVar& a, const NumericVar& b, std::int32_t rscale, bool round);
/// The scale that PostgreSQL gives a quotient: at least 16 significant digits (select_div_scale).
std::int32_t SelectDivScale(const NumericVar& a, const NumericVar& b);

NumericVar VarFromInt(std::int64_t value);

/// Rounds to a typmod and checks its precision (apply_typmod).
Status ApplyNumericTypmod(NumericVar& var, std::int32_t typmod);

Error NumericOverflowsFormat();

}  // namespace relcache
