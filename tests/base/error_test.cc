#include "relcache/base/error.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(ErrorTest, OuterPlaceComesFirst) {
  EXPECT_EQ(NotSupported("FUNCTION f(integer)").At("check c").At("table t").ToString(),
            "table t: check c: not supported: FUNCTION f(integer)");
}

}  // namespace
}  // namespace relcache
