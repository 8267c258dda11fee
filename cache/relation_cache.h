// The relation cache: descriptors of relations, loaded when first opened, shared by all threads,
// dropped when they change (PostgreSQL's utils/cache/relcache.c).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/cache/cache_stats.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/cache/relation_pin.h"
#include "relcache/catalog/catalog_source.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

struct CacheOptions {
  /// Bytes of all versions together, trees and derived values included. Beyond that, versions that
  /// nobody pins and nobody used lately go. A version larger than all of it is given to the one who
  /// opened it and not kept.
  std::size_t budget_bytes = std::size_t{64} << 20;
  /// Room for so many names, 8 bytes each; 0: one for each 2 kB of the budget.
  std::size_t names = 0;
  /// Room for so many names, and as many oids, that are known not to exist; 168 bytes each; 0:
  /// none.
  std::size_t negative_entries = 1024;
  /// Bounds for reading one stored expression; the version is the source's.
  TreeOptions trees;
  /// While the source's link is down changes go unnoticed. false: nothing is kept until it is back,
  /// and each open asks the source. true: what was there is served as it was.
  bool serve_while_disconnected = false;
  /// false: the portable fence, for systems where membarrier(2) misbehaves.
  bool use_membarrier = true;
};

/// Thread safety: all calls from any thread. Nothing is to be registered, begun or ended. After
/// fork() the child may use the cache if no other thread was inside it at that moment.
/// Lifetime: the source must outlive the cache, the cache all its pins (checked in the destructor).
class RelationCache {
 public:
  /// Subscribes to the source's changes.
  explicit RelationCache(CatalogSource& source, const CacheOptions& options = {});
  RelationCache(const RelationCache&) = delete;
  RelationCache& operator=(const RelationCache&) = delete;
  ~RelationCache();

  /// A pin on the current version of a relation; loads it if it is not there
  /// (RelationIdGetRelation).
  /// Freshness: a version that the source delivers after every invalidation which the calling
  /// thread knows of. Cost: a few nanoseconds when it is there: no lock, and no write to memory
  /// that threads share. Else one Load of the source, under no lock; threads that want the same
  /// relation wait for it. Errors: kNotFound `could not open relation with OID 1234`; what the
  /// source says; kSource for an exception out of the source; kInvalidInput for oid 0 and for rows
  /// that contradict themselves. Nothing is lost by a failure: the next Open asks again.
  Result<RelationPin> Open(Oid oid);
  /// The same by name. Both parts exactly as in the catalogs: not folded, not quoted.
  /// Errors: kNotFound, 42P01 `relation "public.t" does not exist`.
  Result<RelationPin> Open(std::string_view schema, std::string_view name);

  /// Loads what is not there, many relations a question to the source; passes over those that do
  /// not exist and those that another thread is loading. Errors: the source's, or the first
  /// relation's whose rows contradict themselves; what was loaded stays.
  Status Warm(std::span<const Oid> oids);

  // --- What changed. The source's subscription calls these; who changes a catalog behind its back
  //     may, too. On return no later Open gives an old version, and old versions that nobody pins
  //     have been freed. Pins stay readable and become stale(). Never throws. Must not be called
  //     with a lock held that the source's Load takes.

  /// Relations that were created, changed or dropped. Cost: one fence for all of them.
  void Invalidate(std::span<const Oid> relations) noexcept;
  void Invalidate(Oid relation) noexcept { Invalidate({&relation, 1}); }
  /// Drops every entry whose expressions or columns name the object.
  void InvalidateType(Oid type) noexcept;
  void InvalidateFunction(Oid function) noexcept;
  void InvalidateOperator(Oid op) noexcept;
  void InvalidateCollation(Oid collation) noexcept;
  /// Drops every entry of a relation in it.
  void InvalidateNamespace(Oid nspoid) noexcept;
  void InvalidateAll() noexcept;
  /// Any mixture of changes, as a source says them.
  void Apply(std::span<const Invalidation> changes) noexcept;

  CatalogSource& source() const noexcept;
  /// Cost: a walk over the threads' pins and the negative entries, under the cache's lock.
  CacheStats stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relcache
