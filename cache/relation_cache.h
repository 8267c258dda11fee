// RelationCache holds the descriptors of relations. It loads a descriptor when the relation is
// first opened, shares it among all threads, and drops it when the relation changes. It corresponds
// to PostgreSQL's relation cache (utils/cache/relcache.c), which each server process has for
// itself.
//
//   RelationCache cache(source);
//   RELCACHE_ASSIGN(RelationPin orders, cache.Open("public", "orders"));
//   for (const CheckConstraint& check : orders->checks()) ...
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

/// The size and the behaviour of a cache.
struct CacheOptions {
  /// The maximal number of bytes of all cached relations together, including their trees and
  /// derived values. Above it, relations that are not pinned and were not used lately are evicted.
  /// A relation that alone exceeds the budget is given to the caller that opened it and not kept.
  std::size_t budget_bytes = std::size_t{64} << 20;
  /// The number of names that can be remembered, at 8 bytes each. 0 means one for each 2 kB of the
  /// budget.
  std::size_t names = 0;
  /// The number of names, and as many oids, of which the cache can remember that they do not exist,
  /// at 168 bytes each. 0 disables this.
  std::size_t negative_entries = 1024;
  /// The limits for reading one stored expression. Its pg_version is ignored, because the source
  /// knows the version.
  TreeOptions trees;
  /// While the source has lost its connection, changes are not noticed. If this is false, nothing
  /// is kept until the connection is back, and each open asks the source. If it is true, the cache
  /// serves what it has, although it may be outdated.
  bool serve_while_disconnected = false;
  /// If false, the cache uses a portable memory fence instead of the Linux system call
  /// membarrier(2), for systems where that call misbehaves. Each open then costs more.
  bool use_membarrier = true;
};

/// A cache of relation descriptors.
/// Lifetime: the source must outlive the cache, and the cache must outlive all its pins, which the
/// destructor checks.
/// Thread safety: any thread may make any call; threads need not be registered. After fork() the
/// child may use the cache if no other thread was in a call at that moment.
class RelationCache {
 public:
  /// Subscribes to the changes of the source. The options are copied.
  explicit RelationCache(CatalogSource& source, const CacheOptions& options = {});
  RelationCache(const RelationCache&) = delete;
  RelationCache& operator=(const RelationCache&) = delete;
  ~RelationCache();

  /// Returns a pin on the current version of a relation, loading it if necessary (PostgreSQL's
  /// RelationIdGetRelation).
  /// Freshness: the version reflects all invalidations whose call returned before this call began.
  /// If it returned on another thread, the two must be synchronized ("happens before" in C++).
  /// Cost: a few nanoseconds if the relation is cached, without a lock and without a write to
  /// memory that threads share. Otherwise one Load of the source, without a lock; threads that want
  /// the same relation wait for it.
  /// Errors: kNotFound `could not open relation with OID 1234`; those of the source; kSource for an
  /// exception thrown by the source; kInvalidInput for oid 0 and for rows that contradict each
  /// other; kSource if the source opens the same relation while it loads it. After a failure the
  /// next Open tries again.
  Result<RelationPin> Open(Oid oid);
  /// The same by name. Both parts must be exactly as in the catalogs, without quotes and with the
  /// right case.
  /// Errors: those above; kNotFound with SQLSTATE 42P01 (undefined_table) `relation "public.t" does
  /// not exist`; kSource if the name meant another relation at each of three attempts, because
  /// relations are renamed meanwhile.
  Result<RelationPin> Open(std::string_view schema, std::string_view name);

  /// Loads those of the relations that are not cached, many with one call of the source. Relations
  /// that do not exist and those that another thread is loading are skipped.
  /// Errors: those of the source, or that of the first relation whose rows contradict each other;
  /// what was loaded remains cached.
  Status Warm(std::span<const Oid> oids);

  // --- Invalidation. The subscription to the source makes these calls; a program that changes the
  // catalog by another way may make them too. When a call returns, no later Open returns an old
  // version ("later" as in Open's Freshness), and old versions without pins have been freed. Pinned
  // versions remain readable and become stale(). No call throws. The caller must not hold a lock
  // that the source's Load takes.

  /// Drops relations that were created, changed or dropped.
  /// Cost: one fence for all of them.
  void Invalidate(std::span<const Oid> relations) noexcept;
  void Invalidate(Oid relation) noexcept { Invalidate({&relation, 1}); }
  /// Drops every relation.
  void InvalidateAll() noexcept;
  /// Drops what the changes concern, in any mixture. A type, function, operator or collation
  /// concerns every relation whose expressions or columns refer to it, a schema every relation in
  /// it: `cache.Apply({InvalidationKind::kFunction, oid})`.
  /// Cost: a fence for all relations and one for all other objects, or more if there are hundreds.
  void Apply(std::span<const Invalidation> changes) noexcept;
  void Apply(Invalidation change) noexcept { Apply({&change, 1}); }

  /// The source that the cache was made over.
  CatalogSource& source() const noexcept;
  /// The counters.
  /// Cost: a walk over the pins of all threads and the negative entries, under the cache's lock.
  CacheStats stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relcache
