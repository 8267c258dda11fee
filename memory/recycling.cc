// Deleted contexts of the usual sizes, kept by the thread that deleted them.
#include <array>
#include <cstdlib>

#include "relcache/memory/chunk.h"

namespace relcache {
namespace internal {
namespace {

// 16 contexts of 8 kB and 64 of 1 kB, of either kind: at most 384 kB a thread.
constexpr std::uint32_t kKeptOfDefaultSize = 16;
constexpr std::uint32_t kKeptOfSmallSize = 64;

struct Kept {
  MemoryContext* first = nullptr;
  std::uint32_t count = 0;
};

// Trivially destructible, so that contexts may still be deleted by destructors that run after this
// thread's others.
struct ThreadState {
  std::array<Kept, kRecyclingClasses + 1> kept;
  AllocationObserver* observer = nullptr;
  bool registered = false;
  bool ended = false;
};
constinit thread_local ThreadState thread_state;

struct ReleaseAtThreadEnd {
  ~ReleaseAtThreadEnd() {
    ReleaseRecycledContexts();
    thread_state.registered = false;
    thread_state.ended = true;
  }
};

[[gnu::noinline]] void RegisterThreadEnd() {
  thread_local ReleaseAtThreadEnd at_end;
  thread_state.registered = true;
}

}  // namespace

std::uint8_t RecyclingClass(bool is_bump, BlockSizes sizes) noexcept {
  // AddressSanitizer keeps freed memory apart for a while, and so sees later uses of it.
#ifdef RELCACHE_ASAN
  return kNotRecycled;
#endif
  const auto is = [&](BlockSizes usual) {
    return sizes.initial == usual.initial && sizes.maximum == usual.maximum;
  };
  if (is(kDefaultBlocks)) return is_bump ? 1 : 2;
  if (is(kSmallBlocks)) return is_bump ? 3 : 4;
  return kNotRecycled;
}

/// Kept contexts are linked through parent_.
MemoryContext* ContextAccess::TakeRecycled(std::uint8_t recycling_class) noexcept {
  Kept& kept = thread_state.kept[recycling_class];
  MemoryContext* context = kept.first;
  if (context == nullptr) return nullptr;
  kept.first = std::exchange(context->parent_, nullptr);
  --kept.count;
  return context;
}

bool ContextAccess::PutRecycled(MemoryContext& context) noexcept {
  ThreadState& state = thread_state;
  if (!state.registered) [[unlikely]] {
    if (state.ended) return false;
    RegisterThreadEnd();
  }
  Kept& kept = state.kept[context.recycling_class_];
  if (kept.count >= (context.recycling_class_ <= 2 ? kKeptOfDefaultSize : kKeptOfSmallSize))
    return false;
  if (!context.IsUnused()) ResetBlocks(context);
  context.identifier_ = nullptr;
  context.parent_ = std::exchange(kept.first, &context);
  ++kept.count;
  return true;
}

AllocationObserver*& ObserverOfNewContexts() noexcept {
  return thread_state.observer;
}

}  // namespace internal

void ReleaseRecycledContexts() noexcept {
  for (std::uint8_t c = 1; c <= internal::kRecyclingClasses; ++c) {
    while (MemoryContext* context = internal::ContextAccess::TakeRecycled(c)) std::free(context);
  }
}

}  // namespace relcache
