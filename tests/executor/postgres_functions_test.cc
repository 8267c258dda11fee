// Every function that has a kernel against a real server, on every combination of extreme values of
// its arguments' types, under several zones: value, SQLSTATE and message must be the server's.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/functions/function.h"
#include "relcache/executor/functions/function_tables.h"
#include "relcache/tests/types/postgres_server.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

using test::Outcome;
using test::OutcomeOf;
using test::PostgresServer;
using test::Quote;

constexpr Oid kInt4ArrayOid = 1007, kAnyArrayOid = 2277, kBpcharCoerceOid = 668;

using Texts = std::vector<std::string>;

// Both ends of every range, what lies just inside, and what lies around the values where units,
// signs and representations change.
const Texts& Extremes(Oid type) {
  static const Texts timestamps = {"4714-11-24 00:00:00 BC",
                                   "4714-11-24 00:00:00.000001 BC",
                                   "4714-11-24 23:59:59.999999 BC",
                                   "4714-11-25 00:00:00 BC",
                                   "4714-11-25 13:59:59.5 BC",
                                   "4714-12-24 12:00:00 BC",
                                   "4713-01-31 00:00:00 BC",
                                   "4713-11-24 00:00:00 BC",
                                   "0001-12-31 23:59:59.999999 BC",
                                   "0001-01-01 00:00:00",
                                   "1582-10-15 12:00:00",
                                   "1900-02-28 12:00:00",
                                   "1969-12-31 23:59:59.999999",
                                   "1970-01-01 00:00:00",
                                   "1999-12-31 23:59:59.999999",
                                   "2000-01-01 00:00:00",
                                   "2000-01-01 00:00:00.000001",
                                   "2000-02-29 02:30:00",
                                   "2024-01-31 00:00:00",
                                   "2024-03-10 02:30:00",
                                   "2024-03-31 02:30:00",
                                   "2024-10-27 02:30:00",
                                   "2024-11-03 01:30:00",
                                   "2038-01-19 03:14:08",
                                   "9999-12-31 23:59:59.999999",
                                   "294246-12-31 00:00:00",
                                   "294276-11-30 00:00:00",
                                   "294276-12-01 00:00:00",
                                   "294276-12-30 23:59:59.999999",
                                   "294276-12-31 00:00:00",
                                   "294276-12-31 00:00:00.000001",
                                   "294276-12-31 10:00:00",
                                   "294276-12-31 23:59:59",
                                   "294276-12-31 23:59:59.499999",
                                   "294276-12-31 23:59:59.5",
                                   "294276-12-31 23:59:59.999999",
                                   "infinity",
                                   "-infinity",
                                   "290278-01-01 00:00:00",
                                   "294247-01-10 04:00:54.775806",
                                   "294247-01-10 04:00:54.775808",
                                   "0044-03-15 00:00:00 BC"};
  static const std::map<Oid, Texts> values = {
      {kBoolOid, {"t", "f"}},
      {kCharOid, {"", "a", "\\001", "\\177", "\\200", "\\377"}},
      {kOidOid, {"0", "1", "2147483647", "2147483648", "4294967295"}},
      {kInt2Oid, {"0",    "1",    "-1",    "2",     "-2",    "3",      "7",     "-7",  "15",
                  "16",   "31",   "32",    "63",    "64",    "127",    "128",   "181", "182",
                  "-181", "-182", "16384", "32766", "32767", "-32767", "-32768"}},
      {kInt4Oid,
       {"0",          "1",           "-1",          "2",          "-2",         "3",
        "6",          "7",           "-7",          "16",         "31",         "32",
        "33",         "63",          "64",          "366",        "-366",       "32767",
        "32768",      "-32768",      "-32769",      "46340",      "46341",      "-46341",
        "65536",      "2451545",     "-2451545",    "2000000",    "106741034",  "145031948",
        "145031949",  "1073741824",  "2145031948",  "2145031949", "2145031950", "2147483646",
        "2147483647", "-2147483647", "-2147483648", "-1000",      "1000",       "2047",
        "1001",       "-2147483646", "131072",      "16383",      "16384"}},
      {kInt8Oid,
       {"0",
        "1",
        "-1",
        "2",
        "-2",
        "3",
        "7",
        "-7",
        "32767",
        "32768",
        "-32768",
        "-32769",
        "2147483647",
        "2147483648",
        "-2147483648",
        "-2147483649",
        "4294967295",
        "4294967296",
        "3037000499",
        "3037000500",
        "-3037000500",
        "4611686018427387904",
        "9007199254740993",
        "9223372036854775806",
        "9223372036854775807",
        "-9223372036854775807",
        "-9223372036854775808"}},
      {kFloat4Oid,
       {"0",
        "-0",
        "1",
        "-1",
        "0.5",
        "-0.5",
        "1.5",
        "2.5",
        "-2.5",
        "0.1",
        "3.4028235e38",
        "-3.4028235e38",
        "1.7014118e38",
        "1.1754944e-38",
        "1e-45",
        "-1e-45",
        "32767.496",
        "32767.5",
        "-32768.5",
        "-32768.504",
        "2147483520",
        "2147483648",
        "-2147483648",
        "-2147483904",
        "9.2233715e18",
        "9.223372e18",
        "-9.223372e18",
        "-9.223373e18",
        "16777216",
        "1e10",
        "1e-10",
        "1e15",
        "1e16",
        "Infinity",
        "-Infinity",
        "NaN"}},
      {kFloat8Oid,
       {"0",
        "-0",
        "1",
        "-1",
        "0.5",
        "-0.5",
        "1.5",
        "2.5",
        "-2.5",
        "0.1",
        "-0.1",
        "0.33333333333",
        "1.7976931348623157e308",
        "-1.7976931348623157e308",
        "2.2250738585072014e-308",
        "5e-324",
        "-5e-324",
        "1e154",
        "1.4e154",
        "1e-162",
        "1e-163",
        "32767.499999",
        "32767.5",
        "-32768.5",
        "-32768.500001",
        "2147483647.4999",
        "2147483647.5",
        "-2147483648.5",
        "-2147483648.6",
        "9223372036854774784",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854777856",
        "3.4028235677973366e38",
        "3.4028235e38",
        "3.41e38",
        "1e-46",
        "7e-46",
        "7.1e-46",
        "1e15",
        "1e16",
        "123456789.123456789",
        "4503599627370497.5",
        "1e300",
        "1e-300",
        "1000000",
        "-1000000",
        "1e9",
        "Infinity",
        "-Infinity",
        "NaN"}},
      {kNumericOid,
       {"0",
        "0.00",
        "1",
        "-1",
        "1.0",
        "-1.50",
        "2.5",
        "-2.5",
        "3",
        "7",
        "0.1",
        "0.00001",
        "9999",
        "10000",
        "-9999.9999",
        "0.5",
        "-0.5",
        "0.9999",
        "0.99995",
        "32767.4999",
        "32767.5",
        "-32768.4999",
        "-32768.5",
        "2147483647.4",
        "2147483647.5",
        "-2147483648.4",
        "-2147483648.5",
        "9223372036854775807",
        "9223372036854775807.4",
        "9223372036854775807.5",
        "-9223372036854775808.4",
        "-9223372036854775808.5",
        "12345678.87654321",
        "1e20",
        "-1e-20",
        "7e-100",
        "123456789012345678901234567890",
        "3.4e38",
        "3.5e38",
        "1e-45",
        "1e-46",
        "1e308",
        "1.8e308",
        "-1e400",
        "1e-323",
        "1e-400",
        "9e131071",

        "1e65536",
        "1e-16383",

        "33333333333333333333.3333333333333333",
        "NaN",
        "Infinity",
        "-Infinity"}},
      {kDateOid,
       {"4714-11-24 BC", "4714-11-25 BC", "4713-01-01 BC", "0001-12-31 BC", "0001-01-01",
        "1883-11-18",    "1970-01-01",    "1999-12-31",    "2000-01-01",    "2000-02-29",
        "2024-03-10",    "2024-03-31",    "2024-11-03",    "9999-12-31",    "294276-12-30",
        "294276-12-31",  "294277-01-01",  "294277-01-02",  "1465001-10-20", "5874897-12-30",
        "5874897-12-31", "infinity",      "-infinity"}},
      {kTimeOid,
       {"00:00:00", "00:00:00.000001", "00:00:00.499999", "00:00:00.5", "11:59:59.999999",
        "12:00:00", "23:59:59", "23:59:59.499999", "23:59:59.5", "23:59:59.999999", "24:00:00"}},
      {kIntervalOid,
       {"0",
        "00:00:00.000001",
        "-00:00:00.000001",
        "24:00:00",
        "-24:00:00",
        "1 day",
        "-1 day",
        "1 day -24:00:00",
        "1 mon",
        "-1 mon",
        "30 days",
        "1 mon -30 days",
        "12 mons",
        "-12 mons",
        "1 year 2 mons 3 days 04:05:06.789",
        "-1 year -2 mons +3 days -04:05:06.789",
        "36:00:00",
        "9223372036854775807 us",
        "-9223372036854775808 us",
        "-9223372036854775807 us",
        "9223372036854775806 us",
        "4611686018427387904 us",
        "2147483647 days",
        "-2147483648 days",
        "-2147483647 days",
        "1073741824 days",
        "2147483647 mons",
        "-2147483648 mons",
        "-2147483647 mons",
        "1073741824 mons",
        "178956970 years 7 mons 2147483647 days 2562047788:00:54.775807",
        "-178956970 years -8 mons -2147483648 days -2562047788:00:54.775808",
        "178956970 years 7 mons -2147483648 days 2562047788:00:54.775807",
        "298989 years",
        "-298989 years",
        "588000 years",
        "109203528 days",
        "-109203528 days",
        "106751991 days",
        "106751992 days",
        "-106751992 days",
        "2451545 days",
        "-2451545 days",
        "2562047787:00:00",
        "-2562047787:00:00",
        "2562047788:00:00",
        "0.499999 s",
        "0.5 s",
        "-0.5 s",
        "1.5 days",
        "6713 years 3 mons",
        "-6713 years -3 mons",
        "23:59:59.999999"}},
      {kTextOid, {"",
                  "a",
                  "A",
                  "abc",
                  " abc ",
                  "h\xc3\xa4",
                  "\xe2\x82\xac uro",
                  "a%",
                  "%",
                  "_",
                  "\\",
                  "a\\",
                  "UTC",
                  "Europe/Berlin",
                  "America/New_York",
                  "pst",
                  "MSK",
                  "FOO3BAR",
                  "<+15>-15",
                  "abc167",
                  "abc-167",
                  "nowhere",
                  "\xf0\x9f\x98\x80x"}},
      {kVarcharOid, {"", "a", "abc", "abc   ", "\xc3\xa4", "h\xc3\xa4 \xe2\x82\xac"}},
      {kBpcharOid, {"", "a", "a  ", "   ", "ab", "\xc3\xa4 ", "abc  x"}},
      {kNameOid, {"", "a", "abc", "\xc3\xa4", std::string(63, 'z')}},
      {kByteaOid, {"\\x", "\\x00", "\\x0001ff", "\\xff", "\\xffff", "\\x000102030405060708"}},
      {kUuidOid,
       {"00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
        "7fffffff-ffff-ffff-ffff-ffffffffffff", "80000000-0000-0000-0000-000000000000",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "ffffffff-ffff-ffff-ffff-ffffffffffff"}},
      {kJsonbOid,
       {"{}", "[]", "1", "-0", "0.00", "1e400", "\"\"", "\"a\"", "null", "true", "[[]]", "[1]",
        "[\"a\"]", "[null]", "[\"\", \"abc\", {\"a\": 1}]", "{\"a\": null}",
        "{\"a\": {\"b\": [1, 2.50]}, \"abc\": \"h\xc3\xa4\\n\", \"\": false, \"A\": \"\"}"}},
      {kInt4ArrayOid,
       {"{}", "{1}", "{NULL}", "{1,2,NULL}", "{{1,2},{3,4}}", "[5:6]={1,2}", "[-1:0]={1,2}",
        "[2147483646:2147483646]={1}", "[-2147483648:-2147483647]={1,2}", "[0:0][3:4]={{1,2}}",
        "{{{{{{1}}}}}}"}},
  };
  static const Texts none;
  if (type == kTimestampOid || type == kTimestamptzOid) return timestamps;
  const auto found = values.find(type);
  return found == values.end() ? none : found->second;
}

