// The failing allocator itself, and contexts under it.
#include "relcache/tests/failing_allocator.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "relcache/memory/context_dump.h"
#include "relcache/memory/context_resource.h"
#include "relcache/memory/palloc.h"

namespace relcache {
namespace {

TEST(FailingAllocator, FailsTheNthRequestOnce) {
  std::vector<int> failures;
  for (std::uint64_t n = 1; n <= 4; ++n) {
    FailingAllocator allocator(n);
    for (int i = 1; i <= 3; ++i) {
      try {
        // Called by name, so that the compiler may not leave it out.
        ::operator delete(::operator new(8));
      } catch (const std::bad_alloc&) {
        FailurePause pause;
        failures.push_back(i);
      }
    }
    EXPECT_EQ(allocator.failed(), n <= 3);
    EXPECT_EQ(allocator.requests(), 3u);
  }
  EXPECT_EQ(failures, (std::vector<int>{1, 2, 3}));
}

TEST(FailingAllocator, CoversContextsOldAndNew) {
  ContextPtr old = AllocSet::CreateRoot("old");
  for (const bool bump : {false, true}) {
    FailingAllocator allocator(0);
    allocator.Cover(*old);
    ContextPtr made = bump ? Bump::CreateRoot("made") : AllocSet::CreateRoot("made");
    const std::uint64_t before = allocator.requests();
    (void)old->Allocate(8);
    (void)made->Allocate(8);
    (void)AllocSet::Create("child", *made).Allocate(8);
    // The child's own head of an observed context is one more.
    EXPECT_EQ(allocator.requests() - before, 4u);
  }
}

TEST(FailingAllocator, CountsWhatIsNotGivenBack) {
  const std::int64_t before = LiveAllocations();
  auto* leak = new std::string(100, 'x');
  EXPECT_EQ(LiveAllocations() - before, 2);
  delete leak;
  EXPECT_EQ(LiveAllocations(), before);
}

TEST(FailingMemory, EveryRequestOfAContextMayFail) {
  for (const bool bump : {false, true}) {
    const std::uint64_t failures = ForEachFailure([bump](FailingAllocator&) {
      ContextPtr root = bump ? Bump::CreateRoot("root") : AllocSet::CreateRoot("root");
      MemoryContext& child = AllocSet::Create("child", *root, kSmallBlocks);
      for (std::size_t size = 1; size < 100'000; size *= 3) {
        (void)root->Allocate(size);
        (void)child.Allocate(size, 64);
        (void)child.NewArray<int>(size / 4);
      }
      void* chunk = child.Allocate(10);
      chunk = child.Reallocate(chunk, 1000);
      chunk = child.Reallocate(chunk, 100'000);
      chunk = child.Reallocate(chunk, 200'000);
      child.Free(chunk);
      Bump::Create("other", *root).SetParent(&child);
      root->Reset();
      root->Check();
    });
    EXPECT_GT(failures, 30u);
  }
}

TEST(FailingMemory, AdoptedHandlesAreDestroyedWhateverFails) {
  static int live;
  struct Handle {
    Handle() { ++live; }
    ~Handle() { --live; }
  };
  ForEachFailure(
      [](FailingAllocator&) {
        ContextPtr root = AllocSet::CreateRoot("root");
        for (int i = 0; i < 3; ++i) root->Adopt(std::make_unique<Handle>(), 10);
      },
      [] { EXPECT_EQ(live, 0); });
}

TEST(FailingMemory, ThePallocFamilyAndContainersComeThrough) {
  const std::uint64_t failures = ForEachFailure([](FailingAllocator&) {
    ContextPtr root = AllocSet::CreateRoot("root");
    CurrentContext scope(*root);
    pfree(pstrdup(psprintf("%0200d", 1)));
    void* chunk = palloc_extended(100, MCXT_ALLOC_NO_OOM);
    if (chunk != nullptr) pfree(repalloc(chunk, 5000));
    ContextResource resource(*root);
    std::pmr::vector<std::pmr::string> strings(&resource);
    for (int i = 0; i < 20; ++i) strings.emplace_back(100, 'x');
  });
  EXPECT_GT(failures, 25u);
}

TEST(FailingMemory, DumpsComeThrough) {
  ContextPtr root = AllocSet::CreateRoot("root");
  for (int i = 0; i < 5; ++i) Bump::Create("child", *root, kSmallBlocks);
  ForEachFailure([&](FailingAllocator&) {
    (void)ContextsAsText(*root, 2);
    (void)ContextsAsJson(*root);
  });
}

}  // namespace
}  // namespace relcache
