#include "relcache/types/date_time/parts.h"

#include <gtest/gtest.h>

#include "relcache/types/date_time/find_time_zone.h"

namespace relcache {
namespace {

TEST(DateTimeParts, NumericZonesAreSecondsEast) {
  // select timestamptz '2024-01-01 00:00' || text; PostgreSQL takes fifteen hours at most
  struct Case {
    const char* text;
    DateTimeFault fault;
    std::int32_t seconds;
  };
  using Fault = DateTimeFault;
  constexpr Case kCases[] = {
      {"+05", Fault::kNone, 18000},        {"-5", Fault::kNone, -18000},
      {"+0530", Fault::kNone, 19800},      {"-05:30:15", Fault::kNone, -19815},
      {"+15:59:59", Fault::kNone, 57599},  {"+16", Fault::kZoneOverflow, 0},
      {"+05:60", Fault::kZoneOverflow, 0}, {"05", Fault::kBadFormat, 0},
      {"+05:30x", Fault::kBadFormat, 0},
  };
  for (const Case& c : kCases) {
    std::int32_t seconds = 0;
    EXPECT_EQ(DecodeNumericZone(c.text, &seconds), c.fault) << c.text;
    if (c.fault == Fault::kNone) {
      EXPECT_EQ(seconds, c.seconds) << c.text;
    }
  }
}

TEST(DateTimeParts, TwoFieldsAreHoursAndMinutesOrMinutesAndSeconds) {
  DecodedTime time;
  ASSERT_EQ(DecodeTimeField("12:34", false, &time), DateTimeFault::kNone);
  EXPECT_EQ(time.hour * 10000 + time.minute * 100 + time.second, 123400);
  time = {};
  ASSERT_EQ(DecodeTimeField("12:34", true, &time), DateTimeFault::kNone);
  EXPECT_EQ(time.hour * 10000 + time.minute * 100 + time.second, 1234);
  time = {};
  ASSERT_EQ(DecodeTimeField("12:34.5", false, &time), DateTimeFault::kNone);
  EXPECT_EQ(time.hour * 10000 + time.minute * 100 + time.second, 1234);
  EXPECT_EQ(time.usec, 500'000);
  EXPECT_EQ(DecodeTimeField("12:60", false, &time), DateTimeFault::kFieldOverflow);
  EXPECT_EQ(DecodeTimeField("12-30", false, &time), DateTimeFault::kBadFormat);
}

TEST(DateTimeParts, AnInstantHasTheFieldsOfItsZone) {
  const TimeZone& berlin = **FindTimeZone("Europe/Berlin");
  CalendarTime t;
  std::int32_t offset = 0;
  std::string_view abbreviation;
  ASSERT_TRUE(ToLocalCalendar(0, berlin, t, offset, &abbreviation));
  EXPECT_EQ(t.year, 2000);
  EXPECT_EQ(t.hour, 1);
  EXPECT_EQ(offset, 3600);
  EXPECT_EQ(abbreviation, "CET");
  EXPECT_TRUE(ToLocalCalendar(kMinTimestamp, **FindTimeZone("<-05>+5"), t, offset))
      << "its local date is a day before the first one";
  EXPECT_FALSE(ToLocalCalendar(kMinTimestamp - 1, UtcZone(), t, offset));
}

}  // namespace
}  // namespace relcache
