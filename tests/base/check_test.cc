#include "relcache/base/check.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(CheckDeathTest, PrintsBothValues) {
  EXPECT_DEATH(RELCACHE_CHECK_EQ(1 + 1, 3), "1 \\+ 1 == 3: 2 against 3");
}

}  // namespace
}  // namespace relcache
