#include "relcache/types/date_time/interval.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "relcache/types/date_time/timestamp.h"

namespace relcache {
namespace {

TEST(IntervalArithmetic, MonthsEndWhereTheMonthEnds) {
  const SessionSettings utc = AssumeUtcAndMdy(0);
  const auto add = [&utc](const char* timestamp, const char* interval) {
    ContextPtr cx = Bump::CreateRoot("test");
    const auto sum =
        TimestampAddInterval(*TimestampIn(timestamp, -1, utc), *IntervalIn(interval, -1, utc));
    return sum ? std::string(*TimestampOut(*sum, utc, *cx)) : sum.error().message;
  };
  EXPECT_EQ(add("2024-01-31", "1 mon"), "2024-02-29 00:00:00");
  EXPECT_EQ(add("2024-03-31", "-1 mon"), "2024-02-29 00:00:00");
  EXPECT_EQ(add("2024-01-31", "1 year 1 mon 1 day"), "2025-03-01 00:00:00");
  EXPECT_EQ(add("infinity", "1 day"), "infinity");
  EXPECT_EQ(add("294276-12-31", "1 day"), "timestamp out of range");
}

TEST(IntervalArithmetic, DaysAcrossAChangeOfTheClock) {
  SessionSettings berlin = AssumeUtcAndMdy(0);
  ASSERT_TRUE(SetSetting(berlin, "TimeZone", "Europe/Berlin"));
  const TimestampTz before = *TimestamptzIn("2024-03-30 12:00", -1, berlin);
  EXPECT_EQ(*TimestamptzAddInterval(before, *IntervalIn("1 day", -1, berlin), berlin) - before,
            23 * std::int64_t{3600} * kUsecsPerSec);
  EXPECT_EQ(*TimestamptzAddInterval(before, *IntervalIn("24 hours", -1, berlin), berlin) - before,
            24 * std::int64_t{3600} * kUsecsPerSec);
}

TEST(IntervalArithmetic, NumbersThatAreNoTypmodAreErrors) {
  const auto interval = [](std::int32_t typmod) {
    const auto out = IntervalCoerce({1, 1, 1}, typmod);
    return out ? "" : std::string(out.error().sqlstate) + " " + out.error().message;
  };
  constexpr int kYear = 1 << 2, kMonth = 1 << 1, kDay = 1 << 3, kHour = 1 << 10, kSecond = 1 << 12;
  EXPECT_EQ(interval(5), "XX000 unrecognized interval typmod: 5");
  EXPECT_EQ(interval((kYear | kDay) << 16 | 0xffff), "XX000 unrecognized interval typmod: 851967");
  EXPECT_EQ(interval((kHour | kSecond) << 16 | 0xffff),
            "XX000 unrecognized interval typmod: 335609855");
  EXPECT_EQ(interval(0x7fff << 16 | 7), "22023 interval(7) precision must be between 0 and 6");
  EXPECT_EQ(interval((kYear | kMonth) << 16 | 0xffff), "");
  EXPECT_EQ(interval(kSecond << 16 | 6), "");
  EXPECT_EQ(interval(-7), "");
}

}  // namespace
}  // namespace relcache
