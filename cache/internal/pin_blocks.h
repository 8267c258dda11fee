// Pins as hazard pointers: each thread writes the addresses of the entries that it holds into a
// block of its own, and a thread that wants to free an entry searches all blocks. The entry has no
// reference count, which all threads would have to write.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "relcache/base/mutex.h"
#include "relcache/cache/internal/fence.h"

namespace relcache::internal {

class CacheEntry;

/// The address of the entry that a pin holds; null if the slot is free. Only the owner of the block
/// sets it; any thread may clear it.
using PinSlot = std::atomic<CacheEntry*>;

/// The slots of one thread. A thread with more pins than slots takes another block.
struct alignas(64) PinBlock {
  static constexpr std::uint32_t kSlots = 62;

  /// Where the owner looks for a free slot next. Only the owner uses it.
  std::uint32_t hint = 0;
  /// No slot above this one was used since the block was last empty. A search can therefore skip
  /// most of the block's eight cache lines. The owner writes it before the slot.
  std::atomic<std::uint16_t> high{0};
  /// Whether a thread uses the block. Guarded by the mutex.
  bool owned = false;
  /// The hits counted by the owners of this block. Only the owner writes it.
  std::atomic<std::uint64_t> hits{0};
  PinSlot slots[kSlots] = {};

  std::uint32_t free_slots() const noexcept;
};
static_assert(sizeof(PinBlock) == 512);

/// The block of this thread in the cache that it used last. Identifiers of caches are not reused.
struct ThreadBlock {
  std::uint64_t cache_id;
  PinBlock* block;
};
inline thread_local constinit ThreadBlock t_block{0, nullptr};

/// All blocks of one cache.
///
/// The first open registers a thread, and the thread gives its blocks back when it ends. A block
/// that was given back may still contain pins, which other threads close.
/// Thread safety: all calls from any thread, those that require the mutex under it.
class PinBlocks {
 public:
  explicit PinBlocks(bool use_membarrier);
  PinBlocks(const PinBlocks&) = delete;
  PinBlocks& operator=(const PinBlocks&) = delete;
  /// No slot may be in use any more.
  ~PinBlocks();

  /// Entries are unlinked and moved to the graveyard under the same mutex, because looking at the
  /// slots and burying must be one critical section.
  sync::Mutex& mutex() const noexcept RELCACHE_RETURN_CAPABILITY(mutex_) { return mutex_; }
  const AsymmetricFence& fence() const noexcept { return fence_; }

  /// Whether the calling thread's block for this cache is in t_block, so that FreeSlot may be
  /// called.
  bool ready() const noexcept { return t_block.cache_id == id_; }
  /// Gives the calling thread a block.
  /// Errors: std::bad_alloc.
  void Register() RELCACHE_EXCLUDES(mutex_);
  /// Takes the block back if the thread is ending and its destructor for blocks has already run.
  /// This happens when Register() is called from the destructor of another thread_local object.
  void LeaveIfEnding() noexcept RELCACHE_EXCLUDES(mutex_);

  /// A free slot of the calling thread's block. It stays free until the caller sets it.
  /// Errors: std::bad_alloc if another block is needed.
  PinSlot& FreeSlot() RELCACHE_EXCLUDES(mutex_) {
    PinBlock& block = *t_block.block;
    PinSlot& slot = block.slots[block.hint];
    // Acquire, because the thread that cleared the slot has finished with the entry, and this must
    // remain visible to the thread that frees the entry even if the slot is used again in between.
    if (slot.load(std::memory_order_acquire) == nullptr) [[likely]]
      return slot;
    return NextFreeSlot();
  }
  /// Counts an open that used the slot from FreeSlot.
  void CountHit() const noexcept {
    std::atomic<std::uint64_t>& hits = t_block.block->hits;
    hits.store(hits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  /// Empties a slot, ordered before the caller's next seq_cst load.
  void Clear(PinSlot& slot) const noexcept {
    // If Alone() is true, the unlinking thread skips its fence. A thread that is not registered
    // therefore needs a fence of its own.
    if (ready()) [[likely]] {
      fence_.StoreThenLoad<CacheEntry*>(slot, nullptr);
    } else {
      slot.exchange(nullptr, std::memory_order_seq_cst);
    }
  }

  /// Whether no other thread has a block. Then the caller needs no fence: a thread that registers
  /// later takes the mutex after the caller and sees what the caller did.
  bool Alone() const noexcept RELCACHE_REQUIRES(mutex_) { return owned_ == (ready() ? 1 : 0); }
  /// Calls f(entry) for each slot that is in use.
  template <class F>
  void EachPin(F&& f) const RELCACHE_REQUIRES(mutex_) {
    for (const auto& block : blocks_) {
      const std::uint32_t high = block->high.load(std::memory_order_seq_cst);
      for (std::uint32_t i = 0; i <= high; ++i) {
        if (CacheEntry* e = block->slots[i].load(std::memory_order_seq_cst)) f(e);
      }
    }
  }
  /// Whether a slot contains the address `entry`, which is not dereferenced.
  bool Pinned(const CacheEntry* entry) const noexcept RELCACHE_REQUIRES(mutex_);
  /// The number of opens that were hits, of all threads. Exact if no thread is opening.
  std::uint64_t hits() const noexcept RELCACHE_REQUIRES(mutex_);
  std::size_t blocks() const noexcept RELCACHE_REQUIRES(mutex_) { return blocks_.size(); }
  std::size_t pins() const noexcept RELCACHE_REQUIRES(mutex_);
  std::size_t bytes() const noexcept RELCACHE_REQUIRES(mutex_) {
    return blocks_.size() * sizeof(PinBlock);
  }

 private:
  struct ThreadBlocks;
  struct LiveCaches;
  static LiveCaches& Live();

  PinSlot& NextFreeSlot() RELCACHE_EXCLUDES(mutex_);
  PinBlock& TakeBlock() RELCACHE_EXCLUDES(mutex_);
  void GiveBack(PinBlock& block) noexcept RELCACHE_EXCLUDES(mutex_);

  mutable sync::Mutex mutex_;
  const AsymmetricFence fence_;
  std::uint64_t id_ = 0;
  std::vector<std::unique_ptr<PinBlock>> blocks_ RELCACHE_GUARDED_BY(mutex_);
  std::size_t owned_ RELCACHE_GUARDED_BY(mutex_) = 0;
};

}  // namespace relcache::internal
