#include "relcache/types/session_settings.h"

#include <gtest/gtest.h>

#include <string>

#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/date_time/time_zone.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/type_io.h"

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
  SessionSettings settings = AssumeUtcAndMdy(0);
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
    SessionSettings settings = AssumeUtcAndMdy(0);
    const Status status = SetSetting(settings, c.name, c.value);
    ASSERT_FALSE(status) << c.name;
    EXPECT_EQ(status.error().message, c.message);
    EXPECT_EQ(status.error().detail, c.detail);
    EXPECT_EQ(*ShowSetting(settings, "DateStyle"), "ISO, MDY");
  }
}

/// What `text` becomes as a value of the type and then as a text again, or why it does not.
std::string ReadAndPrint(Oid type, const char* text, const SessionSettings& settings) {
  ContextPtr cx = Bump::CreateRoot("test");
  const auto value = TypeInput(type, -1, text, settings, *cx);
  if (!value) return value.error().message;
  const auto printed = TypeOutput(type, *value, settings, *cx);
  return printed ? std::string(*printed) : printed.error().message;
}

TEST(SessionSettings, WhatDependsOnOneThatIsNotGivenIsRefusedByItsName) {
  const std::string no_moment = SettingNotGiven("current time, now").message;
  const std::string no_zone = SettingNotGiven("TimeZone").message;
  const std::string no_order = SettingNotGiven("DateStyle").message;
  struct Case {
    Oid type;
    const char* text;
    std::string result;
  };
  const Case cases[] = {
      {kDateOid, "today", no_moment},
      {kDateOid, "tomorrow", no_moment},
      {kDateOid, "yesterday", no_moment},
      {kDateOid, "now", no_moment},
      {kTimestampOid, "now", no_moment},
      {kTimestampOid, "today 12:00", no_moment},
      {kTimestamptzOid, "now", no_moment},
      {kTimestamptzOid, "tomorrow allballs", no_moment},
      {kTimeOid, "now", no_moment},
      {FindTypeInfo(kDateOid)->typarray, "{2020-01-01,today}", no_moment},
      {kTimestamptzOid, "2020-01-01", no_zone},
      {kTimestamptzOid, "2020-01-01 12:00:00", no_zone},
      // Read, but not printed: the text of an instant is the session's local time.
      {kTimestamptzOid, "2020-01-01 12:00+02", no_zone},
      {kTimestamptzOid, "epoch", no_zone},
      {kDateOid, "01/02/2003", no_order},
      {kDateOid, "1-2-3", no_order},
      {kTimestampOid, "01.02.2003 04:05", no_order},
      {kDateOid, "Jan 02 03", no_order},
      {kDateOid, "02 Jan 2003", no_order},
      // Nothing is asked where nothing depends on it.
      {kTimestamptzOid, "infinity", "infinity"},
      {kDateOid, "epoch", "1970-01-01"},
      {kDateOid, "2020-02-03", "2020-02-03"},
      {kDateOid, "20200203", "2020-02-03"},
      {kDateOid, "Feb 3, 2020", no_order},
      {kTimestampOid, "2020-02-03 04:05", "2020-02-03 04:05:00"},
      {kTimestampOid, "2020-02-03 04:05 Europe/Berlin", "2020-02-03 04:05:00"},
      {kTimeOid, "12:00", "12:00:00"},
      {kTimeOid, "12:00 EST", "12:00:00"},
      {kIntervalOid, "1 day", "1 day"},
  };
  const SessionSettings nothing;
  for (const Case& c : cases) EXPECT_EQ(ReadAndPrint(c.type, c.text, nothing), c.result) << c.text;
  EXPECT_EQ(ShowSetting(nothing, "DateStyle").error().message, no_order);
  EXPECT_EQ(ShowSetting(nothing, "TimeZone").error().message, no_zone);

  SessionSettings moment;
  moment.now = 0;
  EXPECT_EQ(ReadAndPrint(kDateOid, "today", moment), no_zone);
  SessionSettings style;
  style.date_style = DateStyle::kSql;
  EXPECT_EQ(ReadAndPrint(kDateOid, "2020-02-03", style), no_order);
  EXPECT_EQ(ReadAndPrint(kTimestampOid, "2020-02-03", style), no_order);
  ASSERT_TRUE(SetSetting(style, "DateStyle", "German"));
  EXPECT_EQ(ReadAndPrint(kDateOid, "2020-02-03", style), "03.02.2020");
}

TEST(SessionSettings, ConversionsBetweenLocalTimeAndInstantsNeedAZone) {
  const SessionSettings nothing;
  Date date{};
  Timestamp at{};
  int order = 0;
  EXPECT_EQ(TimestamptzToDate(0, nothing, date), Fault::kTimeZoneNotGiven);
  EXPECT_EQ(DateToTimestamptz(0, nothing, at), Fault::kTimeZoneNotGiven);
  EXPECT_EQ(TimestampToTimestamptz(0, nothing, at), Fault::kTimeZoneNotGiven);
  EXPECT_EQ(TimestamptzToTimestamp(0, nothing, at), Fault::kTimeZoneNotGiven);
  EXPECT_EQ(DateCompareTimestamptz(0, 0, nothing, order), Fault::kTimeZoneNotGiven);
  EXPECT_EQ(TimestampCompareTimestamptz(0, 0, nothing, order), Fault::kTimeZoneNotGiven);
  // An end of time is the same everywhere, and so are hours.
  EXPECT_EQ(TimestampToTimestamptz(kTimestampInfinity, nothing, at), Fault::kNone);
  EXPECT_EQ(TimestamptzAddInterval(0, Interval{.time = 5}, nothing).value(), 5);
  EXPECT_EQ(TimestamptzAddInterval(0, Interval{.day = 1}, nothing).error().message,
            SettingNotGiven("TimeZone").message);
  EXPECT_EQ(TimestamptzSubInterval(0, Interval{.month = 1}, nothing).error().message,
            SettingNotGiven("TimeZone").message);
}

}  // namespace
}  // namespace relcache
