// RelationPin is the handle of an open relation. It keeps one version of the relation's cache entry
// readable, as the reference count that PostgreSQL's RelationIdGetRelation increments does.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace relcache {

class RelationDescriptor;
namespace internal {
class CacheEntry;
class EntryStore;
}  // namespace internal

/// Keeps one version of a relation readable. RelationCache::Open returns it.
///
///     RELCACHE_ASSIGN(RelationPin table, cache.Open("public", "t"));
///     for (const CheckConstraint& check : table->checks()) ...
///
/// Lifetime: what `->` gives is valid until the pin is closed or destroyed, even if the relation is
/// invalidated meanwhile. A pin must end before its cache, which the cache checks. A thread may
/// hold any number of pins for any time, also several on one relation; a pinned version is not
/// evicted.
/// Thread safety: one thread at a time uses a pin; it may be moved to another thread and closed
/// there. Several threads may use a const reference to it.
/// Cost: 16 bytes, and a slot of 8 bytes in the memory of the thread that opened it. Closing is one
/// store, unless the version was replaced meanwhile; then the last pin to be closed frees it on its
/// thread, which runs the callbacks of its memory contexts.
class [[nodiscard]] RelationPin {
 public:
  /// Holds nothing.
  RelationPin() = default;
  RelationPin(RelationPin&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, nullptr)),
        slot_(std::exchange(other.slot_, nullptr)) {}
  RelationPin& operator=(RelationPin&& other) noexcept {
    if (this != &other) {
      Close();
      descriptor_ = std::exchange(other.descriptor_, nullptr);
      slot_ = std::exchange(other.slot_, nullptr);
    }
    return *this;
  }
  ~RelationPin() {
    if (slot_ != nullptr) CloseHeld();
  }

  /// Whether the pin holds a relation.
  explicit operator bool() const noexcept { return slot_ != nullptr; }
  /// The relation. The pin must hold one, which is not checked.
  const RelationDescriptor* operator->() const& noexcept { return descriptor_; }
  const RelationDescriptor& operator*() const& noexcept { return *descriptor_; }
  // Deleted because the result of `cache.Open(...)->...` would be invalid at the end of the
  // expression.
  const RelationDescriptor* operator->() const&& = delete;
  const RelationDescriptor& operator*() const&& = delete;

  /// Whether the relation was invalidated since it was opened, so that a new Open returns another
  /// version. Eviction does not make a version stale.
  bool stale() const noexcept;

  /// Ends the pin (PostgreSQL's RelationClose). Does nothing if the pin holds nothing.
  void Close() noexcept {
    if (slot_ != nullptr) CloseHeld();
  }

 private:
  friend class internal::EntryStore;
  RelationPin(const RelationDescriptor* descriptor,
              std::atomic<internal::CacheEntry*>& slot) noexcept
      : descriptor_(descriptor), slot_(&slot) {}
  void CloseHeld() noexcept;

  const RelationDescriptor* descriptor_ = nullptr;
  std::atomic<internal::CacheEntry*>* slot_ = nullptr;
};

static_assert(sizeof(RelationPin) == 2 * sizeof(void*));

}  // namespace relcache
