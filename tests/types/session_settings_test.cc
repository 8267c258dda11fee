#include "relcache/types/session_settings.h"

#include <gtest/gtest.h>

#include <string>

#include "relcache/types/time_zone.h"

namespace relcache {
namespace {

TEST(SessionSettings, SetAndShow) {
  struct Case {
    const char* name;
    const char* value;
    const char* shown;
  };
  const Case cases[] = {
      {"datestyle", "German", "German, DMY"},
      {"DateStyle", "iso", "ISO, DMY"},
      {"DateStyle", "SQL, us", "SQL, MDY"},
      {"DateStyle", "European, postgres", "Postgres, DMY"},
      {"DateStyle", "ymd", "Postgres, YMD"},
      {"DateStyle", "noneuropean", "Postgres, MDY"},
      {"DateStyle", "mdy, german", "German, MDY"},
      {"TimeZone", "europe/berlin", "Europe/Berlin"},
      {"timezone", "-7.5", "<-07:30>+07:30"},
      {"timezone", "UTC", "UTC"},
      {"IntervalStyle", "ISO_8601", "iso_8601"},
      {"bytea_output", "escape", "escape"},
      {"extra_float_digits", "-3", "-3"},
      {"search_path", "a, b", "a, b"},
  };
  SessionSettings settings;
  EXPECT_EQ(*ShowSetting(settings, "DateStyle"), "ISO, MDY");
  EXPECT_EQ(*ShowSetting(settings, "TimeZone"), "UTC");
  for (const Case& c : cases) {
    ASSERT_TRUE(SetSetting(settings, c.name, c.value)) << c.name << " " << c.value;
    EXPECT_EQ(*ShowSetting(settings, c.name), c.shown) << c.value;
  }
}

TEST(SessionSettings, BadValuesChangeNothing) {
  struct Case {
    const char* name;
    const char* value;
    const char* message;
    const char* detail;
  };
  const Case cases[] = {
      {"DateStyle", "foo", "invalid value for parameter \"DateStyle\": \"foo\"",
       "Unrecognized key word: \"foo\"."},
      {"DateStyle", "iso, sql", "invalid value for parameter \"DateStyle\": \"iso, sql\"",
       "Conflicting \"datestyle\" specifications."},
      {"TimeZone", "Nowhere", "invalid value for parameter \"TimeZone\": \"Nowhere\"", ""},
      {"IntervalStyle", "x", "invalid value for parameter \"IntervalStyle\": \"x\"", ""},
      {"extra_float_digits", "4",
       "4 is outside the valid range for parameter \"extra_float_digits\" (-15 .. 3)", ""},
      {"work_mem", "4MB", "not supported: parameter work_mem", ""},
  };
  for (const Case& c : cases) {
    SessionSettings settings;
    const Status status = SetSetting(settings, c.name, c.value);
    ASSERT_FALSE(status) << c.name;
    EXPECT_EQ(status.error().message, c.message);
    EXPECT_EQ(status.error().detail, c.detail);
    EXPECT_EQ(*ShowSetting(settings, "DateStyle"), "ISO, MDY");
  }
}

}  // namespace
}  // namespace relcache
