// MemoryCatalog is a catalog source whose rows a program stores by calls. It serves tests, and
// engines that keep their own catalog.
#pragma once

#include <atomic>
#include <functional>

#include "relcache/catalog/stored_catalog.h"

namespace relcache {

struct CatalogRows;

/// A catalog source whose rows are stored and dropped one object at a time. A change becomes
/// visible to Load first and is then published to the listeners, on the calling thread. Changes of
/// operator classes are not published, because no InvalidationKind exists for them; publish
/// kEverything if one that is in use has changed.
/// Thread safety: any thread may make any call.
class MemoryCatalog final : public StoredCatalog {
 public:
  /// An empty catalog of a server with these properties.
  explicit MemoryCatalog(ServerInfo info = {}) : StoredCatalog(std::move(info)) {}

  /// Stores a copy of the relation and replaces the one with the same oid, if any. The catalog
  /// itself sorts the rows as RelationRows requires, assigns the version, and maintains the
  /// children of each relation. The relation and its parents are published as changed.
  /// Errors: kInvalidInput (ValidateRelationRows); SQLSTATE 42P07 (duplicate_table) if another
  /// relation has the name.
  Status Put(const RelationRows& rows);
  /// The same for a type.
  /// Errors: kInvalidInput (ValidateTypeRows).
  Status PutType(const TypeRows& rows);
  /// The same for other objects, whose rows are not checked.
  /// Errors: only std::bad_alloc.
  void PutProc(const ProcRow& row);
  void PutOperator(const OperatorRow& row);
  void PutCollation(const CollationRow& row);
  void PutOpclass(const OpclassRow& row);
  void PutNamespace(const NamespaceRow& row);

  /// Stores all rows, for instance those exported from another source or read from a snapshot. Only
  /// relcache's own command and tests can call it, because CatalogRows is in a header that is not
  /// installed.
  /// Errors: those of Put; the objects before the one that failed have been stored then.
  Status PutAll(const CatalogRows& rows);

  /// Remove an object and publish the change. They return false if there was none.
  bool Drop(Oid relation);
  bool DropType(Oid oid);
  bool DropProc(Oid oid);
  bool DropOperator(Oid oid);
  bool DropCollation(Oid oid);

  /// Calls the listeners without changing anything, for instance with kEverything or kLinkLost.
  void Publish(Invalidation change) { hub().Publish(change); }

  /// A function that runs on the loading thread before each relation of each Load is delivered,
  /// without a lock. It receives the oid of the relation and its index among the requested oids. If
  /// it returns an error, the Load fails with it.
  using LoadHook = std::function<Status(std::size_t i, Oid oid)>;
  /// Sets the hook in place of an earlier one; nullptr removes it.
  void SetLoadHook(LoadHook hook);
  /// Makes every Load fail with `error` when it comes to its i-th relation.
  void FailLoads(std::size_t i, Error error);
  /// The number of relations that have been requested.
  std::uint64_t loads() const noexcept { return loads_.load(std::memory_order_relaxed); }

 private:
  Status BeforeDelivery(std::size_t i, Oid oid) override;

  template <class Row>
  using Table = std::unordered_map<Oid, Shared<Row>> Tables::*;
  template <class Row>
  void PutRow(Table<Row> table, Oid oid, const Row& row);
  template <class Row>
  bool DropRow(Table<Row> table, Invalidation change);

  sync::Mutex hook_mutex_;
  std::shared_ptr<const LoadHook> hook_ RELCACHE_GUARDED_BY(hook_mutex_);
  std::atomic<std::uint64_t> loads_ = 0;
};

}  // namespace relcache
