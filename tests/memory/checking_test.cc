// What checked builds stop at. In others there is nothing to test here.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "relcache/memory/memory_context.h"

#if RELCACHE_CHECKED_CONTEXTS

namespace relcache {
namespace {

// A volatile pointer keeps the compiler from seeing through what is wrong on purpose.
using Bytes = volatile unsigned char*;

// AddressSanitizer reports an access at once; otherwise the guard shows at the next check.
#ifdef __SANITIZE_ADDRESS__
constexpr char kPastEnd[] = "use-after-poison";
constexpr char kReadFreed[] = "use-after-poison";
#else
constexpr char kPastEnd[] = "write past its end";
constexpr char kReadFreed[] = "0x7f";
#endif

class CheckingDeathTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  ContextPtr root_ = AllocSet::CreateRoot("root");
  Bytes Allocate(MemoryContext& cx) { return static_cast<Bytes>(chunk_ = cx.Allocate(GetParam())); }
  /// What was last allocated.
  void Free(MemoryContext& cx) { cx.Free(chunk_); }
  void* chunk_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Sizes, CheckingDeathTest, ::testing::Values(1, 8, 60, 64, 9000));

TEST_P(CheckingDeathTest, WritePastAChunksEndShowsWhenItIsFreed) {
  EXPECT_DEATH(
      {
        Bytes chunk = Allocate(*root_);
        chunk[GetParam()] = 1;
        Free(*root_);
      },
      kPastEnd);
}

TEST_P(CheckingDeathTest, WritePastAChunksEndShowsAtTheReset) {
  for (const bool bump : {false, true}) {
    EXPECT_DEATH(
        {
          ContextPtr cx = bump ? Bump::CreateRoot("root") : AllocSet::CreateRoot("root");
          Bytes chunk = Allocate(*cx);
          chunk[GetParam()] = 1;
          cx->Reset();
        },
        kPastEnd);
  }
}

TEST_P(CheckingDeathTest, DoubleFree) {
  if (GetParam() > 8192) GTEST_SKIP() << "its block is malloc's again";
  EXPECT_DEATH(
      {
        Allocate(*root_);
        Free(*root_);
        Free(*root_);
      },
      "freed twice");
}

TEST_P(CheckingDeathTest, FreeInAnotherContext) {
  MemoryContext& other = AllocSet::Create("other", *root_);
  Allocate(*root_);
  EXPECT_DEATH(Free(other), "belongs to another context");
}

TEST_P(CheckingDeathTest, ABumpHasNoSingleFrees) {
  MemoryContext& bump = Bump::Create("bump", *root_);
  Allocate(bump);
  EXPECT_DEATH(Free(bump), "cannot free single chunks");
}

TEST_P(CheckingDeathTest, FreedMemoryIsUnreadableOrClobbered) {
  EXPECT_DEATH(
      {
        Bytes chunk = Allocate(*root_);
        Bytes next = Allocate(*root_);
        chunk[GetParam() - 1] = 1;
        next[0] = 1;
        root_->Reset();
        if (GetParam() > 8192)
          std::fprintf(stderr, "0x7f use-after-poison");  // malloc's again
        else
          std::fprintf(stderr, "0x%02x", chunk[GetParam() - 1]);
        std::abort();
      },
      kReadFreed);
}

}  // namespace
}  // namespace relcache

#endif
