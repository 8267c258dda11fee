#include "relcache/types/date_time/time.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

TEST(Time, TextsAreReadAndPrintedAsPostgresDoes) {
  // select time(typmod) 'text'
  struct Case {
    const char* text;
    std::int32_t typmod;
    const char* shown;  // or the SQLSTATE and message
  };
  constexpr Case kCases[] = {
      {"23:59:59.9999999", -1, "24:00:00"},
      {"12:00:00.5", 0, "12:00:01"},
      {"24:00", -1, "24:00:00"},
      {"040506", -1, "04:05:06"},
      {"04:05 PM", -1, "16:05:00"},
      {"12:30 AM", -1, "00:30:00"},
      {"01:02:03.4567", 3, "01:02:03.457"},
      {"allballs", -1, "00:00:00"},
      {"24:00:01", -1, "22008 date/time field value out of range: \"24:00:01\""},
      {"25:00", -1, "22008 date/time field value out of range: \"25:00\""},
      {"noon", -1, "22007 invalid input syntax for type time: \"noon\""},
  };
  const ContextPtr cx = Bump::CreateRoot("test");
  for (const Case& c : kCases) {
    const auto time = TimeIn(c.text, c.typmod, AssumeUtcAndMdy(0));
    EXPECT_EQ(time ? std::string(TimeOut(*time, *cx))
                   : time.error().sqlstate + (" " + time.error().message),
              c.shown)
        << c.text;
  }
}

}  // namespace
}  // namespace relcache
