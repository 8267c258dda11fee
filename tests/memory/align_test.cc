#include "relcache/memory/align.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(AlignTest, UpIsTheNextMultipleAndLeavesMultiplesAlone) {
  for (const std::size_t alignment : {1, 2, 4, 8, 64, 4096}) {
    for (const std::size_t size : {0, 1, 3, 4, 7, 8, 9, 63, 64, 65, 4095, 4096, 4097}) {
      const std::size_t up = AlignUp(size, alignment);
      EXPECT_EQ(up % alignment, 0u);
      EXPECT_GE(up, size);
      EXPECT_LT(up - size, alignment);
    }
  }
}

}  // namespace
}  // namespace relcache
