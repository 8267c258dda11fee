#include "relcache/types/internal/numeric.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>

namespace relcache {
namespace {

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

// -32768 is the least weight there is; without the zero before its digit it would be less.
TEST_F(NumericArithmetic, AStoredNumberWithoutANormalFormIsAnError) {
  const Datum bad = MakeVarlena(std::string_view("\x00\x40\x00\x80\x00\x00\x01\x00", 8), *cx_);
  EXPECT_FALSE(NumericNegate(bad, *cx_));
  EXPECT_FALSE(NumericAbs(bad, *cx_));
}

}  // namespace
}  // namespace relcache
