// Dates and times against a real server, under many zones and styles.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "postgres_compare.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

using test::CompareWithServer;
using test::PostgresServer;
using test::Settings;
using test::TypeCase;

const std::vector<Settings>& AllSettings() {
  static const std::vector<Settings> settings = {
      {},
      {{"TimeZone", "Europe/Berlin"}, {"DateStyle", "German"}},
      {{"TimeZone", "America/New_York"}, {"DateStyle", "SQL, MDY"}},
      {{"TimeZone", "Asia/Kolkata"}, {"DateStyle", "SQL, DMY"}},
      {{"TimeZone", "Australia/Lord_Howe"}, {"DateStyle", "Postgres, DMY"}},
      {{"TimeZone", "Europe/Moscow"}, {"DateStyle", "Postgres, MDY"}},
      {{"TimeZone", "<-03:30>+03:30<-02:30>,M3.2.0,M11.1.0"}, {"DateStyle", "ISO, YMD"}},
      {{"TimeZone", "-7.5"}, {"DateStyle", "ISO, DMY"}},
  };
  return settings;
}

const char* const kAlphabet = "0123456789-/:. +TZaempbcjanAM";

const std::vector<std::string>& Seeds() {
  static const std::vector<std::string> seeds = {
      "2024-01-02",
      "2024-01-02 03:04:05",
      "2024-01-02T03:04:05.678901Z",
      "2024-1-2 3:4",
      "20240102",
      "20240102T030405",
      "20240102 030405.5",
      "240102",
      "January 8, 1999",
      "1999-01-08",
      "1/8/1999",
      "1/18/1999",
      "01/02/03",
      "1999-Jan-08",
      "Jan-08-1999",
      "08-Jan-1999",
      "99-Jan-08",
      "08-Jan-99",
      "Jan-08-99",
      "19990108",
      "990108",
      "1999.008",
      "J2451187",
      "January 8, 99 BC",
      "0044-03-15 BC",
      "4714-11-24 BC",
      "4714-11-23 BC",
      "4713-01-01 BC",
      "5874897-12-31",
      "5874898-01-01",
      "294276-12-31 23:59:59.999999",
      "294277-01-01",
      "infinity",
      "-infinity",
      "+infinity",
      "epoch",
      "now",
      "today",
      "tomorrow",
      "yesterday",
      "allballs",
      "today 03:04",
      "2024-02-29",
      "2023-02-29",
      "1900-02-29",
      "2000-02-29",
      "2024-13-01",
      "2024-00-10",
      "2024-04-31",
      "0000-01-01",
      "0001-01-01",
      "",
      " ",
      "x",
      "2024-01-02 24:00:00",
      "2024-01-02 24:00:01",
      "2024-01-02 23:59:60",
      "2024-01-02 25:00",
      "2024-01-02 12:00 AM",
      "2024-01-02 12:00 PM",
      "2024-01-02 13:00 PM",
      "2024-01-02 1:30 pm",
      "2024-01-02 03:04:05+05:30",
      "2024-01-02 03:04:05-0330",
      "2024-01-02 03:04:05 +15:59:59",
      "2024-01-02 03:04:05+16",
      "2024-01-02 03:04:05 PST",
      "2024-07-02 03:04:05 CEST",
      "2024-07-02 03:04:05 MSK",
      "2010-07-02 03:04:05 MSK",
      "2024-07-02 03:04 MET DST",
      "2024-07-02 03:04 America/New_York",
      "2024-01-02 03:04 europe/berlin",
      "2024-01-02 03:04 Nowhere/City",
      "2024-07-02 03:04 EST5EDT",
      "2024-01-02 03:04 GMT+3",
      "2024-01-02 03:04 UTC",
      "2024-01-02 03:04 zulu",
      "2024-01-02 03:04 foo",
      "2024-03-31 02:30:00",
      "2024-10-27 02:30:00",
      "2024-03-10 02:30:00",
      "2024-11-03 01:30:00",
      "2024-10-06 02:15:00",
      "2024-04-07 01:45:00",
      "2014-10-26 01:30:00",
      "2050-07-01 12:00",
      "2050-03-27 02:30:00",
      "2199-10-31 01:30",
      "1883-11-18 12:00:00",
      "1893-04-01 00:00",
      "1700-01-01 12:00",
      "Sat Feb 16 17:32:01.5 1997 PST",
      "Mon Feb 10 17:32:01 -0800 1997",
      "Feb 10 17:32:01 1997 -0800",
      "y2001m02d04",
      "2001-02-04 t040506",
      "y2001m02d04 h04mm05s06.7",
      "J2451187.5",
      "j2451187-08",
      "1997.038 15:23:27",
      "97038 152327",
      "970207 152327",
      "20011225T040506.789-07",
      "12-25-2001",
      "25-12-2001",
      "2001-25-12",
      "10:11:12",
      "on 2024-01-02 at 10:11",
      "2024-01-02 10:11:12.9999995",
      "2024-01-02 10:11:12.0000005",
      "1999-12-31 23:59:59.9999999",
      "2024-01-02 10.5",
      "2024 Jan 2",
      "2 Jan 2024",
      "2 2024 Jan",
      "Jan 2024 2",
      "99999999999",
      "2024-366",
      "2023-366",
      "2024-060",
      "20240102 10:11 +1",
      "Fri, 02 Jan 2026 10:11:12 +0100",
      "2024-01-02 10:11:12 A.M.",
      "dow 2024-01-02",
      "2024-01-02,",
      "(2024-01-02)",
      "2024-01-02 10:11:12.3.4",
      "2024-01-02 10::12",
      "2024-01-02 1:2:3:4",
      "invalid",
      "undefined",
      "current",
      "2024-01-02 EGST",
      "2024-01-02 LMT",
      "2024-01-02 IST",
      "2024-01-02 3:4 AMST",
      "1990-01-02 3:4 GEST",
      "1-2-3",
      "1-2-3 BC",
      "12/31/1969 16:00:00",
      std::string(160, '1'),
      "2024-01-02 " + std::string(140, '0'),
      "1 2 3 4 5 6 7 8 9 10 11",
      "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"};
  return seeds;
}

