#include "relcache/types/date_time/print.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

TEST(DateTimePrint, EachStyleIsAsPostgresPrintsIt) {
  // set datestyle = 'style, order'; select date '2024-02-03', date '0044-03-15 BC',
  // timestamp '2024-02-03 04:05:06.070'
  struct Case {
    DateStyle style;
    DateOrder order;
    const char *date, *before_christ, *timestamp;
  };
  constexpr Case kCases[] = {
      {DateStyle::kIso, DateOrder::kMdy, "2024-02-03", "0044-03-15 BC", "2024-02-03 04:05:06.07"},
      {DateStyle::kSql, DateOrder::kDmy, "03/02/2024", "15/03/0044 BC", "03/02/2024 04:05:06.07"},
      {DateStyle::kSql, DateOrder::kMdy, "02/03/2024", "03/15/0044 BC", "02/03/2024 04:05:06.07"},
      {DateStyle::kPostgres, DateOrder::kDmy, "03-02-2024", "15-03-0044 BC",
       "Sat 03 Feb 04:05:06.07 2024"},
      {DateStyle::kPostgres, DateOrder::kMdy, "02-03-2024", "03-15-0044 BC",
       "Sat Feb 03 04:05:06.07 2024"},
      {DateStyle::kGerman, DateOrder::kMdy, "03.02.2024", "15.03.0044 BC",
       "03.02.2024 04:05:06.07"},
  };
  for (const Case& c : kCases) {
    SessionSettings settings;
    settings.date_style = c.style;
    settings.date_order = c.order;
    std::string date, before_christ, timestamp;
    CalendarTime t{.year = 2024, .month = 2, .day = 3, .hour = 4, .minute = 5, .second = 6};
    t.usec = 70'000;
    AppendDate(date, t, settings);
    AppendDateTime(timestamp, t, nullptr, settings);
    AppendDate(before_christ, {.year = -43, .month = 3, .day = 15}, settings);
    EXPECT_EQ(date, c.date);
    EXPECT_EQ(before_christ, c.before_christ);
    EXPECT_EQ(timestamp, c.timestamp);
  }
}

TEST(DateTimePrint, OnlyStylesThatOrderTheirFieldsLackAnOrder) {
  SessionSettings settings;
  for (const auto& [style, lacks] :
       {std::pair(DateStyle::kIso, false), std::pair(DateStyle::kGerman, false),
        std::pair(DateStyle::kSql, true), std::pair(DateStyle::kPostgres, true)}) {
    settings.date_style = style;
    EXPECT_EQ(LacksDateOrder(settings), lacks) << static_cast<int>(style);
  }
}

}  // namespace
}  // namespace relcache
