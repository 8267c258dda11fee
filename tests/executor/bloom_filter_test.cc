#include "relcache/executor/rows/internal/bloom_filter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace relcache {
namespace {

std::uint64_t HashOf(std::uint64_t n) {
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
  n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
  return n ^ (n >> 31);
}

TEST(BloomFilterTest, NeverForgetsAndSeldomInventsAlsoWhenFolded) {
  std::vector<std::uint64_t> words(1 << 14);
  BloomFilter filter(words);
  constexpr std::uint64_t kKeys = 20'000;
  for (std::uint64_t n = 1; n <= kKeys; ++n) filter.Add(HashOf(n));
  for (int fold = 0; fold < 3; ++fold, filter.Fold()) {
    int invented = 0;
    for (std::uint64_t n = 1; n <= kKeys; ++n) {
      ASSERT_TRUE(filter.MayContain(HashOf(n)));
      invented += filter.MayContain(HashOf(n + 1'000'000)) ? 1 : 0;
    }
    // 52, 26 and 13 bits a key.
    EXPECT_LT(invented, static_cast<int>(kKeys) / 20) << fold;
  }
  EXPECT_EQ(filter.words().size(), 1U << 11);
}

}  // namespace
}  // namespace relcache