std::vector<std::string> TimeSeeds() {
  std::vector<std::string> seeds = {"04:05:06.789",
                                    "04:05",
                                    "040506",
                                    "0405",
                                    "04:05 AM",
                                    "04:05 PM",
                                    "12:00 AM",
                                    "12:30 pm",
                                    "13:00 pm",
                                    "24:00:00",
                                    "24:00:01",
                                    "23:59:60",
                                    "23:59:59.9999999",
                                    "t040506",
                                    "T04:05:06",
                                    "040506.5",
                                    "h04mm05s06.5",
                                    "h04",
                                    "04:05:06-08",
                                    "04:05:06 PST",
                                    "040506-08",
                                    "04:05 MSK",
                                    "04:05:06 America/New_York",
                                    "2003-04-12 04:05:06 America/New_York",
                                    "04:05 Etc/UTC",
                                    "2003-04-12 04:05",
                                    "Apr 12 2003 04:05",
                                    "04:05 zulu",
                                    "04:05:06.1.2",
                                    "1:2:3",
                                    "1:2.5",
                                    "100",
                                    "99:00",
                                    "4",
                                    "04",
                                    "now",
                                    "allballs",
                                    "today",
                                    "epoch",
                                    "infinity",
                                    "04:05 DST",
                                    "04:05 EST DST",
                                    "Monday 04:05",
                                    "J2451187.5",
                                    "y2001m02d03 04:05",
                                    "20240102 0405",
                                    "2001.360 04:05 x-y",
                                    "04:05 + 1",
                                    "12:00:00.0000005",
                                    "12.5",
                                    "120000.25 America/Lima"};
  seeds.insert(seeds.end(), Seeds().begin(), Seeds().end());
  return seeds;
}

constexpr std::int32_t IntervalTypmod(int range, int precision) {
  return range << 16 | precision;
}

}  // namespace

