// A version of a relation in the cache: its head, which changes, and its body, which does not.
#pragma once

#include <atomic>
#include <boost/intrusive/set.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "relcache/base/oid.h"
#include "relcache/cache/expression_slot.h"
#include "relcache/cache/internal/dependency_index.h"
#include "relcache/memory/memory_context.h"

namespace relcache {
class RelationDescriptor;
}

namespace relcache::internal {

class EntryStore;

namespace bi = boost::intrusive;
/// Links an entry into the set of versions that are being buried and then into the graveyard.
using BurialHook = bi::set_base_hook<bi::tag<struct BurialTag>, bi::link_mode<bi::normal_link>>;

/// The head of a version. Head, expression slots and dependency links are one allocation outside of
/// the body's context, because they are still written when the body may lie on read-only pages.
/// Lifetime: made by the loading thread, owned by the store as soon as it is published or buried,
/// and deleted when it is unlinked and no slot contains its address.
class CacheEntry : public BurialHook {
 public:
  struct Deleter {
    void operator()(CacheEntry* entry) const noexcept;
  };
  using Ptr = std::unique_ptr<CacheEntry, Deleter>;

  /// Makes a head with room for the given numbers of expressions and links.
  /// Errors: std::bad_alloc.
  static Ptr Create(Oid oid, EntryStore& store, std::size_t expressions, std::size_t links);

  Oid oid() const noexcept { return oid_; }
  EntryStore& store() const noexcept { return store_; }
  const RelationDescriptor* descriptor() const noexcept { return descriptor_; }
  const DerivedValues& derived() const noexcept { return derived_; }
  std::span<const ExpressionSlot> expressions() const noexcept {
    return {expressions_, expression_count_};
  }
  /// The bytes of head and body, including trees and derived values.
  std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
  /// The unused part of these bytes, in the blocks of the contexts.
  std::size_t bytes_free() const noexcept;

  // The next functions are for the loading thread only.

  /// Adds an expression, at most as many as were passed to Create.
  ExpressionSlot& AddExpression(ExpressionKind kind, std::uint32_t row, std::string_view text);
  /// Adds a link, at most as many as were passed to Create.
  void AddLink(const EntryDependency& on);
  /// Sets the body. In paranoid builds its memory is read-only from now on.
  void SetBody(ContextPtr body, const RelationDescriptor* descriptor) noexcept;

  // These are set once, before the fence of the unlinking thread.

  /// This is no longer the current version; the thread that closes the last pin frees it.
  std::atomic<bool> unlinked{false};
  /// It was unlinked by an invalidation and not by eviction.
  std::atomic<bool> stale{false};

  // Guarded by the store's lock.

  /// All links of the entry, including those of derived values.
  DependencyLink* links = nullptr;

 private:
  friend class EntryStore;
  CacheEntry(Oid oid, EntryStore& store) noexcept : oid_(oid), store_(store), derived_(*this) {}
  ~CacheEntry();

  const Oid oid_;
  EntryStore& store_;
  const RelationDescriptor* descriptor_ = nullptr;
  std::atomic<std::size_t> bytes_{0};
  std::uint32_t expression_count_ = 0, expression_room_ = 0;
  std::uint32_t link_count_ = 0, link_room_ = 0;
  ExpressionSlot* expressions_ = nullptr;
  DependencyLink* first_link_ = nullptr;
  DerivedValues derived_;
  ContextPtr body_;
};

/// A set of entries by address. The address that is looked up is compared and not dereferenced.
struct AddressOf {
  using type = const CacheEntry*;
  type operator()(const CacheEntry& entry) const noexcept { return &entry; }
};
using EntriesByAddress =
    bi::set<CacheEntry, bi::base_hook<BurialHook>, bi::key_of_value<AddressOf>,
            bi::compare<std::less<const CacheEntry*>>, bi::constant_time_size<true>>;

}  // namespace relcache::internal
