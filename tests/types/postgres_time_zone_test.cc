// POSIX time zone texts against a real server: default and written rules, damaged texts, and
// moments around every change, before 1970 and after 2037.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "literals.h"
#include "postgres_server.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

using test::Outcome;
using test::OutcomeOf;
using test::PostgresServer;
using test::Quote;

constexpr const char* kInstallation = "which depends on the installation";

// Zones of every form that PostgreSQL takes, and some that it does not.
std::vector<std::string> ZoneTexts() {
  std::vector<std::string> zones = {"EST5EDT",
                                    "foo3bar",
                                    "FOO3BAR",
                                    "PST8PDT",
                                    "CET-1CEST",
                                    "WGT3WGST",
                                    "aaa-5:30bbb",
                                    "xdeadbeef",
                                    "xdeadbeef1",
                                    "x1deadbeef",
                                    "x'1'y",
                                    "xyz",
                                    "+5",
                                    "-03:30",
                                    "+05:30:15",
                                    "5",
                                    "<+03>-3",
                                    "<-03>3<-02>",
                                    "<+03>-3<+04>,M3.5.0,M10.5.0",
                                    "<>5",
                                    "<>5<>",
                                    "<a",
                                    "<a>5<b",
                                    "EST5EDT,M3.2.0,M11.1.0",
                                    "EST5EDT;M3.2.0,M11.1.0",
                                    "EST5EDT4,M3.2.0/2,M11.1.0/2",
                                    "EST5EDT4:30",
                                    "EST5EDT3,M4.1.0,M10.5.0",
                                    "NZST-12NZDT,M9.5.0,M4.1.0/3",
                                    "abc24def",
                                    "abc167def",
                                    "abc168def",
                                    "abc-167def166",
                                    "abc5:59:60def",
                                    "abc5:60def",
                                    "abc5:59:61def",
                                    "IST-1GMT0,M10.5.0,M3.5.0/1",
                                    "abc5def,J60/2,J300/2",
                                    "abc5def,59,299",
                                    "abc5def,0,365",
                                    "abc5def,J1/0,J365/25",
                                    "abc5def,0/0,J365/23",
                                    "abc5def,J366,J1",
                                    "abc5def,M13.1.1,M1.1.1",
                                    "abc5def,M3.2.0/-1,M11.1.0/167",
                                    "abc5def,M3.2.0/-167,M11.1.0/168",
                                    "abc5def,M3.2.0",
                                    "abc5def,M3.2.0,",
                                    "abc5def,M3.2.0,M11.1.0,",
                                    "abc5def,M3.2.0,M11.1.0x",
                                    "abc5def,",
                                    "abc5,M3.2.0,M11.1.0",
                                    "abc",
                                    "",
                                    " ",
                                    "a b5c d",
                                    "a5b6c7",
                                    "\xc3\xa4"
                                    "5\xc3\xb6",
                                    "5+5",
                                    "5-5-5",
                                    "+5+5",
                                    "-",
                                    "+",
                                    "--5",
                                    "<->5",
                                    "abc5:def",
                                    "abc5:3:def",
                                    "abc+5def-3",
                                    ":UTC",
                                    ":EST5",
                                    ":Europe/Berlin",
                                    "UTC0",
                                    "utc+3",
                                    "GMT-3",
                                    "gmt0bst",
                                    "UTC5UTC",
                                    "posixrules",
                                    "Europe/Berlin5",
                                    "America/New_York",
                                    "us/eastern",
                                    "EST",
                                    "MST7MDT",
                                    "EET",
                                    "zulu",
                                    "z",
                                    "pst",
                                    "PDT",
                                    "cest",
                                    "MSK",
                                    "msk3msd",
                                    "allballs",
                                    "now",
                                    "dst",
                                    "UTC ",
                                    " UTC",
                                    "UTC\t",
                                    "LMT",
                                    "Factory",
                                    "abc0def0",
                                    "abc0def-1,M3.5.0/1,M10.5.0/1",
                                    "a0",
                                    "0",
                                    "00:00:00",
                                    "abc5def5,M3.2.0,M11.1.0",
                                    "abc5def6,M3.2.0,M11.1.0",
                                    "abc5def29,M3.2.0,M11.1.0",
                                    "abc5def,M11.1.0,M3.2.0",
                                    "abc5def,M3.2.0,M3.2.0",
                                    "abc5def,M1.1.0/0,M12.5.6/24",
                                    "abc5def,M2.5.1,M2.5.2",
                                    "abc5def,J59,J60",
                                    "abc5def,58,59",
                                    "abc5def,364,365/26"};
  zones.push_back(std::string(252, 'x') + "5");
  zones.push_back(std::string(253, 'x') + "5y");
  zones.push_back(std::string(254, 'x') + "55");
  zones.push_back(std::string(300, 'x') + "5");
  zones.push_back("x" + std::string(127, 'x') + "\xc3\xa4\xe2\x82\xac" + std::string(122, 'x') +
                  "\xe2\x82\xac"
                  "5");
  zones.push_back("<" + std::string(120, 'x') + ">5<" + std::string(120, 'y') + ">4");
  return zones;
}

