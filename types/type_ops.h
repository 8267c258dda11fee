// Comparison, equality and hash of values by type oid: the default btree and hash operator classes.
#pragma once

#include <cstdint>

#include "relcache/base/oid.h"
#include "relcache/types/datum.h"

namespace relcache {

/// Below, at or above zero, in btree order. Text types compare bytewise (collation "C").
using CompareFunction = int (*)(Datum, Datum);
using EqualFunction = bool (*)(Datum, Datum);
/// hashint4 ...: what PostgreSQL's hash opclass computes, bit by bit.
using HashFunction = std::uint32_t (*)(Datum);
/// hashint4extended ...: with seed 0 its low half is the HashFunction's result. Hash partitions are
/// chosen by it.
using HashExtendedFunction = std::uint64_t (*)(Datum, std::uint64_t seed);

struct TypeOps {
  Oid type;
  CompareFunction compare;
  EqualFunction equal;
  HashFunction hash;
  HashExtendedFunction hash_extended;
};

/// nullptr when this room cannot compare values of `type`. Cost: a binary search; look it up once
/// per expression, not per row.
const TypeOps* FindTypeOps(Oid type);

/// Whether texts under the collation are in the order of their bytes: "C" and "POSIX", and types
/// that have none.
constexpr bool IsBytewise(Oid collation) {
  constexpr Oid kC = 950;
  constexpr Oid kPosix = 951;
  return collation == kInvalidOid || collation == kC || collation == kPosix;
}

}  // namespace relcache
