// A numeric taken apart for arithmetic, and the arithmetic. Internal to types/; other code uses
// numeric.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

/// A digit in base 10000, which is what PostgreSQL stores.
using NumericDigit = std::int16_t;
inline constexpr int kNumericBase = 10000;
inline constexpr int kNumericDecDigits = 4;
inline constexpr int kNumericMaxDscale = 0x3fff;  // what the sign leaves of 16 bits in a header

enum class NumericSign : std::uint8_t { kPositive, kNegative, kNan, kInfinity, kNegativeInfinity };

/// The value is sign * sum of digits[i] * 10000^(weight - i). dscale is the number of decimal
/// digits after the point that are shown; there are no digits beyond it. Without digits the value
/// is zero.
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
  /// The digit for 10000^w, or 0 if there is none.
  NumericDigit DigitAt(std::int32_t w) const {
    const std::int32_t i = weight - w;
    return i >= 0 && i < ndigits() ? digits[static_cast<std::size_t>(i)] : NumericDigit{0};
  }
  /// Removes zero digits at both ends, and makes a zero positive.
  void Strip();
  /// Rounds half away from zero to `rscale` decimal digits after the point, which may be negative.
  void Round(std::int32_t rscale);
  /// Rounds towards zero.
  void Truncate(std::int32_t rscale);
};

namespace numeric_header {

// The first 16 bits say which of three forms follows: special, short (sign, scale and weight all in
// these bits) or long (sign and scale here, the weight in 16 bits more).
inline constexpr std::uint16_t kSignMask = 0xc000;
inline constexpr std::uint16_t kNegative = 0x4000;
inline constexpr std::uint16_t kShort = 0x8000;
inline constexpr std::uint16_t kSpecial = 0xc000;
inline constexpr std::uint16_t kSpecialMask = 0xf000;
inline constexpr std::uint16_t kPositiveInfinity = 0xd000;
inline constexpr std::uint16_t kNegativeInfinity = 0xf000;
inline constexpr std::uint16_t kShortNegative = 0x2000;
inline constexpr int kShortDscaleShift = 7;
inline constexpr int kShortDscaleMax = 0x3f;
inline constexpr int kShortWeightMin = -64;
inline constexpr int kShortWeightMax = 63;
inline constexpr int kWeightMax = 0x7fff;

// The weight, a signed number in the low 7 bits.
constexpr std::int32_t ShortWeight(std::uint16_t header) {
  const int bits = header & 0x7f;
  return bits >= 64 ? bits - 128 : bits;
}

}  // namespace numeric_header

/// The parts of a stored value, read in place. Bytes that cannot be a numeric are read as NaN.
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

inline NumericView::NumericView(Datum value) {
  using namespace numeric_header;
  const std::string_view bytes = VarData(value);
  std::uint16_t header = kSpecial;
  if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  std::size_t header_size = sizeof header;
  switch (header & kSignMask) {
    case kSpecial: {
      const std::uint16_t which = header & kSpecialMask;
      sign_ = which == kPositiveInfinity   ? NumericSign::kInfinity
              : which == kNegativeInfinity ? NumericSign::kNegativeInfinity
                                           : NumericSign::kNan;
      return;
    }
    case kShort:
      sign_ = (header & kShortNegative) != 0 ? NumericSign::kNegative : NumericSign::kPositive;
      dscale_ = header >> kShortDscaleShift & kShortDscaleMax;
      weight_ = ShortWeight(header);
      break;
    default: {
      std::int16_t weight;
      header_size += sizeof weight;
      if (bytes.size() < header_size) {
        sign_ = NumericSign::kNan;
        return;
      }
      std::memcpy(&weight, bytes.data() + sizeof header, sizeof weight);
      sign_ = (header & kNegative) != 0 ? NumericSign::kNegative : NumericSign::kPositive;
      dscale_ = header & kNumericMaxDscale;
      weight_ = weight;
    }
  }
  digits_ = bytes.data() + header_size;
  ndigits_ = static_cast<int>((bytes.size() - header_size) / sizeof(NumericDigit));
}

/// The value in the form for arithmetic; NaN if a digit is out of range.
NumericVar UnpackNumeric(Datum value);
/// The stored form, in cx. Errors: 22003 "value overflows numeric format".
Result<Datum> PackNumeric(NumericVar& var, MemoryContext& cx);
/// Makes the stored form of NaN or an infinity.
Datum PackSpecialNumeric(NumericSign sign, MemoryContext& cx);

/// The digits of a number that are known to begin one (sign, point, exponent); `rest` is what
/// follows. Errors: 22P02 naming `whole`, 22003.
Result<NumericVar> ParseNumeric(std::string_view text, std::string_view whole,
                                std::string_view* rest);
std::string PrintNumeric(const NumericVar& var);

/// Returns -1, 0 or 1. Neither value may be special.
int CompareVars(const NumericVar& a, const NumericVar& b);
NumericVar AddVars(const NumericVar& a, const NumericVar& b);
NumericVar SubVars(const NumericVar& a, const NumericVar& b);
/// The exact product; its dscale is the sum of both.
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
