// The versions of relations that the cache holds: which ones are current, which are pinned, and
// when they are freed.
#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <span>
#include <thread>

#include "relcache/base/mutex.h"
#include "relcache/base/result.h"
#include "relcache/cache/cache_stats.h"
#include "relcache/cache/internal/cell_table.h"
#include "relcache/cache/internal/dependency_index.h"
#include "relcache/cache/internal/entry.h"
#include "relcache/cache/internal/pin_blocks.h"
#include "relcache/cache/relation_pin.h"
#include "relcache/nodes/tree_options.h"

namespace relcache::internal {

/// A load in progress. It exists from before the source is asked until the outcome is visible, so
/// that no invalidation can be missed in between. It lies on the stack of the loading thread.
struct LoadTicket : bi::list_base_hook<bi::link_mode<bi::safe_link>> {
  explicit LoadTicket(Oid relation) : oid(relation) {}
  const Oid oid;
  const std::thread::id loader = std::this_thread::get_id();
  /// An invalidation has arrived meanwhile, so the outcome must not be published.
  bool cancelled = false;
};

/// The versions of all relations. It knows entries only by their oid, size and links, and does not
/// know what they contain.
///
/// How a version stays alive as long as it is read, and not longer:
///  1. TryPin writes the address of the version into a slot of its thread (a hazard pointer) and
///     then reads the cell again. A thread that unlinks the version empties the cell and then reads
///     the slots. Between the write and the read of each is a store-load fence (fence.h), so at
///     least one of them sees what the other wrote: either the reader backs off, or the unlinking
///     thread sees the slot and moves the version to the graveyard instead of freeing it.
///  2. A version is not read before the second look at its cell.
///  3. A thread that closes a pin empties its slot and then checks whether anything was unlinked
///     since it began. An unlinking thread increments unlinks_ and then reads the slots. By the
///     same argument, if the unlinking thread still saw the slot, the closing thread sees the
///     increment and looks into the graveyard. Reading the slots and moving to the graveyard are
///     one critical section. After emptying its slot, the closing thread uses the address of the
///     version only as a name.
///  4. A version in the graveyard cannot get a new pin, because it was unlinked before a fence or
///     was never linked. Freeing it from there needs no fence.
///
/// Thread safety: any thread may make any call. No lock is held while entries are deleted or
/// sources are called.
class EntryStore {
 public:
  /// `trees` are the options with which entries read their expressions.
  EntryStore(std::size_t budget, bool use_membarrier, const TreeOptions& trees);
  EntryStore(const EntryStore&) = delete;
  EntryStore& operator=(const EntryStore&) = delete;
  /// Checks that no pins are left.
  ~EntryStore();

  // --- Open and close

  /// A pin on the current version, or an empty one. The calling thread must be registered.
  /// Cost: no lock, and no write outside of the thread's own block.
  RelationPin TryPin(Oid oid);
  PinBlocks& blocks() noexcept { return blocks_; }
  static void Close(PinSlot& slot) noexcept;

  // --- Load

  /// Returns a pin if the relation has been loaded meanwhile; otherwise starts a load. Waits while
  /// another thread loads the same relation.
  /// Errors: kSource if the calling thread itself is loading it.
  Result<RelationPin> PinOrStart(LoadTicket& ticket);
  /// Starts a load if the relation is neither cached nor being loaded. Does not wait.
  bool TryStart(LoadTicket& ticket) noexcept;
  /// Ends a load that has made a version. The version becomes the current one, unless the load was
  /// cancelled or the version is larger than the budget. In any case it is pinned for the caller.
  RelationPin Finish(LoadTicket& ticket, CacheEntry::Ptr entry);
  /// Ends a load that has made none. Does nothing if the load has ended already.
  void Abandon(LoadTicket& ticket) noexcept;

  // --- Invalidation. When a call returns, no later open returns an old version, and versions that
  // were not pinned have been freed. The calls do not allocate or throw, and each needs one fence.

  void Invalidate(std::span<const Oid> relations) noexcept;
  void Invalidate(std::span<const EntryDependency> objects) noexcept;
  void InvalidateAll() noexcept;
  /// If false, loads are cancelled from now on, because changes are not noticed.
  void SetPublishing(bool publishing) noexcept;

  // --- Bytes

  /// Counts bytes that an entry got after it was loaded, and evicts other entries if the budget is
  /// exceeded.
  void Grow(CacheEntry& entry, std::size_t bytes) noexcept;
  /// Adds a dependency that was found after the load to the entry and to the index.
  void AddDependency(CacheEntry& entry, DependencyLink& link) noexcept;
  std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
  const TreeOptions& trees() const noexcept { return trees_; }
  /// Sets those figures that are the store's.
  void SetStats(CacheStats& stats);

