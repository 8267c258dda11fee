#include "relcache/types/date_time/date.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace relcache {
namespace {

TEST(DateArithmetic, KeepsInfinityAndRange) {
  Date date;
  EXPECT_EQ(DateAddDays(kDateInfinity, 5, date), Fault::kNone);
  EXPECT_EQ(date, kDateInfinity);
  EXPECT_EQ(DateAddDays(2145031948, 1, date), Fault::kDateOutOfRange);
  std::int32_t days;
  EXPECT_EQ(DateDiff(kDateInfinity, 0, days), Fault::kInfiniteDates);
}

}  // namespace
}  // namespace relcache
