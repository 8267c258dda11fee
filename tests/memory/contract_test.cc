// What every kind of context promises, whatever its block sizes.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "relcache/memory/memory_context.h"

namespace relcache {
namespace {

struct Kind {
  const char* name;
  ContextPtr (*create_root)(const char* name, BlockSizes sizes);
  MemoryContext& (*create)(const char* name, MemoryContext& parent, BlockSizes sizes);
  ContextKind kind;
  BlockSizes sizes;
};

const Kind kKinds[] = {
    {"AllocSetDefault", AllocSet::CreateRoot, AllocSet::Create, ContextKind::kAllocSet,
     kDefaultBlocks},
    {"AllocSetSmall", AllocSet::CreateRoot, AllocSet::Create, ContextKind::kAllocSet, kSmallBlocks},
    {"AllocSetTiny", AllocSet::CreateRoot, AllocSet::Create, ContextKind::kAllocSet, {0, 0}},
    {"BumpDefault", Bump::CreateRoot, Bump::Create, ContextKind::kBump, kDefaultBlocks},
    {"BumpSmall", Bump::CreateRoot, Bump::Create, ContextKind::kBump, kSmallBlocks},
    {"BumpExact", Bump::CreateRoot, Bump::Create, ContextKind::kBump, Bump::SizedFor(100)},
};

struct Log {
  struct Entry {
    ResetCallback callback;
    Log* log;
    int id;
  };
  std::vector<int> ids;

  Entry& Add(MemoryContext& cx, int id, std::size_t foreign = 0) {
    auto* entry = cx.New<Entry>();
    entry->callback = {[](void* argument) noexcept {
                         auto* self = static_cast<Entry*>(argument);
                         self->log->ids.push_back(self->id);
                       },
                       entry, nullptr, foreign};
    entry->log = this;
    entry->id = id;
    cx.OnReset(entry->callback);
    return *entry;
  }
};

struct Counter final : AllocationObserver {
  void OnAllocate(MemoryContext&, std::size_t size) override {
    ++requests;
    bytes += size;
    if (requests == fail_at) throw std::bad_alloc();
  }
  void OnFree(MemoryContext&, std::size_t) noexcept override { ++frees; }
  void OnReset(MemoryContext& context) noexcept override { resets += context.name(); }
  std::string resets;
  int requests = 0;
  int frees = 0;
  std::size_t bytes = 0;
  int fail_at = -1;
};

class ContextContract : public ::testing::TestWithParam<Kind> {
 protected:
  MemoryContext& Child(const char* name = "child") {
    return GetParam().create(name, *root_, GetParam().sizes);
  }
  // Callbacks and observed contexts report to these until the very end.
  Log log;
  Counter counter;
  ContextPtr root_ = GetParam().create_root("root", GetParam().sizes);
};

INSTANTIATE_TEST_SUITE_P(Kinds, ContextContract, ::testing::ValuesIn(kKinds),
                         [](const auto& param) { return param.param.name; });

TEST_P(ContextContract, KnowsItsKindAndName) {
  EXPECT_EQ(root_->kind(), GetParam().kind);
  EXPECT_EQ(root_->name(), "root");
  EXPECT_EQ(root_->parent(), nullptr);
  EXPECT_EQ(Child().parent(), root_.get());
}

TEST_P(ContextContract, HandsOutDistinctAlignedWritableBytes) {
  std::vector<std::pair<unsigned char*, std::size_t>> chunks;
  for (std::size_t size = 0; size < 700; ++size) {
    auto* chunk = static_cast<unsigned char*>(root_->Allocate(size));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(chunk) % 8, 0u);
    std::memset(chunk, static_cast<int>(size % 251), size);
    chunks.emplace_back(chunk, size);
  }
  for (const auto& [chunk, size] : chunks) {
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(chunk[i], size % 251);
  }
  root_->Check();
}

TEST_P(ContextContract, RequestsOfNoBytesGiveDistinctAddresses) {
  EXPECT_NE(root_->Allocate(0), root_->Allocate(0));
}

TEST_P(ContextContract, GrantsSizesAroundEachLimitOfItsOwn) {
  for (const std::size_t around : {8u, 64u, 1024u, 2048u, 8192u, 16384u, 1u << 20, 8u << 20}) {
    for (std::size_t size = around - 9; size <= around + 9; ++size) {
      auto* chunk = static_cast<unsigned char*>(root_->Allocate(size));
      chunk[0] = 1;
      chunk[size - 1] = 2;
    }
    root_->Check();
    root_->Reset();
  }
}

TEST_P(ContextContract, AlignsAsAsked) {
  for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    for (const std::size_t size : {0u, 1u, 8u, 100u, 5000u, 20000u}) {
      void* chunk = root_->Allocate(size, alignment);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(chunk) % alignment, 0u) << alignment;
      std::memset(chunk, 1, size);
    }
  }
  root_->Check();
}

