#include "relcache/types/internal/int.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace relcache {
namespace {

TEST(IntArithmetic, FaultsInsteadOfWrapping) {
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  std::int32_t out;
  EXPECT_EQ(IntAdd(kMax, 1, out), Fault::kIntegerOutOfRange);
  EXPECT_EQ(IntSub(kMin, 1, out), Fault::kIntegerOutOfRange);
  EXPECT_EQ(IntMul(kMin, -1, out), Fault::kIntegerOutOfRange);
  EXPECT_EQ(IntDiv(kMin, -1, out), Fault::kIntegerOutOfRange);
  EXPECT_EQ(IntDiv(1, 0, out), Fault::kDivisionByZero);
  EXPECT_EQ(IntMod(1, 0, out), Fault::kDivisionByZero);
  EXPECT_EQ(IntMod(kMin, -1, out), Fault::kNone);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(IntDiv(-7, 2, out), Fault::kNone);
  EXPECT_EQ(out, -3);
  EXPECT_EQ(IntMod(-7, 2, out), Fault::kNone);
  EXPECT_EQ(out, -1);
  EXPECT_EQ(IntAbs(kMin, out), Fault::kIntegerOutOfRange);
  std::int16_t small;
  EXPECT_EQ(IntMul<std::int16_t>(200, 200, small), Fault::kSmallintOutOfRange);
  EXPECT_EQ(IntDiv<std::int16_t>(-32768, -1, small), Fault::kSmallintOutOfRange);
  EXPECT_EQ(IntCast(std::int32_t{32768}, small), Fault::kSmallintOutOfRange);
  std::int64_t big;
  EXPECT_EQ(IntNegate(std::numeric_limits<std::int64_t>::min(), big), Fault::kBigintOutOfRange);
  EXPECT_EQ(FaultError(Fault::kIntegerOutOfRange).message, "integer out of range");
  EXPECT_STREQ(FaultError(Fault::kDivisionByZero).sqlstate, "22012");
}

}  // namespace
}  // namespace relcache
