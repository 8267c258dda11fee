#include "relcache/types/date_time/calendar.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace relcache {
namespace {

TEST(Calendar, DaysAndDatesAreThoseOfPostgres) {
  // select d, d - date '4714-11-24 BC', extract(dow from d); years before 1 count through zero
  struct Case {
    std::int32_t year, month, day, julian, day_of_week;
  };
  constexpr Case kCases[] = {
      {-4713, 11, 24, 0, 1},      {0, 12, 31, 1721425, 0},
      {1, 1, 1, 1721426, 1},      {1582, 10, 15, 2299161, 5},
      {1900, 3, 1, 2415080, 4},   {1970, 1, 1, 2440588, 4},
      {2000, 1, 1, 2451545, 6},   {2000, 2, 29, 2451604, 2},
      {2024, 12, 31, 2460676, 2}, {5874897, 12, 31, 2147483493, 2},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(ToJulian(c.year, c.month, c.day), c.julian) << c.year;
    EXPECT_EQ(DayOfWeek(c.julian), c.day_of_week) << c.year;
    CalendarTime t;
    FromJulian(c.julian, t);
    EXPECT_EQ(t.year, c.year);
    EXPECT_EQ(t.month, c.month) << c.year;
    EXPECT_EQ(t.day, c.day) << c.year;
    EXPECT_TRUE(IsValidJulian(t)) << c.year;
  }
}

TEST(Calendar, EveryDayFollowsTheOneBefore) {
  CalendarTime before;
  FromJulian(ToJulian(1899, 12, 31), before);
  for (std::int32_t julian = ToJulian(1900, 1, 1); julian < ToJulian(2101, 1, 1); ++julian) {
    CalendarTime t;
    FromJulian(julian, t);
    const bool last_of_month = before.day == DaysInMonth(before.year, before.month);
    EXPECT_EQ(t.day, last_of_month ? 1 : before.day + 1) << julian;
    EXPECT_EQ(t.month, last_of_month ? before.month % 12 + 1 : before.month) << julian;
    before = t;
  }
}

TEST(Calendar, TimestampsComeBackFromTheirFields) {
  for (const Timestamp t : {kMinTimestamp, Timestamp{-1}, Timestamp{0}, Timestamp{1},
                            Timestamp{789'123'456'789}, kEndTimestamp - 1}) {
    CalendarTime fields;
    ASSERT_TRUE(ToCalendar(t, fields)) << t;
    Timestamp back;
    ASSERT_TRUE(FromCalendar(fields, 0, back)) << t;
    EXPECT_EQ(back, t);
  }
  CalendarTime beyond{.year = 294277, .month = 1, .day = 1};
  Timestamp out;
  EXPECT_FALSE(FromCalendar(beyond, 0, out));
  EXPECT_TRUE(FromCalendar(beyond, 1, out)) << "an hour east of Greenwich it is still 294276";
}

}  // namespace
}  // namespace relcache
