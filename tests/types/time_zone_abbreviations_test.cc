#include "relcache/types/date_time/time_zone_abbreviations.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(TimeZoneAbbreviations, HaveOffsetsOrZones) {
  EXPECT_EQ(FindTimeZoneAbbreviation("pst")->utc_offset, -28800);
  EXPECT_TRUE(FindTimeZoneAbbreviation("cest")->is_dst);
  EXPECT_STREQ(FindTimeZoneAbbreviation("msk")->zone, "Europe/Moscow");
  EXPECT_EQ(FindTimeZoneAbbreviation("nosuch"), nullptr);
}

}  // namespace
}  // namespace relcache
