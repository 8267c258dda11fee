#include "relcache/types/date_time/find_time_zone.h"
#include "relcache/types/date_time/time_zone_abbreviations.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "relcache/types/date_time/time_zone_reader.h"

namespace relcache {
namespace {

const TimeZone& Zone(const char* name) {
  const auto zone = FindTimeZone(name);
  EXPECT_TRUE(zone && *zone != nullptr) << name;
  return **zone;
}

std::string BytesOf(const char* name) {
  std::ifstream file(std::string("/usr/share/zoneinfo/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
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

TEST(TimeZone, NamesInAnyCaseAndNothingElse) {
  EXPECT_EQ(Zone("europe/BERLIN").name(), "Europe/Berlin");
  EXPECT_EQ(&Zone("EUROPE/berlin"), &Zone("Europe/Berlin"));
  EXPECT_EQ(Zone("gmt").name(), "GMT");
  for (const char* name : {"", "Nowhere/City", "../../etc/passwd", "/etc/passwd", "Europe",
                           "Europe/", ".", "zone.tab", "foo", "\xff\xff", "Europe//Berlin"}) {
    const auto zone = FindTimeZone(name);
    ASSERT_TRUE(zone) << name;
    EXPECT_EQ(*zone, nullptr) << name;
  }
  EXPECT_EQ(*FindTimeZone(std::string(5000, 'x')), nullptr);
}

TEST(TimeZone, LeapSecondsAreRefused) {
  if (BytesOf("right/Europe/Berlin").empty()) GTEST_SKIP() << "no zones with leap seconds here";
  const auto zone = FindTimeZone("right/Europe/Berlin");
  ASSERT_FALSE(zone);
  EXPECT_EQ(zone.error().code, ErrorCode::kNotSupported);
}

TEST(TimeZone, FilesThatDependOnTheInstallationAreRefused) {
  for (const char* name :
       {"localtime", "LocalTime", ":localtime", "posixrules", "posix/Europe/Berlin"}) {
    if (BytesOf("localtime").empty() || BytesOf("posixrules").empty()) continue;
    const auto zone = FindTimeZone(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().code, ErrorCode::kNotSupported);
  }
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

TEST(TimeZone, AfterAColonOnlyFilesAreZones) {
  EXPECT_EQ(Zone(":UTC").name(), "UTC");
  EXPECT_EQ(Zone(":europe/berlin").At(1704067200).utc_offset, 3600);
  for (const char* name : {":", "::UTC", ":EST5", ":<+03>-3"}) {
    const auto zone = FindTimeZone(name);
    ASSERT_TRUE(zone) << name;
    EXPECT_EQ(*zone, nullptr) << name;
  }
}

TEST(TimeZone, OffsetsHaveNames) {
  EXPECT_EQ((*FixedTimeZone(10800))->name(), "<+03>-03");
  EXPECT_EQ((*FixedTimeZone(-27000))->name(), "<-07:30>+07:30");
  EXPECT_EQ((*FixedTimeZone(-27000))->At(0).utc_offset, -27000);
}

TEST(TimeZone, AbbreviationsHaveOffsetsOrZones) {
  EXPECT_EQ(FindTimeZoneAbbreviation("pst")->utc_offset, -28800);
  EXPECT_TRUE(FindTimeZoneAbbreviation("cest")->is_dst);
  EXPECT_STREQ(FindTimeZoneAbbreviation("msk")->zone, "Europe/Moscow");
  EXPECT_EQ(FindTimeZoneAbbreviation("nosuch"), nullptr);
  const TimeZone& moscow = Zone("Europe/Moscow");
  EXPECT_EQ(moscow.OffsetOfAbbreviation("MSK", 1720000000), 10800);  // 2024
  EXPECT_EQ(moscow.OffsetOfAbbreviation("MSK", 1320000000), 14400);  // 2011
  EXPECT_EQ(moscow.OffsetOfAbbreviation("XYZ", 0), std::nullopt);
}

TEST(TimeZone, ManyThreadsMayAsk) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (const char* name : {"Asia/Tokyo", "Asia/Tehran", "America/Caracas", "Africa/Cairo"})
        EXPECT_NE(*FindTimeZone(name), nullptr);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(TimeZoneReader, AnyBytesGiveAZoneOrAnError) {
  const std::string good = BytesOf("America/New_York");
  ASSERT_FALSE(good.empty());
  ASSERT_TRUE(TimeZoneReader::FromFile("x", good));
  const auto probe = [](const std::string& bytes) {
    const auto zone = TimeZoneReader::FromFile("x", bytes);
    if (!zone) return;
    for (const UnixSeconds t :
         {std::int64_t{-10000000000}, std::int64_t{0}, std::int64_t{5000000000}}) {
      (*zone)->At(t);
      (*zone)->OffsetAtLocal(t);
    }
  };
  for (std::size_t n = 0; n < good.size(); ++n) {
    probe(good.substr(0, n));
    for (const char damage : {'\0', '\x7f', '\xff'}) {
      std::string bad = good;
      bad[n] = damage;
      probe(bad);
    }
  }
}

}  // namespace
}  // namespace relcache
