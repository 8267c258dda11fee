#include "relcache/types/internal/numeric_var.h"

#include <algorithm>
#include <cstdlib>

namespace relcache {
namespace {

constexpr int kPowersOfTen[kNumericDecDigits] = {1, 10, 100, 1000};

// How many base-10000 digits hold so many decimal ones, rounded up.
constexpr std::int64_t DigitsFor(std::int64_t decimals) {
  return (decimals + kNumericDecDigits - 1) / kNumericDecDigits;
}

// Which of |a| and |b| is larger.
int CompareAbs(const NumericVar& a, const NumericVar& b) {
  const std::int32_t top = std::max(a.weight, b.weight);
  const std::int32_t bottom = std::min(a.weight - a.ndigits(), b.weight - b.ndigits());
  // A zero has no digits, and its weight means nothing.
  if (a.digits.empty() || b.digits.empty()) {
    const auto nonzero = [](const NumericVar& v) {
      return std::ranges::any_of(v.digits, [](NumericDigit d) { return d != 0; });
    };
    return int{nonzero(a)} - int{nonzero(b)};
  }
  for (std::int32_t w = top; w > bottom; --w) {
    const int difference = a.DigitAt(w) - b.DigitAt(w);
    if (difference != 0) return difference < 0 ? -1 : 1;
  }
  return 0;
}

// |a| + |b|, positive.
NumericVar AddAbs(const NumericVar& a, const NumericVar& b) {
  NumericVar out;
  out.dscale = std::max(a.dscale, b.dscale);
  out.weight = std::max(a.weight, b.weight) + 1;  // room for a carry, which Strip removes again
  const std::int32_t bottom = std::min(a.weight - a.ndigits(), b.weight - b.ndigits()) + 1;
  out.digits.resize(static_cast<std::size_t>(std::int64_t{out.weight} - bottom + 1));
  int carry = 0;
  for (std::int32_t w = bottom; w <= out.weight; ++w) {
    carry += a.DigitAt(w) + b.DigitAt(w);
    const bool over = carry >= kNumericBase;
    out.digits[static_cast<std::size_t>(out.weight - w)] =
        static_cast<NumericDigit>(over ? carry - kNumericBase : carry);
    carry = over ? 1 : 0;
  }
  out.Strip();
  return out;
}

// |a| - |b|, positive; |a| >= |b|.
NumericVar SubAbs(const NumericVar& a, const NumericVar& b) {
  NumericVar out;
  out.dscale = std::max(a.dscale, b.dscale);
  out.weight = std::max(a.weight, b.weight);
  const std::int32_t bottom = std::min(a.weight - a.ndigits(), b.weight - b.ndigits()) + 1;
  out.digits.resize(static_cast<std::size_t>(std::int64_t{out.weight} - bottom + 1));
  int borrow = 0;
  for (std::int32_t w = bottom; w <= out.weight; ++w) {
    const int d = a.DigitAt(w) - b.DigitAt(w) - borrow;
    out.digits[static_cast<std::size_t>(out.weight - w)] =
        static_cast<NumericDigit>(d < 0 ? d + kNumericBase : d);
    borrow = d < 0 ? 1 : 0;
  }
  out.Strip();
  return out;
}

// a + b where b counts with the sign `b_negative`.
NumericVar AddSigned(const NumericVar& a, const NumericVar& b, bool b_negative) {
  NumericVar out;
  bool negative = a.negative();
  if (a.negative() == b_negative) {
    out = AddAbs(a, b);
  } else if (CompareAbs(a, b) >= 0) {
    out = SubAbs(a, b);
  } else {
    out = SubAbs(b, a);
    negative = b_negative;
  }
  if (negative && !out.digits.empty()) out.sign = NumericSign::kNegative;
  return out;
}

using Digits = std::vector<std::int32_t>;

// Schoolbook division of dividend by divisor, both in base 10000, most significant digit first, the
// divisor without leading zero and at least two digits long (Knuth's algorithm D). Returns the
// quotient's digits: one for each position from dividend[0] on.
Digits LongDivide(Digits dividend, Digits divisor, std::size_t quotient_digits) {
  // Scaled so that the divisor's first digit is at least half the base: then an estimate from the
  // first digits is at most two too large.
  const std::int32_t scale = kNumericBase / (divisor[0] + 1);
  const auto multiply = [scale](Digits& digits) {
    std::int32_t carry = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
      carry += digits[i] * scale;
      digits[i] = carry % kNumericBase;
      carry /= kNumericBase;
    }
    return carry;
  };
  multiply(divisor);
  const std::int32_t first = multiply(dividend);
  dividend.insert(dividend.begin(), first);
  Digits quotient(quotient_digits);
  const std::size_t n = divisor.size();
  dividend.resize(std::max(dividend.size(), quotient_digits + n));
  for (std::size_t j = 0; j < quotient_digits; ++j) {
    const std::int64_t top = std::int64_t{dividend[j]} * kNumericBase + dividend[j + 1];
    std::int64_t q = top / divisor[0];
    std::int64_t r = top % divisor[0];
    while (q >= kNumericBase || q * divisor[1] > r * kNumericBase + dividend[j + 2]) {
      --q;
      r += divisor[0];
      if (r >= kNumericBase) break;
    }
    std::int64_t borrow = 0;
    for (std::size_t i = n; i-- > 0;) {
      std::int64_t d = dividend[j + 1 + i] - q * divisor[i] + borrow;
      borrow = d < 0 ? -((-d + kNumericBase - 1) / kNumericBase) : 0;
      d -= borrow * kNumericBase;
      dividend[j + 1 + i] = static_cast<std::int32_t>(d);
    }
    dividend[j] += static_cast<std::int32_t>(borrow);
    if (dividend[j] < 0) {  // the estimate was one too large
      --q;
      std::int32_t carry = 0;
      for (std::size_t i = n; i-- > 0;) {
        carry += dividend[j + 1 + i] + divisor[i];
        dividend[j + 1 + i] = carry % kNumericBase;
        carry /= kNumericBase;
      }
      dividend[j] += carry;
    }
    quotient[j] = static_cast<std::int32_t>(q);
  }
  return quotient;
}

}  // namespace

