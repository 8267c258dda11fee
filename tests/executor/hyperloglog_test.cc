#include "relcache/executor/rows/internal/hyperloglog.h"

#include <gtest/gtest.h>

#include <cstdint>

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

}  // namespace
}  // namespace relcache
