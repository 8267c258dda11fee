// EntryDependency identifies an object that an expression or a column of a relation refers to, so
// that the relation's entry is dropped when that object changes. PostgreSQL's plan cache records
// the same in PlanInvalItem.
#pragma once

#include <compare>
#include <cstdint>

#include "relcache/base/oid.h"
#include "relcache/catalog/invalidation.h"

namespace relcache {

/// An object whose change drops the entry. `kind` is one of kType, kFunction, kOperator, kCollation
/// and kNamespace.
struct EntryDependency {
  InvalidationKind kind = InvalidationKind::kType;
  Oid oid = kInvalidOid;
  // NOLINTNEXTLINE(modernize-use-nullptr): the check sees a 0 in what the compiler writes here
  friend auto operator<=>(const EntryDependency&, const EntryDependency&) = default;

  /// Whether DDL (CREATE, ALTER, DROP) can change the object, which is so unless it is built into
  /// PostgreSQL. Dependencies on both kinds of objects are recorded.
  bool changeable() const noexcept { return oid >= kFirstUnpinnedObjectId; }
};

}  // namespace relcache