// What stands for a polymorphic type.
Oid Concrete(Oid type) {
  return type == kAnyArrayOid ? kInt4ArrayOid : type;
}

bool CanRun(const Function& f) {
  const BuiltinProc* proc = FindBuiltinProc(f.oid);
  if (proc == nullptr || f.provolatile == 'v' || f.nargs == 0) return false;
  // Blanks by the gigabyte; letters that the executor refuses without "C".
  if (f.oid == kBpcharCoerceOid || f.collation == CollationUse::kLetterCase) return false;
  for (const Oid type : proc->proargtypes)
    if (Extremes(Concrete(type)).empty()) return false;
  return true;
}

// Whether `f` makes texts of the length that its second argument says.
bool LengthIsSecondArgument(const Function& f) {
  const std::string_view name = f.name;
  return name == "repeat" || name == "lpad" || name == "rpad";
}

// The value of one argument: as text for the server, as a Datum for the kernel.
struct Value {
  std::string text;
  std::string spelled;
  Datum datum{};
};

class PostgresFunctions : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    server_ = PostgresServer::Connect();
    if (!server_) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Run("SET TimeZone = '" + std::string(GetParam()) + "'");
    ASSERT_TRUE(SetSetting(settings_, "TimeZone", GetParam()));
  }

  // Values that a zone pushes over the end of the range are none.
  const std::vector<Value>& ValuesOf(Oid type) {
    auto [at, made] = values_.try_emplace(type);
    if (!made) return at->second;
    std::string name = type == kCharOid ? "\"char\"" : std::string(FindTypeInfo(type)->typname);
    for (const std::string& text : Extremes(type)) {
      const auto datum = TypeInput(type, -1, text, settings_, *values_cx_);
      if (datum) at->second.push_back({text, Quote(text) + "::" + name, *datum});
    }
    return at->second;
  }

  Outcome Run(const Function& f, Oid result_type, const Datum (&args)[3], MemoryContext& cx) {
    Error error;
    FunctionContext fx;
    fx.settings = &settings_;
    fx.cx = &cx;
    fx.error = &error;
    Datum out{};
    try {
      out = f.row(args[0], args[1], args[2], fx);
    } catch (const std::bad_alloc& e) {
      return {"XX000", e.what()};
    }
    if (fx.outcome == FunctionContext::Outcome::kFailed) return OutcomeOf(error);
    if (fx.outcome == FunctionContext::Outcome::kNull) return {"", "NULL"};
    return OutcomeOf(TypeOutput(result_type, out, settings_, cx));
  }

  // A length that is granted, and whose texts fill the memory of this test and of the server.
  static bool IsLongText(const Value& length) {
    const std::int32_t n = DatumGetInt32(length.datum);
    return n > 2047 && n < (1 << 30);
  }

  void Compare(const Function& f) {
    const BuiltinProc& proc = *FindBuiltinProc(f.oid);
    static const std::vector<Value> kNone(1);
    const std::vector<Value>* values[3] = {&kNone, &kNone, &kNone};
    for (std::size_t i = 0; i < f.nargs; ++i) values[i] = &ValuesOf(Concrete(proc.proargtypes[i]));
    const std::string output = server_->Run("SELECT typoutput FROM pg_type WHERE oid = " +
                                            std::to_string(Concrete(proc.prorettype)));
    Texts expressions;
    std::vector<Outcome> actual;
    for (const Value& a : *values[0]) {
      for (const Value& b : *values[1]) {
        for (const Value& c : *values[2]) {
          if (LengthIsSecondArgument(f) && IsLongText(b)) continue;
          cx_->Reset();
          std::string call = output + "(pg_catalog.\"" + f.name + "\"(" + a.spelled;
          if (f.nargs > 1) call += ", " + b.spelled;
          if (f.nargs > 2) call += ", " + c.spelled;
          expressions.push_back(call + "))");
          actual.push_back(Run(f, Concrete(proc.prorettype), {a.datum, b.datum, c.datum}, *cx_));
        }
      }
    }
    const std::vector<Outcome> expected = server_->Ask(expressions);
    int failures = 0;
    for (std::size_t i = 0; i < expressions.size(); ++i)
      if (actual[i] != expected[i] && ++failures < 10)
        ADD_FAILURE() << expressions[i] << ": " << actual[i] << ", PostgreSQL: " << expected[i];
    EXPECT_EQ(failures, 0) << f.name << ", of " << expressions.size();
    compared_ += expressions.size();
  }

  std::optional<PostgresServer> server_;
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  ContextPtr values_cx_ = Bump::CreateRoot("values");
  ContextPtr cx_ = Bump::CreateRoot("test");
  std::map<Oid, std::vector<Value>> values_;
  std::size_t compared_ = 0;
};

TEST_P(PostgresFunctions, ComeToWhatPostgresComesToAtTheEndsOfEveryRange) {
  const bool utc = std::string_view(GetParam()) == "UTC";
  for (const Function* f : AllFunctions())
    if (CanRun(*f) && (utc || f->provolatile == 's')) Compare(*f);
  RecordProperty("expressions", static_cast<int>(compared_));
  EXPECT_GT(compared_, 10000u);
}

INSTANTIATE_TEST_SUITE_P(Zones, PostgresFunctions,
                         ::testing::Values("UTC", "America/New_York", "Asia/Tokyo", "<+15>-15",
                                           "Pacific/Apia"));

}  // namespace
}  // namespace relcache