std::vector<std::string> Moments() {
  std::vector<std::string> moments = {"4714-11-24 00:00:00 BC",
                                      "4714-11-25 00:00:00 BC",
                                      "0001-07-01 12:00:00",
                                      "1582-10-15 12:00:00",
                                      "1769-12-31 23:30:00",
                                      "1770-01-01 02:00:00",
                                      "1883-11-18 12:00:00",
                                      "1969-12-31 23:59:59.5",
                                      "1970-01-01 00:00:00",
                                      "1975-02-23 07:30:00",
                                      "1985-07-01 00:00:00",
                                      "2000-01-01 00:00:00",
                                      "2000-02-29 12:00:00",
                                      "2004-02-29 23:59:59",
                                      "2006-04-02 07:30:00",
                                      "2024-07-01 12:00:00",
                                      "2037-07-01 00:00:00",
                                      "2038-01-19 03:14:08",
                                      "2100-02-28 12:00:00",
                                      "2769-07-01 12:00:00",
                                      "2800-07-01 12:00:00",
                                      "9999-12-31 23:59:59",
                                      "294276-12-31 12:00:00",
                                      "294276-12-31 23:59:59.999999",
                                      "infinity",
                                      "-infinity"};
  // Around the changes of the United States' rule and of the year.
  for (const int year : {1800, 1969, 2007, 2024, 2037, 2038, 2301}) {
    for (const char* day :
         {"03-08", "03-10", "03-14", "11-01", "11-03", "11-07", "01-01", "12-31"}) {
      for (const char* time : {"01:59:59.999999", "02:00:00", "02:30:00", "06:59:59", "07:00:00"}) {
        char text[64];
        std::snprintf(text, sizeof text, "%04d-%s %s", year, day, time);
        moments.emplace_back(text);
      }
    }
  }
  return moments;
}

class PostgresTimeZone : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = PostgresServer::Connect();
    if (!server_) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Run("SET TimeZone = 'UTC'");
  }

  // timezone(zone, moment) of a local time and of an instant.
  void Compare(const std::vector<std::string>& zones, const std::vector<std::string>& moments) {
    std::vector<std::string> expressions;
    for (const std::string& zone : zones)
      for (const std::string& moment : moments)
        for (const char* type : {"timestamp", "timestamptz"})
          expressions.push_back("timezone(" + Quote(zone) + ", '" + moment + "'::" + type + ")");
    const std::vector<Outcome> expected = server_->Ask(expressions);
    const SessionSettings settings = AssumeUtcAndMdy(0);
    ContextPtr cx = Bump::CreateRoot("test");
    int failures = 0;
    std::size_t at = 0;
    for (const std::string& zone : zones) {
      for (const std::string& moment : moments) {
        for (const bool local : {true, false}) {
          cx->Reset();
          const Oid type = local ? kTimestampOid : kTimestamptzOid;
          const auto value = TypeInput(type, -1, moment, settings, *cx);
          ASSERT_TRUE(value) << moment;
          const auto shifted = local ? TimestampAtZone(zone, DatumGetInt64(*value))
                                     : TimestamptzAtZone(zone, DatumGetInt64(*value));
          const Outcome actual = OutcomeOf(shifted.and_then([&](Timestamp t) {
            return TypeOutput(local ? kTimestamptzOid : kTimestampOid, Int64GetDatum(t), settings,
                              *cx);
          }));
          const bool refused = !shifted && shifted.error().code == ErrorCode::kNotSupported;
          EXPECT_TRUE(!refused || shifted.error().message.ends_with(kInstallation)) << zone;
          const Outcome& right = expected[at];
          if (!refused && actual != right && ++failures < 30)
            ADD_FAILURE() << expressions[at] << ": " << actual << ", PostgreSQL: " << right;
          ++at;
        }
      }
    }
    EXPECT_EQ(failures, 0) << "of " << at;
    RecordProperty("expressions", static_cast<int>(at));
  }

  std::optional<PostgresServer> server_;
};

TEST_F(PostgresTimeZone, PosixTextsMeanWhatPostgresTakesThemFor) {
  Compare(ZoneTexts(), Moments());
}

TEST_F(PostgresTimeZone, DamagedPosixTextsMeanWhatPostgresTakesThemFor) {
  const std::vector<std::string> moments = {
      "1950-07-01 12:00:00", "2006-03-20 12:00:00", "2024-03-10 02:30:00", "2024-03-10 07:00:00",
      "2024-11-03 01:30:00", "2024-11-03 06:00:00", "2050-01-01 00:00:00", "2050-07-01 00:00:00"};
  std::vector<std::string> zones = test::Damaged(ZoneTexts(), "0123456789,.;:/<>+-JMabE", 8);
  std::erase_if(zones, [](const std::string& text) { return !CheckUtf8(text); });
  Compare(zones, moments);
}

}  // namespace
}  // namespace relcache
