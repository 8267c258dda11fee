// The types smallint, integer, bigint and oid: text, and arithmetic that detects overflow
// (utils/adt/int.c, int8.c, oid.c, numutils.c).
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/fault.h"

namespace relcache {

Result<std::int16_t> Int2In(std::string_view text);
Result<std::int32_t> Int4In(std::string_view text);
Result<std::int64_t> Int8In(std::string_view text);
/// Accepts what strtoul accepts, including a sign: "-1" is 4294967295.
Result<Oid> OidIn(std::string_view text);

/// The decimal text of a value of any of these types, in cx.
std::string_view IntOut(std::int64_t value, MemoryContext& cx);

/// The fault of a result that does not fit in T.
template <class T>
constexpr Fault IntOutOfRange() {
  if constexpr (sizeof(T) == 2) return Fault::kSmallintOutOfRange;
  if constexpr (sizeof(T) == 4) return Fault::kIntegerOutOfRange;
  return Fault::kBigintOutOfRange;
}

// T is the result's type: int2pl is IntAdd<int16_t>, int24pl and int4pl are IntAdd<int32_t>,
// int48pl and int8pl are IntAdd<int64_t>. `out` is unspecified after a fault.

template <class T>
constexpr Fault IntAdd(T a, T b, T& out) {
  return __builtin_add_overflow(a, b, &out) ? IntOutOfRange<T>() : Fault::kNone;
}
template <class T>
constexpr Fault IntSub(T a, T b, T& out) {
  return __builtin_sub_overflow(a, b, &out) ? IntOutOfRange<T>() : Fault::kNone;
}
template <class T>
constexpr Fault IntMul(T a, T b, T& out) {
  return __builtin_mul_overflow(a, b, &out) ? IntOutOfRange<T>() : Fault::kNone;
}
/// Truncates towards zero.
template <class T>
constexpr Fault IntDiv(T a, T b, T& out) {
  if (b == 0) return Fault::kDivisionByZero;
  if (b == -1) return IntSub(T{0}, a, out);
  out = static_cast<T>(a / b);
  return Fault::kNone;
}
/// The result has the sign of `a`. The smallest value modulo -1 is 0, as in PostgreSQL.
template <class T>
constexpr Fault IntMod(T a, T b, T& out) {
  if (b == 0) return Fault::kDivisionByZero;
  out = b == -1 ? T{0} : static_cast<T>(a % b);
  return Fault::kNone;
}
/// int4um.
template <class T>
constexpr Fault IntNegate(T a, T& out) {
  return IntSub(T{0}, a, out);
}
/// int4abs.
template <class T>
constexpr Fault IntAbs(T a, T& out) {
  if (a < 0) return IntNegate(a, out);
  out = a;
  return Fault::kNone;
}
/// Casts to a narrower integer type: int2(int4), int4(int8) ...
template <class To, class From>
constexpr Fault IntCast(From a, To& out) {
  if (a < std::numeric_limits<To>::min() || a > std::numeric_limits<To>::max())
    return IntOutOfRange<To>();
  out = static_cast<To>(a);
  return Fault::kNone;
}
/// int8 to oid (oid(int8)): "OID out of range".
constexpr Fault Int8ToOid(std::int64_t a, Oid& out) {
  if (a < 0 || a > std::numeric_limits<Oid>::max()) return Fault::kOidOutOfRange;
  out = static_cast<Oid>(a);
  return Fault::kNone;
}

}  // namespace relcache
