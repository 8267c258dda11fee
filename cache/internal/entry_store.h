// The versions that the cache holds: which are current, who pins them, when they are freed.
#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>

#include "relcache/base/result.h"
#include "relcache/cache/internal/cell_table.h"
#include "relcache/cache/internal/dependency_index.h"
#include "relcache/cache/internal/entry.h"
#include "relcache/cache/internal/pin_blocks.h"
#include "relcache/cache/relation_pin.h"
#include "relcache/nodes/tree_options.h"

namespace relcache::internal {

/// A load under way. Stands from before the source is asked until the outcome is public, so that no
/// invalidation can fall between the two. Lives on the loader's stack.
struct LoadTicket : bi::list_base_hook<bi::link_mode<bi::safe_link>> {
  explicit LoadTicket(Oid relation) : oid(relation) {}
  const Oid oid;
  const std::thread::id loader = std::this_thread::get_id();
  /// Something was invalidated meanwhile: the outcome must not be published.
  bool cancelled = false;
};

/// Counters and figures of a store; see CacheStats.
struct StoreStats {
  std::uint64_t hits = 0, published = 0, cancelled = 0, invalidated = 0, evicted = 0;
  std::size_t entries = 0, graveyard = 0, pins = 0, bytes = 0;
  std::size_t table_bytes = 0, pin_bytes = 0, indexed_dependencies = 0;
  bool asymmetric = false;
};

/// The heart of the cache. It knows entries as heads with an oid, bytes and links, and not what is
/// in them.
///
/// How a version stays alive while it is read, and no longer:
///  1. TryPin writes the version's address into a slot of its thread and looks at the cell again.
///  An
///     unlinker empties the cell, then looks at the slots. Between the two stands a store-load
///     fence (fence.h), so one of them sees the other: either the reader backs off, or the unlinker
///     sees the slot and buries the version in the graveyard instead of freeing it.
///  2. A version is not read before the second look at its cell.
///  3. A closer empties its slot and then looks whether anything was unlinked since it began; an
///     unlinker counts up unlinks_ and then looks at the slots. The same argument: if the unlinker
///     still saw the slot, the closer sees the count and looks into the graveyard. Looking at the
///     slots and burying are one critical section. After its slot is empty a closer uses the
///     version's address as a name only.
///  4. What is in the graveyard can gain no new pin, since it was unlinked before a fence or never
///     linked; freeing from there needs no fence.
/// Thread safety: all calls from any thread. Entries are deleted, and sources called, under no
/// lock.
class EntryStore {
 public:
  /// `trees` says how entries read their expressions.
  EntryStore(std::size_t budget, bool use_membarrier, const TreeOptions& trees);
  EntryStore(const EntryStore&) = delete;
  EntryStore& operator=(const EntryStore&) = delete;
  /// Checks that no pin is left.
  ~EntryStore();

  // --- Open and close

  /// A pin on the current version, or an empty one. The calling thread must be registered.
  /// Cost: no lock, no write outside of the thread's block.
  RelationPin TryPin(Oid oid);
  PinBlocks& blocks() noexcept { return blocks_; }
  static void Close(PinSlot& slot) noexcept;

  // --- Load

  /// Either a pin, because the relation is there by now, or a started load. Waits while another
  /// thread loads the same relation. Errors: this very thread is loading it.
  Result<RelationPin> PinOrStart(LoadTicket& ticket);
  /// Starts a load if the relation is neither there nor being loaded. Does not wait.
  bool TryStart(LoadTicket& ticket) noexcept;
  /// Ends a load with a version: makes it the current one, unless the load was cancelled or the
  /// version is larger than the budget, and pins it for the caller in any case.
  RelationPin Finish(LoadTicket& ticket, CacheEntry::Ptr entry);
  /// Ends a load without one. Harmless when it has ended.
  void Abandon(LoadTicket& ticket) noexcept;

  // --- Invalidation. On return no later open gives an old version, and what was not pinned is
  // freed.
  //     No allocation, no exception. One fence a call.

