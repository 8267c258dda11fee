#include "relcache/types/date_time/timestamp.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "relcache/types/date_time/date.h"

namespace relcache {
namespace {

TEST(TimestampArithmetic, DatesBeyondTheEndCompareAndDoNotConvert) {
  Timestamp t;
  EXPECT_EQ(DateToTimestamp(2145031948, t), Fault::kDateOutOfRangeForTimestamp);
  EXPECT_EQ(DateCompareTimestamp(2145031948, kTimestampInfinity), -1);
  EXPECT_EQ(DateCompareTimestamp(2145031948, 0), 1);
}

TEST(TimestampArithmetic, ConversionsUseTheSessionsZone) {
  SessionSettings tokyo = AssumeUtcAndMdy(0);
  ASSERT_TRUE(SetSetting(tokyo, "TimeZone", "Asia/Tokyo"));
  const SessionSettings utc = AssumeUtcAndMdy(0);
  const TimestampTz late = *TimestamptzIn("2024-01-01 23:00+00", -1, utc);
  const Date first = *DateIn("2024-01-01", utc);
  Date date;
  EXPECT_EQ(TimestamptzToDate(late, utc, date), Fault::kNone);
  EXPECT_EQ(date, first);
  EXPECT_EQ(TimestamptzToDate(late, tokyo, date), Fault::kNone);
  EXPECT_EQ(date, first + 1);
  int order = 0;
  EXPECT_EQ(DateCompareTimestamptz(first, late, tokyo, order), Fault::kNone);
  EXPECT_EQ(order, -1);
}

TEST(TimestampArithmetic, ATimeOfTheLastDayMayLieBeyondTheEnd) {
  const SessionSettings utc;
  const Date last = *DateIn("294276-12-31", utc);
  constexpr std::int64_t kMidnight = 24 * std::int64_t{3600} * kUsecsPerSec;
  Timestamp out;
  EXPECT_EQ(DateAddTime(last, kMidnight - 1, out), Fault::kNone);
  EXPECT_EQ(DateAddTime(last, kMidnight, out), Fault::kTimestampOutOfRange);
  EXPECT_EQ(DateAddTime(last + 1, 0, out), Fault::kDateOutOfRangeForTimestamp);
  EXPECT_EQ(DateAddTime(kDateInfinity, kMidnight, out), Fault::kNone);
  EXPECT_EQ(out, kTimestampInfinity);
}

TEST(TimestampArithmetic, NumbersThatAreNoTypmodAreErrors) {
  const auto timestamp = [](Timestamp value, std::int32_t typmod) {
    const auto out = TimestampCoerceChecked(value, typmod);
    return out ? "" : std::string(out.error().sqlstate) + " " + out.error().message;
  };
  EXPECT_EQ(timestamp(1, 7), "22023 timestamp(7) precision must be between 0 and 6");
  EXPECT_EQ(timestamp(1, -2), "22023 timestamp(-2) precision must be between 0 and 6");
  EXPECT_EQ(timestamp(1, -1), "");
  EXPECT_EQ(timestamp(kTimestampInfinity, 7), "");
}

}  // namespace
}  // namespace relcache
