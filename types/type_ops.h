// Functions that compare and hash values, chosen by the oid of the type. They compute what the
// type's default operator classes compute; an operator class names the functions with which an
// index orders (btree) or hashes the values of a type.
#pragma once

#include <cstdint>

#include "relcache/base/oid.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/datum.h"

namespace relcache {

/// Returns a number below, equal to or above zero, like PostgreSQL's btree comparison functions
/// (btint4cmp ...). Texts are compared byte by byte, which is the order of the collation "C".
/// Neither argument may be NULL; this is true for all functions here.
using CompareFunction = int (*)(Datum, Datum);
/// Whether two values are equal.
using EqualFunction = bool (*)(Datum, Datum);
/// Returns the same hash as PostgreSQL's hash operator class (hashint4 ...), bit for bit.
using HashFunction = std::uint32_t (*)(Datum);
/// Returns the same 64-bit hash as PostgreSQL (hashint4extended ...). With seed 0, its low half is
/// the result of HashFunction. PostgreSQL chooses hash partitions with it.
using HashExtendedFunction = std::uint64_t (*)(Datum, std::uint64_t seed);

/// The functions of one type.
struct TypeOps {
  Oid type;
  CompareFunction compare;
  EqualFunction equal;
  HashFunction hash;
  HashExtendedFunction hash_extended;
};

/// The functions of `type`, or nullptr if relcache cannot compare its values.
/// Cost: a binary search. Look it up once per expression rather than once per row.
const TypeOps* FindTypeOps(Oid type);

/// Whether the collation (the rules of text order) with this oid orders texts by their bytes. This
/// is true for "C" and "POSIX", and for kInvalidOid, which types without a collation have.
constexpr bool IsBytewise(Oid collation) {
  return collation == kInvalidOid || collation == kCCollationOid || collation == kPosixCollationOid;
}

}  // namespace relcache
