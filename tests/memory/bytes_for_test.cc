// AllocSet::BytesFor and Bump::BytesFor against what contexts really take.
#include <gtest/gtest.h>

#include "relcache/memory/memory_context.h"

namespace relcache {
namespace {

// So long that all requests fit a block, and none is made for the test's sake.
constexpr BlockSizes kOneBlock{std::uint32_t{1} << 20, std::uint32_t{1} << 20};

/// Bytes that a request takes: of the block that was there, and of blocks made for it.
std::size_t Taken(MemoryContext& cx, std::size_t size, std::size_t alignment) {
  const std::size_t reserved = cx.bytes_reserved();
  const std::size_t free_before = cx.Stats().free;
  (void)cx.Allocate(size, alignment);
  return free_before - cx.Stats().free + (cx.bytes_reserved() - reserved);
}

TEST(BytesForTest, IsWhatAnAllocSetTakesOfItsBlocks) {
  for (const std::size_t size : {0, 1, 7, 8, 9, 16, 17, 1000, 4096, 4097, 8191, 8192, 8193, 9000,
                                 100'000, 1'000'000, 1'000'001}) {
    const ContextPtr cx = AllocSet::CreateRoot("bytes", kOneBlock);
    EXPECT_EQ(Taken(*cx, size, 8), AllocSet::BytesFor(size)) << size;
    EXPECT_EQ(AllocSet::BytesFor(size, 8), AllocSet::BytesFor(size));
  }
}

TEST(BytesForTest, CountsWhatAnAlignmentTakes) {
  for (const std::size_t size : {1, 100, 8128, 8129, 200'000}) {
    for (const std::size_t alignment : {16, 64, 4096}) {
      const ContextPtr cx = AllocSet::CreateRoot("bytes", kOneBlock);
      EXPECT_EQ(Taken(*cx, size, alignment), AllocSet::BytesFor(size, alignment))
          << size << " at " << alignment;
    }
  }
}

TEST(BytesForTest, OfABumpIsTheSizeRoundedUp) {
  for (const std::size_t size : {1, 7, 8, 9, 1000, 8193}) {
    const ContextPtr cx = Bump::CreateRoot("bytes", kOneBlock);
#if !RELCACHE_CHECKED_CONTEXTS
    EXPECT_EQ(Taken(*cx, size, 8), Bump::BytesFor(size)) << size;
#endif
    EXPECT_EQ(Bump::BytesFor(size) % 8, 0u);
  }
}

}  // namespace
}  // namespace relcache
