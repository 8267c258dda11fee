// The identifiers of PostgreSQL's system catalogs, the tables in which PostgreSQL describes all
// other tables (postgres_ext.h, attnum.h). docs/postgresql_for_cpp_engineers.md explains these and
// all other terms of PostgreSQL that the headers use.
#pragma once

#include <cstdint>

namespace relcache {

/// An object identifier (PostgreSQL's Oid): the number of a row in a catalog, and therefore of a
/// relation, type, function, operator, collation and so on. It is unique within one catalog of one
/// database.
using Oid = std::uint32_t;

/// The oid that stands for "no object" (InvalidOid).
inline constexpr Oid kInvalidOid = 0;

/// Objects with lower oids are built into PostgreSQL: they are the same in every database of one
/// major version, and users cannot drop them (FirstUnpinnedObjectId).
inline constexpr Oid kFirstUnpinnedObjectId = 12000;
/// Objects of users have oids from here on (FirstNormalObjectId).
inline constexpr Oid kFirstNormalObjectId = 16384;

/// The number of a column within its relation (PostgreSQL's AttrNumber, "attnum"). User columns
/// count from 1, 0 stands for the whole row, and negative numbers are system columns such as
/// tableoid.
using AttrNumber = std::int16_t;

}  // namespace relcache
