// Functions that other releases than 15 have under the same oid with another meaning. Each entry
// takes the place of 15's for the releases that it names (docs/versions.md).
#include <cmath>
#include <functional>
#include <optional>

#include "relcache/executor/functions/function_tables.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/date.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/internal/float.h"
#include "relcache/types/internal/input_versions.h"
#include "relcache/types/internal/numeric.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/internal/text_edit.h"

namespace relcache {
namespace {

using kernel::Kernel;
using std::string_view;
using I4 = std::int32_t;
constexpr auto kNone = CollationUse::kNone;

// ---- Until 13: division of floats by infinity underflows, and NaN / 0 is a division by zero.

template <class T, class A, class B>
Fault FloatDiv13(A a, B b, T& out) {
  const T x = a;
  const T y = b;
  if (y == 0) return Fault::kDivisionByZero;
  if (std::isinf(y) && x != 0 && !std::isnan(x) && !std::isinf(x)) return Fault::kFloatUnderflow;
  return FloatDiv(x, y, out);
}

template <class T, Result<Datum> (*F)(T, MemoryContext&)>
Result<Datum> FloatToNumeric13(T value, MemoryContext& cx) {
  if (std::isinf(value))
    return Fail(ErrorCode::kEvaluation, "0A000", "cannot convert infinity to numeric");
  return F(value, cx);
}

// ---- Until 14: texts that are too long are found out later.

Result<string_view> LpadBlank14(string_view text, I4 n, MemoryContext& cx) {
  return TextLpad14(text, n, " ", cx);
}
Result<string_view> RpadBlank14(string_view text, I4 n, MemoryContext& cx) {
  return TextRpad14(text, n, " ", cx);
}

// ---- Until 12: what is out of the other type's range is an error in a comparison too.

template <class Op>
Result<bool> Compared(Fault fault, Timestamp a, Timestamp b) {
  if (fault != Fault::kNone) return Fail(FaultError(fault));
  return Op{}(a, b);
}
template <class Op>
Result<bool> DateTimestamp12(Date a, Timestamp b) {
  Timestamp at = 0;
  const Fault fault = DateToTimestamp(a, at);
  return Compared<Op>(fault, at, b);
}
template <class Op>
Result<bool> TimestampDate12(Timestamp a, Date b) {
  Timestamp at = 0;
  const Fault fault = DateToTimestamp(b, at);
  return Compared<Op>(fault, a, at);
}
template <class Op>
Result<bool> DateTimestamptz12(Date a, TimestampTz b, const SessionSettings& settings) {
  TimestampTz at = 0;
  const Fault fault = DateToTimestamptz(a, settings, at);
  return Compared<Op>(fault, at, b);
}
template <class Op>
Result<bool> TimestamptzDate12(TimestampTz a, Date b, const SessionSettings& settings) {
  TimestampTz at = 0;
  const Fault fault = DateToTimestamptz(b, settings, at);
  return Compared<Op>(fault, a, at);
}
template <class Op>
Result<bool> TimestampTimestamptz12(Timestamp a, TimestampTz b, const SessionSettings& settings) {
  TimestampTz at = 0;
  const Fault fault = TimestampToTimestamptz(a, settings, at);
  return Compared<Op>(fault, at, b);
}
template <class Op>
Result<bool> TimestamptzTimestamp12(TimestampTz a, Timestamp b, const SessionSettings& settings) {
  TimestampTz at = 0;
  const Fault fault = TimestampToTimestamptz(b, settings, at);
  return Compared<Op>(fault, a, at);
}

// ---- Until 14: a scale outside 0 .. precision means something else; no type has one.

Result<Datum> NumericCoerce14(Datum value, I4 typmod, MemoryContext& cx) {
  if (typmod >= static_cast<I4>(kVarHdrSz) &&
      (NumericTypmodScale(typmod) < 0 ||
       NumericTypmodScale(typmod) > NumericTypmodPrecision(typmod)))
    return Fail(NotSupported("numeric(numeric,integer) with a scale that releases before 15 lack"));
  return NumericCoerce(value, typmod, cx);
}
Result<Interval> FitsBefore15(Result<Interval> value) {
  // 15 takes the smallest number of microseconds, older ones do not.
  if (value && value->time == INT64_MIN) return Fail(FaultError(Fault::kIntervalOutOfRange));
  return value;
}
Result<Interval> IntervalMul14(Interval a, double factor) {
  return FitsBefore15(IntervalMul(a, factor));
}
Result<Interval> MulInterval14(double factor, Interval a) {
  return IntervalMul14(a, factor);
}
Result<Interval> IntervalDiv14(Interval a, double factor) {
  return FitsBefore15(IntervalDiv(a, factor));
}

// ---- From 16 on: a difference of timestamps does not wrap around.

std::optional<Interval> Difference(Timestamp a, Timestamp b) {
  Interval out;
  if (__builtin_sub_overflow(a, b, &out.time)) return std::nullopt;
  out.day = static_cast<I4>(out.time / kUsecsPerDay);
  out.time %= kUsecsPerDay;
  return out;
}
Result<Interval> TimestampDiff16(Timestamp a, Timestamp b) {
  if (!IsFinite(a) || !IsFinite(b)) return Fail(FaultError(Fault::kInfiniteTimestamps));
  const std::optional<Interval> out = Difference(a, b);
  if (!out) return Fail(FaultError(Fault::kIntervalOutOfRange));
  return *out;
}

// ---- From 17 on: infinite intervals.

auto OutOfRange() {
  return Fail(FaultError(Fault::kIntervalOutOfRange));
}
/// A result of finite arithmetic must not look infinite.
Result<Interval> Finite(Result<Interval> value) {
  if (value && !IsFinite(*value)) return OutOfRange();
  return value;
}
Result<Interval> Negate17(Interval a) {
  if (a == kIntervalInfinity) return kIntervalNegativeInfinity;
  if (a == kIntervalNegativeInfinity) return kIntervalInfinity;
  return Finite(IntervalNegate(a));
}
Result<Interval> Add17(Interval a, Interval b) {
  if (IsFinite(a) && IsFinite(b)) return Finite(IntervalAdd(a, b));
  if (!IsFinite(a) && !IsFinite(b) && a != b) return OutOfRange();
  return IsFinite(a) ? b : a;
}
Result<Interval> Sub17(Interval a, Interval b) {
  if (IsFinite(a) && IsFinite(b)) return Finite(IntervalSub(a, b));
  if (!IsFinite(a) && a == b) return OutOfRange();
  if (!IsFinite(a)) return a;
  return b == kIntervalInfinity ? kIntervalNegativeInfinity : kIntervalInfinity;
}
Result<Interval> Mul17(Interval a, double factor) {
  if (std::isnan(factor)) return OutOfRange();
  if (!IsFinite(a)) {
    if (factor == 0) return OutOfRange();
    return factor < 0 ? Negate17(a) : a;
  }
  if (std::isinf(factor)) {
    const int sign = IntervalCompare(a, {});
    if (sign == 0) return OutOfRange();
    return (sign > 0) == (factor > 0) ? kIntervalInfinity : kIntervalNegativeInfinity;
  }
  return Finite(IntervalMul(a, factor));
}
Result<Interval> MulFromLeft17(double factor, Interval a) {
  return Mul17(a, factor);
}
Result<Interval> Div17(Interval a, double factor) {
  if (factor == 0) return Fail(FaultError(Fault::kDivisionByZero));
  if (std::isnan(factor)) return OutOfRange();
  if (!IsFinite(a)) {
    if (std::isinf(factor)) return OutOfRange();
    return factor < 0 ? Negate17(a) : a;
  }
  return Finite(IntervalDiv(a, factor));
}
Result<Interval> Coerce17(Interval a, I4 typmod) {
  if (!IsFinite(a)) return a;
  return IntervalCoerce(a, typmod);
}

/// What adding an infinite interval gives; nullopt: it is finite.
std::optional<Result<Timestamp>> AddInfinite(Timestamp a, Interval b) {
  if (IsFinite(b)) return std::nullopt;
  const Timestamp end = b == kIntervalInfinity ? kTimestampInfinity : kTimestampNegativeInfinity;
  if (!IsFinite(a) && a != end) return Fail(FaultError(Fault::kTimestampOutOfRange));
  return end;
}
Result<Timestamp> TimestampPlus17(Timestamp a, Interval b) {
  if (auto out = AddInfinite(a, b)) return *std::move(out);
  return TimestampAddInterval(a, b);
}
Result<Timestamp> TimestampMinus17(Timestamp a, Interval b) {
  RELCACHE_ASSIGN(const Interval negated, Negate17(b));
  return TimestampPlus17(a, negated);
}
Result<TimestampTz> TimestamptzPlus17(TimestampTz a, Interval b, const SessionSettings& settings) {
  if (auto out = AddInfinite(a, b)) return *std::move(out);
  return TimestamptzAddInterval(a, b, settings);
}
Result<TimestampTz> TimestamptzMinus17(TimestampTz a, Interval b, const SessionSettings& settings) {
  RELCACHE_ASSIGN(const Interval negated, Negate17(b));
  return TimestamptzPlus17(a, negated, settings);
}
Result<Timestamp> DatePlus17(Date a, Interval b) {
  Timestamp at = 0;
  if (Fault fault = DateToTimestamp(a, at); fault != Fault::kNone) return Fail(FaultError(fault));
  return TimestampPlus17(at, b);
}
Result<Timestamp> DateMinus17(Date a, Interval b) {
  Timestamp at = 0;
  if (Fault fault = DateToTimestamp(a, at); fault != Fault::kNone) return Fail(FaultError(fault));
  return TimestampMinus17(at, b);
}
Result<Interval> TimestampDiff17(Timestamp a, Timestamp b) {
  if (IsFinite(a) && IsFinite(b)) {
    const std::optional<Interval> out = Difference(a, b);
    if (!out) return OutOfRange();
    return *out;
  }
  if (!IsFinite(a) && a == b) return OutOfRange();
  const bool above = a == kTimestampInfinity || b == kTimestampNegativeInfinity;
  return above ? kIntervalInfinity : kIntervalNegativeInfinity;
}

// ---- Zones: the rules of POSIX texts in 12, abbreviations from 18 on.

template <Result<Timestamp> (*F)(string_view, Timestamp)>
Result<Timestamp> AtZone12(string_view zone, Timestamp value) {
  if (IsPosixWithoutRules(zone))
    return Fail(NotSupported("time zone \"" + std::string(zone) + "\" as PostgreSQL 12 reads it"));
  return F(zone, value);
}
template <Result<Timestamp> (*F)(string_view, Timestamp)>
Result<Timestamp> AtZone18(string_view zone, Timestamp value, const SessionSettings& settings) {
  std::string lower(zone.substr(0, 255));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  if (SessionZoneMayKnow(lower, settings))
    return Fail(NotSupported("time zone \"" + std::string(zone) +
                             "\", which the session's time zone may know too"));
  return F(zone, value);
}

// right() of the smallest count gave the whole text before a minor release of each version.
Result<string_view> RightRefused(string_view text, I4 count) {
  if (count == INT32_MIN)
    return Fail(NotSupported("right(text,integer) of -2147483648 in this minor release"));
  return TextRight(text, count);
}

#define COMPARISONS12(F, prefix, suffix, eq, ne, lt, gt, le, ge, provolatile)                     \
  {120000, 129999, Kernel<F<std::equal_to<>>>(eq, prefix "eq" suffix, kNone, provolatile)},       \
      {120000, 129999,                                                                            \
       Kernel<F<std::not_equal_to<>>>(ne, prefix "ne" suffix, kNone, provolatile)},               \
      {120000, 129999, Kernel<F<std::less<>>>(lt, prefix "lt" suffix, kNone, provolatile)},       \
      {120000, 129999, Kernel<F<std::greater<>>>(gt, prefix "gt" suffix, kNone, provolatile)},    \
      {120000, 129999, Kernel<F<std::less_equal<>>>(le, prefix "le" suffix, kNone, provolatile)}, \
  {                                                                                               \
    120000, 129999, Kernel<F<std::greater_equal<>>>(ge, prefix "ge" suffix, kNone, provolatile)   \
  }

constexpr VersionedFunction kFunctions[] = {
    {120000, 139999, Kernel<FloatDiv13<float, float, float>>(203, "float4div")},
    {120000, 139999, Kernel<FloatDiv13<double, float, double>>(280, "float48div")},
    {120000, 139999, Kernel<FloatDiv13<double, double, float>>(284, "float84div")},
    {120000, 139999, Kernel<FloatDiv13<double, double, double>>(217, "float8div")},
    {120000, 139999, Kernel<FloatToNumeric13<float, Float4ToNumeric>>(1742, "numeric")},
    {120000, 139999, Kernel<FloatToNumeric13<double, Float8ToNumeric>>(1743, "numeric")},

    COMPARISONS12(DateTimestamp12, "date_", "_timestamp", 2340, 2343, 2338, 2341, 2339, 2342, 'i'),
    COMPARISONS12(DateTimestamptz12, "date_", "_timestamptz", 2353, 2356, 2351, 2354, 2352, 2355,
                  's'),
    COMPARISONS12(TimestampDate12, "timestamp_", "_date", 2366, 2369, 2364, 2367, 2365, 2368, 'i'),
    COMPARISONS12(TimestamptzDate12, "timestamptz_", "_date", 2379, 2382, 2377, 2380, 2378, 2381,
                  's'),
    COMPARISONS12(TimestampTimestamptz12, "timestamp_", "_timestamptz", 2522, 2525, 2520, 2523,
                  2521, 2524, 's'),
    COMPARISONS12(TimestamptzTimestamp12, "timestamptz_", "_timestamp", 2529, 2532, 2527, 2530,
                  2528, 2531, 's'),

    {120000, 149999, Kernel<NumericCoerce14>(1703, "numeric")},
    {120000, 149999, Kernel<IntervalMul14>(1618, "interval_mul")},
    {120000, 149999, Kernel<MulInterval14>(1624, "mul_d_interval")},
    {120000, 149999, Kernel<IntervalDiv14>(1326, "interval_div")},

    {160000, 169999, Kernel<TimestampDiff16>(2031, "timestamp_mi")},
    {160000, 169999, Kernel<TimestampDiff16>(1188, "timestamptz_mi")},

    {170000, 189999, Kernel<TimestampDiff17>(2031, "timestamp_mi")},
    {170000, 189999, Kernel<TimestampDiff17>(1188, "timestamptz_mi")},
    {170000, 189999, Kernel<Negate17>(1168, "interval_um")},
    {170000, 189999, Kernel<Add17>(1169, "interval_pl")},
    {170000, 189999, Kernel<Sub17>(1170, "interval_mi")},
    {170000, 189999, Kernel<Mul17>(1618, "interval_mul")},
    {170000, 189999, Kernel<MulFromLeft17>(1624, "mul_d_interval")},
    {170000, 189999, Kernel<Div17>(1326, "interval_div")},
    {170000, 189999, Kernel<Coerce17>(1200, "interval")},
    {170000, 189999, Kernel<TimestampPlus17>(2032, "timestamp_pl_interval")},
    {170000, 189999, Kernel<TimestampMinus17>(2033, "timestamp_mi_interval")},
    {170000, 189999, Kernel<TimestamptzPlus17>(1189, "timestamptz_pl_interval", kNone, 's')},
    {170000, 189999, Kernel<TimestamptzMinus17>(1190, "timestamptz_mi_interval", kNone, 's')},
    {170000, 189999, Kernel<DatePlus17>(2071, "date_pl_interval")},
    {170000, 189999, Kernel<DateMinus17>(2072, "date_mi_interval")},

    {120000, 129999, Kernel<AtZone12<TimestamptzAtZone>>(1159, "timezone")},
    {120000, 129999, Kernel<AtZone12<TimestampAtZone>>(2069, "timezone")},
    {180000, 189999, Kernel<AtZone18<TimestamptzAtZone>>(1159, "timezone")},
    {180000, 189999, Kernel<AtZone18<TimestampAtZone>>(2069, "timezone")},

    {120000, 139999, Kernel<TextSplitPart13>(2088, "split_part", CollationUse::kEquality)},
    {120000, 149999, Kernel<TextRepeat14>(1622, "repeat")},
    {120000, 149999, Kernel<TextLpad14>(873, "lpad")},
    {120000, 149999, Kernel<LpadBlank14>(879, "lpad")},
    {120000, 149999, Kernel<TextRpad14>(874, "rpad")},
    {120000, 149999, Kernel<RpadBlank14>(880, "rpad")},
    {120000, 149999, Kernel<RightRefused>(3061, "right")},
    {150000, 150019, Kernel<RightRefused>(3061, "right")},
    {160000, 189999, Kernel<RightRefused>(3061, "right")},
};

}  // namespace

std::span<const VersionedFunction> VersionedFunctions() {
  return kFunctions;
}

}  // namespace relcache
