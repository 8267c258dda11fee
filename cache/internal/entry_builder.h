// Makes a cache entry from the rows that a source delivered.
#pragma once

#include "relcache/base/result.h"
#include "relcache/cache/internal/entry.h"
#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/rows.h"

namespace relcache::internal {

/// Copies the rows into an entry, in one block of exactly the size needed, with a slot for every
/// stored expression and the list of objects that the entry depends on. Nothing is shared with
/// `rows`.
/// Errors: kInvalidInput if the rows contradict each other where the cache relies on them: another
/// oid than `oid`, columns that are not numbered from 1, names that are not in order.
Result<CacheEntry::Ptr> BuildEntry(Oid oid, const RelationRows& rows, CatalogSource& source,
                                   EntryStore& store);

}  // namespace relcache::internal
