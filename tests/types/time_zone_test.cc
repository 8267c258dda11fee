#include "relcache/types/date_time/time_zone.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "relcache/types/date_time/find_time_zone.h"

namespace relcache {
namespace {

const TimeZone& Zone(const char* name) {
  const auto zone = FindTimeZone(name);
  EXPECT_TRUE(zone && *zone != nullptr) << name;
  return **zone;
}

TEST(TimeZone, RulesHoldInAnyYear) {
  struct Case {
    const char* zone;
    UnixSeconds t;
    std::int32_t offset;
    const char* abbreviation;
  };
  const Case cases[] = {
      {"UTC", 0, 0, "UTC"},
      {"Europe/Berlin", 1704067200, 3600, "CET"},         // 2024-01-01
      {"Europe/Berlin", 1719792000, 7200, "CEST"},        // 2024-07-01
      {"Europe/Berlin", 2540246400, 7200, "CEST"},        // 2050-07-01
      {"Europe/Berlin", 7258118400, 3600, "CET"},         // 2200-01-01
      {"Europe/Berlin", 253402300799, 3600, "CET"},       // 9999-12-31
      {"Europe/Berlin", -3000000000, 3208, "LMT"},        // 1874
      {"America/New_York", 4086360000, -14400, "EDT"},    // 2099-06-29
      {"Australia/Lord_Howe", 1704067200, 39600, "+11"},  // daylight saving of half an hour
      {"Asia/Kolkata", 1704067200, 19800, "IST"},
      {"<+03>-3", 0, 10800, "+03"},
      {"FOO5BAR,J60/2,J300/2", 1704067200, -18000, "FOO"},
      {"FOO5BAR,J60/2,J300/2", 1719792000, -14400, "BAR"},
      {"FOO5BAR,J60/2,J300/2", -3786825600, -18000, "FOO"},
  };
  for (const Case& c : cases) {
    const TimeZone::Period period = Zone(c.zone).At(c.t);
    EXPECT_EQ(period.utc_offset, c.offset) << c.zone << " " << c.t;
    EXPECT_EQ(period.abbreviation, c.abbreviation) << c.zone << " " << c.t;
  }
}

TEST(TimeZone, LocalTimesAtAChangeOfTheClock) {
  const TimeZone& berlin = Zone("Europe/Berlin");
  constexpr std::int64_t kMarch31 = 1711843200;    // 2024-03-31 00:00 on the wall clock
  constexpr std::int64_t kOctober27 = 1729987200;  // 2024-10-27 00:00
  EXPECT_EQ(berlin.OffsetAtLocal(kMarch31 + 3600), 3600);
  EXPECT_EQ(berlin.OffsetAtLocal(kMarch31 + 9000), 3600);  // 02:30 is skipped
  EXPECT_EQ(berlin.OffsetAtLocal(kMarch31 + 10800), 7200);
  EXPECT_EQ(berlin.OffsetAtLocal(kOctober27 + 3600), 7200);
  EXPECT_EQ(berlin.OffsetAtLocal(kOctober27 + 9000), 3600);  // 02:30 comes twice
}

TEST(TimeZone, DaylightSavingWithoutRuleFollowsTodaysUnitedStatesInEveryYear) {
  struct Case {
    UnixSeconds t;
    std::int32_t offset;
  };
  // 1975-02-25, 2005-03-25, 2005-10-31, 2024-03-10 04:59:59 and 05:00:00
  for (const Case c : {Case{162561600, -10800}, Case{1111752000, -7200}, Case{1130760000, -7200},
                       Case{1710046799, -10800}, Case{1710046800, -7200}})
    EXPECT_EQ(Zone("FOO3BAR").At(c.t).utc_offset, c.offset) << c.t;
}

TEST(TimeZone, AnAbbreviationMeansWhatItMeantAtTheTime) {
  const TimeZone& moscow = Zone("Europe/Moscow");
  EXPECT_EQ(moscow.OffsetOfAbbreviation("MSK", 1720000000), 10800);  // 2024
  EXPECT_EQ(moscow.OffsetOfAbbreviation("MSK", 1320000000), 14400);  // 2011
  EXPECT_EQ(moscow.OffsetOfAbbreviation("XYZ", 0), std::nullopt);
}

}  // namespace
}  // namespace relcache
