// From the rows that a source delivered to an entry of the cache.
#pragma once

#include "relcache/base/result.h"
#include "relcache/cache/internal/entry.h"
#include "relcache/catalog/rows.h"

namespace relcache::internal {

/// Copies the rows into an entry of its own, in one block of exact size, with a slot for every
/// stored expression and what it depends on. Nothing is shared with `rows`.
/// Errors: kInvalidInput if the rows contradict themselves where the cache relies on them: another
/// oid than `oid`, columns not numbered from 1, names not in order.
Result<CacheEntry::Ptr> BuildEntry(Oid oid, const RelationRows& rows, EntryStore& store);

}  // namespace relcache::internal
