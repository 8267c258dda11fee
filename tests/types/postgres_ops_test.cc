// Comparison, hash, arithmetic and casts against a real server: every operation on every pair of
// values.
#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "postgres_compare.h"
#include "relcache/types/bytea.h"
#include "relcache/types/float.h"
#include "relcache/types/int.h"
#include "relcache/types/interval.h"
#include "relcache/types/numeric.h"
#include "relcache/types/timestamp.h"
#include "relcache/types/type_ops.h"

namespace relcache {
namespace {

using test::Outcome;
using test::OutcomeOf;
using test::PostgresServer;
using test::Quote;
using test::Settings;

constexpr std::uint64_t kSeed = 8816678312871386365u;  // that of hash partitions
constexpr Oid kNone = kInvalidOid;

struct Call {
  Datum a;
  Datum b;
  const SessionSettings& settings;
  MemoryContext& cx;
};

struct Operation {
  const char* sql;  // A and B stand for the operands
  Oid a;
  Oid b;  // kNone: one operand
  Oid result;
  std::function<Result<Datum>(const Call&)> run;
};

Result<Datum> Checked(Fault fault, Datum value) {
  if (fault != Fault::kNone) return Fail(FaultError(fault));
  return value;
}
int Sign(int n) {
  return int{n > 0} - int{n < 0};
}

const std::vector<std::string>& Values(Oid type) {
  static const std::vector<std::string> empty;
  static const std::map<Oid, std::vector<std::string>> values = {
      {kBoolOid, {"t", "f"}},
      {kCharOid, {"a", "", "\\377", "\\200"}},
      {kNameOid, {"", "abc", "abd", "h\xc3\xa4", std::string(63, 'z')}},
      {kByteaOid, {"\\x", "\\x00", "\\x0001ff", "\\xff", "\\x000102030405060708090a0b0c0d"}},
      {kUuidOid,
       {"00000000-0000-0000-0000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "ffffffff-ffff-ffff-ffff-ffffffffffff"}},
      {kOidOid, {"0", "1", "2147483648", "4294967295"}},
      {kInt2Oid, {"0", "1", "-1", "2", "7", "-7", "32767", "-32768", "181", "-182"}},
      {kInt4Oid,
       {"0", "1", "-1", "2", "3", "-3", "10", "46341", "-46341", "32768", "2147483647",
        "-2147483648", "-2147483647"}},
      {kInt8Oid,
       {"0", "1", "-1", "7", "-7", "2147483648", "-2147483649", "3037000500", "-3037000500",
        "9223372036854775807", "-9223372036854775808", "4294967296"}},
      {kFloat4Oid,
       {"0", "-0", "1", "-1.5", "0.1", "3.4e38", "1e-38", "1e-45", "32767.5", "-32768.5",
        "2147483520", "Infinity", "-Infinity", "NaN", "16777216"}},
      {kFloat8Oid,
       {"0",
        "-0",
        "1",
        "-1.5",
        "0.1",
        "2.5",
        "3.5",
        "1e308",
        "1e-308",
        "5e-324",
        "32767.4",
        "32767.5",
        "-32768.5",
        "-32768.6",
        "2147483647.4",
        "2147483647.5",
        "9223372036854774784",
        "9223372036854775808",
        "-9223372036854775808",
        "Infinity",
        "-Infinity",
        "NaN",
        "1e39",
        "1e-46",
        "123456789.123456789"}},
      {kNumericOid,
       {"0",
        "0.00",
        "1",
        "-1",
        "1.0",
        "1.50",
        "-2.5",
        "3",
        "0.1",
        "0.00001",
        "9999",
        "10000",
        "9999.9999",
        "12345678.87654321",
        "-99999999999999999999.5",
        "1e20",
        "1e-20",
        "7e-100",
        "123456789012345678901234567890",
        "0.9999",
        "0.99995",
        "32767.4999",
        "32767.5",
        "-32768.5",
        "2147483647.5",
        "9223372036854775807.4",
        "-9223372036854775808.5",
        "1e400",
        "NaN",
        "Infinity",
        "-Infinity",
        "5e131071",
        "100000000000000000000000000000000.00001",
        "4999.5"}},
      {kTextOid,
       {"",
        "a",
        "abc",
        "ABC",
        "abcabc",
        "  abc  ",
        "h\xc3\xa4",
        "\xe2\x82\xac uro",
        "a%",
        "a_c",
        "%b%",
        "_",
        "%",
        "a\\%",
        "\\",
        "%\\",
        "ab\\",
        "__",
        "%_c",
        "abc%abc",
        "\xc3\xa4%",
        "%\xc3\xa4",
        std::string(40, 'x') + "y",
        "%x%x%x%y"}},
      {kVarcharOid, {"", "abc", "abd", "\xc3\xa4"}},
      {kBpcharOid, {"", "a", "a  ", "ab", "b ", "\xc3\xa4 "}},
      {kDateOid,
       {"2000-01-01", "1999-12-31", "2024-02-29", "2024-03-31", "2024-10-27", "4714-11-24 BC",
        "5874897-12-31", "294276-12-31", "294277-01-01", "infinity", "-infinity", "1883-11-18",
        "2050-07-01"}},
      {kTimestampOid,
       {"2000-01-01", "2024-02-29 12:34:56.789012", "2024-01-31", "2024-03-31 02:30",
        "2024-10-27 02:30", "1883-11-18 12:00", "4714-11-24 BC", "294276-12-31 23:59:59.999999",
        "infinity", "-infinity", "2050-03-27 02:30", "1999-12-31 23:59:59.999999"}},
      {kTimestamptzOid,
       {"2000-01-01+00", "2024-02-29 12:34:56.789012+00", "2024-01-31 23:30+00",
        "2024-03-31 01:00+00", "2024-10-27 00:30+00", "1883-11-18 12:00+00",
        "4714-11-25 BC 00:00+00", "294276-12-31 12:00+00", "infinity", "-infinity",
        "2050-07-01 12:00+00", "2024-03-10 07:30+00"}},
      {kIntervalOid,
       {"0", "1 day", "24 hours", "1 mon", "30 days", "-1 mon", "1 year 2 mons 3 days 04:05:06.7",
        "-1 day 25:00:00", "100 years", "-100 years", "2147483647 mons", "2147483647 days",
        "0.000001 s", "1.5 days", "300000 years", "-178956970 years", "1000000000 hours",
        "1 mon -1 day"}},
  };
  const auto found = values.find(type);
  return found == values.end() ? empty : found->second;
}

template <class T>
T Get(Datum d) {
  return static_cast<T>(DatumGetInt64(d));
}

template <class T>
void AddIntOperations(std::vector<Operation>& out, Oid type, Oid a, Oid b) {
  const auto binary = [&](const char* sql, Fault (*run)(T, T, T&)) {
    out.push_back({sql, a, b, type, [run](const Call& c) {
                     T value{};
                     const Fault fault = run(Get<T>(c.a), Get<T>(c.b), value);
                     return Checked(fault, Int64GetDatum(value));
                   }});
  };
  binary("A + B", IntAdd<T>);
  binary("A - B", IntSub<T>);
  binary("A * B", IntMul<T>);
  binary("A / B", IntDiv<T>);
  if (a == b) {
    binary("A % B", IntMod<T>);
    const auto unary = [&](const char* sql, Fault (*run)(T, T&)) {
      out.push_back({sql, a, kNone, type, [run](const Call& c) {
                       T value{};
                       const Fault fault = run(Get<T>(c.a), value);
                       return Checked(fault, Int64GetDatum(value));
                     }});
    };
    unary("- A", IntNegate<T>);
    unary("abs(A)", IntAbs<T>);
  }
}

template <class To>
Operation IntCastOperation(const char* sql, Oid from, Oid to) {
  return {sql, from, kNone, to, [](const Call& c) {
            To value{};
            const Fault fault = IntCast<To>(DatumGetInt64(c.a), value);
            return Checked(fault, Int64GetDatum(value));
          }};
}

template <class T>
void AddFloatOperations(std::vector<Operation>& out, Oid type, T (*get)(Datum), Datum (*make)(T)) {
  const auto binary = [&](const char* sql, Fault (*run)(T, T, T&)) {
    out.push_back({sql, type, type, type, [=](const Call& c) {
                     T value{};
                     const Fault fault = run(get(c.a), get(c.b), value);
                     return Checked(fault, make(value));
                   }});
  };
  binary("A + B", FloatAdd<T>);
  binary("A - B", FloatSub<T>);
  binary("A * B", FloatMul<T>);
  binary("A / B", FloatDiv<T>);
  const auto to_int = [&]<class To>(const char* sql, Oid to, To) {
    out.push_back({sql, type, kNone, to, [=](const Call& c) {
                     To value{};
                     const Fault fault = FloatToInt(double{get(c.a)}, value);
                     return Checked(fault, Int64GetDatum(value));
                   }});
  };
  to_int("A::int2", kInt2Oid, std::int16_t{});
  to_int("A::int4", kInt4Oid, std::int32_t{});
  to_int("A::int8", kInt8Oid, std::int64_t{});
}

std::vector<Operation> NumberOperations() {
  std::vector<Operation> out;
  AddIntOperations<std::int16_t>(out, kInt2Oid, kInt2Oid, kInt2Oid);
  AddIntOperations<std::int32_t>(out, kInt4Oid, kInt4Oid, kInt4Oid);
  AddIntOperations<std::int32_t>(out, kInt4Oid, kInt2Oid, kInt4Oid);
  AddIntOperations<std::int64_t>(out, kInt8Oid, kInt8Oid, kInt8Oid);
  AddIntOperations<std::int64_t>(out, kInt8Oid, kInt8Oid, kInt4Oid);
  AddFloatOperations<float>(out, kFloat4Oid, DatumGetFloat4, Float4GetDatum);
  AddFloatOperations<double>(out, kFloat8Oid, DatumGetFloat8, Float8GetDatum);
  out.push_back(IntCastOperation<std::int16_t>("A::int2", kInt4Oid, kInt2Oid));
  out.push_back(IntCastOperation<std::int16_t>("A::int2", kInt8Oid, kInt2Oid));
  out.push_back(IntCastOperation<std::int32_t>("A::int4", kInt8Oid, kInt4Oid));
  out.push_back({"A::oid", kInt8Oid, kNone, kOidOid, [](const Call& c) {
                   Oid oid{};
                   const Fault fault = Int8ToOid(DatumGetInt64(c.a), oid);
                   return Checked(fault, ObjectIdGetDatum(oid));
                 }});
  out.push_back({"A::float4", kFloat8Oid, kNone, kFloat4Oid, [](const Call& c) {
                   float value{};
                   const Fault fault = Float8ToFloat4(DatumGetFloat8(c.a), value);
                   return Checked(fault, Float4GetDatum(value));
                 }});
  return out;
}

std::vector<Operation> NumericOperations() {
  const auto binary = [](const char* sql, Result<Datum> (*run)(Datum, Datum, MemoryContext&)) {
    return Operation{sql, kNumericOid, kNumericOid, kNumericOid,
                     [run](const Call& c) { return run(c.a, c.b, c.cx); }};
  };
  const auto scaled = [](const char* sql,
                         Result<Datum> (*run)(Datum, std::int32_t, MemoryContext&)) {
    return Operation{sql, kNumericOid, kInt4Oid, kNumericOid,
                     [run](const Call& c) { return run(c.a, DatumGetInt32(c.b), c.cx); }};
  };
  const auto unary = [](const char* sql, auto run) {
    return Operation{sql, kNumericOid, kNone, kNumericOid,
                     [run](const Call& c) -> Result<Datum> { return run(c.a, c.cx); }};
  };
  const auto to = [](const char* sql, Oid type, auto run, auto make) {
    return Operation{sql, kNumericOid, kNone, type,
                     [=](const Call& c) -> Result<Datum> { return run(c.a).map(make); }};
  };
  const auto typmod = [](const char* sql, int precision, int scale) {
    const std::int32_t mod = ((precision << 16) | (scale & 0x7ff)) + 4;
    return Operation{sql, kNumericOid, kNone, kNumericOid,
                     [mod](const Call& c) { return NumericCoerce(c.a, mod, c.cx); }};
  };
  return {
      binary("A + B", NumericAdd),
      binary("A - B", NumericSub),
      binary("A * B", NumericMul),
      binary("A / B", NumericDiv),
      binary("A % B", NumericMod),
      scaled("round(A, B)", NumericRound),
      scaled("trunc(A, B)", NumericTrunc),
      unary("ceil(A)", NumericCeil),
      unary("floor(A)", NumericFloor),
      unary("abs(A)", NumericAbs),
      unary("- A", NumericNegate),
      unary("sign(A)", NumericSignum),
      to("A::int2", kInt2Oid, NumericToInt2, Int16GetDatum),
      to("A::int4", kInt4Oid, NumericToInt4, Int32GetDatum),
      to("A::int8", kInt8Oid, NumericToInt8, Int64GetDatum),
      to("A::float4", kFloat4Oid, NumericToFloat4, Float4GetDatum),
      to("A::float8", kFloat8Oid, NumericToFloat8, Float8GetDatum),
      typmod("A::numeric(5, 2)", 5, 2),
      typmod("A::numeric(20, -3)", 20, -3),
      typmod("A::numeric(3, 5)", 3, 5),
      {"A::numeric", kInt8Oid, kNone, kNumericOid,
       [](const Call& c) -> Result<Datum> { return IntToNumeric(DatumGetInt64(c.a), c.cx); }},
      {"A::numeric", kFloat4Oid, kNone, kNumericOid,
       [](const Call& c) { return Float4ToNumeric(DatumGetFloat4(c.a), c.cx); }},
      {"A::numeric", kFloat8Oid, kNone, kNumericOid,
       [](const Call& c) { return Float8ToNumeric(DatumGetFloat8(c.a), c.cx); }},
  };
}

std::vector<Operation> TextOperations() {
  using View = std::string_view;
  const auto text = [](const char* sql, Oid b, auto run) {
    return Operation{sql, kTextOid, b, kTextOid, [run](const Call& c) -> Result<Datum> {
                       const Result<View> result = run(VarData(c.a), c.b);
                       if (!result) return Fail(result.error());
                       return MakeVarlena(*result, c.cx);
                     }};
  };
  const auto number = [](const char* sql, Oid b, auto run) {
    return Operation{sql, kTextOid, b, kInt4Oid, [run](const Call& c) -> Result<Datum> {
                       return Int32GetDatum(run(VarData(c.a), c.b));
                     }};
  };
  return {
      number("char_length(A)", kNone, [](View a, Datum) { return CharLength(a); }),
      number("strpos(A, B)", kTextOid, [](View a, Datum b) { return TextPosition(a, VarData(b)); }),
      {"(A LIKE B)::int", kTextOid, kTextOid, kInt4Oid,
       [](const Call& c) {
         return TextLike(VarData(c.a), VarData(c.b)).map([](bool b) { return Int32GetDatum(b); });
       }},
      text("btrim(A)", kNone, [](View a, Datum) -> Result<View> { return TextBtrim(a); }),
      text("ltrim(A)", kNone, [](View a, Datum) -> Result<View> { return TextLtrim(a); }),
      text("rtrim(A)", kNone, [](View a, Datum) -> Result<View> { return TextRtrim(a); }),
      text("btrim(A, B)", kTextOid,
           [](View a, Datum b) -> Result<View> { return TextBtrim(a, VarData(b)); }),
      text("ltrim(A, B)", kTextOid,
           [](View a, Datum b) -> Result<View> { return TextLtrim(a, VarData(b)); }),
      text("rtrim(A, B)", kTextOid,
           [](View a, Datum b) -> Result<View> { return TextRtrim(a, VarData(b)); }),
      text("left(A, B)", kInt4Oid,
           [](View a, Datum b) -> Result<View> { return TextLeft(a, DatumGetInt32(b)); }),
      text("right(A, B)", kInt4Oid,
           [](View a, Datum b) -> Result<View> { return TextRight(a, DatumGetInt32(b)); }),
      text("substr(A, B)", kInt4Oid,
           [](View a, Datum b) -> Result<View> { return TextSubstring(a, DatumGetInt32(b)); }),
      text("substr(A, B, 2)", kInt4Oid,
           [](View a, Datum b) { return TextSubstring(a, DatumGetInt32(b), 2); }),
      text("substr(A, 2, B)", kInt4Oid,
           [](View a, Datum b) { return TextSubstring(a, 2, DatumGetInt32(b)); }),
      {"lower(A COLLATE \"C\")", kTextOid, kNone, kTextOid,
       [](const Call& c) -> Result<Datum> {
         return MakeVarlena(LowerC(VarData(c.a), c.cx), c.cx);
       }},
      {"upper(A COLLATE \"C\")", kTextOid, kNone, kTextOid,
       [](const Call& c) -> Result<Datum> {
         return MakeVarlena(UpperC(VarData(c.a), c.cx), c.cx);
       }},
      {"A || B", kTextOid, kTextOid, kTextOid,
       [](const Call& c) -> Result<Datum> { return TextConcat(VarData(c.a), VarData(c.b), c.cx); }},
      {"A::varchar(3)::text", kTextOid, kNone, kTextOid,
       [](const Call& c) { return ApplyTypmod(kVarcharOid, 7, c.a, true, c.cx); }},
      {"'<' || bpcharout(A::bpchar(3))::text || '>'", kTextOid, kNone, kTextOid,
       [](const Call& c) -> Result<Datum> {
         RELCACHE_ASSIGN(const Datum cut, ApplyTypmod(kBpcharOid, 7, c.a, true, c.cx));
         return MakeVarlena("<" + std::string(VarData(cut)) + ">", c.cx);
       }},
      {"\"varchar\"(A::varchar, 7, false)::text", kTextOid, kNone, kTextOid,
       [](const Call& c) { return ApplyTypmod(kVarcharOid, 7, c.a, false, c.cx); }},
      {"substring(A, 2, B)", kByteaOid, kInt4Oid, kByteaOid,
       [](const Call& c) -> Result<Datum> {
         const auto part = ByteaSubstring(VarData(c.a), 2, DatumGetInt32(c.b));
         if (!part) return Fail(part.error());
         return MakeVarlena(*part, c.cx);
       }},
  };
}

template <class T>
Result<Datum> MakeInterval(Result<T> value, MemoryContext& cx) {
  if (!value) return Fail(std::move(value).error());
  return IntervalGetDatum(*value, cx);
}

// A conversion that may fault, between dates and timestamps.
template <class From, class To, class Run>
Operation Conversion(const char* sql, Oid from, Oid to, Run run) {
  return {sql, from, kNone, to, [run](const Call& c) {
            To value{};
            const Fault fault = run(Get<From>(c.a), c.settings, value);
            return Checked(fault, Int64GetDatum(value));
          }};
}
template <class A, class B, class Run>
Operation CrossComparison(const char* sql, Oid a, Oid b, Run run) {
  return {sql, a, b, kInt4Oid, [run](const Call& c) -> Result<Datum> {
            return Int32GetDatum(run(Get<A>(c.a), Get<B>(c.b), c.settings));
          }};
}

std::vector<Operation> DateTimeOperations() {
  const auto days = [](const char* sql, Fault (*run)(Date, std::int32_t, Date&)) {
    return Operation{sql, kDateOid, kInt4Oid, kDateOid, [run](const Call& c) {
                       Date value{};
                       const Fault fault = run(DatumGetInt32(c.a), DatumGetInt32(c.b), value);
                       return Checked(fault, Int32GetDatum(value));
                     }};
  };
  const auto shift = [](const char* sql, auto run) {
    return Operation{sql, kTimestampOid, kIntervalOid, kTimestampOid, [run](const Call& c) {
                       return run(DatumGetInt64(c.a), DatumGetInterval(c.b)).map(Int64GetDatum);
                     }};
  };
  const auto shift_tz = [](const char* sql, auto run) {
    return Operation{
        sql, kTimestamptzOid, kIntervalOid, kTimestamptzOid, [run](const Call& c) {
          return run(DatumGetInt64(c.a), DatumGetInterval(c.b), c.settings).map(Int64GetDatum);
        }};
  };
  const auto at_zone = [](const char* sql, Oid from, Oid to, const char* zone, auto run) {
    return Operation{sql, from, kNone, to, [=](const Call& c) {
                       return run(zone, DatumGetInt64(c.a), c.settings).map(Int64GetDatum);
                     }};
  };
  return {
      days("A + B", DateAddDays),
      days("A - B", DateSubDays),
      {"A - B", kDateOid, kDateOid, kInt4Oid,
       [](const Call& c) {
         std::int32_t value{};
         const Fault fault = DateDiff(DatumGetInt32(c.a), DatumGetInt32(c.b), value);
         return Checked(fault, Int32GetDatum(value));
       }},
      Conversion<Date, Timestamp>(
          "A::timestamp", kDateOid, kTimestampOid,
          [](Date d, const SessionSettings&, Timestamp& out) { return DateToTimestamp(d, out); }),
      Conversion<Date, TimestampTz>("A::timestamptz", kDateOid, kTimestamptzOid, DateToTimestamptz),
      Conversion<Timestamp, Date>(
          "A::date", kTimestampOid, kDateOid,
          [](Timestamp t, const SessionSettings&, Date& out) { return TimestampToDate(t, out); }),
      Conversion<TimestampTz, Date>("A::date", kTimestamptzOid, kDateOid, TimestamptzToDate),
      Conversion<Timestamp, TimestampTz>("A::timestamptz", kTimestampOid, kTimestamptzOid,
                                         TimestampToTimestamptz),
      Conversion<TimestampTz, Timestamp>("A::timestamp", kTimestamptzOid, kTimestampOid,
                                         TimestamptzToTimestamp),
      CrossComparison<Date, Timestamp>(
          "date_cmp_timestamp(A, B)", kDateOid, kTimestampOid,
          [](Date a, Timestamp b, const SessionSettings&) { return DateCompareTimestamp(a, b); }),
      CrossComparison<Date, TimestampTz>("date_cmp_timestamptz(A, B)", kDateOid, kTimestamptzOid,
                                         DateCompareTimestamptz),
      CrossComparison<Timestamp, TimestampTz>("timestamp_cmp_timestamptz(A, B)", kTimestampOid,
                                              kTimestamptzOid, TimestampCompareTimestamptz),
      {"\"timestamp\"(A, 2)", kTimestampOid, kNone, kTimestampOid,
       [](const Call& c) { return ApplyTypmod(kTimestampOid, 2, c.a, false, c.cx); }},
      shift("A + B", TimestampAddInterval),
      shift("A - B", TimestampSubInterval),
      shift_tz("A + B", TimestamptzAddInterval),
      shift_tz("A - B", TimestamptzSubInterval),
      {"A - B", kTimestampOid, kTimestampOid, kIntervalOid,
       [](const Call& c) {
         return MakeInterval(TimestampDiff(DatumGetInt64(c.a), DatumGetInt64(c.b)), c.cx);
       }},
      {"A + B", kIntervalOid, kIntervalOid, kIntervalOid,
       [](const Call& c) {
         return MakeInterval(IntervalAdd(DatumGetInterval(c.a), DatumGetInterval(c.b)), c.cx);
       }},
      {"A - B", kIntervalOid, kIntervalOid, kIntervalOid,
       [](const Call& c) {
         return MakeInterval(IntervalSub(DatumGetInterval(c.a), DatumGetInterval(c.b)), c.cx);
       }},
      {"- A", kIntervalOid, kNone, kIntervalOid,
       [](const Call& c) { return MakeInterval(IntervalNegate(DatumGetInterval(c.a)), c.cx); }},
      {"A * B", kIntervalOid, kFloat8Oid, kIntervalOid,
       [](const Call& c) {
         return MakeInterval(IntervalMul(DatumGetInterval(c.a), DatumGetFloat8(c.b)), c.cx);
       }},
      {"A / B", kIntervalOid, kFloat8Oid, kIntervalOid,
       [](const Call& c) {
         return MakeInterval(IntervalDiv(DatumGetInterval(c.a), DatumGetFloat8(c.b)), c.cx);
       }},
      at_zone("timezone('Europe/Paris', A)", kTimestamptzOid, kTimestampOid, "Europe/Paris",
              TimestamptzAtZone),
      at_zone("timezone('pst', A)", kTimestamptzOid, kTimestampOid, "pst", TimestamptzAtZone),
      at_zone("timezone('MSK', A)", kTimestamptzOid, kTimestampOid, "MSK", TimestamptzAtZone),
      at_zone("timezone('Nowhere', A)", kTimestamptzOid, kTimestampOid, "Nowhere",
              TimestamptzAtZone),
      at_zone("timezone('America/Sao_Paulo', A)", kTimestampOid, kTimestamptzOid,
              "America/Sao_Paulo", TimestampAtZone),
      at_zone("timezone('CEST', A)", kTimestampOid, kTimestamptzOid, "CEST", TimestampAtZone),
      at_zone("timezone('<+02>-02', A)", kTimestampOid, kTimestamptzOid, "<+02>-02",
              TimestampAtZone),
  };
}

// The default operator classes' functions of each type.
std::vector<Operation> ClassOperations() {
  struct Functions {
    Oid type;
    const char* compare;
    const char* hash;
    const char* hash_extended;
  };
  static constexpr Functions kFunctions[] = {
      {kBoolOid, "btboolcmp(A, B)", "hashchar(A::int::\"char\")",
       "hashcharextended(A::int::\"char\", 8816678312871386365)"},
      {kByteaOid, "sign(byteacmp(A, B))::int", nullptr, nullptr},
      {kCharOid, "sign(btcharcmp(A, B))::int", "hashchar(A)",
       "hashcharextended(A, 8816678312871386365)"},
      {kNameOid, "sign(btnamecmp(A, B))::int", "hashname(A)",
       "hashnameextended(A, 8816678312871386365)"},
      {kInt8Oid, "btint8cmp(A, B)", "hashint8(A)", "hashint8extended(A, 8816678312871386365)"},
      {kInt2Oid, "sign(btint2cmp(A, B))::int", "hashint2(A)",
       "hashint2extended(A, 8816678312871386365)"},
      {kInt4Oid, "btint4cmp(A, B)", "hashint4(A)", "hashint4extended(A, 8816678312871386365)"},
      {kTextOid, "sign(bttextcmp(A COLLATE \"C\", B COLLATE \"C\"))::int", "hashtext(A)",
       "hashtextextended(A, 8816678312871386365)"},
      {kOidOid, "btoidcmp(A, B)", "hashoid(A)", "hashoidextended(A, 8816678312871386365)"},
      {kFloat4Oid, "btfloat4cmp(A, B)", "hashfloat4(A)",
       "hashfloat4extended(A, 8816678312871386365)"},
      {kFloat8Oid, "btfloat8cmp(A, B)", "hashfloat8(A)",
       "hashfloat8extended(A, 8816678312871386365)"},
      {kBpcharOid, "sign(bpcharcmp(A COLLATE \"C\", B COLLATE \"C\"))::int", "hashbpchar(A)",
       "hashbpcharextended(A, 8816678312871386365)"},
      {kVarcharOid, "sign(bttextcmp(A COLLATE \"C\", B COLLATE \"C\"))::int", "hashtext(A)",
       "hashtextextended(A, 8816678312871386365)"},
      {kDateOid, "date_cmp(A, B)", nullptr, nullptr},
      {kTimestampOid, "timestamp_cmp(A, B)", "timestamp_hash(A)",
       "timestamp_hash_extended(A, 8816678312871386365)"},
      {kTimestamptzOid, "timestamptz_cmp(A, B)", nullptr, nullptr},
      {kIntervalOid, "interval_cmp(A, B)", "interval_hash(A)",
       "interval_hash_extended(A, 8816678312871386365)"},
      {kNumericOid, "numeric_cmp(A, B)", "hash_numeric(A)",
       "hash_numeric_extended(A, 8816678312871386365)"},
      {kUuidOid, "sign(uuid_cmp(A, B))::int", "uuid_hash(A)",
       "uuid_hash_extended(A, 8816678312871386365)"},
  };
  std::vector<Operation> out;
  for (const Functions& f : kFunctions) {
    const TypeOps* ops = FindTypeOps(f.type);
    out.push_back({f.compare, f.type, f.type, kInt4Oid, [ops](const Call& c) -> Result<Datum> {
                     const int sign = Sign(ops->compare(c.a, c.b));
                     EXPECT_EQ(ops->equal(c.a, c.b), sign == 0);
                     if (sign == 0) {
                       EXPECT_EQ(ops->hash(c.a), ops->hash(c.b));
                     }
                     return Int32GetDatum(sign);
                   }});
    if (f.hash != nullptr)
      out.push_back({f.hash, f.type, kNone, kInt4Oid, [ops](const Call& c) -> Result<Datum> {
                       return Int32GetDatum(static_cast<std::int32_t>(ops->hash(c.a)));
                     }});
    if (f.hash_extended != nullptr)
      out.push_back(
          {f.hash_extended, f.type, kNone, kInt8Oid, [ops](const Call& c) -> Result<Datum> {
             EXPECT_EQ(static_cast<std::uint32_t>(ops->hash_extended(c.a, 0)), ops->hash(c.a));
             return Int64GetDatum(static_cast<std::int64_t>(ops->hash_extended(c.a, kSeed)));
           }});
  }
  return out;
}

std::string Substituted(const std::string& sql, const std::string& a, const std::string& b) {
  std::string out;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    const auto letter = [&sql](std::size_t at) {
      return at < sql.size() && std::isalpha(static_cast<unsigned char>(sql[at])) != 0;
    };
    const bool alone = !letter(i + 1) && (i == 0 || !letter(i - 1));
    const bool operand = alone && (sql[i] == 'A' || (sql[i] == 'B' && !b.empty()));
    out += operand ? (sql[i] == 'A' ? a : b) : std::string(1, sql[i]);
  }
  return out;
}

void CompareOperations(PostgresServer& server, const std::vector<Operation>& operations,
                       const Settings& set) {
  SessionSettings settings;
  for (const auto& [name, value] : set) {
    server.Run("SET " + name + " = " + Quote(value));
    ASSERT_TRUE(SetSetting(settings, name, value));
  }
  const auto spell = [](const std::string& literal, Oid type) {
    return Quote(literal) +
           "::" + (type == kCharOid ? "\"char\"" : std::string(FindTypeInfo(type)->typname));
  };
  static const std::vector<std::string> one = {""};
  std::vector<std::string> expressions;
  for (const Operation& op : operations)
    for (const std::string& a : Values(op.a))
      for (const std::string& b : op.b == kNone ? one : Values(op.b))
        expressions.push_back(Substituted(op.sql, "(" + spell(a, op.a) + ")",
                                          op.b == kNone ? "" : "(" + spell(b, op.b) + ")"));
  const std::vector<Outcome> expected = server.Ask(expressions);

  ContextPtr cx = Bump::CreateRoot("test");
  std::size_t at = 0;
  int failures = 0;
  for (const Operation& op : operations) {
    for (const std::string& a : Values(op.a)) {
      for (const std::string& b : op.b == kNone ? one : Values(op.b)) {
        cx->Reset();
        const auto x = TypeInput(op.a, -1, a, settings, *cx);
        ASSERT_TRUE(x) << a;
        const auto y = op.b == kNone ? x : TypeInput(op.b, -1, b, settings, *cx);
        ASSERT_TRUE(y) << b;
        const Outcome actual = OutcomeOf(op.run({*x, *y, settings, *cx}).and_then([&](Datum value) {
          return TypeOutput(op.result, value, settings, *cx);
        }));
        const Outcome& right = expected[at];
        if (actual != right && ++failures < 30)
          ADD_FAILURE() << expressions[at] << ": " << actual << ", PostgreSQL: " << right;
        ++at;
      }
    }
  }
  EXPECT_EQ(failures, 0) << "of " << at;
}

struct OperationCase {
  const char* name;
  std::vector<Operation> (*operations)();
  std::vector<Settings> settings;
  friend void PrintTo(const OperationCase& c, std::ostream* out) { *out << c.name; }
};

class Operations : public ::testing::TestWithParam<OperationCase> {};

TEST_P(Operations, ComeToWhatPostgresComesTo) {
  auto server = PostgresServer::Connect();
  if (!server) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  for (const Settings& settings : GetParam().settings)
    CompareOperations(*server, GetParam().operations(), settings);
}

INSTANTIATE_TEST_SUITE_P(Postgres, Operations,
                         ::testing::Values(OperationCase{"Number", NumberOperations, {{}}},
                                           OperationCase{"Numeric", NumericOperations, {{}}},
                                           OperationCase{"Text", TextOperations, {{}}},
                                           OperationCase{
                                               "Class", ClassOperations, {{{"TimeZone", "UTC"}}}},
                                           OperationCase{"DateTime",
                                                         DateTimeOperations,
                                                         {{{"TimeZone", "UTC"}},
                                                          {{"TimeZone", "Europe/Berlin"}},
                                                          {{"TimeZone", "America/New_York"}},
                                                          {{"TimeZone", "Asia/Tokyo"}}}}),
                         [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace relcache
