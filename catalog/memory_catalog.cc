#include "relcache/catalog/memory_catalog.h"

#include <algorithm>

#include "relcache/catalog/internal/row_copy.h"
#include "relcache/catalog/internal/row_order.h"

#include "relcache/catalog/internal/catalog_rows.h"

namespace relcache {
namespace {

/// Copies a row into a context of its own, which is deleted with the last owner of the row.
template <class Row>
std::shared_ptr<const Row> Own(const Row& row) {
  struct Owned {
    ContextPtr cx = Bump::CreateRoot("catalog row");
    Row row;
  };
  const auto owned = std::make_shared<Owned>();
  owned->row = CopyRow(row, *owned->cx);
  if constexpr (requires { SortRows(owned->row, *owned->cx); }) SortRows(owned->row, *owned->cx);
  return {owned, &owned->row};
}

template <class Map, class Row>
void PutInto(std::shared_mutex& mutex, Map& map, Oid oid, const Row& row) {
  auto owned = Own(row);
  const std::unique_lock lock(mutex);
  map[oid] = std::move(owned);
}

}  // namespace

Status MemoryCatalog::Put(const RelationRows& rows) {
  auto owned = Own(rows);
  RELCACHE_TRY(ValidateRelationRows(*owned));
  std::vector<Invalidation> changed;
  {
    const std::unique_lock lock(mutex());
    RELCACHE_ASSIGN(changed, tables().Put(std::move(owned)));
  }
  hub().Publish(changed);
  return {};
}

Status MemoryCatalog::PutType(const TypeRows& rows) {
  RELCACHE_TRY(ValidateTypeRows(rows));
  PutInto(mutex(), tables().types, rows.pg_type.oid, rows);
  Publish({InvalidationKind::kType, rows.pg_type.oid});
  return {};
}
void MemoryCatalog::PutProc(const ProcRow& row) {
  PutInto(mutex(), tables().procs, row.oid, row);
  Publish({InvalidationKind::kFunction, row.oid});
}
void MemoryCatalog::PutOperator(const OperatorRow& row) {
  PutInto(mutex(), tables().operators, row.oid, row);
  Publish({InvalidationKind::kOperator, row.oid});
}
void MemoryCatalog::PutCollation(const CollationRow& row) {
  PutInto(mutex(), tables().collations, row.oid, row);
  Publish({InvalidationKind::kCollation, row.oid});
}
void MemoryCatalog::PutOpclass(const OpclassRow& row) {
  PutInto(mutex(), tables().opclasses, row.oid, row);
}
void MemoryCatalog::PutNamespace(const NamespaceRow& row) {
  PutInto(mutex(), tables().namespaces, row.oid, row);
  Publish({InvalidationKind::kNamespace, row.oid});
}

Status MemoryCatalog::PutAll(const CatalogRows& rows) {
  for (const NamespaceRow& row : rows.namespaces) PutNamespace(row);
  for (const TypeRows& row : rows.types) RELCACHE_TRY(PutType(row));
  for (const ProcRow& row : rows.procs) PutProc(row);
  for (const OperatorRow& row : rows.operators) PutOperator(row);
  for (const CollationRow& row : rows.collations) PutCollation(row);
  for (const OpclassRow& row : rows.opclasses) PutOpclass(row);
  for (const RelationRows& row : rows.relations) RELCACHE_TRY(Put(row));
  return {};
}

bool MemoryCatalog::Drop(Oid relation) {
  std::vector<Invalidation> changed;
  {
    const std::unique_lock lock(mutex());
    changed = tables().Drop(relation);
  }
  hub().Publish(changed);
  return !changed.empty();
}

bool MemoryCatalog::DropType(Oid oid) {
  const bool dropped = [&] {
    const std::unique_lock lock(mutex());
    return tables().types.erase(oid) != 0;
  }();
  if (dropped) Publish({InvalidationKind::kType, oid});
  return dropped;
}
bool MemoryCatalog::DropProc(Oid oid) {
  const bool dropped = [&] {
    const std::unique_lock lock(mutex());
    return tables().procs.erase(oid) != 0;
  }();
  if (dropped) Publish({InvalidationKind::kFunction, oid});
  return dropped;
}
bool MemoryCatalog::DropOperator(Oid oid) {
  const bool dropped = [&] {
    const std::unique_lock lock(mutex());
    return tables().operators.erase(oid) != 0;
  }();
  if (dropped) Publish({InvalidationKind::kOperator, oid});
  return dropped;
}
bool MemoryCatalog::DropCollation(Oid oid) {
  const bool dropped = [&] {
    const std::unique_lock lock(mutex());
    return tables().collations.erase(oid) != 0;
  }();
  if (dropped) Publish({InvalidationKind::kCollation, oid});
  return dropped;
}

void MemoryCatalog::SetLoadHook(LoadHook hook) {
  auto shared = hook ? std::make_shared<const LoadHook>(std::move(hook)) : nullptr;
  const std::lock_guard lock(hook_mutex_);
  hook_ = std::move(shared);
}

void MemoryCatalog::FailLoads(std::size_t i, Error error) {
  SetLoadHook([i, error = std::move(error)](std::size_t at, Oid) -> Status {
    if (at == i) return Fail(error);
    return {};
  });
}

Status MemoryCatalog::BeforeDelivery(std::size_t i, Oid oid) {
  loads_.fetch_add(1, std::memory_order_relaxed);
  const std::shared_ptr<const LoadHook> hook = [&] {
    const std::lock_guard lock(hook_mutex_);
    return hook_;
  }();
  return hook == nullptr ? Status() : (*hook)(i, oid);
}

}  // namespace relcache
