// The types real (float4) and double precision (float8): text, arithmetic, and an order in which
// NaN is greater than everything else (utils/adt/float.c).
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/fault.h"

namespace relcache {

Result<float> Float4In(std::string_view text);
Result<double> Float8In(std::string_view text);
/// If extra_float_digits is above 0, the shortest text that reads back as the same value; otherwise
/// 6 or 15 significant digits plus this number.
std::string_view Float4Out(float value, int extra_float_digits, MemoryContext& cx);
std::string_view Float8Out(double value, int extra_float_digits, MemoryContext& cx);

/// The btree order: NaN equals NaN and is greater than everything else. It is also used to compare
/// float4 with float8.
constexpr int FloatCompare(double a, double b) {
  const bool a_nan = a != a;
  const bool b_nan = b != b;
  if (a_nan || b_nan) return int{a_nan} - int{b_nan};
  return int{a > b} - int{a < b};
}

// T is float or double. PostgreSQL computes with float if both operands are real, and otherwise
// with double.

template <class T>
Fault FloatAdd(T a, T b, T& out) {
  out = a + b;
  return std::isinf(out) && !std::isinf(a) && !std::isinf(b) ? Fault::kFloatOverflow : Fault::kNone;
}
template <class T>
Fault FloatSub(T a, T b, T& out) {
  out = a - b;
  return std::isinf(out) && !std::isinf(a) && !std::isinf(b) ? Fault::kFloatOverflow : Fault::kNone;
}
template <class T>
Fault FloatMul(T a, T b, T& out) {
  out = a * b;
  if (std::isinf(out) && !std::isinf(a) && !std::isinf(b)) return Fault::kFloatOverflow;
  if (out == 0 && a != 0 && b != 0) return Fault::kFloatUnderflow;
  return Fault::kNone;
}
template <class T>
Fault FloatDiv(T a, T b, T& out) {
  if (b == 0 && !std::isnan(a)) return Fault::kDivisionByZero;
  out = a / b;
  if (std::isinf(out) && !std::isinf(a)) return Fault::kFloatOverflow;
  if (out == 0 && a != 0 && !std::isinf(b)) return Fault::kFloatUnderflow;
  return Fault::kNone;
}

/// float8 to float4 (float4(float8)).
Fault Float8ToFloat4(double a, float& out);
/// int2(float8), int4(float8), int8(float8): rounds half to even; NaN and what does not fit fault.
Fault FloatToInt(double a, std::int16_t& out);
Fault FloatToInt(double a, std::int32_t& out);
Fault FloatToInt(double a, std::int64_t& out);

}  // namespace relcache
