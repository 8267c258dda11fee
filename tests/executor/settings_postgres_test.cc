// What the settings of a session decide about expressions: the server's answer under each of their
// values, or a refusal that names the setting.
#include <cstdlib>
#include <iostream>
#include <set>

#include "relcache/tests/executor/postgres_expressions.h"

namespace relcache {
namespace {

using testing::CompareWithServer;
using testing::ExpressionServer;

struct SettingCase {
  const char* name;
  std::vector<const char*> values;
  std::vector<const char*> expressions;
};

const std::vector<SettingCase>& Cases() {
  static const std::vector<SettingCase> kCases = {
      {"extra_float_digits",
       {"0", "1", "2", "3", "-1", "-7", "-14", "-15"},
       {
           "f::text",
           "g::text",
           "(f + g)::text",
           "f::text::numeric",
           "g::varchar(5)",
           "f::text = '0.1'",
           "f::text < g::text collate \"C\"",
           "length(f::text) > 10",
           "f::text in ('0.1', '0.3', '1e+22')",
           "f::text::float8 = f",
           "case when f > 0 then f::text else g::text end",
           "coalesce(f::text, '0.1')",
           "nullif(f::text, '0.1')",
           "f::text like '%e%'",
           "(f::text)::float4 = g",
           "('0.1'::float8 + '0.2'::float8)::text",
           "('0.1'::float8 + '0.2'::float8)::text = '0.3'",
           "(0.1::float8)::text = '0.2'",
           "('1.1'::float4)::text || t",
           "t || ('0.1'::float4::float8)::text",
           "length(('0.1'::float4::float8)::text)",
           "length(('0.1'::float4::float8)::text) + i",
           "1 / (length(('0.1'::float4::float8)::text) - 3)",
           "1 / (length(('0.1'::float4::float8)::text) - 20)",
           "substr(('0.1'::float4::float8)::text, 1, i)",
           "upper(('1e22'::float8)::text)",
           "('1e22'::float8)::varchar(3)",
           "(1 / i > 0) and (0.1::float8)::text = '0.2'",
           "(1 / i > 0) and (0.1::float8 + 0.2::float8)::text = '0.3'",
           "(1 / i > 0) or (0.1::float8 + 0.2::float8)::text = '0.3'",
           "b or (0.1::float8 + 0.2::float8)::text = '0.3'",
           "(0.1::float8 + 0.2::float8)::text = '0.3' and 1 / i > 0",
           "(0.1::float8 + 0.2::float8)::text = '0.3' or 1 / i > 0",
           "b and ('0.1'::float8)::text::int = 1",
           "b or ('0.1'::float8)::text::int = 1",
           "case when b then 1 else ('0.1'::float8)::text::int end",
           "case when b then 1 else (('0.1'::float8 + '0.9'::float8))::text::int end",
           "case when b then 1 else ('1e15'::float8 + 0.4)::text::int8 end",
           "coalesce(i, ('0.1'::float8)::text::int)",
           "case when (0.1::float8 + 0.2::float8)::text = '0.3' then i else 1 / i end",
           "case (0.1::float8 + 0.2::float8)::text when '0.3' then 1 / i when t then 7 end",
           "coalesce(nullif((0.1::float8 + 0.2::float8)::text, '0.3')::numeric, 1 / i)",
           "(1 / i) + nullif((0.1::float8 + 0.2::float8)::text, '0.3')::float8",
           "not ((0.1::float8 + 0.2::float8)::text = '0.3')",
           "((0.1::float8 + 0.2::float8)::text = '0.3') is true",
           "((0.1::float8 + 0.2::float8)::text = '0.3') is not false or 1 / 0 = 1",
           "(0.1::float8 + 0.2::float8)::text is null or 1 / i = 1",
           "(0.1::float8 + 0.2::float8)::text is distinct from '0.3'",
           "greatest((0.1::float8 + 0.2::float8)::text collate \"C\", '0.3')",
           "t in (('1'::float8)::text, ('0.1'::float4::float8)::text)",
           "t = any(array['x', ('0.3'::float4::float8)::text])",
           "array[('0.3'::float4::float8)::text, t]",
           "t = any('{0.1,0.3}'::float8[]::text[])",
           "'{0.1,0.30000000000000004}'::float8[]::text[]",
           "'{0.1,0.30000000000000004}'::float8[]::text",
           "array[f, 0.1]::text",
           "('{0.1,0.30000000000000004}'::float8[]::text)::text[]",
           "(('0.1'::float4::float8)::text, i) < ('0.2', 1 / i)",
           "num_nulls(nullif((0.1::float8 + 0.2::float8)::text, '0.3'), i)",
           "('0.1'::float4::float8)::text::domf",
           "('0.1'::float4::float8)::domtext",
           "f::text::domf",
           "'0.3'::float8::text::numeric(30,20) = 0.3",
           "('0.1'::float4::float8)::text::float8",
           "('0.1'::float4::float8)::text::float8::text",
           "('0.1'::float4::float8)::text::jsonb",
           "('0.1'::float4::float8)::text::date is null",
           "b or ('0.1'::float4::float8)::text::date is null",
           "(('1'::float8)::text)::int + i",
           "1 / ((('0.3'::float8)::text)::numeric(30,20) - 0.3)",
           "md5(('0.1'::float4::float8)::text)",
           "decode(('12'::float8)::text, 'hex')",
           "b and decode(('0.1'::float4::float8)::text, 'hex') is null",
       }},
      {"bytea_output",
       {"hex", "escape"},
       {
           "y::text",
           "y::text = '\\x6162'",
           "y::text = 'ab'",
           "length(y::text)",
           "y::text::bytea = y",
           "(y || '\\xff'::bytea)::text",
           "('\\xff'::bytea)::text",
           "('ab'::bytea)::text",
           "('ab'::bytea)::text = 'ab'",
           "length(('ab'::bytea)::text)",
           "1 / (length(('ab'::bytea)::text) - 2)",
           "1 / (length(('ab'::bytea)::text) - 6) + i",
           "(1 / i > 0) and ('ab'::bytea)::text = 'ab'",
           "(1 / i > 0) or ('ab'::bytea)::text = 'ab'",
           "b and ('12'::bytea)::text::int = 12",
           "b or ('12'::bytea)::text::int = 12",
           "case when b then null else ('\\xff'::bytea)::text::int end",
           "case when b then null else ('12'::bytea)::text::int end",
           "case when ('ab'::bytea)::text = 'ab' then i else 1 / i end",
           "case when ('ab'::bytea)::text = '\\x6162' then i else 1 / i end",
           "coalesce(nullif(('ab'::bytea)::text, 'ab'), (1 / i)::text)",
           "('ab'::bytea)::text in ('ab', 'x') or 1 / i = 1",
           "t = any(array[t, ('ab'::bytea)::text])",
           "t = any('{ab,\\\\x6162}'::bytea[]::text[])",
           "'{ab,\\\\xff}'::bytea[]::text",
           "'{ab,\\\\xff}'::bytea[]::text[]",
           "array[y]::text",
           "('ab'::bytea)::text::bytea",
           "('\\xff5c'::bytea)::text::bytea",
           "b or ('\\xff5c'::bytea)::text::bytea is null",
           "('ab'::bytea)::text || t",
           "t || ('ab'::bytea)::text",
           "('a'::bytea)::text::\"char\"",
           "('ab'::bytea)::text::domtext",
           "('ab'::bytea)::varchar(2)",
           "substr(('ab'::bytea)::text, 1, i)",
           "not (('ab'::bytea)::text = 'ab')",
           "(('ab'::bytea)::text = 'ab') is unknown or 1 / 0 = 1",
           "(('ab'::bytea)::text, i) < ('ac', 1 / i)",
           "('ab'::bytea)::text like '\\\\x%'",
       }},
      {"DateStyle",
       {"ISO, MDY", "ISO, DMY", "ISO, YMD", "SQL, MDY", "SQL, DMY", "SQL, YMD", "Postgres, MDY",
        "Postgres, DMY", "Postgres, YMD", "German, MDY", "German, DMY", "German, YMD"},
       {
           "d::text",
           "ts::text",
           "tz::text",
           "tm::text",
           "s::date",
           "s::timestamp",
           "s::timestamptz",
           "s::date::text",
           "s::timestamp::text = s",
           "d::text = s",
           "d::text::date = d",
           "ts::text::timestamp = ts",
           "tz::text::timestamptz = tz",
           "length(d::text) > 10",
           "substr(d::text, 1, 2)",
           "d > s::date",
           "s::date between '2003-01-01' and '2003-12-31'",
           "s::date in ('2003-02-01', '2003-01-02')",
           "s::date in ('01/02/2003', '2/1/03')",
           "d = '01/02/2003'",
           "ts < '2/3/04 05:06'::timestamp",
           "('01/02/2003'::text)::date",
           "('01/02/2003'::text)::date::text",
           "('13/02/2003'::text)::date",
           "('02/13/2003'::text)::date",
           "('03/02/13'::text)::timestamp",
           "('2003/13/02'::text)::date",
           "('2 Jan 03'::text)::date",
           "('Jan 2 03'::text)::date",
           "('1.2.2003'::text)::date",
           "('2003.033'::text)::date",
           "b or ('13/02/2003'::text)::date is null",
           "b and ('02/13/2003'::text)::date is null",
           "case when b then null else ('02/13/2003'::text)::date end",
           "(1 / i > 0) and ('2003-02-01'::date)::text = '01.02.2003'",
           "(1 / i > 0) or ('2003-02-01'::date)::text = '2003-02-01'",
           "case when b then 1 else ('2003-02-01'::date)::text::int end",
           "('2003-02-01'::date)::text",
           "('2003-02-01 04:05:06.7'::timestamp)::text",
           "('0044-03-15 BC'::date)::text",
           "('2003-02-01 04:05:06.7+01'::timestamptz)::text",
           "'{2003-02-01,infinity}'::date[]::text",
           "d = any('{2003-02-01,01/02/2003}'::text[]::date[])",
           "array[d, '2003-02-01']::text",
           "'{2003-02-01,0044-03-15 BC}'::date[]::text[]",
           "array[('2003-02-01'::date)::text, t]",
           "coalesce(d::text, '01/02/2003')",
           "d::text::domtext",
           "greatest(s::date, d)",
           "(s::date, i) < (d, 1)",
           "s::date is distinct from '2003-02-01'",
           "d::varchar(4)",
           "('-infinity'::date)::text",
       }},
      {"IntervalStyle",
       {"postgres", "postgres_verbose", "sql_standard", "iso_8601"},
       {
           "iv::text",
           "iv::text::interval = iv",
           "iv::text = '1 day'",
           "iv::text like 'P%'",
           "length(iv::text)",
           "si::interval",
           "si::interval::text",
           "si::interval < '1 day'",
           "si::interval = iv",
           "('-1 2:03'::text)::interval",
           "('-1-2 3 4:05'::text)::interval",
           "('-1 day 2:03'::text)::interval",
           "('1 2:03'::text)::interval",
           "('-1 2:03'::text)::interval = '-1 days +02:03'",
           "iv > '-1 2:03'",
           "iv = '-1-2'",
           "('1 day'::interval)::text",
           "('1 day'::interval)::text = '1'",
           "('-1 day +02:03'::interval)::text",
           "('1 year 2 mons -3 days'::interval)::text || t",
           "('0'::interval)::text",
           "(1 / i > 0) and ('1 day'::interval)::text = '1'",
           "(1 / i > 0) or ('1 day'::interval)::text = '1'",
           "b or ('1 day'::interval)::text::int = 1",
           "b and ('1 day'::interval)::text::int = 1",
           "case when b then 1 else ('1 day'::interval)::text::int end",
           "case when ('1 day'::interval)::text = '1 day' then i else 1 / i end",
           "coalesce(i, ('1 day'::interval)::text::int)",
           "1 / (length(('1 day'::interval)::text) - 5) + i",
           "t = any('{1 day,-1 2:03}'::interval[]::text[])",
           "'{1 day,-1 2:03}'::interval[]::text",
           "iv = any('{1 day,-1 2:03}'::text[]::interval[])",
           "array[iv, '-1 2:03']::text",
           "(ts - '2003-02-01'::timestamp)::text",
           "(iv * 1.5)::text",
           "(iv + si::interval)::text",
           "('1 day'::interval * 2)::text",
           "iv::varchar(6)",
           "iv::text::domtext",
           "greatest(iv::text collate \"C\", '1 day')",
           "d + si::interval",
           "tz + si::interval",
       }},
      {"TimeZone",
       {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
        "Pacific/Apia", "<-07:30>+07:30", "Europe/Dublin", "Africa/Monrovia", "5.5",
        "XXX3YYY,M3.2.0,M11.1.0"},
       {
           "tz::text",
           "tz::date",
           "tz::timestamp",
           "tz::timestamp::text",
           "d::timestamptz",
           "ts::timestamptz",
           "ts::timestamptz::text",
           "d = tz",
           "d < tz",
           "tz >= d",
           "ts = tz",
           "ts < tz",
           "tz <> ts",
           "s::timestamptz",
           "s::timestamptz = tz",
           "s::timestamptz::date = d",
           "('2003-03-30 02:30'::text)::timestamptz",
           "('2003-10-26 02:30'::text)::timestamptz",
           "('2003-04-06 02:30'::text)::timestamptz",
           "('2003-10-26 01:30'::text)::timestamptz",
           "('2003-07-01 12:00 EST'::text)::timestamptz",
           "('2003-07-01 12:00+05:45'::text)::timestamptz::text",
           "('1850-07-01'::text)::timestamptz",
           "('2100-07-01'::text)::timestamptz::text",
           "tz > '2003-07-01 12:00'",
           "tz + '1 day'::interval",
           "tz - '1 mon'::interval",
           "tz + '24:00'::interval",
           "(tz + '1 day') - tz",
           "tz - '2003-03-30'::timestamptz",
           "timezone('Europe/Berlin', ts)",
           "timezone('Asia/Kathmandu', tz)",
           "timezone('UTC', tz) = ts",
           "(timezone('UTC', ts))::text",
           "('2003-07-01 12:00'::timestamp)::timestamptz",
           "('2003-07-01'::date)::timestamptz::text",
           "('2003-07-01'::date) < tz",
           "('2003-07-01'::date) = ('2003-07-01 00:00'::timestamptz)",
           "('2003-07-01'::date) = ('2003-07-01 00:00+00'::timestamptz)",
           "(1 / i > 0) and ('2003-07-01'::date) = ('2003-07-01 00:00+00'::timestamptz)",
           "b or ('2003-07-01 12:00+00'::timestamptz)::text::int = 1",
           "case when b then 1 else ('2003-07-01 12:00+00'::timestamptz)::text::int end",
           "case when ('2003-07-01'::date) = ('2003-07-01 00:00+00'::timestamptz) then i else 1 / "
           "i "
           "end",
           "array[tz]::text",
           "'{2003-07-01 12:00+00}'::timestamptz[]::text",
           "tz = any('{2003-07-01 12:00}'::text[]::timestamptz[])",
           "greatest(tz, ts)",
           "(tz, i) < (d, 1)",
           "(ts, i) < (tz, 1)",
           "tz between '2003-01-01' and '2003-12-31'",
           "st::timetz",
           "('12:00'::text)::timetz::text",
           "tm::timetz",
           "tz::time",
           "tz::timetz",
           "tz::text::domtext",
       }},
  };
  return kCases;
}

class PostgresSettingsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = ExpressionServer::Connect("relcache_settings");
    if (!server_) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Query(R"(
      create domain domf as float8 check (value < 0.15);
      create domain domtext as text collate "C" check (length(value) < 12))");
    const auto none = std::nullopt;
    server_->Define(
        "i int, b bool, t text collate \"C\", f float8, g float4, y bytea, d date, ts timestamp, "
        "tz timestamptz, tm time, iv interval, s text, si text, st text",
        {{"0", "t", "ab", "0.1", "0.1", "\\x6162", "2003-02-01", "2003-02-01 04:05:06.789",
          "2003-07-01 12:00+00", "12:00:00.5", "1 day", "01/02/2003", "-1 2:03", "12:00"},
         {"1", "f", "0.3", "0.30000000000000004", "16777217", "\\x", "2003-12-31",
          "2003-03-30 02:30", "2003-02-28 23:30:00.123456+00", "00:00", "-1 day +02:03",
          "13/02/2003", "1 2:03", "12:00:00.5+02"},
         {none, none, "x", "1e22", "1.1", "\\xff005c27", "0044-03-15 BC", "0044-03-15 12:00 BC",
          "1850-01-01 00:00+00", "24:00", "-1 year -2 mons +3 days", "2003-02-01", "-1-2",
          "12:00 EST"},
         {"5", "t", none, "123456789.12345678", "3.4028235e38", none, "infinity", "-infinity",
          "infinity", none, none, "00:00:00", "2 Jan 03", "PT1H", "x"},
         {"-1", none, "0.1", "-5e-324", "1e-45", "\\x5c5c", "1999-12-31", "1999-12-31 23:59:59.9",
          "1999-12-31 23:30+00", "01:02:03", "-3 days -04:05:06.7", "31.12.1999", "x", none},
         {"2", "f", "0.1", "NaN", "-Infinity", "\\x7f80", none, none, none, none, none, none, "x",
          none, none},
         {"7", "t", "0.1", none, none, "\\x31", "2003-07-01", "2003-07-01 00:00",
          "2003-07-01 00:00+00", none, none, "1000000:00:00.000001", none, "@ 1 day ago", none}});
  }

