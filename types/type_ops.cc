#include "relcache/types/type_ops.h"

#include <algorithm>
#include <cmath>

#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/internal/float.h"
#include "relcache/types/internal/hash.h"
#include "relcache/types/internal/inet.h"
#include "relcache/types/internal/numeric.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/internal/uuid.h"

namespace relcache {
namespace {

// Most types are a key taken out of the Datum, an order of keys and a hash of keys.

template <auto kKey>
int CompareKeys(Datum a, Datum b) {
  const auto x = kKey(a);
  const auto y = kKey(b);
  return int{x > y} - int{x < y};
}
template <auto kKey>
bool EqualKeys(Datum a, Datum b) {
  return kKey(a) == kKey(b);
}

// hashint2, hashint4, hashoid, hashchar ...
template <auto kKey>
std::uint32_t HashWordKey(Datum d) {
  return HashUint32(static_cast<std::uint32_t>(kKey(d)));
}
template <auto kKey>
std::uint64_t HashWordKeyExtended(Datum d, std::uint64_t seed) {
  return HashUint32Extended(static_cast<std::uint32_t>(kKey(d)), seed);
}

// hashint8: so that equal numbers of all integer types hash alike, the high half is folded in in a
// way that leaves the hash of what fits in 32 bits alone.
std::uint32_t FoldInt8(Datum d) {
  const std::int64_t value = DatumGetInt64(d);
  const auto low = static_cast<std::uint32_t>(value);
  const auto high = static_cast<std::uint32_t>(value >> 32);
  return low ^ (value >= 0 ? high : ~high);
}

// boolean has hashchar for its hash function.
std::int32_t BoolKey(Datum d) {
  return DatumGetBool(d) ? 1 : 0;
}
// "char" compares as unsigned and hashes as signed.
unsigned char CharKey(Datum d) {
  return static_cast<unsigned char>(DatumGetChar(d));
}
std::int32_t CharHashKey(Datum d) {
  return static_cast<signed char>(DatumGetChar(d));
}

std::string_view BpcharKey(Datum d) {
  return BpcharTrim(VarData(d));
}
std::string_view UuidKey(Datum d) {
  return {DatumGetPointer<char>(d), kUuidSize};
}
template <auto kKey>
int CompareStrings(Datum a, Datum b) {
  return kKey(a).compare(kKey(b));
}
template <auto kKey>
std::uint32_t HashStringKey(Datum d) {
  return HashBytes(kKey(d));
}
template <auto kKey>
std::uint64_t HashStringKeyExtended(Datum d, std::uint64_t seed) {
  return HashBytesExtended(kKey(d), seed);
}

double Float4Key(Datum d) {
  return DatumGetFloat4(d);
}
double Float8Key(Datum d) {
  return DatumGetFloat8(d);
}
template <auto kKey>
int CompareFloats(Datum a, Datum b) {
  return FloatCompare(kKey(a), kKey(b));
}
template <auto kKey>
bool EqualFloats(Datum a, Datum b) {
  return FloatCompare(kKey(a), kKey(b)) == 0;
}
// Both zeros are equal, all NaNs are equal, and float4 hashes as the float8 it widens to.
double HashedFloat(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}
std::string_view BytesOf(const double& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <auto kKey>
std::uint32_t HashFloat(Datum d) {
  const double value = HashedFloat(kKey(d));
  return value == 0 ? 0 : HashBytes(BytesOf(value));
}
template <auto kKey>
std::uint64_t HashFloatExtended(Datum d, std::uint64_t seed) {
  const double value = HashedFloat(kKey(d));
  return value == 0 ? seed : HashBytesExtended(BytesOf(value), seed);
}

int CompareIntervals(Datum a, Datum b) {
  return IntervalCompare(DatumGetInterval(a), DatumGetInterval(b));
}

template <auto kKey, auto kHashKey = kKey>
constexpr TypeOps Word(Oid type) {
  return {type, CompareKeys<kKey>, EqualKeys<kKey>, HashWordKey<kHashKey>,
          HashWordKeyExtended<kHashKey>};
}
template <auto kKey>
constexpr TypeOps String(Oid type) {
  return {type, CompareStrings<kKey>, EqualKeys<kKey>, HashStringKey<kKey>,
          HashStringKeyExtended<kKey>};
}
template <auto kKey>
constexpr TypeOps Float(Oid type) {
  return {type, CompareFloats<kKey>, EqualFloats<kKey>, HashFloat<kKey>, HashFloatExtended<kKey>};
}

constexpr TypeOps Network(Oid type) {
  return {type, InetCompare, [](Datum a, Datum b) { return InetCompare(a, b) == 0; },
          HashStringKey<VarData>, HashStringKeyExtended<VarData>};
}

constexpr TypeOps kTypeOps[] = {
    Word<BoolKey>(kBoolOid),
    String<VarData>(kByteaOid),
    Word<CharKey, CharHashKey>(kCharOid),
    String<NameData>(kNameOid),
    Word<DatumGetInt64, FoldInt8>(kInt8Oid),
    Word<DatumGetInt16>(kInt2Oid),
    Word<DatumGetInt32>(kInt4Oid),
    String<VarData>(kTextOid),
    Word<DatumGetObjectId>(kOidOid),
    Network(kCidrOid),
    Float<Float4Key>(kFloat4Oid),
    Float<Float8Key>(kFloat8Oid),
    Network(kInetOid),
    String<BpcharKey>(kBpcharOid),
    String<VarData>(kVarcharOid),
    Word<DatumGetInt32>(kDateOid),
    Word<DatumGetInt64, FoldInt8>(kTimeOid),
    Word<DatumGetInt64, FoldInt8>(kTimestampOid),
    Word<DatumGetInt64, FoldInt8>(kTimestamptzOid),
    {kIntervalOid, CompareIntervals, [](Datum a, Datum b) { return CompareIntervals(a, b) == 0; },
     [](Datum d) { return IntervalHash(DatumGetInterval(d)); },
     [](Datum d, std::uint64_t seed) { return IntervalHashExtended(DatumGetInterval(d), seed); }},
    {kNumericOid, NumericCompare, [](Datum a, Datum b) { return NumericCompare(a, b) == 0; },
     NumericHash, NumericHashExtended},
    String<UuidKey>(kUuidOid),
};

}  // namespace

const TypeOps* FindTypeOps(Oid type) {
  const auto* found = std::ranges::lower_bound(kTypeOps, type, {}, &TypeOps::type);
  return found != std::end(kTypeOps) && found->type == type ? found : nullptr;
}

}  // namespace relcache