TypeCase test::IntervalCase() {
  return {"Interval",
          kIntervalOid,
          // none; (2); year; year to month; day to second(1); hour to minute; minute to second;
          // day; hour
          {-1, IntervalTypmod(0x7fff, 2), IntervalTypmod(4, 0xffff), IntervalTypmod(6, 0xffff),
           IntervalTypmod(7176, 1), IntervalTypmod(3072, 0xffff), IntervalTypmod(6144, 0xffff),
           IntervalTypmod(8, 0xffff), IntervalTypmod(1024, 0xffff), IntervalTypmod(4096, 0)},
          "0123456789-+:. PYMWDTHSdaysgo@",
          {"1 day",
           "2 days",
           "-1 day",
           "1 year 2 mons 3 days 04:05:06.789",
           "-1 year -2 mons +3 days",
           "1 mon",
           "04:05:06",
           "-04:05:06.5",
           "4:5",
           "4:5.5",
           "1 04:05",
           "1-2",
           "-1-2",
           "1-2 3 4:5:6",
           "-1-2 3 4:5:6",
           "-1 2:03:04",
           "+1 -2:03:04",
           "1.5 days",
           "1.5 months",
           "1.5 years",
           "1.5 weeks",
           "1.1 hours",
           "0.5",
           "10",
           "-10",
           "1 day ago",
           "@ 1 year 2 mons ago",
           "@ 1 minute",
           "3 decades 2 centuries 1 millennium",
           "5 microseconds 3 milliseconds 2 s",
           "1.0000005 s",
           "1.0000015 s",
           "1 quarter",
           "1 qtr",
           "P1Y2M3DT4H5M6S",
           "P1W",
           "PT36H",
           "P0001-02-03T04:05:06",
           "P0001-02",
           "P0001",
           "P00010203T040506",
           "PT040506.5",
           "PT1.5M",
           "P1.5Y",
           "P1.5M",
           "P1.5D",
           "P-1Y-2M",
           "P",
           "PT",
           "P1",
           "P1YT",
           "P1Y2",
           "p1y",
           "P1e3D",
           "P0x10D",
           "PT04:05:06:07",
           "P1D1D",
           "PT1H1H",
           "1 day 1 day",
           "1 2 days",
           "infinity",
           "2147483647 days",
           "2147483648 days",
           "178956970 years 7 mons",
           "178956970 years 8 mons",
           "2147483647 mons 1 mon",
           "9223372036854775807 us",
           "9223372036854775808 us",
           "2562047788:00:54.775807",
           "2562047788:00:54.775808",
           "-2562047788:00:54.775808",
           "153722867281 minutes",
           "1 century 1 decade",
           "1 day 24:00:00",
           "1 hour 70 minutes",
           "00:60:00",
           "00:00:60",
           "00:00:61",
           "1:2:3:4",
           "",
           " ",
           "x",
           "1 x",
           "ago",
           "1 ago",
           "@",
           "1 @ day",
           "-1.5 hours",
           "-0.5 days",
           "0.1 mons",
           "1 day -1 hours",
           "-1 days +1:00",
           "- 1 day",
           "1 day-1 hour",
           "1.23456789 s",
           "1 months 1 week 1 day",
           "1 mon -1 day +00:00:01",
           "0.0000005 s",
           "0.5 us",
           "1.5 us",
           "1 year 1.5 mon",
           "0.999999999 days"}};
}

const std::vector<TypeCase>& test::DateTimeCases() {
  static const std::vector<TypeCase> cases = {
      {"Date", kDateOid, {-1}, kAlphabet, Seeds()},
      {"Time", kTimeOid, {-1, 1}, kAlphabet, TimeSeeds()},
      {"Timestamp", kTimestampOid, {-1, 0, 2}, kAlphabet, Seeds()},
      {"Timestamptz", kTimestamptzOid, {-1, 3}, kAlphabet, Seeds()},
  };
  return cases;
}

namespace {

class DateTimeIo : public ::testing::TestWithParam<TypeCase> {};

TEST_P(DateTimeIo, ReadsAndPrintsWhatPostgresDoes) {
  auto server = PostgresServer::Connect();
  if (!server) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  for (const Settings& settings : AllSettings())
    CompareWithServer(*server, GetParam(), settings, 5);
}

INSTANTIATE_TEST_SUITE_P(Postgres, DateTimeIo, ::testing::ValuesIn(test::DateTimeCases()),
                         [](const auto& c) { return std::string(c.param.name); });

class IntervalIo : public ::testing::TestWithParam<const char*> {};

TEST_P(IntervalIo, ReadsAndPrintsWhatPostgresDoes) {
  auto server = PostgresServer::Connect();
  if (!server) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  CompareWithServer(*server, test::IntervalCase(), {{"IntervalStyle", GetParam()}}, 12);
}

INSTANTIATE_TEST_SUITE_P(Postgres, IntervalIo,
                         ::testing::Values("postgres", "postgres_verbose", "sql_standard",
                                           "iso_8601"),
                         [](const auto& c) { return std::string(c.param); });

}  // namespace
}  // namespace relcache
