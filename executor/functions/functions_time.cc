// date, time, timestamp, timestamptz and interval. What depends on the session's time zone or on
// now() is stable, as in pg_proc, and is never computed before a row is there.
#include <functional>

#include "relcache/executor/functions/function_tables.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/date_time/date.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/date_time/timestamp.h"

namespace relcache {
namespace {

using kernel::Kernel;
using I8 = std::int64_t;

constexpr auto kNone = CollationUse::kNone;

template <class Op>
bool DateAgainstTimestamp(Date a, Timestamp b) {
  return Op{}(DateCompareTimestamp(a, b), 0);
}
template <class Op>
bool TimestampAgainstDate(Timestamp a, Date b) {
  return Op{}(0, DateCompareTimestamp(b, a));
}
template <class Op>
Fault DateAgainstTimestamptz(Date a, TimestampTz b, bool& out, const SessionSettings& settings) {
  int order = 0;
  const Fault fault = DateCompareTimestamptz(a, b, settings, order);
  out = Op{}(order, 0);
  return fault;
}
template <class Op>
Fault TimestamptzAgainstDate(TimestampTz a, Date b, bool& out, const SessionSettings& settings) {
  int order = 0;
  const Fault fault = DateCompareTimestamptz(b, a, settings, order);
  out = Op{}(0, order);
  return fault;
}
template <class Op>
Fault TimestampAgainstTimestamptz(Timestamp a, TimestampTz b, bool& out,
                                  const SessionSettings& settings) {
  int order = 0;
  const Fault fault = TimestampCompareTimestamptz(a, b, settings, order);
  out = Op{}(order, 0);
  return fault;
}
template <class Op>
Fault TimestamptzAgainstTimestamp(TimestampTz a, Timestamp b, bool& out,
                                  const SessionSettings& settings) {
  int order = 0;
  const Fault fault = TimestampCompareTimestamptz(b, a, settings, order);
  out = Op{}(0, order);
  return fault;
}
template <class Op>
bool CompareIntervals(Interval a, Interval b) {
  return Op{}(IntervalCompare(a, b), 0);
}
template <class T>
T Larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
T Smaller(T a, T b) {
  return a < b ? a : b;
}
Interval IntervalLarger(Interval a, Interval b) {
  return IntervalCompare(a, b) > 0 ? a : b;
}
Interval IntervalSmaller(Interval a, Interval b) {
  return IntervalCompare(a, b) < 0 ? a : b;
}

Fault Now(TimestampTz& out, const SessionSettings& settings) {
  if (!settings.now) return Fault::kMomentNotGiven;
  out = *settings.now;
  return Fault::kNone;
}
Fault StatementNow(TimestampTz& out, const SessionSettings& settings) {
  if (!settings.statement_now) return Fault::kStatementMomentNotGiven;
  out = *settings.statement_now;
  return Fault::kNone;
}
TimestampTz Clock() {
  return CurrentTimestamp();
}
bool DateIsFinite(Date a) {
  return IsFinite(a);
}
bool TimestampIsFinite(Timestamp a) {
  return IsFinite(a);
}

Result<Timestamp> DatePlusInterval(Date a, Interval b) {
  Timestamp at = 0;
  if (Fault fault = DateToTimestamp(a, at); fault != Fault::kNone) return Fail(FaultError(fault));
  return TimestampAddInterval(at, b);
}
Result<Timestamp> DateMinusInterval(Date a, Interval b) {
  Timestamp at = 0;
  if (Fault fault = DateToTimestamp(a, at); fault != Fault::kNone) return Fail(FaultError(fault));
  return TimestampSubInterval(at, b);
}
Result<Interval> MulFromLeft(double factor, Interval a) {
  return IntervalMul(a, factor);
}

#define COMPARISONS(F, prefix, suffix, eq, ne, lt, gt, le, ge, provolatile)       \
  Kernel<F<std::equal_to<>>>(eq, prefix "eq" suffix, kNone, provolatile),         \
      Kernel<F<std::not_equal_to<>>>(ne, prefix "ne" suffix, kNone, provolatile), \
      Kernel<F<std::less<>>>(lt, prefix "lt" suffix, kNone, provolatile),         \
      Kernel<F<std::greater<>>>(gt, prefix "gt" suffix, kNone, provolatile),      \
      Kernel<F<std::less_equal<>>>(le, prefix "le" suffix, kNone, provolatile),   \
      Kernel<F<std::greater_equal<>>>(ge, prefix "ge" suffix, kNone, provolatile)
#define PLAIN_COMPARISONS(T, prefix, eq, ne, lt, gt, le, ge)            \
  Kernel<kernel::Compare<std::equal_to<>, T>>(eq, prefix "eq"),         \
      Kernel<kernel::Compare<std::not_equal_to<>, T>>(ne, prefix "ne"), \
      Kernel<kernel::Compare<std::less<>, T>>(lt, prefix "lt"),         \
      Kernel<kernel::Compare<std::greater<>, T>>(gt, prefix "gt"),      \
      Kernel<kernel::Compare<std::less_equal<>, T>>(le, prefix "le"),   \
      Kernel<kernel::Compare<std::greater_equal<>, T>>(ge, prefix "ge")

constexpr Function kFunctions[] = {
    PLAIN_COMPARISONS(Date, "date_", 1086, 1091, 1087, 1089, 1088, 1090),
    PLAIN_COMPARISONS(I8, "time_", 1145, 1106, 1102, 1104, 1103, 1105),
    PLAIN_COMPARISONS(I8, "timestamp_", 2052, 2053, 2054, 2057, 2055, 2056),
    PLAIN_COMPARISONS(I8, "timestamptz_", 1152, 1153, 1154, 1157, 1155, 1156),
    COMPARISONS(CompareIntervals, "interval_", "", 1162, 1163, 1164, 1167, 1165, 1166, 'i'),
    COMPARISONS(DateAgainstTimestamp, "date_", "_timestamp", 2340, 2343, 2338, 2341, 2339, 2342,
                'i'),
    COMPARISONS(DateAgainstTimestamptz, "date_", "_timestamptz", 2353, 2356, 2351, 2354, 2352, 2355,
                's'),
    COMPARISONS(TimestampAgainstDate, "timestamp_", "_date", 2366, 2369, 2364, 2367, 2365, 2368,
                'i'),
    COMPARISONS(TimestamptzAgainstDate, "timestamptz_", "_date", 2379, 2382, 2377, 2380, 2378, 2381,
                's'),
    COMPARISONS(TimestampAgainstTimestamptz, "timestamp_", "_timestamptz", 2522, 2525, 2520, 2523,
                2521, 2524, 's'),
    COMPARISONS(TimestamptzAgainstTimestamp, "timestamptz_", "_timestamp", 2529, 2532, 2527, 2530,
                2528, 2531, 's'),
    Kernel<Larger<Date>>(1138, "date_larger"),
    Kernel<Smaller<Date>>(1139, "date_smaller"),
    Kernel<Larger<I8>>(1377, "time_larger"),
    Kernel<Smaller<I8>>(1378, "time_smaller"),
    Kernel<Larger<I8>>(2036, "timestamp_larger"),
    Kernel<Smaller<I8>>(2035, "timestamp_smaller"),
    Kernel<Larger<I8>>(1196, "timestamptz_larger"),
    Kernel<Smaller<I8>>(1195, "timestamptz_smaller"),
    Kernel<IntervalLarger>(1198, "interval_larger"),
    Kernel<IntervalSmaller>(1197, "interval_smaller"),
    Kernel<DateIsFinite>(1373, "isfinite"),
    Kernel<TimestampIsFinite>(2048, "isfinite"),
    Kernel<TimestampIsFinite>(1389, "isfinite"),

    Kernel<Now>(1299, "now", kNone, 's'),
    Kernel<Now>(2647, "transaction_timestamp", kNone, 's'),
    Kernel<StatementNow>(2648, "statement_timestamp", kNone, 's'),
    Kernel<Clock>(2649, "clock_timestamp", kNone, 'v'),

    Kernel<DateAddDays>(1141, "date_pli"),
    Kernel<DateSubDays>(1142, "date_mii"),
    Kernel<DateDiff>(1140, "date_mi"),
    Kernel<DatePlusInterval>(2071, "date_pl_interval"),
    Kernel<DateMinusInterval>(2072, "date_mi_interval"),
    Kernel<DateAddTime>(1272, "datetime_pl"),
    Kernel<DateAddTime>(2025, "timestamp"),
    Kernel<+[](Timestamp a, Interval b) { return TimestampAddInterval(a, b); }>(
        2032, "timestamp_pl_interval"),
    Kernel<+[](Timestamp a, Interval b) { return TimestampSubInterval(a, b); }>(
        2033, "timestamp_mi_interval"),
    Kernel<+[](TimestampTz a, Interval b, const SessionSettings& s) {
      return TimestamptzAddInterval(a, b, s);
    }>(1189, "timestamptz_pl_interval", kNone, 's'),
    Kernel<+[](TimestampTz a, Interval b, const SessionSettings& s) {
      return TimestamptzSubInterval(a, b, s);
    }>(1190, "timestamptz_mi_interval", kNone, 's'),
    Kernel<TimestampDiff>(2031, "timestamp_mi"),
    Kernel<TimestampDiff>(1188, "timestamptz_mi"),
    Kernel<+[](Interval a, Interval b) { return IntervalAdd(a, b); }>(1169, "interval_pl"),
    Kernel<+[](Interval a, Interval b) { return IntervalSub(a, b); }>(1170, "interval_mi"),
    Kernel<+[](Interval a) { return IntervalNegate(a); }>(1168, "interval_um"),
    Kernel<+[](Interval a, double b) { return IntervalMul(a, b); }>(1618, "interval_mul"),
    Kernel<MulFromLeft>(1624, "mul_d_interval"),
    Kernel<+[](Interval a, double b) { return IntervalDiv(a, b); }>(1326, "interval_div"),
    Kernel<+[](Interval a, std::int32_t typmod) { return IntervalCoerce(a, typmod); }>(1200,
                                                                                       "interval"),
    Kernel<TimestampCoerceChecked>(1961, "timestamp"),
    Kernel<TimestampCoerceChecked>(1967, "timestamptz"),

    Kernel<DateToTimestamp>(2024, "timestamp"),
    Kernel<TimestampToDate>(2029, "date"),
    Kernel<+[](Date a, const SessionSettings& s, TimestampTz& out) {
      return DateToTimestamptz(a, s, out);
    }>(1174, "timestamptz", kNone, 's'),
    Kernel<+[](TimestampTz a, const SessionSettings& s, Date& out) {
      return TimestamptzToDate(a, s, out);
    }>(1178, "date", kNone, 's'),
    Kernel<+[](Timestamp a, const SessionSettings& s, TimestampTz& out) {
      return TimestampToTimestamptz(a, s, out);
    }>(2028, "timestamptz", kNone, 's'),
    Kernel<+[](TimestampTz a, const SessionSettings& s, Timestamp& out) {
      return TimestamptzToTimestamp(a, s, out);
    }>(2027, "timestamp", kNone, 's'),
    Kernel<TimestamptzAtZone>(1159, "timezone"),
    Kernel<TimestampAtZone>(2069, "timezone"),
};

}  // namespace

std::span<const Function> TimeFunctions() {
  return kFunctions;
}

}  // namespace relcache