TEST_P(ContextContract, AlignedRequestsOfNoBytesStayInTheirBlock) {
  for (const std::size_t alignment : {16u, 64u, 1024u}) {
    for (int i = 0; i < 2000; ++i) {
      void* chunk = root_->Allocate(0, alignment);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(chunk) % alignment, 0u);
      const ContextStats stats = root_->Stats();
      ASSERT_LE(stats.used, stats.reserved);
      ASSERT_LE(stats.free, stats.reserved);
    }
    root_->Reset();
  }
}

struct alignas(64) Wide {
  int value[16];
};

TEST_P(ContextContract, NewHonoursTheTypesAlignmentAndInitializes) {
  Wide* wide = root_->New<Wide>();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide) % 64, 0u);
  EXPECT_EQ(wide->value[15], 0);
  struct Pair {
    int a;
    const char* b;
  };
  Pair* pair = root_->New<Pair>(3, "x");
  EXPECT_EQ(pair->a, 3);
  EXPECT_STREQ(pair->b, "x");
}

TEST_P(ContextContract, NewArrayIsZeroedAlsoInUsedMemory) {
  std::memset(root_->Allocate(600), 0xff, 600);
  root_->Reset();
  for (const int i : root_->NewArray<int>(100)) EXPECT_EQ(i, 0);
  EXPECT_TRUE(root_->NewArray<int>(0).empty());
}

TEST_P(ContextContract, AllocateZeroedIsZeroedAlsoInUsedMemory) {
  std::memset(root_->Allocate(600), 0xff, 600);
  root_->Reset();
  auto* chunk = static_cast<unsigned char*>(root_->AllocateZeroed(600));
  for (int i = 0; i < 600; ++i) ASSERT_EQ(chunk[i], 0);
}

TEST_P(ContextContract, CopyStringEndsWithNulAndKeepsInnerOnes) {
  const std::string_view copy = root_->CopyString(std::string_view("a\0b", 3));
  EXPECT_EQ(copy, std::string_view("a\0b", 3));
  EXPECT_EQ(copy.data()[3], '\0');
  EXPECT_EQ(root_->CopyString({}), "");
  EXPECT_EQ(root_->CopyString({}).data()[0], '\0');
}

TEST_P(ContextContract, GrowKeepsTheContents) {
  auto* chunk = static_cast<unsigned char*>(root_->Allocate(1));
  chunk[0] = 0;
  std::size_t size = 1;
  while (size < 100000) {
    const std::size_t larger = size + size / 2 + 1;
    chunk = static_cast<unsigned char*>(root_->Grow(chunk, size, larger));
    for (std::size_t i = size; i < larger; ++i) chunk[i] = static_cast<unsigned char>(i % 253);
    size = larger;
  }
  for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(chunk[i], i % 253);
}

// --- Sizes

TEST_P(ContextContract, RefusesWhatExceedsTheRequestLimit) {
  const std::size_t reserved = root_->total_bytes_reserved();
  EXPECT_THROW((void)root_->Allocate(kMaxRequest + 1), InvalidRequestSize);
  EXPECT_THROW((void)root_->Allocate(SIZE_MAX), InvalidRequestSize);
  EXPECT_THROW((void)root_->Allocate(SIZE_MAX - 7), InvalidRequestSize);
  EXPECT_THROW((void)root_->Allocate(SIZE_MAX / 2 + 1), InvalidRequestSize);
  EXPECT_THROW((void)root_->Allocate(kMaxRequest, 4096), InvalidRequestSize);
  EXPECT_THROW((void)root_->AllocateZeroed(SIZE_MAX), InvalidRequestSize);
  EXPECT_THROW((void)root_->AllocateHuge(kMaxHugeRequest + 1), InvalidRequestSize);
  EXPECT_THROW((void)root_->NewArray<std::uint64_t>(SIZE_MAX / 8 + 2), InvalidRequestSize);
  EXPECT_THROW((void)root_->NewArray<std::uint64_t>(kMaxRequest / 8 + 1), InvalidRequestSize);
  EXPECT_EQ(root_->TryAllocate(SIZE_MAX), nullptr);
  EXPECT_EQ(root_->total_bytes_reserved(), reserved);
  EXPECT_TRUE(root_->IsUnused());
  EXPECT_EQ(kMaxRequest, (std::size_t{1} << 30) - 1);
}

