// The distinct count and the bloom filter.
#include <gtest/gtest.h>

#include <vector>

#include "relcache/executor/rows/internal/bloom_filter.h"
#include "relcache/executor/rows/internal/hyperloglog.h"

namespace relcache {
namespace {

std::uint64_t HashOf(std::uint64_t n) {
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
  n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
  return n ^ (n >> 31);
}

TEST(HyperLogLogTest, CountsDifferentHashesWhateverTheirFrequency) {
  for (const std::uint64_t distinct : {0, 1, 10, 1000, 50'000, 1'000'000}) {
    HyperLogLog counter;
    for (std::uint64_t n = 0; n < 2 * distinct; ++n) counter.Add(HashOf(n % distinct + 1));
    const double error = 0.06 * static_cast<double>(distinct);
    EXPECT_NEAR(counter.Estimate(), static_cast<double>(distinct), error + 0.5) << distinct;
  }
}

TEST(HyperLogLogTest, HashesOfZerosAreCounted) {
  HyperLogLog counter;
  counter.Add(0);
  EXPECT_NEAR(counter.Estimate(), 1, 0.5);
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