  void Invalidate(std::span<const Oid> relations) noexcept;
  void Invalidate(std::span<const EntryDependency> objects) noexcept;
  void InvalidateAll() noexcept;
  /// false: loads are cancelled from now on, for changes go unnoticed.
  void SetPublishing(bool publishing) noexcept;

  // --- Bytes

  /// Counts what an entry gained since it was loaded; evicts others if that is too much.
  void Grow(CacheEntry& entry, std::size_t bytes) noexcept;
  /// Links a dependency that was found after the load, into the entry and the index.
  void AddDependency(CacheEntry& entry, DependencyLink& link) noexcept;
  std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
  const TreeOptions& trees() const noexcept { return trees_; }
  StoreStats Stats();

 private:
  using Tickets = bi::list<LoadTicket, bi::constant_time_size<false>>;

  LoadTicket* FindTicket(Oid oid) noexcept;
  void Unlinked(CacheEntry& entry, bool stale, EntriesByAddress& dead) noexcept;
  template <class Pick>
  void UnlinkAll(Pick&& pick, EntriesByAddress& dead) noexcept;
  template <class Choose>
  void Drop(Choose&& choose) noexcept;
  void Bury(EntriesByAddress& dead, bool alone) noexcept;
  [[gnu::noinline, gnu::cold]] void FreeIfDead(const CacheEntry* name) noexcept;
  void Free(CacheEntry& entry) noexcept;
  void Evict() noexcept;

  // Read by all, written by unlinkers.
  CellTable table_;
  alignas(64) std::atomic<std::uint64_t> unlinks_{0};

  alignas(64) std::mutex mutex_;
  PinBlocks blocks_;
  const std::size_t budget_;
  const TreeOptions trees_;
  std::atomic<std::size_t> bytes_{0};
  // Under mutex_ from here on.
  std::condition_variable load_ended_;
  Tickets tickets_;
  DependencyIndex index_;
  EntriesByAddress graveyard_;
  bool publishing_ = true;
  bool evicting_ = false;
  std::uint64_t published_ = 0, cancelled_ = 0, invalidated_ = 0, evicted_ = 0;
};

[[gnu::always_inline]] inline RelationPin EntryStore::TryPin(Oid oid) {
  Cell* cell = table_.Lookup(oid);
  if (cell == nullptr) return {};
  CacheEntry* entry = cell->entry.load(std::memory_order_relaxed);
  if (entry == nullptr) return {};  // just being changed: ask under the lock
  PinSlot& slot = blocks_.FreeSlot();
  blocks_.fence().StoreThenLoad(slot, entry);
  // Linked even after the slot was visible, so whoever unlinks it from now on sees the slot. Only
  // now may the entry be read. The cell may have been given to another relation meanwhile.
  if (cell->entry.load(std::memory_order_seq_cst) == entry && entry->oid() == oid) [[likely]] {
    if (cell->used.load(std::memory_order_relaxed) == 0) {
      cell->used.store(1, std::memory_order_relaxed);
    }
    blocks_.CountHit();
    return RelationPin(entry->descriptor(), slot);
  }
  slot.store(nullptr, std::memory_order_release);
  FreeIfDead(entry);  // an unlinker may have taken the attempt for a pin
  return {};
}

[[gnu::always_inline]] inline void EntryStore::Close(PinSlot& slot) noexcept {
  const CacheEntry* entry = slot.load(std::memory_order_relaxed);
  EntryStore& store = entry->store();
  const std::uint64_t before = store.unlinks_.load(std::memory_order_relaxed);
  const bool unlinked = entry->unlinked.load(std::memory_order_relaxed);
  store.blocks_.Clear(slot);
  // From here on the entry may be gone. An unlinker that still saw the slot had counted up before
  // its fence.
  if (unlinked || store.unlinks_.load(std::memory_order_seq_cst) != before) [[unlikely]] {
    store.FreeIfDead(entry);
  }
}

}  // namespace relcache::internal