TEST_P(ContextContract, MemoryThatDoesNotExistIsBadAlloc) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer stops the process instead";
#endif
  EXPECT_THROW((void)root_->AllocateHuge(kMaxHugeRequest), std::bad_alloc);
  EXPECT_EQ(root_->TryAllocate(kMaxHugeRequest), nullptr);
  EXPECT_EQ(root_->total_bytes_reserved(), root_->bytes_reserved());
  root_->Check();
}

// --- Reset and delete

TEST_P(ContextContract, ResetGivesBackAllButTheFirstBlock) {
  const std::size_t empty = root_->bytes_reserved();
  const std::size_t used = root_->bytes_used();
  EXPECT_TRUE(root_->IsUnused());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 1000; ++i) (void)root_->Allocate(100);
    (void)root_->Allocate(1'000'000);
    EXPECT_FALSE(root_->IsUnused());
    EXPECT_GT(root_->bytes_reserved(), 1'100'000u);
    root_->Reset();
    EXPECT_TRUE(root_->IsUnused());
    EXPECT_EQ(root_->bytes_reserved(), empty);
    EXPECT_EQ(root_->bytes_used(), used);
    EXPECT_EQ(root_->Stats().blocks, 1u);
  }
}

TEST_P(ContextContract, ResetOfASmallUsedContextHandsOutTheSameBytesAgain) {
  void* first = root_->Allocate(16);
  root_->Reset();
  EXPECT_EQ(root_->Allocate(16), first);
}

TEST_P(ContextContract, AnythingMadeInItMakesItUsed) {
  struct Use {
    const char* what;
    void (*use)(MemoryContext& cx);
  };
  static ResetCallback callback;
  callback = {[](void*) noexcept {}};
  const Use uses[] = {
      {"a byte", [](MemoryContext& cx) { (void)cx.Allocate(1); }},
      {"nothing", [](MemoryContext& cx) { (void)cx.Allocate(0); }},
      {"a large chunk first", [](MemoryContext& cx) { (void)cx.Allocate(100'000'000); }},
      {"a child", [](MemoryContext& cx) { Bump::Create("child", cx); }},
      {"a callback", [](MemoryContext& cx) { cx.OnReset(callback); }},
  };
  for (const Use& use : uses) {
    EXPECT_TRUE(root_->IsUnused()) << "before " << use.what;
    use.use(*root_);
    EXPECT_FALSE(root_->IsUnused()) << use.what;
    root_->Reset();
    EXPECT_TRUE(root_->IsUnused()) << "after " << use.what;
  }
}