  std::unique_ptr<ExpressionServer> server_;
};

TEST_F(PostgresSettingsTest, ExpressionsMeanWhatTheServersMeanUnderEachSetting) {
  ContextPtr cx = AllocSet::CreateRoot("settings test");
  for (const SettingCase& c : Cases()) {
    const std::string before = *ShowSetting(server_->settings(), c.name);
    std::size_t compared = 0, asked = 0, refused = 0;
    std::set<std::string> why;
    for (const char* value : c.values) {
      server_->Set(c.name, value);
      Scratch scratch(server_->settings(), *cx);
      for (const char* expression : c.expressions) {
        const auto answer = server_->Ask(expression);
        if (!answer) continue;  // a constant that cannot be read under this value
        ++asked;
        const auto comparison = CompareWithServer(*server_, *answer, scratch);
        EXPECT_EQ(comparison.difference, "") << c.name << " = " << value << ": " << expression;
        compared += comparison.compared;
        if (comparison.refused.empty()) continue;
        ++refused;
        why.insert(comparison.refused);
      }
    }
    server_->Set(c.name, before);
    std::cout << c.name << ": " << asked << " expressions asked, " << compared
              << " values compared, " << refused << " refused\n";
    for (const std::string& one : why) std::cout << "  " << one << "\n";
    EXPECT_GT(compared, asked);
  }
}

