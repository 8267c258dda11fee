// What the sources that hold all their rows in memory have in common.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "relcache/catalog/catalog_source.h"

namespace relcache {

/// Checks what every consumer of a relation's rows relies on: columns numbered from 1 to relnatts
/// without a gap and with different names, column numbers elsewhere within them, contents where the
/// kind of a row demands some. Errors: kInvalidInput, naming the row and column.
Status CheckRelationRows(const RelationRows& rows);
/// The same for a type.
Status CheckTypeRows(const TypeRows& rows);

/// A source over rows in memory. Rows are immutable once stored; a change puts others in their
/// place, so that a Load works on one moment without holding a lock while it copies.
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
  Subscription Subscribe(InvalidationListener listener) final {
    return hub_.Subscribe(std::move(listener));
  }

 protected:
  /// Shares ownership of the memory that the row lives in.
  template <class Row>
  using Shared = std::shared_ptr<const Row>;

  struct Relation {
    Shared<RelationRows> rows;
    /// The stamp of the last change of the rows or of the children.
    std::uint64_t version = 0;
    std::vector<InheritsRow> children;
  };

  /// Everything, guarded by mutex_.
  struct Tables {
    std::unordered_map<Oid, Relation> relations;
    /// Keys point into the rows.
    std::map<std::pair<std::string_view, std::string_view>, Oid> names;
    /// Children of relations that are not there (yet).
    std::unordered_map<Oid, std::vector<InheritsRow>> orphans;
    std::unordered_map<Oid, Shared<TypeRows>> types;
    std::unordered_map<Oid, Shared<ProcRow>> procs;
    std::unordered_map<Oid, Shared<OperatorRow>> operators;
    std::unordered_map<Oid, Shared<CollationRow>> collations;
    std::unordered_map<Oid, Shared<OpclassRow>> opclasses;
    std::unordered_map<Oid, Shared<NamespaceRow>> namespaces;
    std::uint64_t version = 0;

    /// Puts checked rows in; says which relations changed by it (itself, parents old and new).
    /// Errors: another relation has the name. A failure, std::bad_alloc included, changes nothing.
    Result<std::vector<Invalidation>> Put(Shared<RelationRows> rows);
    /// Takes a relation out; empty if there was none.
    std::vector<Invalidation> Drop(Oid oid);

   private:
    std::vector<InheritsRow>& ChildrenOf(Oid parent);
    /// Takes the relation from the lists of its parents.
    void Unlink(const RelationRows& rows) noexcept;
  };

  explicit StoredCatalog(ServerInfo info) : info_(std::move(info)) {}

  /// Called between choosing the rows of a Load and copying the i-th, under no lock.
  virtual Status BeforeDelivery(std::size_t i, Oid oid);

  InvalidationHub& hub() noexcept { return hub_; }
  std::shared_mutex& mutex() noexcept { return mutex_; }
  Tables& tables() noexcept { return tables_; }

 private:
  template <class Row, class Builtin>
  Result<std::span<const Row* const>> LoadFrom(
      const std::unordered_map<Oid, Shared<Row>> Tables::*table, std::span<const Oid> oids,
      Builtin&& builtin, MemoryContext& cx);

  ServerInfo info_;
  InvalidationHub hub_;
  std::shared_mutex mutex_;
  Tables tables_;
};

}  // namespace relcache
