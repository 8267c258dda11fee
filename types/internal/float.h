// real and double precision (utils/adt/float.c): text, arithmetic, order with NaN above all.
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
/// extra_float_digits above 0: the shortest text that reads back to the same value; otherwise
/// 6 or 15 significant digits plus that many.
std::string_view Float4Out(float value, int extra_float_digits, MemoryContext& cx);
std::string_view Float8Out(double value, int extra_float_digits, MemoryContext& cx);

/// btree order: NaN equals NaN and is above everything. Also for float4 against float8 (widened).
constexpr int FloatCompare(double a, double b) {
  const bool a_nan = a != a;
  const bool b_nan = b != b;
  if (a_nan || b_nan) return int{a_nan} - int{b_nan};
  return int{a > b} - int{a < b};
}

// T is float or double; PostgreSQL computes real with real in float, anything else in double.

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
