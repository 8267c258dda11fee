// Comparison, hash, arithmetic and casts against a real server: every operation on every pair of
// values.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "postgres_operations.h"
#include "relcache/types/date_time/date.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/internal/bytea.h"
#include "relcache/types/internal/float.h"
#include "relcache/types/internal/int.h"
#include "relcache/types/internal/jsonb.h"
#include "relcache/types/internal/numeric.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/type_ops.h"

namespace relcache {
namespace {

using test::Call;
using test::Checked;
using test::CompareOperations;
using test::kNone;
using test::kSeed;
using test::Operation;
using test::PostgresServer;
using test::Settings;
using test::Sign;

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

std::vector<Operation> JsonbOperations() {
  const auto text_or_null = [](Result<std::optional<std::string_view>> text,
                               MemoryContext& cx) -> Result<Datum> {
    if (!text) return Fail(std::move(text).error());
    return MakeVarlena(*text ? "=" + std::string(**text) : "null", cx);
  };
  return {
      {"jsonb_typeof(A)", kJsonbOid, kNone, kTextOid,
       [](const Call& c) -> Result<Datum> {
         const auto type = JsonbTypeof(c.a);
         if (!type) return Fail(type.error());
         return MakeVarlena(*type, c.cx);
       }},
      {"(A ? B)::int", kJsonbOid, kTextOid, kInt4Oid,
       [](const Call& c) {
         return JsonbExists(c.a, VarData(c.b)).map([](bool b) { return Int32GetDatum(b); });
       }},
      {"coalesce('=' || (A ->> B), 'null')", kJsonbOid, kTextOid, kTextOid,
       [text_or_null](const Call& c) {
         return text_or_null(JsonbObjectFieldText(c.a, VarData(c.b), c.cx), c.cx);
       }},
      {"coalesce('=' || (A -> B)::text, 'null')", kJsonbOid, kTextOid, kTextOid,
       [text_or_null](const Call& c) -> Result<Datum> {
         const auto field = JsonbObjectField(c.a, VarData(c.b), c.cx);
         if (!field) return Fail(field.error());
         if (!*field) return text_or_null(std::optional<std::string_view>(), c.cx);
         return text_or_null(
             JsonbOut(**field, c.cx).map([](std::string_view t) { return std::optional(t); }),
             c.cx);
       }},
      {"jsonb_array_length(A)", kJsonbOid, kNone, kInt4Oid,
       [](const Call& c) { return JsonbArrayLength(c.a).map(Int32GetDatum); }},
      // As many stored bytes as in a Const.
      {"pg_column_size(A) - 4", kJsonbOid, kNone, kInt4Oid,
       [](const Call& c) -> Result<Datum> {
         return Int32GetDatum(static_cast<std::int32_t>(VarData(c.a).size()));
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
            int order = 0;
            const Fault fault = run(Get<A>(c.a), Get<B>(c.b), c.settings, order);
            return Checked(fault, Int32GetDatum(order));
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
                       return run(zone, DatumGetInt64(c.a)).map(Int64GetDatum);
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
      CrossComparison<Date, Timestamp>("date_cmp_timestamp(A, B)", kDateOid, kTimestampOid,
                                       [](Date a, Timestamp b, const SessionSettings&, int& out) {
                                         out = DateCompareTimestamp(a, b);
                                         return Fault::kNone;
                                       }),
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
      {kInetOid, "sign(network_cmp(A, B))::int", "hashinet(A)",
       "hashinetextended(A, 8816678312871386365)"},
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

}  // namespace

std::vector<Operation> test::AllOperations() {
  std::vector<Operation> all;
  for (const auto& operations : {NumberOperations, NumericOperations, TextOperations,
                                 JsonbOperations, DateTimeOperations, ClassOperations})
    std::ranges::move(operations(), std::back_inserter(all));
  return all;
}

namespace {

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
                                           OperationCase{"Jsonb", JsonbOperations, {{}}},
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
