// Faults and results of arithmetic: integers, floats, numerics, dates.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/internal/float.h"
#include "relcache/types/internal/int.h"
#include "relcache/types/internal/numeric.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

TEST(IntArithmetic, FaultsInsteadOfWrapping) {
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  std::int32_t out;
  EXPECT_EQ(IntAdd(kMax, 1, out), Fault::kIntegerOutOfRange);
  EXPECT_EQ(IntSub(kMin, 1, out), Fault::kIntegerOutOfRange);
  EXPECT_EQ(IntMul(kMin, -1, out), Fault::kIntegerOutOfRange);
  EXPECT_EQ(IntDiv(kMin, -1, out), Fault::kIntegerOutOfRange);
  EXPECT_EQ(IntDiv(1, 0, out), Fault::kDivisionByZero);
  EXPECT_EQ(IntMod(1, 0, out), Fault::kDivisionByZero);
  EXPECT_EQ(IntMod(kMin, -1, out), Fault::kNone);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(IntDiv(-7, 2, out), Fault::kNone);
  EXPECT_EQ(out, -3);
  EXPECT_EQ(IntMod(-7, 2, out), Fault::kNone);
  EXPECT_EQ(out, -1);
  EXPECT_EQ(IntAbs(kMin, out), Fault::kIntegerOutOfRange);
  std::int16_t small;
  EXPECT_EQ(IntMul<std::int16_t>(200, 200, small), Fault::kSmallintOutOfRange);
  EXPECT_EQ(IntDiv<std::int16_t>(-32768, -1, small), Fault::kSmallintOutOfRange);
  EXPECT_EQ(IntCast(std::int32_t{32768}, small), Fault::kSmallintOutOfRange);
  std::int64_t big;
  EXPECT_EQ(IntNegate(std::numeric_limits<std::int64_t>::min(), big), Fault::kBigintOutOfRange);
  EXPECT_EQ(FaultError(Fault::kIntegerOutOfRange).message, "integer out of range");
  EXPECT_STREQ(FaultError(Fault::kDivisionByZero).sqlstate, "22012");
}

TEST(FloatArithmetic, InfinityOnlyFromInfinity) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  double out;
  EXPECT_EQ(FloatAdd(1e308, 1e308, out), Fault::kFloatOverflow);
  EXPECT_EQ(FloatAdd(kInf, 1.0, out), Fault::kNone);
  EXPECT_EQ(FloatMul(1e-300, 1e-300, out), Fault::kFloatUnderflow);
  EXPECT_EQ(FloatDiv(1.0, 0.0, out), Fault::kDivisionByZero);
  EXPECT_EQ(FloatDiv(1.0, kInf, out), Fault::kNone);
  EXPECT_EQ(out, 0);
  std::int32_t n;
  EXPECT_EQ(FloatToInt(2.5, n), Fault::kNone);
  EXPECT_EQ(n, 2);
  EXPECT_EQ(FloatToInt(2147483647.5, n), Fault::kIntegerOutOfRange);
  EXPECT_EQ(FloatToInt(std::numeric_limits<double>::quiet_NaN(), n), Fault::kIntegerOutOfRange);
}

