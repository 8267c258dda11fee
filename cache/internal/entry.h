// One version of one relation in the cache: its head, which changes, and its body, which does not.
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
/// Links an entry into the batch that is being buried, then into the graveyard.
using BurialHook = bi::set_base_hook<bi::tag<struct BurialTag>, bi::link_mode<bi::normal_link>>;

/// The head of a version. Head, slots and dependency links are one allocation outside of the body's
/// context, because they are written after the body may lie on read-only pages.
/// Lifetime: made by the loader, owned by the store once published or buried, deleted when it is
/// unlinked and no slot names it.
class CacheEntry : public BurialHook {
 public:
  struct Deleter {
    void operator()(CacheEntry* entry) const noexcept;
  };
  using Ptr = std::unique_ptr<CacheEntry, Deleter>;

  /// A head with room for so many expressions and links. Errors: std::bad_alloc.
  static Ptr Create(Oid oid, EntryStore& store, std::size_t expressions, std::size_t links);

  Oid oid() const noexcept { return oid_; }
  EntryStore& store() const noexcept { return store_; }
  const RelationDescriptor* descriptor() const noexcept { return descriptor_; }
  const DerivedValues& derived() const noexcept { return derived_; }
  std::span<const ExpressionSlot> expressions() const noexcept {
    return {expressions_, expression_count_};
  }
  /// Bytes of head and body, trees and derived values included.
  std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
  /// Of them, bytes of the contexts' blocks that nothing was put in.
  std::size_t bytes_free() const noexcept;

  // While the loader builds it.

  /// Adds the next expression; at most as many as Create was told.
  ExpressionSlot& AddExpression(ExpressionKind kind, std::uint32_t row, std::string_view text);
  /// Adds the next link. The same.
  void AddLink(const EntryDependency& on);
  /// Gives the entry its body. Its memory is read-only from here on, where the build asks for that.
  void SetBody(ContextPtr body, const RelationDescriptor* descriptor) noexcept;

  // Set once, before the unlinker's fence.

  /// No longer the current version: whoever closes the last pin frees it.
  std::atomic<bool> unlinked{false};
  /// Unlinked because it was invalidated, not because room was needed.
  std::atomic<bool> stale{false};

  // Under the store's lock.

  /// All links of the entry, those of derived values included.
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

/// Entries by address, which is compared and not followed.
struct AddressOf {
  using type = const CacheEntry*;
  type operator()(const CacheEntry& entry) const noexcept { return &entry; }
};
using EntriesByAddress =
    bi::set<CacheEntry, bi::base_hook<BurialHook>, bi::key_of_value<AddressOf>,
            bi::compare<std::less<const CacheEntry*>>, bi::constant_time_size<true>>;

}  // namespace relcache::internal
