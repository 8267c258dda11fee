// What a context costs does not grow with its depth, and nothing recurses down a chain of contexts.
#include <gtest/gtest.h>
#include <pthread.h>

#include <random>
#include <vector>

#include "relcache/memory/memory_context.h"

namespace relcache {
namespace {

void OnASmallStack(void (*run)()) {
  pthread_attr_t small;
  ASSERT_EQ(pthread_attr_init(&small), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&small, 256 << 10), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &small,
                [](void* argument) -> void* {
                  reinterpret_cast<void (*)()>(argument)();
                  return nullptr;
                },
                reinterpret_cast<void*>(run)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&small);
}

/// Hangs a chain below `parent`; its lowest context.
template <class Kind>
MemoryContext& GrowChain(MemoryContext& parent, std::size_t length) {
  MemoryContext* at = &parent;
  for (std::size_t i = 0; i < length; ++i) at = &Kind::Create("link", *at, BlockSizes{0, 0});
  return *at;
}

// A step per level for each context or block would make some 10^10 steps of each line here.
constexpr std::size_t kDepth = 200'000;

template <class Kind>
void WorkOnADeepChain() {
  const ContextPtr top = Kind::CreateRoot("top", BlockSizes{0, 0});
  MemoryContext& bottom = GrowChain<Kind>(*top, kDepth);
  EXPECT_EQ(top->total_blocks(), kDepth + 1);
  EXPECT_EQ(top->total_bytes_reserved(), bottom.bytes_reserved() * (kDepth + 1));
  for (std::size_t i = 0; i < kDepth; ++i) {
    (void)bottom.Allocate(10'000);
    bottom.Reset();
  }
  for (std::size_t i = 0; i < kDepth; ++i) ContextPtr(&Kind::Create("leaf", bottom));
  ResetCallback callback{[](void*) noexcept {}, nullptr, nullptr, 10};
  for (std::size_t i = 0; i < kDepth; ++i) {
    bottom.OnReset(callback);
    bottom.SetForeignBytes(callback, i);
    EXPECT_TRUE(bottom.CancelOnReset(callback));
  }
  // Leaves move without a look at what is above.
  MemoryContext& leaf = Kind::Create("leaf", *top);
  for (std::size_t i = 0; i < kDepth; ++i) {
    leaf.SetParent(&bottom);
    leaf.SetParent(top.get());
  }
  EXPECT_EQ(top->TotalStats().contexts, kDepth + 2);
  top->Reset();
  EXPECT_TRUE(top->IsUnused());
  GrowChain<Kind>(*top, kDepth);
  top->DeleteChildren();
  GrowChain<Kind>(*top, kDepth);
}

TEST(Depth, AChainOfAllocSets) {
  OnASmallStack(WorkOnADeepChain<AllocSet>);
}
TEST(Depth, AChainOfBumps) {
  OnASmallStack(WorkOnADeepChain<Bump>);
}

TEST(Depth, AChainUnderALimitAndAnObserver) {
  OnASmallStack([] {
    const ContextPtr top = AllocSet::CreateRoot("top", BlockSizes{0, 0});
    struct Counter final : AllocationObserver {
      void OnAllocate(MemoryContext&, std::size_t) override { ++requests; }
      void OnFree(MemoryContext&, std::size_t) noexcept override {}
      std::size_t requests = 0;
    } counter;
    MemoryContext& middle = GrowChain<AllocSet>(*top, kDepth);
    top->SetLimit(top->total_bytes_reserved() + kDepth * middle.bytes_reserved());
    top->Watch(counter);
    MemoryContext& bottom = GrowChain<AllocSet>(middle, kDepth);
    EXPECT_THROW(AllocSet::Create("one too many", bottom), ContextLimitExceeded);
    (void)bottom.Allocate(1);
    EXPECT_THROW((void)bottom.Allocate(1000), ContextLimitExceeded);
    EXPECT_EQ(counter.requests, 2u);
    top->Unwatch();
    top->Reset();
    EXPECT_EQ(top->total_bytes_reserved(), top->bytes_reserved());
    (void)top->Allocate(1000);
  });
}

// --- Limits above each other -------------------------------------------------------------------

/// That `context` refuses exactly what would lift its tree, or one above it, beyond a limit.
void ExpectLimitsAreExact(MemoryContext& context) {
  std::size_t room = SIZE_MAX;
  for (const MemoryContext* up = &context; up != nullptr; up = up->parent()) {
    if (up->limit() == SIZE_MAX) continue;
    const std::size_t held = up->total_bytes_reserved() + up->total_foreign_bytes();
    ASSERT_LE(held, up->limit());
    room = std::min(room, up->limit() - held);
  }
  if (room == SIZE_MAX) return;
  ResetCallback callback{[](void*) noexcept {}, nullptr, nullptr, room + 1};
  EXPECT_THROW(context.OnReset(callback), ContextLimitExceeded);
  callback.foreign_bytes = room;
  EXPECT_NO_THROW(context.OnReset(callback));
  EXPECT_TRUE(context.CancelOnReset(callback));
}

bool IsAtOrBelow(const MemoryContext* context, const MemoryContext* top) {
  for (; context != nullptr; context = context->parent())
    if (context == top) return true;
  return false;
}

/// One random change of a tree whose contexts are `all`, the root first.
void ChangeTree(std::vector<MemoryContext*>& all, std::minstd_rand& random) {
  MemoryContext& one = *all[random() % all.size()];
  MemoryContext& other = *all[random() % all.size()];
  try {
    switch (random() % 7) {
      case 0:
      case 1:
        all.push_back(&(random() % 2 ? AllocSet::Create("a", one, kSmallBlocks)
                                     : Bump::Create("b", one, kSmallBlocks)));
        break;
      case 2:
        (void)one.Allocate(random() % 20'000);
        break;
      case 3:
        if (&one == all[0] || IsAtOrBelow(&other, &one)) break;
        one.SetParent(&other);
        break;
      case 4:
        one.SetLimit(one.total_bytes_reserved() + one.total_foreign_bytes() + random() % 100'000);
        break;
      case 5: {
        if (random() % 4 != 0) break;
        std::erase_if(all, [&](MemoryContext* at) { return at != &one && IsAtOrBelow(at, &one); });
        one.Reset();
        break;
      }
      default: {
        if (&one == all[0] || !one.IsLeaf()) break;
        std::erase(all, &one);
        ContextPtr gone(&one);
      }
    }
  } catch (const ContextLimitExceeded&) {
  }
}

TEST(Depth, LimitsAreExactWhateverIsMadeMovedAndDeletedBelowThem) {
  std::minstd_rand random(7);
  for (int round = 0; round < 50; ++round) {
    const ContextPtr root = AllocSet::CreateRoot("root");
    std::vector<MemoryContext*> all{root.get()};
    for (int step = 0; step < 200; ++step) {
      ChangeTree(all, random);
      ASSERT_EQ(root->TotalStats().contexts, all.size());
      ExpectLimitsAreExact(*all[random() % all.size()]);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace relcache