void NumericVar::Strip() {
  const auto nonzero = [](NumericDigit d) { return d != 0; };
  const auto last = std::find_if(digits.rbegin(), digits.rend(), nonzero).base();
  digits.erase(last, digits.end());
  const auto first = std::find_if(digits.begin(), digits.end(), nonzero);
  weight -= static_cast<std::int32_t>(first - digits.begin());
  digits.erase(digits.begin(), first);
  if (digits.empty()) {  // so that there is one zero only
    weight = 0;
    sign = NumericSign::kPositive;
  }
}

void NumericVar::Truncate(std::int32_t rscale) {
  dscale = rscale;
  const std::int64_t decimals = (std::int64_t{weight} + 1) * kNumericDecDigits + rscale;
  if (decimals <= 0) {
    digits.clear();
  } else if (const std::int64_t keep = DigitsFor(decimals); keep <= ndigits()) {
    digits.resize(static_cast<std::size_t>(keep));
    const int part = static_cast<int>(decimals % kNumericDecDigits);
    if (part > 0) {
      const int unit = kPowersOfTen[kNumericDecDigits - part];
      digits.back() = static_cast<NumericDigit>(digits.back() - digits.back() % unit);
    }
  }
  Strip();
}

void NumericVar::Round(std::int32_t rscale) {
  const std::int64_t decimals = (std::int64_t{weight} + 1) * kNumericDecDigits + rscale;
  // What half a unit of the last place kept is, and whether the digits from there on reach it.
  bool up = false;
  if (decimals >= 0) {
    const std::int64_t keep = decimals / kNumericDecDigits;
    const int part = static_cast<int>(decimals % kNumericDecDigits);
    if (keep < ndigits()) {
      const int d = digits[static_cast<std::size_t>(keep)];
      const int unit = part == 0 ? kNumericBase : kPowersOfTen[kNumericDecDigits - part];
      up = d % unit >= unit / 2;
    }
  }
  if (!up) {
    Truncate(rscale);
    return;
  }
  const NumericSign old_sign = sign;  // Truncate may leave a zero, which is positive
  // One unit of the last place: its digit, at which weight.
  const std::int64_t keep = DigitsFor(decimals);
  const int part = static_cast<int>(decimals % kNumericDecDigits);
  NumericVar unit;
  unit.weight = static_cast<std::int32_t>(weight - (keep - 1));
  unit.digits.assign(
      1, static_cast<NumericDigit>(part == 0 ? 1 : kPowersOfTen[kNumericDecDigits - part]));
  Truncate(rscale);
  sign = NumericSign::kPositive;
  NumericVar sum = AddAbs(*this, unit);
  *this = std::move(sum);
  dscale = rscale;
  sign = old_sign;
}

