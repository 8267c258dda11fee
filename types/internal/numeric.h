// The type numeric, exact decimal numbers with NaN and infinities, in the form that PostgreSQL
// stores (utils/adt/numeric.c). A value is a varlena that is read in place; comparisons do not
// unpack it.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/fault.h"

namespace relcache {

Result<Datum> NumericIn(std::string_view text, std::int32_t typmod, MemoryContext& cx);
std::string_view NumericOut(Datum value, MemoryContext& cx);

/// The btree order: -Infinity, numbers, Infinity, NaN. NaN equals NaN, and 1.0 equals 1.00.
/// Cost: proportional to the position of the first base-10000 digit that differs.
int NumericCompare(Datum a, Datum b);
/// Hashes (hash_numeric, hash_numeric_extended). Values that are equal have equal hashes, whatever
/// their scale.
std::uint32_t NumericHash(Datum value);
std::uint64_t NumericHashExtended(Datum value, std::uint64_t seed);

bool NumericIsNan(Datum value);
bool NumericIsInf(Datum value);

// Results in cx. Errors: 22003 "value overflows numeric format", 22012 "division by zero".
Result<Datum> NumericAdd(Datum a, Datum b, MemoryContext& cx);
Result<Datum> NumericSub(Datum a, Datum b, MemoryContext& cx);
Result<Datum> NumericMul(Datum a, Datum b, MemoryContext& cx);
Result<Datum> NumericDiv(Datum a, Datum b, MemoryContext& cx);
Result<Datum> NumericMod(Datum a, Datum b, MemoryContext& cx);
Result<Datum> NumericNegate(Datum a, MemoryContext& cx);
Result<Datum> NumericAbs(Datum a, MemoryContext& cx);
/// sign(numeric): -1, 0, 1 or NaN.
Datum NumericSignum(Datum a, MemoryContext& cx);
/// round(numeric, int4), trunc(numeric, int4): half away from zero; negative scales too.
Result<Datum> NumericRound(Datum a, std::int32_t scale, MemoryContext& cx);
Result<Datum> NumericTrunc(Datum a, std::int32_t scale, MemoryContext& cx);
Result<Datum> NumericCeil(Datum a, MemoryContext& cx);
Result<Datum> NumericFloor(Datum a, MemoryContext& cx);
/// The SQL function scale(numeric), for a finite value.
std::int32_t NumericScale(Datum a);

/// numeric(numeric, int4): rounds to the typmod's scale. Errors: 22003 "numeric field overflow"
/// with PostgreSQL's detail.
Result<Datum> NumericCoerce(Datum value, std::int32_t typmod, MemoryContext& cx);

/// numeric(int2), numeric(int4), numeric(int8).
Datum IntToNumeric(std::int64_t value, MemoryContext& cx);
/// numeric(float4), numeric(float8): 6 or 15 significant digits.
Result<Datum> Float4ToNumeric(float value, MemoryContext& cx);
Result<Datum> Float8ToNumeric(double value, MemoryContext& cx);
/// int2(numeric), int4(numeric), int8(numeric): rounds half away from zero. Errors: 22003
/// "integer out of range"; 0A000 "cannot convert NaN to integer".
Result<std::int16_t> NumericToInt2(Datum value);
Result<std::int32_t> NumericToInt4(Datum value);
Result<std::int64_t> NumericToInt8(Datum value);
Result<float> NumericToFloat4(Datum value);
Result<double> NumericToFloat8(Datum value);

/// The precision and scale in a typmod; the scale may be negative: numeric(3,-1). A typmod is the
/// precision, shifted by 16, and the scale in 11 bits, plus VARHDRSZ. A number below VARHDRSZ
/// therefore means that there is no limit.
constexpr int NumericTypmodPrecision(std::int32_t typmod) {
  return ((typmod - 4) >> 16) & 0xffff;
}
constexpr int NumericTypmodScale(std::int32_t typmod) {
  return (((typmod - 4) & 0x7ff) ^ 1024) - 1024;
}

}  // namespace relcache
