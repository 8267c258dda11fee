// StoredCatalog is the base of the catalog sources that hold all their rows in memory, JsonCatalog
// and MemoryCatalog.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "relcache/base/mutex.h"
#include "relcache/catalog/catalog_source.h"

namespace relcache {

/// Checks what every user of a relation's rows relies on: columns are numbered from 1 to relnatts
/// without a gap and have different names, column numbers in other rows exist, and columns that a
/// row of its kind must have are set.
/// Errors: kInvalidInput, naming the row and the column.
Status ValidateRelationRows(const RelationRows& rows);
/// The same for the rows of a type.
Status ValidateTypeRows(const TypeRows& rows);

/// A catalog source over rows in memory. Stored rows are immutable, and a change replaces them with
/// others. A Load therefore only has to take references under the lock and can copy the rows
/// afterwards, all as of one moment.
class StoredCatalog : public CatalogSource {
 public:
  const ServerInfo& info() const noexcept final { return info_; }
  Result<std::span<const RelationRows* const>> Load(std::span<const Oid> oids,
                                                    MemoryContext& cx) final;
  Result<Oid> LookupName(std::string_view nspname, std::string_view relname) final;
  Result<std::span<const RelationName>> ListRelations(MemoryContext& cx) final;
  Result<std::span<const std::string_view>> SchemasOfType(std::string_view typname,
                                                          MemoryContext& cx) final;
  Result<std::span<const TypeRows* const>> LoadTypes(std::span<const Oid> oids,
                                                     MemoryContext& cx) final;
  Result<std::span<const ProcRow* const>> LoadProcs(std::span<const Oid> oids,
                                                    MemoryContext& cx) final;
  Result<std::span<const OperatorRow* const>> LoadOperators(std::span<const Oid> oids,
                                                            MemoryContext& cx) final;
  Result<std::span<const CollationRow* const>> LoadCollations(std::span<const Oid> oids,
                                                              MemoryContext& cx) final;
  Result<std::span<const OpclassRow* const>> LoadOpclasses(std::span<const Oid> oids,
                                                           MemoryContext& cx) final;
  Result<std::span<const NamespaceRow* const>> LoadNamespaces(std::span<const Oid> oids,
                                                              MemoryContext& cx) final;
  InvalidationSubscription Subscribe(InvalidationListener listener) final {
    return hub_.Subscribe(std::move(listener));
  }

 protected:
  /// A row that shares the ownership of the memory in which it lies.
  template <class Row>
  using Shared = std::shared_ptr<const Row>;

  struct Relation {
    Shared<RelationRows> rows;
    /// The version of the last change of the rows or of the children.
    std::uint64_t version = 0;
    std::vector<InheritsRow> children;
  };

  /// All rows.
  struct Tables {
    std::unordered_map<Oid, Relation> relations;
    /// From schema and name to oid. The keys point into the rows.
    std::map<std::pair<std::string_view, std::string_view>, Oid> names;
    /// The children of relations that do not exist (yet).
    std::unordered_map<Oid, std::vector<InheritsRow>> orphans;
    std::unordered_map<Oid, Shared<TypeRows>> types;
    std::unordered_map<Oid, Shared<ProcRow>> procs;
    std::unordered_map<Oid, Shared<OperatorRow>> operators;
    std::unordered_map<Oid, Shared<CollationRow>> collations;
    std::unordered_map<Oid, Shared<OpclassRow>> opclasses;
    std::unordered_map<Oid, Shared<NamespaceRow>> namespaces;
    std::uint64_t version = 0;

    /// Stores rows that were checked and returns which relations changed: the relation itself and
    /// its former and present parents.
    /// Errors: SQLSTATE 42P07 if another relation has the name. If the call fails, or throws
    /// std::bad_alloc, nothing has changed.
    Result<std::vector<Invalidation>> Put(Shared<RelationRows> rows);
    /// Removes a relation and returns which relations changed; none if it did not exist.
    std::vector<Invalidation> Drop(Oid oid);

   private:
    std::vector<InheritsRow>& ChildrenOf(Oid parent);
    /// Removes the relation from its parents' lists of children.
    void Unlink(const RelationRows& rows) noexcept;
  };

  explicit StoredCatalog(ServerInfo info) : info_(std::move(info)) {}

  /// Called for each relation of a Load, after its rows have been chosen and before they are
  /// copied, without a lock.
  virtual Status BeforeDelivery(std::size_t i, Oid oid);

  InvalidationHub& hub() noexcept { return hub_; }
  sync::SharedMutex& mutex() noexcept RELCACHE_RETURN_CAPABILITY(mutex_) { return mutex_; }
  Tables& tables() noexcept RELCACHE_REQUIRES(mutex_) { return tables_; }

 private:
  template <class Row, class Builtin>
  Result<std::span<const Row* const>> LoadFrom(
      const std::unordered_map<Oid, Shared<Row>> Tables::*table, std::span<const Oid> oids,
      Builtin&& builtin, MemoryContext& cx);

  ServerInfo info_;
  InvalidationHub hub_;
  sync::SharedMutex mutex_;
  Tables tables_ RELCACHE_GUARDED_BY(mutex_);
};

}  // namespace relcache
