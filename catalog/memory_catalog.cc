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

}  // namespace

template <class Row>
void MemoryCatalog::PutRow(Table<Row> table, Oid oid, const Row& row) {
  auto owned = Own(row);
  const sync::MutexLock lock(mutex());
  (tables().*table)[oid] = std::move(owned);
}

template <class Row>
bool MemoryCatalog::DropRow(Table<Row> table, Invalidation change) {
  {
    const sync::MutexLock lock(mutex());
    if ((tables().*table).erase(change.oid) == 0) return false;
  }
  Publish(change);
  return true;
}

Status MemoryCatalog::Put(const RelationRows& rows) {
  auto owned = Own(rows);
  RELCACHE_TRY(ValidateRelationRows(*owned));
  std::vector<Invalidation> changed;
  {
    const sync::MutexLock lock(mutex());
    RELCACHE_ASSIGN(changed, tables().Put(std::move(owned)));
  }
  hub().Publish(changed);
  return {};
}

Status MemoryCatalog::PutType(const TypeRows& rows) {
  RELCACHE_TRY(ValidateTypeRows(rows));
  PutRow(&Tables::types, rows.pg_type.oid, rows);
  Publish({InvalidationKind::kType, rows.pg_type.oid});
  return {};
}
void MemoryCatalog::PutProc(const ProcRow& row) {
  PutRow(&Tables::procs, row.oid, row);
  Publish({InvalidationKind::kFunction, row.oid});
}
void MemoryCatalog::PutOperator(const OperatorRow& row) {
  PutRow(&Tables::operators, row.oid, row);
  Publish({InvalidationKind::kOperator, row.oid});
}
void MemoryCatalog::PutCollation(const CollationRow& row) {
  PutRow(&Tables::collations, row.oid, row);
  Publish({InvalidationKind::kCollation, row.oid});
}
void MemoryCatalog::PutOpclass(const OpclassRow& row) {
  PutRow(&Tables::opclasses, row.oid, row);
}
void MemoryCatalog::PutNamespace(const NamespaceRow& row) {
  PutRow(&Tables::namespaces, row.oid, row);
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
    const sync::MutexLock lock(mutex());
    changed = tables().Drop(relation);
  }
  hub().Publish(changed);
  return !changed.empty();
}

bool MemoryCatalog::DropType(Oid oid) {
  return DropRow(&Tables::types, {InvalidationKind::kType, oid});
}
bool MemoryCatalog::DropProc(Oid oid) {
  return DropRow(&Tables::procs, {InvalidationKind::kFunction, oid});
}
bool MemoryCatalog::DropOperator(Oid oid) {
  return DropRow(&Tables::operators, {InvalidationKind::kOperator, oid});
}
bool MemoryCatalog::DropCollation(Oid oid) {
  return DropRow(&Tables::collations, {InvalidationKind::kCollation, oid});
}

void MemoryCatalog::SetLoadHook(LoadHook hook) {
  auto shared = hook ? std::make_shared<const LoadHook>(std::move(hook)) : nullptr;
  const sync::MutexLock lock(hook_mutex_);
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
    const sync::MutexLock lock(hook_mutex_);
    return hook_;
  }();
  return hook == nullptr ? Status() : (*hook)(i, oid);
}

}  // namespace relcache
