#include "relcache/cache/internal/pin_blocks.h"

#include <algorithm>
#include <unordered_map>

#include "relcache/base/check.h"

namespace relcache::internal {

std::uint32_t PinBlock::free_slots() const noexcept {
  return static_cast<std::uint32_t>(
      std::count_if(std::begin(slots), std::end(slots),
                    [](auto& slot) { return slot.load(std::memory_order_acquire) == nullptr; }));
}

/// The caches that exist, for threads that end after some of their caches were destroyed. Its mutex
/// is taken before that of a cache.
struct PinBlocks::LiveCaches {
  sync::Mutex mutex;
  std::unordered_map<std::uint64_t, PinBlocks*> caches RELCACHE_GUARDED_BY(mutex);
  std::uint64_t last_id RELCACHE_GUARDED_BY(mutex) = 0;
};

PinBlocks::LiveCaches& PinBlocks::Live() {
  static auto* live =
      new LiveCaches;  // never destroyed: threads may end after the static destructors ran
  return *live;
}

/// The blocks of a thread, one for each cache. The destructor gives them back when the thread ends.
struct PinBlocks::ThreadBlocks {
  std::vector<ThreadBlock> blocks;

  /// Set when the thread's list was destroyed. It is trivially destructible, so that it can still
  /// be read after that.
  static thread_local constinit bool t_gone;

  ~ThreadBlocks() {
    t_gone = true;
    t_block = {0, nullptr};
    LiveCaches& live = Live();
    const sync::MutexLock lock(live.mutex);
    for (const ThreadBlock& mine : blocks) {
      const auto cache = live.caches.find(mine.cache_id);
      if (cache != live.caches.end()) cache->second->GiveBack(*mine.block);
    }
  }

  ThreadBlock* Find(std::uint64_t id) {
    const auto found = std::find_if(blocks.begin(), blocks.end(),
                                    [id](const ThreadBlock& b) { return b.cache_id == id; });
    return found == blocks.end() ? nullptr : &*found;
  }

  void ForgetDeadCaches() {
    LiveCaches& live = Live();
    const sync::MutexLock lock(live.mutex);
    std::erase_if(blocks, [&live](const ThreadBlock& b) {
      live.mutex.AssertHeld();
      return !live.caches.contains(b.cache_id);
    });
  }

  static ThreadBlocks& OfThisThread() {
    thread_local ThreadBlocks mine;
    return mine;
  }
};

thread_local constinit bool PinBlocks::ThreadBlocks::t_gone = false;

PinBlocks::PinBlocks(bool use_membarrier) : fence_(use_membarrier) {
  LiveCaches& live = Live();
  const sync::MutexLock lock(live.mutex);
  id_ = ++live.last_id;
  live.caches.emplace(id_, this);
}

PinBlocks::~PinBlocks() {
  LiveCaches& live = Live();
  const sync::MutexLock lock(live.mutex);
  live.caches.erase(id_);
}

void PinBlocks::Register() {
  if (ThreadBlocks::t_gone) {
    t_block = {id_, &TakeBlock()};
    return;
  }
  ThreadBlocks& mine = ThreadBlocks::OfThisThread();
  ThreadBlock* known = mine.Find(id_);
  if (known == nullptr) {
    mine.ForgetDeadCaches();
    mine.blocks.reserve(mine.blocks.size() + 1);
    known = &mine.blocks.emplace_back(ThreadBlock{id_, &TakeBlock()});
  }
  t_block = *known;
}

void PinBlocks::LeaveIfEnding() noexcept {
  if (!ThreadBlocks::t_gone || !ready()) return;
  GiveBack(*t_block.block);
  t_block = {0, nullptr};
}

PinSlot& PinBlocks::NextFreeSlot() {
  for (;;) {
    PinBlock& block = *t_block.block;
    // Next fit: slots that other threads have cleared are found like all others, without a list of
    // free slots that threads would share.
    for (std::uint32_t n = 0; n < PinBlock::kSlots; ++n) {
      if (block.slots[block.hint].load(std::memory_order_acquire) == nullptr) {
        return block.slots[block.hint];
      }
      block.hint = block.hint + 1 == PinBlock::kSlots ? 0 : block.hint + 1;
      if (block.hint > block.high.load(std::memory_order_relaxed)) {
        block.high.store(static_cast<std::uint16_t>(block.hint), std::memory_order_seq_cst);
      }
    }
    // The block is full. Its pins stay in it, although it has no owner any more.
    PinBlock& next = TakeBlock();
    GiveBack(block);
    if (!ThreadBlocks::t_gone) ThreadBlocks::OfThisThread().Find(id_)->block = &next;
    t_block.block = &next;
  }
}

/// Returns a block without an owner that has room, or a new one.
PinBlock& PinBlocks::TakeBlock() {
  const sync::MutexLock lock(mutex_);
  const auto roomy = [](const auto& block) {
    return !block->owned && block->free_slots() > PinBlock::kSlots / 2;
  };
  auto found = std::find_if(blocks_.begin(), blocks_.end(), roomy);
  if (found == blocks_.end()) {
    found = blocks_.insert(blocks_.end(), std::make_unique<PinBlock>());
  }
  PinBlock& block = **found;
  block.owned = true;
  ++owned_;
  // Only an owner sets slots, so a block without an owner that is found empty stays empty.
  if (block.free_slots() == PinBlock::kSlots) {
    block.hint = 0;
    block.high.store(0, std::memory_order_seq_cst);
  }
  return block;
}

void PinBlocks::GiveBack(PinBlock& block) noexcept {
  const sync::MutexLock lock(mutex_);
  RELCACHE_DCHECK(block.owned);
  block.owned = false;
  --owned_;
}

bool PinBlocks::Pinned(const CacheEntry* entry) const noexcept {
  for (const auto& block : blocks_) {
    const std::uint32_t high = block->high.load(std::memory_order_seq_cst);
    for (std::uint32_t i = 0; i <= high; ++i) {
      if (block->slots[i].load(std::memory_order_seq_cst) == entry) return true;
    }
  }
  return false;
}

std::uint64_t PinBlocks::hits() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& block : blocks_) sum += block->hits.load(std::memory_order_relaxed);
  return sum;
}

std::size_t PinBlocks::pins() const noexcept {
  std::size_t n = 0;
  EachPin([&n](CacheEntry*) { ++n; });
  return n;
}

}  // namespace relcache::internal
