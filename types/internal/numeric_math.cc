// Arithmetic on stored numerics, and casts.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "relcache/types/internal/float.h"
#include "relcache/types/internal/numeric.h"
#include "relcache/types/internal/numeric_var.h"

namespace relcache {
namespace {

bool IsNan(const NumericVar& v) {
  return v.sign == NumericSign::kNan;
}
bool IsInf(const NumericVar& v) {
  return v.special() && !IsNan(v);
}
int SignOf(const NumericVar& v) {
  if (v.zero()) return 0;
  return v.negative() ? -1 : 1;
}
Datum Nan(MemoryContext& cx) {
  return PackSpecialNumeric(NumericSign::kNan, cx);
}
Datum Infinity(int sign, MemoryContext& cx) {
  return PackSpecialNumeric(sign < 0 ? NumericSign::kNegativeInfinity : NumericSign::kInfinity, cx);
}
Result<Datum> Pack(NumericVar var, MemoryContext& cx) {
  return PackNumeric(var, cx);
}

// a + b or a - b when one of them is not finite.
Datum AddSpecial(const NumericVar& a, const NumericVar& b, int b_sign, MemoryContext& cx) {
  if (IsNan(a) || IsNan(b)) return Nan(cx);
  if (IsInf(a) && IsInf(b) && SignOf(a) != b_sign) return Nan(cx);
  return Infinity(IsInf(a) ? SignOf(a) : b_sign, cx);
}

// The rounding functions leave what is not finite alone and clamp the scale.
template <class Operation>
Result<Datum> AtScale(Datum a, std::int32_t scale, Operation operation, MemoryContext& cx) {
  // One decimal digit more than any number has: rounding there can still carry into a new digit,
  // which must then be found to overflow.
  constexpr std::int32_t kMinScale = -131073;
  NumericVar var = UnpackNumeric(a);
  if (var.special()) return a;
  scale = std::clamp(scale, kMinScale, kNumericMaxDscale);
  operation(var, scale);
  if (scale < 0) var.dscale = 0;  // a result shows no negative number of digits
  return PackNumeric(var, cx);
}

// Towards the next whole number in the direction of `sign` unless `a` is whole.
Result<Datum> Whole(Datum a, int sign, MemoryContext& cx) {
  const NumericVar var = UnpackNumeric(a);
  if (var.special()) return a;
  NumericVar whole = var;
  whole.Truncate(0);
  if (SignOf(var) == sign && CompareVars(whole, var) != 0) whole = AddVars(whole, VarFromInt(sign));
  return PackNumeric(whole, cx);
}

Result<std::int64_t> ToInt(Datum value, const char* type, std::int64_t min, std::int64_t max) {
  NumericVar var = UnpackNumeric(value);
  if (var.special()) {
    return Fail(ErrorCode::kEvaluation, "0A000",
                std::string("cannot convert ") + (IsNan(var) ? "NaN" : "infinity") + " to " + type);
  }
  var.Round(0);
  const auto out_of_range = [type] {
    return Fail(ErrorCode::kEvaluation, "22003", std::string(type) + " out of range");
  };
  // 10000^5 is beyond 2^63. Below it the sum may still take more than 64 bits.
  if (var.weight > 4) return out_of_range();
  __int128 sum = 0;
  for (std::int32_t w = var.weight; w >= 0; --w) sum = sum * kNumericBase + var.DigitAt(w);
  if (var.negative()) sum = -sum;
  if (sum < min || sum > max) return out_of_range();
  return static_cast<std::int64_t>(sum);
}

template <class T>
Result<T> ToIntOf(Datum value, const char* type) {
  return ToInt(value, type, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())
      .map([](std::int64_t v) { return static_cast<T>(v); });
}

// By way of text, as float8_numeric does it with "%.*g" and DBL_DIG. More digits would show where
// the binary fraction departs from the decimal one that was meant.
template <class T>
Result<Datum> FromFloat(T value, int digits, MemoryContext& cx) {
  if (std::isnan(value)) return Nan(cx);
  if (std::isinf(value)) return Infinity(value < 0 ? -1 : 1, cx);
  char buffer[64];
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
  return NumericIn({buffer, result.ptr}, -1, cx);
}

}  // namespace

Result<Datum> NumericAdd(Datum a, Datum b, MemoryContext& cx) {
  const NumericVar x = UnpackNumeric(a);
  const NumericVar y = UnpackNumeric(b);
  if (x.special() || y.special()) return AddSpecial(x, y, SignOf(y), cx);
  return Pack(AddVars(x, y), cx);
}

Result<Datum> NumericSub(Datum a, Datum b, MemoryContext& cx) {
  const NumericVar x = UnpackNumeric(a);
  const NumericVar y = UnpackNumeric(b);
  if (x.special() || y.special()) return AddSpecial(x, y, -SignOf(y), cx);
  return Pack(SubVars(x, y), cx);
}

Result<Datum> NumericMul(Datum a, Datum b, MemoryContext& cx) {
  const NumericVar x = UnpackNumeric(a);
  const NumericVar y = UnpackNumeric(b);
  if (IsNan(x) || IsNan(y)) return Nan(cx);
  if (x.special() || y.special()) {
    const int sign = SignOf(x) * SignOf(y);
    return sign == 0 ? Nan(cx) : Infinity(sign, cx);
  }
  NumericVar product = MulVars(x, y);
  // The sum of both scales may not fit into a header.
  if (product.dscale > kNumericMaxDscale) product.Round(kNumericMaxDscale);
  return PackNumeric(product, cx);
}

Result<Datum> NumericDiv(Datum a, Datum b, MemoryContext& cx) {
  const NumericVar x = UnpackNumeric(a);
  const NumericVar y = UnpackNumeric(b);
  // Before the test for zero, because NaN / 0 is NaN.
  if (IsNan(x) || IsNan(y) || (IsInf(x) && IsInf(y))) return Nan(cx);
  if (y.zero()) return Fail(FaultError(Fault::kDivisionByZero));
  if (IsInf(x)) return Infinity(SignOf(x) * SignOf(y), cx);
  if (IsInf(y)) return Pack(NumericVar(), cx);
  return Pack(DivVars(x, y, SelectDivScale(x, y), true), cx);
}

Result<Datum> NumericMod(Datum a, Datum b, MemoryContext& cx) {
  const NumericVar x = UnpackNumeric(a);
  const NumericVar y = UnpackNumeric(b);
  if (IsNan(x) || IsNan(y)) return Nan(cx);
  if (y.zero()) return Fail(FaultError(Fault::kDivisionByZero));
  // As fmod of POSIX has it.
  if (IsInf(x)) return Nan(cx);
  if (IsInf(y)) return a;
  return Pack(SubVars(x, MulVars(y, DivVars(x, y, 0, false))), cx);
}

Result<Datum> NumericNegate(Datum a, MemoryContext& cx) {
  NumericVar var = UnpackNumeric(a);
  if (IsNan(var)) return a;
  if (IsInf(var)) return Infinity(-SignOf(var), cx);
  if (!var.zero()) var.sign = var.negative() ? NumericSign::kPositive : NumericSign::kNegative;
  // Fails for a stored number that no server writes, whose first digit is zero and whose weight is
  // the least there is.
  return PackNumeric(var, cx);
}

Result<Datum> NumericAbs(Datum a, MemoryContext& cx) {
  const NumericSign sign = NumericView(a).sign();
  if (sign == NumericSign::kNegative || sign == NumericSign::kNegativeInfinity)
    return NumericNegate(a, cx);
  return a;
}

Datum NumericSignum(Datum a, MemoryContext& cx) {
  const NumericVar var = UnpackNumeric(a);
  return IsNan(var) ? a : IntToNumeric(SignOf(var), cx);
}

Result<Datum> NumericRound(Datum a, std::int32_t scale, MemoryContext& cx) {
  return AtScale(
      a, scale, [](NumericVar& var, std::int32_t s) { var.Round(s); }, cx);
}

Result<Datum> NumericTrunc(Datum a, std::int32_t scale, MemoryContext& cx) {
  return AtScale(
      a, scale, [](NumericVar& var, std::int32_t s) { var.Truncate(s); }, cx);
}

Result<Datum> NumericCeil(Datum a, MemoryContext& cx) {
  return Whole(a, 1, cx);
}

Result<Datum> NumericFloor(Datum a, MemoryContext& cx) {
  return Whole(a, -1, cx);
}

Datum IntToNumeric(std::int64_t value, MemoryContext& cx) {
  NumericVar var = VarFromInt(value);
  return *PackNumeric(var, cx);
}

Result<Datum> Float4ToNumeric(float value, MemoryContext& cx) {
  return FromFloat(value, std::numeric_limits<float>::digits10, cx);
}

Result<Datum> Float8ToNumeric(double value, MemoryContext& cx) {
  return FromFloat(value, std::numeric_limits<double>::digits10, cx);
}

Result<std::int16_t> NumericToInt2(Datum value) {
  return ToIntOf<std::int16_t>(value, "smallint");
}

Result<std::int32_t> NumericToInt4(Datum value) {
  return ToIntOf<std::int32_t>(value, "integer");
}

Result<std::int64_t> NumericToInt8(Datum value) {
  return ToIntOf<std::int64_t>(value, "bigint");
}

// By way of text, so that values beyond a float's range fail with the errors of float4in and
// float8in, as they do in PostgreSQL.
Result<float> NumericToFloat4(Datum value) {
  const NumericVar var = UnpackNumeric(value);
  if (IsNan(var)) return std::numeric_limits<float>::quiet_NaN();
  if (IsInf(var)) return static_cast<float>(SignOf(var)) * std::numeric_limits<float>::infinity();
  return Float4In(PrintNumeric(var));
}

Result<double> NumericToFloat8(Datum value) {
  const NumericVar var = UnpackNumeric(value);
  if (IsNan(var)) return std::numeric_limits<double>::quiet_NaN();
  if (IsInf(var)) return SignOf(var) * std::numeric_limits<double>::infinity();
  return Float8In(PrintNumeric(var));
}

}  // namespace relcache
