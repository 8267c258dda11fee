#include "relcache/types/internal/input_versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relcache/types/builtin_types.h"
#include "relcache/types/session_settings.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

// PostgreSQL 18: timezone('IST', timestamp '2012-01-01') is 22:00 UTC of the day before, in Kolkata
// 18:30.
TEST(SessionZoneMayKnow, EveryAbbreviationIfNobodySaidWhichZoneItIs) {
  const SessionSettings nobody_said;
  for (const char* name : {"ist", "est", "msk", "lmt", "xyz", "cest", "japan", "utc", "gmt"})
    EXPECT_TRUE(SessionZoneMayKnow(name, nobody_said)) << name;
  for (const char* name : {"z", "europe/berlin", "est5edt", "january", "mon", "today"})
    EXPECT_FALSE(SessionZoneMayKnow(name, nobody_said)) << name;
}

TEST(SessionZoneMayKnow, WhatTheZoneHasAndMeansByItself) {
  SessionSettings settings;
  ASSERT_TRUE(SetSetting(settings, "TimeZone", "Asia/Kolkata"));
  EXPECT_TRUE(SessionZoneMayKnow("ist", settings));
  EXPECT_FALSE(SessionZoneMayKnow("utc", settings));
  EXPECT_FALSE(SessionZoneMayKnow("msk", settings));
  ASSERT_TRUE(SetSetting(settings, "TimeZone", "UTC"));
  EXPECT_FALSE(SessionZoneMayKnow("ist", settings));
}

TEST(InputOfVersion, An18ReadsAbbreviationsOfAGivenZoneOnly) {
  const ContextPtr cx = AllocSet::CreateRoot("input");
  SessionSettings settings;
  ASSERT_TRUE(SetSetting(settings, "DateStyle", "ISO, MDY"));
  const auto input = [&](const char* text, int version) {
    return TypeInput(kTimestampOid, -1, text, settings, *cx, ServerVersion(version));
  };
  EXPECT_TRUE(input("2012-01-01 00:00 IST", 170000));
  const auto refused = input("2012-01-01 00:00 IST", 180000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotSupported);
  EXPECT_TRUE(input("5 Jan 2012 10:00 pm", 180000));
  EXPECT_FALSE(input("2012-01-01 00:00 UTC", 180000));
}

// '2045-03-20 12:00 xyz5abc' is 17:00 UTC for 12 and 16:00 for 15.
TEST(InputOfVersion, A12HasOtherRulesForPosixZonesWithoutThem) {
  const ContextPtr cx = AllocSet::CreateRoot("input");
  const SessionSettings settings = AssumeUtcAndMdy(0);
  const auto input = [&](const char* text, int version) {
    return TypeInput(kTimestamptzOid, -1, text, settings, *cx, ServerVersion(version));
  };
  for (const char* text : {"2045-03-20 12:00 xyz5abc", "2045-03-20 12:00:00 abc3def"}) {
    EXPECT_TRUE(input(text, 130000)) << text;
    const auto refused = input(text, 120000);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kNotSupported);
  }
  for (const char* text : {"2045-03-20 12:00+05", "Jan-05-2020 10:00 pm", "2045-03-20 12:00 EST",
                           "2020-07-01T12:00:00Z", "2045-03-20 12:00 Europe/Berlin"})
    EXPECT_TRUE(input(text, 120000)) << text;
}

}  // namespace
}  // namespace relcache
