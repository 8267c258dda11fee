#include "relcache/base/result.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) return Fail(Error(ErrorCode::kInvalidInput, "22023", "odd").WithOffset(3));
  return n / 2;
}

Result<int> Quarter(int n) {
  RELCACHE_ASSIGN(const int half, Half(n));
  RELCACHE_TRY(Half(half));
  return half / 2;
}

TEST(ResultTest, AssignHandsTheValueOn) {
  EXPECT_EQ(Quarter(8).value(), 2);
}

TEST(ResultTest, AssignAndTryReturnTheError) {
  for (const int n : {7, 6}) {
    Result<int> result = Quarter(n);
    ASSERT_FALSE(result);
    EXPECT_STREQ(result.error().sqlstate, "22023");
    EXPECT_EQ(std::move(result).error().At("here").ToString(), "here: odd at byte 3");
  }
}

}  // namespace
}  // namespace relcache