// A program is kept with its table and runs in sessions of different settings by turns.
TEST_F(PostgresSettingsTest, OneProgramMeansInEachSessionWhatTheServersSessionSays) {
  ContextPtr cx = AllocSet::CreateRoot("one program");
  std::size_t compared = 0, different = 0, refused = 0;
  for (const SettingCase& c : Cases()) {
    const std::string before = *ShowSetting(server_->settings(), c.name);
    const char* const values[] = {c.values.front(), c.values.back()};
    std::vector<std::unique_ptr<Scratch>> scratches;
    for (const char* value : values) {
      server_->Set(c.name, value);
      scratches.push_back(std::make_unique<Scratch>(server_->settings(), *cx));
    }
    for (const char* expression : c.expressions) {
      std::vector<ExpressionServer::Answer> answers;
      for (const char* value : values) {
        server_->Set(c.name, value);
        if (auto answer = server_->Ask(expression)) answers.push_back(*std::move(answer));
      }
      // A constant of the text itself is read when the constraint is made.
      if (answers.size() != 2 || answers[0].tree != answers[1].tree) continue;
      ContextPtr compiled = AllocSet::CreateRoot("compiled");
      const auto program = server_->CompileAnswer(answers[0], *compiled);
      if (!program) continue;  // the other test compares these
      const auto& rows = server_->rows();
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t s = 0; s < 2; ++s) {
          const auto value = Evaluate(**program, rows[r], *scratches[s]);
          if (!value && value.error().code == ErrorCode::kNotSupported) {
            ++refused;
            continue;
          }
          // What the value is printed as must be that session's too.
          server_->Set(c.name, values[s]);
          EXPECT_EQ(value ? server_->Say((*program)->result_type(), *value, *cx)
                          : server_->Say(value.error()),
                    answers[s].values[r])
              << c.name << " = " << values[s] << ": " << expression << ", row " << r + 1;
          ++compared;
        }
        different += answers[0].values[r] != answers[1].values[r] ? 1 : 0;
      }
    }
    server_->Set(c.name, before);
  }
  std::cout << compared << " values compared, " << refused << " refused; in " << different
            << " the sessions differ\n";
  EXPECT_GT(different, 0U);
}

}  // namespace
}  // namespace relcache