TEST_P(ContextContract, ResetDeletesDescendants) {
  MemoryContext& child = Child();
  MemoryContext& grandchild = GetParam().create("grandchild", child, GetParam().sizes);
  (void)grandchild.Allocate(100'000);
  (void)child.Allocate(10);
  root_->Reset();
  EXPECT_TRUE(root_->IsLeaf());
  EXPECT_EQ(root_->total_bytes_reserved(), root_->bytes_reserved());
}

TEST_P(ContextContract, DeleteChildrenKeepsTheContextsOwn) {
  auto* kept = static_cast<unsigned char*>(root_->Allocate(8));
  kept[0] = 42;
  Child();
  Child();
  root_->DeleteChildren();
  EXPECT_TRUE(root_->IsLeaf());
  EXPECT_EQ(kept[0], 42);
  EXPECT_FALSE(root_->IsUnused());
}

TEST_P(ContextContract, AChildMayGoBeforeItsParentAndInAnyOrder) {
  std::vector<ContextPtr> children;
  for (int i = 0; i < 10; ++i) {
    children.emplace_back(&Child());
    (void)children.back()->Allocate(100);
  }
  for (const std::size_t i : {5u, 0u, 9u, 1u, 8u}) children[i].reset();
  std::size_t sum = root_->bytes_reserved();
  for (const ContextPtr& child : children) sum += child ? child->bytes_reserved() : 0;
  EXPECT_EQ(root_->total_bytes_reserved(), sum);
  children.clear();
  EXPECT_EQ(root_->total_bytes_reserved(), root_->bytes_reserved());
}

TEST_P(ContextContract, ALongChainOfContextsIsDeletedWithoutRecursion) {
  for (int i = 0; i < 3'000; ++i) {
    ContextPtr above = GetParam().create_root("link", Bump::SizedFor(16));
    above->AdoptChild(std::move(root_));
    root_ = std::move(above);
  }
  EXPECT_EQ(root_->TotalStats().contexts, 3'001u);
  root_->Reset();
  EXPECT_TRUE(root_->IsLeaf());
}

// --- Callbacks

TEST_P(ContextContract, CallbacksRunOnceNewestFirstChildrenBeforeParents) {
  MemoryContext& older = Child();
  MemoryContext& newer = Child();
  log.Add(*root_, 1);
  log.Add(*root_, 2);
  log.Add(older, 11);
  log.Add(older, 12);
  log.Add(newer, 21);
  log.Add(GetParam().create("grandchild", newer, GetParam().sizes), 31);
  root_->Reset();
  EXPECT_EQ(log.ids, (std::vector<int>{31, 21, 12, 11, 2, 1}));
  root_->Reset();
  EXPECT_EQ(log.ids.size(), 6u);
  log.Add(*root_, 3);
  root_.reset();
  EXPECT_EQ(log.ids.back(), 3);
  EXPECT_EQ(log.ids.size(), 7u);
}

TEST_P(ContextContract, ACallbackSeesItsContextsMemory) {
  struct State {
    ResetCallback callback;
    int value;
    int* seen;
  };
  int seen = 0;
  auto* state = root_->New<State>();
  state->value = 7;
  state->seen = &seen;
  state->callback = {[](void* argument) noexcept {
                       auto* self = static_cast<State*>(argument);
                       *self->seen = self->value;
                     },
                     state};
  root_->OnReset(state->callback);
  root_->Reset();
  EXPECT_EQ(seen, 7);
}

TEST_P(ContextContract, ACancelledCallbackIsNotCalled) {
  log.Add(*root_, 1);
  Log::Entry& second = log.Add(*root_, 2, 50);
  log.Add(*root_, 3);
  EXPECT_TRUE(root_->CancelOnReset(second.callback));
  EXPECT_FALSE(root_->CancelOnReset(second.callback));
  EXPECT_EQ(root_->total_foreign_bytes(), 0u);
  root_->Reset();
  EXPECT_EQ(log.ids, (std::vector<int>{3, 1}));
}

TEST_P(ContextContract, AnAdoptedHandleIsDestroyedWithTheContextAndCounts) {
  struct Handle {
    explicit Handle(int& count) : gone(count) {}
    ~Handle() { ++gone; }
    int& gone;
  };
  int gone = 0;
  MemoryContext& child = Child();
  Handle& handle = child.Adopt(std::make_unique<Handle>(gone), 1000);
  EXPECT_EQ(&handle.gone, &gone);
  EXPECT_EQ(child.Stats().foreign, 1000u);
  EXPECT_EQ(root_->total_foreign_bytes(), 1000u);
  root_->Reset();
  EXPECT_EQ(gone, 1);
  EXPECT_EQ(root_->total_foreign_bytes(), 0u);
}

TEST_P(ContextContract, ForeignBytesMayChange) {
  MemoryContext& child = Child();
  Log::Entry& entry = log.Add(child, 1, 100);
  child.SetForeignBytes(entry.callback, 300);
  EXPECT_EQ(root_->total_foreign_bytes(), 300u);
  child.SetForeignBytes(entry.callback, 50);
  EXPECT_EQ(root_->total_foreign_bytes(), 50u);
  EXPECT_EQ(root_->TotalStats().foreign, 50u);
  child.Reset();
  EXPECT_EQ(root_->total_foreign_bytes(), 0u);
}

// --- The tree

TEST_P(ContextContract, AContextMovesWithAllBelowIt) {
  ContextPtr other = AllocSet::CreateRoot("other");
  MemoryContext& child = Child();
  MemoryContext& grandchild = GetParam().create("grandchild", child, GetParam().sizes);
  (void)grandchild.Allocate(50'000);
  log.Add(grandchild, 1, 77);
  const std::size_t moved = child.total_bytes_reserved();
  child.SetParent(other.get());
  EXPECT_EQ(child.parent(), other.get());
  EXPECT_EQ(root_->total_bytes_reserved(), root_->bytes_reserved());
  EXPECT_EQ(root_->total_foreign_bytes(), 0u);
  EXPECT_EQ(other->total_bytes_reserved(), other->bytes_reserved() + moved);
  EXPECT_EQ(other->total_foreign_bytes(), 77u);
  root_.reset();
  EXPECT_TRUE(log.ids.empty());
  other.reset();
  EXPECT_EQ(log.ids, std::vector<int>{1});
}

TEST_P(ContextContract, AContextBecomesARootAndIsAdoptedAgain) {
  MemoryContext& child = Child();
  void* chunk = child.Allocate(8);
  child.SetParent(nullptr);
  ContextPtr owned(&child);
  root_->Reset();
  std::memset(chunk, 1, 8);
  MemoryContext& back = root_->AdoptChild(std::move(owned));
  EXPECT_EQ(&back, &child);
  EXPECT_FALSE(root_->IsLeaf());
}

TEST_P(ContextContract, VisitsDescendantsParentsFirst) {
  MemoryContext& a = Child("a");
  Child("b");
  GetParam().create("a1", a, GetParam().sizes);
  GetParam().create("a2", a, GetParam().sizes);
  std::string seen;
  root_->VisitDescendants([&](const MemoryContext& context, int level) {
    seen += std::string(context.name()) + std::to_string(level) + " ";
  });
  EXPECT_EQ(seen, "b1 a1 a22 a12 ");
}

// --- Accounting

TEST_P(ContextContract, SumsAddUp) {
  MemoryContext& child = Child();
  MemoryContext& grandchild = GetParam().create("grandchild", child, GetParam().sizes);
  for (int i = 0; i < 500; ++i) {
    (void)root_->Allocate(static_cast<std::size_t>(i));
    (void)grandchild.Allocate(static_cast<std::size_t>(i) * 7);
  }
  for (MemoryContext* cx : {root_.get(), &child, &grandchild}) {
    const ContextStats stats = cx->Stats();
    EXPECT_EQ(stats.reserved, cx->bytes_reserved());
    EXPECT_EQ(stats.used, cx->bytes_used());
    EXPECT_EQ(stats.used + stats.free, stats.reserved);
    EXPECT_EQ(cx->TotalStats().reserved, cx->total_bytes_reserved());
    EXPECT_EQ(cx->TotalStats().blocks, cx->total_blocks());
  }
  EXPECT_EQ(root_->TotalStats().contexts, 3u);
  EXPECT_EQ(root_->TotalStats().blocks,
            root_->Stats().blocks + child.Stats().blocks + grandchild.Stats().blocks);
}

TEST_P(ContextContract, UsedBytesCoverWhatWasAskedFor) {
  const std::size_t empty = root_->bytes_used();
  std::size_t asked = 0;
  for (std::size_t size = 1; size < 3000; size += 13) {
    (void)root_->Allocate(size);
    asked += size;
    ASSERT_GE(root_->bytes_used() - empty, asked);
  }
}

// --- Limits

TEST_P(ContextContract, ALimitStopsTheBlockThatWouldPassIt) {
  root_->SetLimit(root_->bytes_reserved() + 100'000);
  EXPECT_EQ(root_->limit(), root_->bytes_reserved() + 100'000);
  try {
    for (;;) (void)root_->Allocate(1000);
  } catch (const ContextLimitExceeded& e) {
    EXPECT_STREQ(e.context(), "root");
    EXPECT_EQ(e.limit(), root_->limit());
  }
  // It went as near as the size of a request allows, whatever the block sizes.
  EXPECT_LE(root_->total_bytes_reserved(), root_->limit());
  EXPECT_GT(root_->total_bytes_reserved(), root_->limit() - 3000);
  root_->Check();
  root_->Reset();
  EXPECT_NE(root_->Allocate(1000), nullptr);
}

TEST_P(ContextContract, ALimitCountsDescendantsAndForeignBytes) {
  MemoryContext& child = Child();
  Log::Entry& entry = log.Add(child, 1);
  root_->SetLimit(root_->total_bytes_reserved() + 10'000);
  EXPECT_THROW((void)child.Allocate(11'000), ContextLimitExceeded);
  EXPECT_THROW(child.SetForeignBytes(entry.callback, 10'001), ContextLimitExceeded);
  child.SetForeignBytes(entry.callback, 10'000);
  EXPECT_THROW((void)root_->Allocate(10'000), ContextLimitExceeded);
  EXPECT_THROW(Child(), ContextLimitExceeded);
  EXPECT_EQ(root_->TotalStats().contexts, 2u);
  child.SetForeignBytes(entry.callback, 0);
  Child();
  EXPECT_EQ(root_->TotalStats().contexts, 3u);
}

TEST_P(ContextContract, ALimitStopsAMoveThatWouldPassIt) {
  ContextPtr limited = AllocSet::CreateRoot("limited");
  limited->SetLimit(limited->bytes_reserved() + 50'000);
  MemoryContext& child = Child();
  (void)child.Allocate(60'000);
  const std::size_t before = root_->total_bytes_reserved();
  EXPECT_THROW(child.SetParent(limited.get()), ContextLimitExceeded);
  EXPECT_EQ(child.parent(), root_.get());
  EXPECT_EQ(root_->total_bytes_reserved(), before);
  EXPECT_EQ(limited->total_bytes_reserved(), limited->bytes_reserved());
}

TEST_P(ContextContract, AMoveBelowTheSameLimitIsNoGrowth) {
  MemoryContext& a = Child();
  MemoryContext& b = Child();
  (void)b.Allocate(60'000);
  root_->SetLimit(root_->total_bytes_reserved());
  b.SetParent(&a);
  EXPECT_EQ(b.parent(), &a);
}

// --- Observers

TEST_P(ContextContract, AnObserverSeesEveryRequestOfTheWholeTree) {
  MemoryContext& child = Child();
  (void)root_->Allocate(5);
  root_->Watch(counter);
  (void)root_->Allocate(10);
  (void)child.Allocate(20);
  (void)Child().Allocate(30);
  (void)child.Allocate(100'000);
  (void)child.CopyString("abc");
  EXPECT_EQ(counter.requests, 5);
  EXPECT_EQ(counter.bytes, 100'064u);
  child.Reset();
  (void)child.Allocate(1);
  EXPECT_EQ(counter.requests, 6);
  EXPECT_EQ(root_->kind(), GetParam().kind);
  root_->Unwatch();
  (void)root_->Allocate(10);
  (void)child.Allocate(10);
  EXPECT_EQ(counter.requests, 6);
  root_->Check();
}

TEST_P(ContextContract, WatchingChangesNothingElse) {
  root_->Watch(counter);
  auto* chunk = static_cast<unsigned char*>(root_->Allocate(100));
  std::memset(chunk, 1, 100);
  const std::size_t used = root_->bytes_used();
  root_->Unwatch();
  EXPECT_EQ(root_->bytes_used(), used);
  std::memset(root_->Allocate(100), 2, 100);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(chunk[i], 1);
}

TEST_P(ContextContract, ARequestThatAnObserverRefusesChangesNothing) {
  root_->Watch(counter);
  (void)root_->Allocate(100);
  const ContextStats before = root_->TotalStats();
  counter.fail_at = 2;
  EXPECT_THROW((void)root_->Allocate(1'000'000), std::bad_alloc);
  EXPECT_EQ(root_->TotalStats(), before);
  EXPECT_NE(root_->Allocate(100), nullptr);
}

TEST_P(ContextContract, AnObserverHearsOfResetsAndEndsChildrenFirst) {
  root_->Watch(counter);
  Child("b");
  Child("a");
  root_->Reset();
  EXPECT_EQ(counter.resets, "abroot");
  ContextPtr(&Child("c")).reset();
  EXPECT_EQ(counter.resets, "abrootc");
  root_->Unwatch();
}

TEST_P(ContextContract, NewContextsOfAThreadCanBeWatched) {
  EXPECT_EQ(WatchNewContexts(&counter), nullptr);
  ContextPtr watched = GetParam().create_root("watched", GetParam().sizes);
  EXPECT_EQ(WatchNewContexts(nullptr), &counter);
  (void)watched->Allocate(8);
  (void)root_->Allocate(8);
  EXPECT_EQ(counter.requests, 1);
  watched.reset();
}

}  // namespace
}  // namespace relcache
