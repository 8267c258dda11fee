// What an entry answers to besides its own oid: the objects that its expressions and columns name.
#pragma once

#include <compare>
#include <cstdint>

#include "relcache/base/oid.h"
#include "relcache/catalog/invalidation.h"

namespace relcache {

/// An object whose change drops the entry. `kind` is kType, kFunction, kOperator, kCollation or
/// kNamespace.
struct Dependency {
  InvalidationKind kind = InvalidationKind::kType;
  Oid oid = kInvalidOid;
  // NOLINTNEXTLINE(modernize-use-nullptr): the check sees a 0 in what the compiler writes here
  friend auto operator<=>(const Dependency&, const Dependency&) = default;

  /// Whether DDL can change the object: it is not one of those that PostgreSQL itself pins. Both
  /// kinds are recorded; see DependencyIndex.
  bool changeable() const noexcept { return oid >= kFirstUnpinnedObjectId; }
};

}  // namespace relcache
