#include "relcache/memory/palloc.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace relcache {
namespace {

class Palloc : public ::testing::Test {
 protected:
  ContextPtr root_ = AllocSet::CreateRoot("root");
  CurrentContext scope_{*root_};
};

TEST_F(Palloc, AllocatesInTheCurrentContext) {
  EXPECT_EQ(GetMemoryChunkContext(palloc(10)), root_.get());
  MemoryContext& child = AllocSet::Create("child", *root_);
  {
    CurrentContext inner(child);
    EXPECT_EQ(GetMemoryChunkContext(palloc(10)), &child);
  }
  EXPECT_EQ(&CurrentContext::Get(), root_.get());
}

TEST_F(Palloc, ChunksGoBackToTheirOwnContext) {
  MemoryContext& child = AllocSet::Create("child", *root_);
  const std::size_t used = child.bytes_used();
  void* chunk = child.Allocate(10);
  chunk = repalloc(chunk, 1000);
  EXPECT_EQ(GetMemoryChunkContext(chunk), &child);
  chunk = repalloc_huge(chunk, 100'000);
  pfree(chunk);
  EXPECT_EQ(child.bytes_used(), used);
}

TEST_F(Palloc, Palloc0IsZeroed) {
  std::memset(palloc(100), 1, 100);
  root_->Reset();
  const char* zeroed = static_cast<char*>(palloc0(100));
  EXPECT_EQ(std::string(zeroed, 100), std::string(100, '\0'));
}

TEST_F(Palloc, ExtendedObeysItsFlags) {
  root_->SetLimit(100'000);
  EXPECT_THROW((void)palloc_extended(200'000, 0), ContextLimitExceeded);
  EXPECT_EQ(palloc_extended(200'000, MCXT_ALLOC_NO_OOM), nullptr);
  EXPECT_THROW((void)palloc_extended(kMaxRequest + 1, MCXT_ALLOC_NO_OOM), InvalidRequestSize);
  EXPECT_EQ(palloc_extended(kMaxRequest + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM), nullptr);
  std::memset(palloc(64), 1, 64);
  root_->Reset();
  EXPECT_EQ(static_cast<char*>(palloc_extended(64, MCXT_ALLOC_ZERO))[63], 0);
}

TEST_F(Palloc, CopiesAndPrintsStrings) {
  EXPECT_STREQ(pstrdup("abc"), "abc");
  EXPECT_STREQ(pstrdup(""), "");
  EXPECT_STREQ(pnstrdup("abcdef", 3), "abc");
  EXPECT_STREQ(pnstrdup("ab", 3), "ab");
  EXPECT_STREQ(psprintf("%d-%s", 7, "x"), "7-x");
  for (const std::size_t length : {126u, 127u, 128u, 129u, 5000u}) {
    const std::string text(length, 'y');
    EXPECT_EQ(psprintf("%s", text.c_str()), text);
  }
}

TEST(PallocDeathTest, NoCurrentContextIsAProgrammerError) {
  EXPECT_DEATH((void)palloc(1), "check failed");
}

}  // namespace
}  // namespace relcache