 private:
  using Tickets = bi::list<LoadTicket, bi::constant_time_size<false>>;

  LoadTicket* FindTicket(Oid oid) noexcept RELCACHE_REQUIRES(blocks_.mutex());
  void CancelLoads() noexcept RELCACHE_REQUIRES(blocks_.mutex());
  void Unlinked(CacheEntry& entry, bool stale, EntriesByAddress& dead) noexcept
      RELCACHE_REQUIRES(blocks_.mutex());
  template <class Pick>
  void UnlinkAll(Pick&& pick, EntriesByAddress& dead) noexcept RELCACHE_REQUIRES(blocks_.mutex());
  template <class Choose>
  void Drop(Choose&& choose) noexcept RELCACHE_EXCLUDES(blocks_.mutex());
  void Bury(EntriesByAddress& dead, bool alone) noexcept RELCACHE_EXCLUDES(blocks_.mutex());
  [[gnu::noinline, gnu::cold]] void FreeIfDead(const CacheEntry* name) noexcept
      RELCACHE_EXCLUDES(blocks_.mutex());
  void Free(CacheEntry& entry) noexcept;
  void Evict() noexcept RELCACHE_EXCLUDES(blocks_.mutex());

  // Read by all threads and written, under the mutex, by those that unlink.
  CellTable table_;
  alignas(64) std::atomic<std::uint64_t> unlinks_{0};

  // Has the mutex that guards what follows.
  alignas(64) PinBlocks blocks_;
  const std::size_t budget_;
  const TreeOptions trees_;
  std::atomic<std::size_t> bytes_{0};
  sync::ConditionVariable load_ended_;
  Tickets tickets_ RELCACHE_GUARDED_BY(blocks_.mutex());
  DependencyIndex index_ RELCACHE_GUARDED_BY(blocks_.mutex());
  EntriesByAddress graveyard_ RELCACHE_GUARDED_BY(blocks_.mutex());
  bool publishing_ RELCACHE_GUARDED_BY(blocks_.mutex()) = true;
  bool evicting_ RELCACHE_GUARDED_BY(blocks_.mutex()) = false;
  std::uint64_t cancelled_ RELCACHE_GUARDED_BY(blocks_.mutex()) = 0;
  std::uint64_t invalidated_ RELCACHE_GUARDED_BY(blocks_.mutex()) = 0;
  std::uint64_t evicted_ RELCACHE_GUARDED_BY(blocks_.mutex()) = 0;
};

[[gnu::always_inline]] inline RelationPin EntryStore::TryPin(Oid oid) {
  Cell* cell = table_.Lookup(oid);
  if (cell == nullptr) return {};
  CacheEntry* entry = cell->entry.load(std::memory_order_relaxed);
  if (entry == nullptr) return {};  // is being changed: look again under the lock
  PinSlot& slot = blocks_.FreeSlot();
  blocks_.fence().StoreThenLoad(slot, entry);
  // The version was still linked after the slot became visible, so any thread that unlinks it later
  // sees the slot. Only now may the version be read. The cell may belong to another relation by
  // now, hence the second condition.
  if (cell->entry.load(std::memory_order_seq_cst) == entry && entry->oid() == oid) [[likely]] {
    if (cell->used.load(std::memory_order_relaxed) == 0) {
      cell->used.store(1, std::memory_order_relaxed);
    }
    blocks_.CountHit();
    return RelationPin(entry->descriptor(), slot);
  }
  slot.store(nullptr, std::memory_order_release);
  FreeIfDead(entry);  // an unlinking thread may have taken the attempt for a pin
  return {};
}

[[gnu::always_inline]] inline void EntryStore::Close(PinSlot& slot) noexcept {
  const CacheEntry* entry = slot.load(std::memory_order_relaxed);
  EntryStore& store = entry->store();
  const std::uint64_t before = store.unlinks_.load(std::memory_order_relaxed);
  const bool unlinked = entry->unlinked.load(std::memory_order_relaxed);
  store.blocks_.Clear(slot);
  // The entry may be freed at any time from here on. If an unlinking thread still saw the slot, it
  // had incremented the counter before its fence.
  if (unlinked || store.unlinks_.load(std::memory_order_seq_cst) != before) [[unlikely]] {
    store.FreeIfDead(entry);
  }
}

}  // namespace relcache::internal