class NumericArithmetic : public ::testing::Test {
 protected:
  Datum N(const char* text) { return *NumericIn(text, -1, *cx_); }
  std::string Show(const Result<Datum>& value) {
    return value ? std::string(NumericOut(*value, *cx_)) : value.error().message;
  }
  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_F(NumericArithmetic, IsExact) {
  EXPECT_EQ(Show(NumericAdd(N("0.1"), N("0.20"), *cx_)), "0.30");
  EXPECT_EQ(Show(NumericSub(N("1"), N("1.000"), *cx_)), "0.000");
  EXPECT_EQ(Show(NumericMul(N("99999999.9999"), N("-99999999.9999"), *cx_)),
            "-9999999999980000.00000001");
  EXPECT_EQ(Show(NumericDiv(N("1"), N("3"), *cx_)), "0.33333333333333333333");
  EXPECT_EQ(Show(NumericDiv(N("10"), N("0.00"), *cx_)), "division by zero");
  EXPECT_EQ(Show(NumericMod(N("-7.5"), N("2"), *cx_)), "-1.5");
  EXPECT_EQ(Show(NumericAdd(N("Infinity"), N("-Infinity"), *cx_)), "NaN");
  EXPECT_EQ(Show(NumericMul(N("Infinity"), N("0"), *cx_)), "NaN");
  EXPECT_EQ(Show(NumericMul(N("1e70000"), N("1e70000"), *cx_)), "value overflows numeric format");
  EXPECT_EQ(Show(NumericRound(N("2.5"), 0, *cx_)), "3");
  EXPECT_EQ(Show(NumericRound(N("-15"), -1, *cx_)), "-20");
  EXPECT_EQ(Show(NumericTrunc(N("9999.99"), -3, *cx_)), "9000");
  EXPECT_EQ(Show(NumericCeil(N("-0.5"), *cx_)), "0");
  EXPECT_EQ(Show(NumericFloor(N("-0.5"), *cx_)), "-1");
  EXPECT_EQ(*NumericToInt4(N("2.5")), 3);
  EXPECT_EQ(NumericToInt4(N("2147483647.5")).error().message, "integer out of range");
  EXPECT_EQ(NumericToInt8(N("NaN")).error().message, "cannot convert NaN to bigint");
  EXPECT_EQ(Show(IntToNumeric(std::numeric_limits<std::int64_t>::min(), *cx_)),
            "-9223372036854775808");
}

TEST_F(NumericArithmetic, QuotientTimesDivisorPlusRemainderIsTheDividend) {
  const char* const values[] = {"1",
                                "9999",
                                "10000",
                                "10001",
                                "99999999",
                                "100000000000000000001",
                                "123456789012345678901234567890",
                                "9999999999999999999999",
                                "500049995000",
                                "5000",
                                "4999999950000000"};
  for (const char* a : values) {
    for (const char* b : values) {
      const Datum x = N(a);
      const Datum y = N(b);
      const Datum quotient = *NumericTrunc(
          *NumericDiv(*NumericSub(x, *NumericMod(x, y, *cx_), *cx_), y, *cx_), 0, *cx_);
      const Datum back = *NumericAdd(*NumericMul(quotient, y, *cx_), *NumericMod(x, y, *cx_), *cx_);
      EXPECT_EQ(NumericCompare(back, x), 0) << a << " / " << b;
    }
  }
}

TEST_F(NumericArithmetic, StoredFormIsPostgres) {
  // 1.5: short header with scale 1 and weight 0, digits 1 and 5000.
  EXPECT_EQ(VarData(N("1.5")), std::string_view("\x80\x80\x01\x00\x88\x13", 6));
  EXPECT_EQ(VarData(N("0")), std::string_view("\x00\x80", 2));
  EXPECT_EQ(VarData(N("NaN")), std::string_view("\x00\xc0", 2));
  // Beyond 63 digits of scale the long header.
  EXPECT_EQ(VarData(N("1e-64")), std::string_view("\x40\x00\xf0\xff\x01\x00", 6));
}

TEST_F(NumericArithmetic, BytesThatNoNumericHasAreNan) {
  for (const std::string_view bytes :
       {std::string_view(""), std::string_view("\x00", 1), std::string_view("\x01\x00", 2),
        std::string_view("\x01\x00\x00", 3), std::string_view("\x00\x80\xff\xff", 4),
        std::string_view("\x00\x80\x10\x27", 4)}) {
    const Datum bad = MakeVarlena(bytes, *cx_);
    EXPECT_EQ(NumericOut(bad, *cx_), "NaN");
    EXPECT_EQ(Show(NumericDiv(N("1"), bad, *cx_)), "NaN");
    NumericCompare(bad, N("1"));
    NumericHash(bad);
  }
}

TEST(DateArithmetic, KeepsInfinityAndRange) {
  Date date;
  EXPECT_EQ(DateAddDays(kDateInfinity, 5, date), Fault::kNone);
  EXPECT_EQ(date, kDateInfinity);
  EXPECT_EQ(DateAddDays(2145031948, 1, date), Fault::kDateOutOfRange);
  std::int32_t days;
  EXPECT_EQ(DateDiff(kDateInfinity, 0, days), Fault::kInfiniteDates);
  Timestamp t;
  EXPECT_EQ(DateToTimestamp(2145031948, t), Fault::kDateOutOfRangeForTimestamp);
  EXPECT_EQ(DateCompareTimestamp(2145031948, kTimestampInfinity), -1);
  EXPECT_EQ(DateCompareTimestamp(2145031948, 0), 1);
}

TEST(DateArithmetic, ConversionsUseTheSessionsZone) {
  SessionSettings tokyo = AssumeUtcAndMdy(0);
  ASSERT_TRUE(SetSetting(tokyo, "TimeZone", "Asia/Tokyo"));
  const SessionSettings utc = AssumeUtcAndMdy(0);
  const TimestampTz late = *TimestamptzIn("2024-01-01 23:00+00", -1, utc);
  const Date first = *DateIn("2024-01-01", utc);
  Date date;
  EXPECT_EQ(TimestamptzToDate(late, utc, date), Fault::kNone);
  EXPECT_EQ(date, first);
  EXPECT_EQ(TimestamptzToDate(late, tokyo, date), Fault::kNone);
  EXPECT_EQ(date, first + 1);
  int order = 0;
  EXPECT_EQ(DateCompareTimestamptz(first, late, tokyo, order), Fault::kNone);
  EXPECT_EQ(order, -1);
}

TEST(IntervalArithmetic, MonthsEndWhereTheMonthEnds) {
  const SessionSettings utc = AssumeUtcAndMdy(0);
  const auto add = [&utc](const char* timestamp, const char* interval) {
    ContextPtr cx = Bump::CreateRoot("test");
    const auto sum =
        TimestampAddInterval(*TimestampIn(timestamp, -1, utc), *IntervalIn(interval, -1, utc));
    return sum ? std::string(*TimestampOut(*sum, utc, *cx)) : sum.error().message;
  };
  EXPECT_EQ(add("2024-01-31", "1 mon"), "2024-02-29 00:00:00");
  EXPECT_EQ(add("2024-03-31", "-1 mon"), "2024-02-29 00:00:00");
  EXPECT_EQ(add("2024-01-31", "1 year 1 mon 1 day"), "2025-03-01 00:00:00");
  EXPECT_EQ(add("infinity", "1 day"), "infinity");
  EXPECT_EQ(add("294276-12-31", "1 day"), "timestamp out of range");
}

TEST(DateArithmetic, ATimeOfTheLastDayMayLieBeyondTheEnd) {
  const SessionSettings utc;
  const Date last = *DateIn("294276-12-31", utc);
  constexpr std::int64_t kMidnight = 24 * std::int64_t{3600} * kUsecsPerSec;
  Timestamp out;
  EXPECT_EQ(DateAddTime(last, kMidnight - 1, out), Fault::kNone);
  EXPECT_EQ(DateAddTime(last, kMidnight, out), Fault::kTimestampOutOfRange);
  EXPECT_EQ(DateAddTime(last + 1, 0, out), Fault::kDateOutOfRangeForTimestamp);
  EXPECT_EQ(DateAddTime(kDateInfinity, kMidnight, out), Fault::kNone);
  EXPECT_EQ(out, kTimestampInfinity);
}

TEST(DateArithmetic, NumbersThatAreNoTypmodAreErrors) {
  const auto timestamp = [](Timestamp value, std::int32_t typmod) {
    const auto out = TimestampCoerceChecked(value, typmod);
    return out ? "" : std::string(out.error().sqlstate) + " " + out.error().message;
  };
  EXPECT_EQ(timestamp(1, 7), "22023 timestamp(7) precision must be between 0 and 6");
  EXPECT_EQ(timestamp(1, -2), "22023 timestamp(-2) precision must be between 0 and 6");
  EXPECT_EQ(timestamp(1, -1), "");
  EXPECT_EQ(timestamp(kTimestampInfinity, 7), "");
  const auto interval = [](std::int32_t typmod) {
    const auto out = IntervalCoerce({1, 1, 1}, typmod);
    return out ? "" : std::string(out.error().sqlstate) + " " + out.error().message;
  };
  constexpr int kYear = 1 << 2, kMonth = 1 << 1, kDay = 1 << 3, kHour = 1 << 10, kSecond = 1 << 12;
  EXPECT_EQ(interval(5), "XX000 unrecognized interval typmod: 5");
  EXPECT_EQ(interval((kYear | kDay) << 16 | 0xffff), "XX000 unrecognized interval typmod: 851967");
  EXPECT_EQ(interval((kHour | kSecond) << 16 | 0xffff),
            "XX000 unrecognized interval typmod: 335609855");
  EXPECT_EQ(interval(0x7fff << 16 | 7), "22023 interval(7) precision must be between 0 and 6");
  EXPECT_EQ(interval((kYear | kMonth) << 16 | 0xffff), "");
  EXPECT_EQ(interval(kSecond << 16 | 6), "");
  EXPECT_EQ(interval(-7), "");
}

TEST(IntervalArithmetic, DaysAcrossAChangeOfTheClock) {
  SessionSettings berlin = AssumeUtcAndMdy(0);
  ASSERT_TRUE(SetSetting(berlin, "TimeZone", "Europe/Berlin"));
  const TimestampTz before = *TimestamptzIn("2024-03-30 12:00", -1, berlin);
  EXPECT_EQ(*TimestamptzAddInterval(before, *IntervalIn("1 day", -1, berlin), berlin) - before,
            23 * std::int64_t{3600} * kUsecsPerSec);
  EXPECT_EQ(*TimestamptzAddInterval(before, *IntervalIn("24 hours", -1, berlin), berlin) - before,
            24 * std::int64_t{3600} * kUsecsPerSec);
}

}  // namespace
}  // namespace relcache