int CompareVars(const NumericVar& a, const NumericVar& b) {
  const auto sign_of = [](const NumericVar& v) {
    return v.digits.empty() ? 0 : v.negative() ? -1 : 1;
  };
  if (sign_of(a) != sign_of(b)) return sign_of(a) < sign_of(b) ? -1 : 1;
  return sign_of(a) * CompareAbs(a, b);
}

NumericVar AddVars(const NumericVar& a, const NumericVar& b) {
  return AddSigned(a, b, b.negative());
}

NumericVar SubVars(const NumericVar& a, const NumericVar& b) {
  return AddSigned(a, b, !b.negative());
}

NumericVar MulVars(const NumericVar& a, const NumericVar& b) {
  NumericVar out;
  out.dscale = a.dscale + b.dscale;
  if (a.digits.empty() || b.digits.empty()) return out;
  out.weight = a.weight + b.weight + 1;
  const std::size_t size = a.digits.size() + b.digits.size();
  std::vector<std::uint64_t> sums(size);
  // A sum takes at most 16384 * 4 products below 10^8: far from overflow.
  for (std::size_t i = 0; i < a.digits.size(); ++i)
    for (std::size_t j = 0; j < b.digits.size(); ++j)
      sums[i + j + 1] += static_cast<std::uint64_t>(std::int64_t{a.digits[i]} * b.digits[j]);
  out.digits.resize(size);
  std::uint64_t carry = 0;
  for (std::size_t i = size; i-- > 0;) {
    carry += sums[i];
    out.digits[i] = static_cast<NumericDigit>(carry % kNumericBase);
    carry /= kNumericBase;
  }
  out.sign = a.negative() == b.negative() ? NumericSign::kPositive : NumericSign::kNegative;
  out.Strip();
  return out;
}

NumericVar DivVars(const NumericVar& a, const NumericVar& b, std::int32_t rscale, bool round) {
  NumericVar out;
  out.dscale = rscale;
  if (a.digits.empty()) return out;
  NumericVar by = b;
  by.Strip();
  out.weight = a.weight - by.weight;
  // One digit more than is shown, to round by.
  const std::int64_t wanted =
      std::max<std::int64_t>(out.weight + 1 + DigitsFor(rscale) + (round ? 1 : 0), 1);
  Digits dividend(a.digits.begin(), a.digits.end());
  Digits divisor(by.digits.begin(), by.digits.end());
  // The estimate of a quotient digit looks at two digits of the divisor. A zero behind the first
  // does not change the value.
  if (divisor.size() == 1) divisor.push_back(0);
  const Digits quotient =
      LongDivide(std::move(dividend), std::move(divisor), static_cast<std::size_t>(wanted));
  out.digits.resize(quotient.size());
  std::ranges::transform(quotient, out.digits.begin(),
                         [](std::int32_t d) { return static_cast<NumericDigit>(d); });
  out.sign = a.negative() == b.negative() ? NumericSign::kPositive : NumericSign::kNegative;
  if (round)
    out.Round(rscale);
  else
    out.Truncate(rscale);
  return out;
}

std::int32_t SelectDivScale(const NumericVar& a, const NumericVar& b) {
  constexpr std::int32_t kMinSignificant = 16;  // NUMERIC_MIN_SIG_DIGITS: no less than a float8 has
  constexpr std::int32_t kMaxDisplay = 1000;    // NUMERIC_MAX_DISPLAY_SCALE
  const NumericDigit first_a = a.digits.empty() ? NumericDigit{0} : a.digits.front();
  const NumericDigit first_b = b.digits.empty() ? NumericDigit{0} : b.digits.front();
  std::int32_t weight = a.weight - b.weight;
  // An estimate from the first digits. Equal ones decide nothing, and PostgreSQL then takes the
  // dividend for the smaller number.
  if (first_a <= first_b) --weight;
  const std::int32_t scale =
      std::max({kMinSignificant - weight * kNumericDecDigits, a.dscale, b.dscale, 0});
  return std::min(scale, kMaxDisplay);
}

NumericVar VarFromInt(std::int64_t value) {
  NumericVar out;
  // Without a sign, because the smallest number has no positive counterpart.
  std::uint64_t magnitude =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  for (; magnitude != 0; magnitude /= kNumericBase)
    out.digits.push_back(static_cast<NumericDigit>(magnitude % kNumericBase));
  std::ranges::reverse(out.digits);
  out.weight = out.ndigits() - 1;
  if (value < 0) out.sign = NumericSign::kNegative;
  out.Strip();
  return out;
}

}  // namespace relcache
