#include "relcache/types/date_time/find_time_zone.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace relcache {
namespace {

const TimeZone& Zone(const char* name) {
  const auto zone = FindTimeZone(name);
  EXPECT_TRUE(zone && *zone != nullptr) << name;
  return **zone;
}

bool IsInstalled(const char* name) {
  return std::ifstream(std::string("/usr/share/zoneinfo/") + name).is_open();
}

TEST(FindTimeZone, NamesInAnyCaseAndNothingElse) {
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

TEST(FindTimeZone, LeapSecondsAreRefused) {
  if (!IsInstalled("right/Europe/Berlin")) GTEST_SKIP() << "no zones with leap seconds here";
  const auto zone = FindTimeZone("right/Europe/Berlin");
  ASSERT_FALSE(zone);
  EXPECT_EQ(zone.error().code, ErrorCode::kNotSupported);
}

TEST(FindTimeZone, FilesThatDependOnTheInstallationAreRefused) {
  for (const char* name :
       {"localtime", "LocalTime", ":localtime", "posixrules", "posix/Europe/Berlin"}) {
    if (!IsInstalled("localtime") || !IsInstalled("posixrules")) continue;
    const auto zone = FindTimeZone(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().code, ErrorCode::kNotSupported);
  }
}

TEST(FindTimeZone, AfterAColonOnlyFilesAreZones) {
  EXPECT_EQ(Zone(":UTC").name(), "UTC");
  EXPECT_EQ(Zone(":europe/berlin").At(1704067200).utc_offset, 3600);
  for (const char* name : {":", "::UTC", ":EST5", ":<+03>-3"}) {
    const auto zone = FindTimeZone(name);
    ASSERT_TRUE(zone) << name;
    EXPECT_EQ(*zone, nullptr) << name;
  }
}

TEST(FindTimeZone, OffsetsHaveNames) {
  EXPECT_EQ((*FixedTimeZone(10800))->name(), "<+03>-03");
  EXPECT_EQ((*FixedTimeZone(-27000))->name(), "<-07:30>+07:30");
  EXPECT_EQ((*FixedTimeZone(-27000))->At(0).utc_offset, -27000);
}

TEST(FindTimeZone, ManyThreadsMayAsk) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (const char* name : {"Asia/Tokyo", "Asia/Tehran", "America/Caracas", "Africa/Cairo"})
        EXPECT_NE(*FindTimeZone(name), nullptr);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace relcache
