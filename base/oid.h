// Identifiers of PostgreSQL's catalogs, as types.
#pragma once

#include <cstdint>

namespace relcache {

/// Names a row of a catalog: a relation, type, function, operator, collation ... (PostgreSQL's
/// Oid).
using Oid = std::uint32_t;

/// No object.
inline constexpr Oid kInvalidOid = 0;

/// The first oid that is not fixed by PostgreSQL's own initial catalogs' pinned part: what lies
/// below is the same, and unchangeable, in every database of a major version
/// (FirstUnpinnedObjectId).
inline constexpr Oid kFirstUnpinnedObjectId = 12000;

/// The number of a column: from 1; 0 is the whole row, negative numbers are system columns
/// (PostgreSQL's AttrNumber).
using AttrNumber = std::int16_t;

}  // namespace relcache
