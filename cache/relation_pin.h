// A hold on one version of a relation's cache entry.
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

/// Keeps one version of a relation readable. Made by RelationCache::Open.
///
///     RELCACHE_ASSIGN(RelationPin table, cache.Open("public", "t"));
///     for (const CheckConstraint& check : table->checks()) ...
///
/// Lifetime: what `->` gives is valid until the pin is closed or destroyed, also across
/// invalidations; the pin must end before its cache (checked). Any number may be held, of one
/// relation too, for any length of time; what a pin holds is not evicted.
/// Thread safety: a value that one thread uses at a time; it may be moved to any thread and closed
/// there. Readers may share a const reference.
/// Cost: 16 bytes. Closing is a store, unless the version was unlinked meanwhile: then the last pin
/// frees it, on the closing thread, reset callbacks included.
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

  /// Whether it holds something.
  explicit operator bool() const noexcept { return slot_ != nullptr; }
  const RelationDescriptor* operator->() const& noexcept { return descriptor_; }
  const RelationDescriptor& operator*() const& noexcept { return *descriptor_; }
  // What they would give is gone at the end of the expression.
  const RelationDescriptor* operator->() const&& = delete;
  const RelationDescriptor& operator*() const&& = delete;

  /// Whether the relation was invalidated since: a new Open gives another version. An evicted
  /// version is not stale.
  bool stale() const noexcept;

  /// Lets go (PostgreSQL's RelationClose). Harmless when nothing is held.
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
