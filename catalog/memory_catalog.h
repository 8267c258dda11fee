// A catalog that is written by calls: for tests, and for engines that keep their own.
#pragma once

#include <atomic>
#include <functional>

#include "relcache/catalog/stored_catalog.h"

namespace relcache {

struct CatalogRows;

/// A source whose rows are put and dropped one by one. Every change is visible first and published
/// then, on the calling thread.
/// Thread safety: all calls from any thread.
class MemoryCatalog final : public StoredCatalog {
 public:
  explicit MemoryCatalog(ServerInfo info = {}) : StoredCatalog(std::move(info)) {}

  /// Puts a copy of the relation in, in place of the one of the same oid. The catalog sorts the
  /// rows as RelationRows says, gives the version, and keeps the children of every relation by
  /// itself. Publishes the relation and its parents. Errors: kInvalidInput (CheckRelationRows),
  /// 42P07 when another relation has the name.
  Status Put(const RelationRows& rows);
  Status PutType(const TypeRows& rows);
  void PutProc(const ProcRow& row);
  void PutOperator(const OperatorRow& row);
  void PutCollation(const CollationRow& row);
  void PutOpclass(const OpclassRow& row);
  void PutNamespace(const NamespaceRow& row);

  /// Puts everything in: a catalog that was exported from another source, or read from a snapshot.
  /// Errors: those of Put; what came before the failing relation is then in.
  Status PutAll(const CatalogRows& rows);

  /// Takes an object out and publishes that. false: there was none.
  bool Drop(Oid relation);
  bool DropType(Oid oid);
  bool DropProc(Oid oid);
  bool DropOperator(Oid oid);
  bool DropCollation(Oid oid);

  /// Tells the listeners without changing anything: an everything, a link lost.
  void Publish(Invalidation change) { hub().Publish(change); }

  /// Runs before each relation of each Load is delivered, under no lock, on the loading thread:
  /// with the relation's oid and its place among the oids asked for. An error makes that Load fail.
  using LoadHook = std::function<Status(std::size_t i, Oid oid)>;
  void SetLoadHook(LoadHook hook);
  /// Every Load from now on fails with `error` when it comes to its i-th relation.
  void FailLoads(std::size_t i, Error error);
  /// How many relations have been asked for.
  std::uint64_t loads() const noexcept { return loads_.load(std::memory_order_relaxed); }

 private:
  Status BeforeDelivery(std::size_t i, Oid oid) override;

  std::mutex hook_mutex_;
  std::shared_ptr<const LoadHook> hook_;
  std::atomic<std::uint64_t> loads_ = 0;
};

}  // namespace relcache
