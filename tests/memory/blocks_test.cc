// Single chunks of an AllocSet, and how dense either kind is.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "relcache/memory/memory_context.h"

namespace relcache {
namespace {

TEST(AllocSetChunks, KnowTheirContextAndTheirSize) {
  ContextPtr root = AllocSet::CreateRoot("root");
  MemoryContext& child = AllocSet::Create("child", *root, kSmallBlocks);
  for (const std::size_t size : {1u, 8u, 9u, 100u, 8192u, 8193u, 100'000u}) {
    void* a = root->Allocate(size);
    void* b = child.Allocate(size);
    void* c = child.Allocate(size, 256);
    EXPECT_EQ(&MemoryContext::Of(a), root.get());
    EXPECT_EQ(&MemoryContext::Of(b), &child);
    EXPECT_EQ(&MemoryContext::Of(c), &child);
    for (const void* chunk : {a, b, c}) {
      EXPECT_GE(MemoryContext::Capacity(chunk), size);
      EXPECT_GE(MemoryContext::Space(chunk), size + 8);
    }
  }
}

TEST(AllocSetChunks, AFreedChunkIsTheNextOfItsClass) {
  ContextPtr root = AllocSet::CreateRoot("root");
  void* a = root->Allocate(20);
  void* b = root->Allocate(20);
  root->Free(a);
  root->Free(b);
  EXPECT_EQ(root->Stats().free_chunks, 2u);
  EXPECT_EQ(root->Allocate(20), b);
  EXPECT_EQ(root->Allocate(20), a);
  EXPECT_EQ(root->Stats().free_chunks, 0u);
}

TEST(AllocSetChunks, ALargeChunkIsGivenBackToMallocWhenFreed) {
  ContextPtr root = AllocSet::CreateRoot("root");
  const std::size_t before = root->bytes_reserved();
  void* a = root->Allocate(100'000);
  void* b = root->Allocate(200'000);
  void* c = root->Allocate(300'000);
  root->Free(b);
  root->Free(a);
  root->Free(c);
  EXPECT_EQ(root->bytes_reserved(), before);
  EXPECT_EQ(root->Stats().blocks, 1u);
}

TEST(AllocSetChunks, ReallocateKeepsContentsThroughAllSizes) {
  ContextPtr root = AllocSet::CreateRoot("root");
  for (const std::size_t alignment : {1u, 64u, 4096u}) {
    auto* chunk = static_cast<unsigned char*>(root->Allocate(3, alignment));
    std::memcpy(chunk, "abc", 3);
    for (const std::size_t size :
         {4u, 8u, 9u, 17u, 5000u, 100u, 8193u, 50'000u, 3'000'000u, 10u, 70'000u, 3u}) {
      chunk = static_cast<unsigned char*>(root->Reallocate(chunk, size));
      ASSERT_EQ(std::memcmp(chunk, "abc", 3), 0) << size;
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(chunk) % alignment, 0u) << size;
      ASSERT_EQ(&MemoryContext::Of(chunk), root.get());
      std::memset(chunk + 3, 0xee, size - 3);
      root->Check();
    }
    root->Free(chunk);
  }
  EXPECT_LT(root->bytes_reserved(), 50'000u);
}

TEST(AllocSetChunks, ReallocateWithinAChunkDoesNotMoveIt) {
  ContextPtr root = AllocSet::CreateRoot("root");
  void* chunk = root->Allocate(33);
  EXPECT_EQ(root->Reallocate(chunk, 40), chunk);
  EXPECT_EQ(root->Reallocate(chunk, 1), chunk);
}

TEST(AllocSetChunks, ReallocateRefusesLikeAllocate) {
  ContextPtr root = AllocSet::CreateRoot("root");
  for (const std::size_t size : {10u, 100'000u}) {
    void* chunk = root->Allocate(size);
    std::memset(chunk, 5, size);
    EXPECT_THROW((void)root->Reallocate(chunk, kMaxRequest + 1), InvalidRequestSize);
    EXPECT_THROW((void)root->ReallocateHuge(chunk, SIZE_MAX), InvalidRequestSize);
    root->SetLimit(root->total_bytes_reserved() + 1000);
    EXPECT_THROW((void)root->Reallocate(chunk, 1'000'000), ContextLimitExceeded);
    EXPECT_EQ(static_cast<unsigned char*>(chunk)[size - 1], 5);
    root->SetLimit(SIZE_MAX);
    chunk = root->Reallocate(chunk, 1'000'000);
    EXPECT_EQ(static_cast<unsigned char*>(chunk)[size - 1], 5);
    root->Free(chunk);
  }
}

TEST(AllocSetChunks, AlignedChunksAreFreedAndReused) {
  ContextPtr root = AllocSet::CreateRoot("root");
  std::size_t reserved = 0;
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> chunks;
    for (int i = 0; i < 100; ++i) chunks.push_back(root->Allocate(40, 64));
    for (void* chunk : chunks) root->Free(chunk);
    EXPECT_GE(root->Stats().free_chunks, 100u);
    if (round == 0) reserved = root->bytes_reserved();
    EXPECT_EQ(root->bytes_reserved(), reserved);
  }
}

TEST(AllocSetChunks, FreedUnderWatchAreReported) {
  struct Observer final : AllocationObserver {
    void OnAllocate(MemoryContext&, std::size_t) override { ++allocated; }
    void OnFree(MemoryContext&, std::size_t size) noexcept override { freed.push_back(size); }
    int allocated = 0;
    std::vector<std::size_t> freed;
  } observer;
  ContextPtr root = AllocSet::CreateRoot("root");
  void* before = root->Allocate(20);
  root->Watch(observer);
  void* small = root->Allocate(20);
  void* large = root->Allocate(20'000);
  void* aligned = root->Allocate(16, 128);
  root->Free(before);
  root->Free(small);
  root->Free(large);
  root->Free(aligned);
  EXPECT_EQ(observer.allocated, 3);
  EXPECT_EQ(observer.freed.size(), 3u);
  small = root->Allocate(20);
  root->Unwatch();
  root->Free(small);
  EXPECT_EQ(observer.freed.size(), 3u);
  root->Check();
}

#if !RELCACHE_CHECKED_CONTEXTS

TEST(Density, TheRestOfABlockBecomesChunksBeforeTheNextIsTaken) {
  ContextPtr root = AllocSet::CreateRoot("root");
  (void)root->Allocate(4096);
  (void)root->Allocate(1024);
  // Does not fit any more; the 2.8 kB that are left are not lost.
  (void)root->Allocate(4096);
  const ContextStats stats = root->Stats();
  EXPECT_EQ(stats.blocks, 2u);
  EXPECT_GT(stats.free_chunks, 0u);
  (void)root->Allocate(2048);
  EXPECT_EQ(root->Stats().blocks, 2u);
  EXPECT_LT(root->Stats().free_chunks, stats.free_chunks);
  root->Check();
}

TEST(Density, AnAllocSetPaysEightBytesForAChunkOf32) {
  ContextPtr root = AllocSet::CreateRoot("root");
  const std::size_t empty = root->bytes_used();
  for (int i = 0; i < 150; ++i) (void)root->Allocate(32);
  EXPECT_EQ(root->bytes_used() - empty, 150u * (32 + 8));
}

TEST(Density, ABumpPaysNothing) {
  ContextPtr root = Bump::CreateRoot("root");
  const std::size_t empty = root->bytes_used();
  for (int i = 0; i < 150; ++i) (void)root->Allocate(32);
  EXPECT_EQ(root->bytes_used() - empty, 150u * 32);
}

TEST(Density, OverManyBlocksTheHeadersOfBlocksHardlyCount) {
  struct Case {
    ContextPtr root;
    std::size_t per_chunk;
  };
  Case cases[] = {{AllocSet::CreateRoot("root"), 40}, {Bump::CreateRoot("root"), 32}};
  for (Case& c : cases) {
    constexpr std::size_t kChunks = 1'000'000;
    for (std::size_t i = 0; i < kChunks; ++i) (void)c.root->Allocate(32);
    EXPECT_LT(c.root->bytes_used(), kChunks * c.per_chunk * 1.001);
    EXPECT_GE(c.root->bytes_used(), kChunks * c.per_chunk);
  }
}

TEST(Density, AContextMadeForANumberOfBytesHasRoomForThemAndNoMore) {
  ContextPtr root = Bump::CreateRoot("root", Bump::SizedFor(1000));
  EXPECT_EQ(root->bytes_reserved(), Bump::kHeadBytes + 1000);
  for (std::size_t i = 0; i < 10; ++i) (void)root->Allocate(96 + i % 2 * 8);
  EXPECT_EQ(root->Stats().blocks, 1u);
  EXPECT_EQ(root->Stats().free, 0u);
}

TEST(Density, ABumpGrowsItsLastChunkInPlace) {
  ContextPtr root = Bump::CreateRoot("root");
  const std::size_t empty = root->bytes_used();
  void* chunk = root->Allocate(10);
  EXPECT_EQ(root->Grow(chunk, 10, 16), chunk);
  EXPECT_EQ(root->Grow(chunk, 16, 3000), chunk);
  EXPECT_EQ(root->bytes_used() - empty, 3000u);
  (void)root->Allocate(8);
  EXPECT_NE(root->Grow(chunk, 3000, 3008), chunk);
}

TEST(Density, ABumpsLargeChunkDoesNotWasteTheCurrentBlock) {
  ContextPtr root = Bump::CreateRoot("root");
  auto* a = static_cast<std::byte*>(root->Allocate(8));
  (void)root->Allocate(20'000);
  EXPECT_EQ(root->Allocate(8), a + 8);
}

TEST(Density, BlocksDoubleUpToTheirMaximum) {
  for (const bool bump : {false, true}) {
    const BlockSizes sizes{1024, 16 * 1024};
    ContextPtr root = bump ? Bump::CreateRoot("root", sizes) : AllocSet::CreateRoot("root", sizes);
    std::size_t reserved = root->bytes_reserved();
    std::vector<std::size_t> taken;
    while (taken.size() < 7) {
      (void)root->Allocate(64);
      if (root->bytes_reserved() == reserved) continue;
      taken.push_back(root->bytes_reserved() - reserved);
      reserved = root->bytes_reserved();
    }
    EXPECT_EQ(taken, (std::vector<std::size_t>{1024, 2048, 4096, 8192, 16384, 16384, 16384}));
  }
}

#endif

}  // namespace
}  // namespace relcache
