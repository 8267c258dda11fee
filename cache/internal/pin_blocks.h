// Pins as hazard slots: each thread writes the entries it holds into a block of its own, and
// whoever wants to free an entry looks through all blocks. Nothing is counted in the entry.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "relcache/cache/internal/fence.h"

namespace relcache::internal {

class CacheEntry;

/// Names the entry that a pin holds; null when free. Set by the owner of its block only, cleared by
/// any thread.
using PinSlot = std::atomic<CacheEntry*>;

/// The slots of one thread; a thread with more pins than slots takes another block.
struct alignas(64) PinBlock {
  static constexpr std::uint32_t kSlots = 62;

  /// Where the owner looks next. The owner's.
  std::uint32_t hint = 0;
  /// No slot above was used since the block was last empty; spares the scan seven of eight lines.
  /// Written by the owner before the slot.
  std::atomic<std::uint16_t> high{0};
  /// Whether a thread uses the block. Under the mutex.
  bool owned = false;
  /// Hits counted by this block's owners. Written by the owner.
  std::atomic<std::uint64_t> hits{0};
  PinSlot slots[kSlots] = {};

  std::uint32_t free_slots() const noexcept;
};
static_assert(sizeof(PinBlock) == 512);

/// The block that this thread uses in the cache it used last. Ids of caches are never used again.
struct ThreadBlock {
  std::uint64_t cache_id;
  PinBlock* block;
};
inline thread_local constinit ThreadBlock t_block{0, nullptr};

/// All blocks of one cache, and which thread uses which.
///
/// A thread is registered by its first open and gives its blocks back when it ends; a block that is
/// given back may still hold pins, which other threads close.
/// Thread safety: as said per function; "locked" means that the caller holds the mutex.
class PinBlocks {
 public:
  /// `mutex` is the one under which entries are unlinked and buried.
  PinBlocks(std::mutex& mutex, bool use_membarrier);
  PinBlocks(const PinBlocks&) = delete;
  PinBlocks& operator=(const PinBlocks&) = delete;
  /// No slot may be in use.
  ~PinBlocks();

  const AsymmetricFence& fence() const noexcept { return fence_; }

  /// Whether the calling thread has a block at hand, so that FreeSlot may be called.
  bool ready() const noexcept { return t_block.cache_id == id_; }
  /// Gives the calling thread a block. Errors: std::bad_alloc. Not locked.
  void Register();
  /// Takes the block back if the thread is one that ends and will not come by again: Register() was
  /// called from the destructor of a thread_local after the one that gives blocks back. Not locked.
  void LeaveIfEnding() noexcept;

  /// A free slot of the calling thread's block; it stays free until the caller sets it.
  /// Errors: std::bad_alloc when a further block is needed. Not locked.
  PinSlot& FreeSlot() {
    PinBlock& block = *t_block.block;
    PinSlot& slot = block.slots[block.hint];
    // Acquire: whoever cleared the slot is done with what it named, and the chain from there to the
    // one who frees must not break when the slot is used again.
    if (slot.load(std::memory_order_acquire) == nullptr) [[likely]]
      return slot;
    return NextFreeSlot();
  }
  /// Counts an open that FreeSlot's slot was used for.
  void CountHit() const noexcept {
    std::atomic<std::uint64_t>& hits = t_block.block->hits;
    hits.store(hits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  /// Empties a slot so that the caller's next seq_cst load is ordered after it.
  void Clear(PinSlot& slot) const noexcept {
    // Alone() skips the fence when no other thread is registered, so one that is not must bring its
    // own.
    if (ready()) [[likely]] {
      fence_.StoreThenLoad<CacheEntry*>(slot, nullptr);
    } else {
      slot.exchange(nullptr, std::memory_order_seq_cst);
    }
  }

  /// Whether no other thread has a block: one that registers later takes the mutex after the caller
  /// and sees what the caller did, so the caller needs no fence. Locked.
  bool Alone() const noexcept { return owned_ == (ready() ? 1 : 0); }
  /// Calls f(entry) for each slot in use. Locked.
  template <class F>
  void EachPin(F&& f) const {
    for (const auto& block : blocks_) {
      const std::uint32_t high = block->high.load(std::memory_order_seq_cst);
      for (std::uint32_t i = 0; i <= high; ++i) {
        if (CacheEntry* e = block->slots[i].load(std::memory_order_seq_cst)) f(e);
      }
    }
  }
  /// Whether a slot names `entry`, which is not followed. Locked.
  bool Pinned(const CacheEntry* entry) const noexcept;
  /// Opens that were hits, of all threads. Exact when they are quiet. Locked.
  std::uint64_t hits() const noexcept;
  std::size_t blocks() const noexcept { return blocks_.size(); }
  std::size_t pins() const noexcept;
  std::size_t bytes() const noexcept { return blocks_.size() * sizeof(PinBlock); }

 private:
  struct ThreadBlocks;
  struct LiveCaches;
  static LiveCaches& Live();

  PinSlot& NextFreeSlot();
  PinBlock& TakeBlock();
  void GiveBack(PinBlock& block) noexcept;

  const AsymmetricFence fence_;
  std::uint64_t id_ = 0;
  std::mutex& mutex_;
  std::vector<std::unique_ptr<PinBlock>> blocks_;
  std::size_t owned_ = 0;
};

}  // namespace relcache::internal
