#include "relcache/types/internal/float.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace relcache {
namespace {

TEST(FloatArithmetic, InfinityOnlyFromInfinity) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  double out;
  EXPECT_EQ(FloatAdd(1e308, 1e308, out), Fault::kFloatOverflow);
  EXPECT_EQ(FloatAdd(kInf, 1.0, out), Fault::kNone);
  EXPECT_EQ(FloatMul(1e-300, 1e-300, out), Fault::kFloatUnderflow);
  EXPECT_EQ(FloatDiv(1.0, 0.0, out), Fault::kDivisionByZero);
  EXPECT_EQ(FloatDiv(1.0, kInf, out), Fault::kNone);
  EXPECT_EQ(out, 0);
  std::int32_t n;
  EXPECT_EQ(FloatToInt(2.5, n), Fault::kNone);
  EXPECT_EQ(n, 2);
  EXPECT_EQ(FloatToInt(2147483647.5, n), Fault::kIntegerOutOfRange);
  EXPECT_EQ(FloatToInt(std::numeric_limits<double>::quiet_NaN(), n), Fault::kIntegerOutOfRange);
}

}  // namespace
}  // namespace relcache
