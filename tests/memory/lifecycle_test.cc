// Deleted contexts come back as new ones, on whichever thread.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "relcache/memory/memory_context.h"

namespace relcache {
namespace {

#if !RELCACHE_CHECKED_CONTEXTS && !defined(__SANITIZE_ADDRESS__)
TEST(Recycling, ADeletedContextIsUsedAgainAndIsAsNew) {
  ReleaseRecycledContexts();
  ContextPtr first = AllocSet::CreateRoot("first");
  first->SetIdentifier("x");
  first->Free(first->Allocate(100));
  (void)first->Allocate(1'000'000);
  static ResetCallback callback;
  callback = {[](void*) noexcept {}, nullptr, nullptr, 10};
  first->OnReset(callback);
  Bump::Create("child", *first);
  first->SetLimit(10'000'000);
  const MemoryContext* address = first.get();
  first.reset();
  ContextPtr second = AllocSet::CreateRoot("second");
  EXPECT_EQ(second.get(), address);
  EXPECT_EQ(second->name(), "second");
  EXPECT_EQ(second->identifier(), "");
  EXPECT_EQ(second->limit(), SIZE_MAX);
  EXPECT_TRUE(second->IsUnused());
  EXPECT_EQ(second->parent(), nullptr);
  EXPECT_EQ(second->total_foreign_bytes(), 0u);
  const ContextStats expected{.reserved = 8192,
                              .used = AllocSet::kHeadBytes,
                              .free = 8192 - AllocSet::kHeadBytes,
                              .foreign = 0,
                              .blocks = 1,
                              .free_chunks = 0,
                              .contexts = 1};
  EXPECT_EQ(second->TotalStats(), expected);
}

TEST(Recycling, KindsAndSizesDoNotMix) {
  AllocSet::CreateRoot("a thread's first deletion only begins the keeping");
  ReleaseRecycledContexts();
  const MemoryContext* deleted = AllocSet::CreateRoot("deleted").get();
  ContextPtr others[] = {Bump::CreateRoot("bump"), AllocSet::CreateRoot("small", kSmallBlocks),
                         AllocSet::CreateRoot("own", {8192, 16384})};
  for (const ContextPtr& other : others) EXPECT_NE(other.get(), deleted);
  EXPECT_EQ(AllocSet::CreateRoot("again").get(), deleted);
}
#endif

TEST(Recycling, ManyContextsAtOnceAreFine) {
  for (int round = 0; round < 3; ++round) {
    std::vector<ContextPtr> contexts;
    for (int i = 0; i < 500; ++i) {
      contexts.push_back(i % 2 ? AllocSet::CreateRoot("a") : Bump::CreateRoot("b", kSmallBlocks));
      std::memset(contexts.back()->Allocate(500), i, 500);
    }
  }
}

TEST(Recycling, ContextsMoveBetweenThreads) {
  // Made here, filled there, deleted somewhere else.
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    ContextPtr contexts[8];
    for (ContextPtr& context : contexts) {
      context = Bump::CreateRoot("entry", kSmallBlocks);
      (void)context->Allocate(10);
    }
    std::thread filler([&] {
      for (ContextPtr& context : contexts) {
        std::memset(context->Allocate(5000), 1, 5000);
        AllocSet::Create("child", *context);
      }
    });
    filler.join();
    std::thread deleter([&] {
      for (ContextPtr& context : contexts) context.reset();
    });
    deleter.join();
  }
}

TEST(Recycling, ThreadsWorkOnContextsOfTheirOwnAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      ContextPtr root = AllocSet::CreateRoot("thread");
      for (int i = 0; i < 5000; ++i) {
        MemoryContext& statement = Bump::Create("statement", *root, kSmallBlocks);
        auto* chunk = static_cast<unsigned char*>(statement.Allocate(100));
        std::memset(chunk, t, 100);
        if (chunk[99] != t) ++wrong;
        ContextPtr(&statement).reset();
      }
      if (root->total_bytes_reserved() != root->bytes_reserved()) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Recycling, AContextMayBeDeletedWhenItsThreadEnds) {
  std::thread([] {
    // Destroyed after what was constructed later: the thread's kept contexts among it.
    thread_local ContextPtr early = AllocSet::CreateRoot("early");
    (void)early->Allocate(10);
    AllocSet::CreateRoot("deleted");
  }).join();
}

}  // namespace
}  // namespace relcache
