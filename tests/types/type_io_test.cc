#include "relcache/types/type_io.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

constexpr std::int32_t kVarHdr = 4;
constexpr std::int32_t NumericTypmod(int precision, int scale) {
  return ((precision << 16) | (scale & 0x7ff)) + kVarHdr;
}

// A text that reads to a value and prints as `out`; or, with an SQLSTATE, fails with the message.
struct Case {
  Oid type;
  std::int32_t typmod;
  const char* text;
  const char* out;
  const char* sqlstate = "";
  const char* detail = "";
};

const Case kCases[] = {
    {kBoolOid, -1, " TRUE ", "t"},
    {kBoolOid, -1, "of", "f"},
    {kBoolOid, -1, "o", "invalid input syntax for type boolean: \"o\"", "22P02"},
    {kInt2Oid, -1, "-32768", "-32768"},
    {kInt2Oid, -1, "99999", "value \"99999\" is out of range for type smallint", "22003"},
    {kInt2Oid, -1, "99999x", "value \"99999x\" is out of range for type smallint", "22003"},
    {kInt4Oid, -1, "\t+7 ", "7"},
    {kInt4Oid, -1, "x", "invalid input syntax for type integer: \"x\"", "22P02"},
    {kInt8Oid, -1, "9223372036854775808",
     "value \"9223372036854775808\" is out of range for type bigint", "22003"},
    {kOidOid, -1, "-1", "4294967295"},
    {kFloat8Oid, -1, "1e23", "9.999999999999999e+22"},
    {kFloat8Oid, -1, "0.1", "0.1"},
    {kFloat8Oid, -1, "1e15", "1e+15"},
    {kFloat8Oid, -1, "-0", "-0"},
    {kFloat8Oid, -1, "inf", "Infinity"},
    {kFloat8Oid, -1, "1e400", "\"1e400\" is out of range for type double precision", "22003"},
    {kFloat4Oid, -1, "16777217", "1.6777216e+07"},
    {kTextOid, -1, "h\xc3\xa4", "h\xc3\xa4"},
    {kVarcharOid, 5 + kVarHdr, "abcde  ", "abcde"},
    {kVarcharOid, 5 + kVarHdr, "abcdef", "value too long for type character varying(5)", "22001"},
    {kVarcharOid, 2 + kVarHdr, "\xc3\xa4\xc3\xa4", "\xc3\xa4\xc3\xa4"},
    {kBpcharOid, 3 + kVarHdr, "a", "a  "},
    {kBpcharOid, 3 + kVarHdr, "abcd", "value too long for type character(3)", "22001"},
    {kCharOid, -1, "\\101", "A"},
    {kByteaOid, -1, "\\x0aFF", "\\x0aff"},
    {kByteaOid, -1, "\\xa", "invalid hexadecimal data: odd number of digits", "22023"},
    {kByteaOid, -1, "\\9", "invalid input syntax for type bytea", "22P02"},
    {kUuidOid, -1, "{A0EEBC999C0B4EF8BB6D6BB9BD380A11}", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
    {kNumericOid, -1, "-00012.3400e-1", "-1.23400"},
    {kNumericOid, -1, "nan", "NaN"},
    {kNumericOid, NumericTypmod(5, 2), "9.996", "10.00"},
    {kNumericOid, NumericTypmod(5, 2), "999.995", "numeric field overflow", "22003",
     "A field with precision 5, scale 2 must round to an absolute value less than 10^3."},
    {kNumericOid, NumericTypmod(3, -1), "95", "100"},
    {kNumericOid, NumericTypmod(5, 2), "Infinity", "numeric field overflow", "22003",
     "A field with precision 5, scale 2 cannot hold an infinite value."},
    {kNumericOid, -1, "1e131072", "value overflows numeric format", "22003"},
    {kDateOid, -1, "January 8, 99 BC", "0099-01-08 BC"},
    {kDateOid, -1, "2023-02-29", "date/time field value out of range: \"2023-02-29\"", "22008"},
    {kDateOid, -1, "5874898-01-01", "date out of range: \"5874898-01-01\"", "22008"},
    {kDateOid, -1, "x", "invalid input syntax for type date: \"x\"", "22007"},
    {kTimestampOid, 2, "2024-01-02 03:04:05.678", "2024-01-02 03:04:05.68"},
    {kTimestampOid, -1, "epoch", "1970-01-01 00:00:00"},
    {kTimestampOid, -1, "294277-01-01", "timestamp out of range: \"294277-01-01\"", "22008"},
    {kTimestamptzOid, -1, "2024-01-02 03:04 America/New_York", "2024-01-02 08:04:00+00"},
    {kTimestamptzOid, -1, "2024-01-02 03:04+16",
     "time zone displacement out of range: \"2024-01-02 03:04+16\"", "22009"},
    {kTimestamptzOid, -1, "2024-01-02 03:04 Nowhere/City",
     "time zone \"nowhere/city\" not recognized", "22023"},
    {kTimestamptzOid, -1, "-infinity", "-infinity"},
    {kIntervalOid, -1, "1 year -2 mons 04:05", "10 mons 04:05:00"},
    {kIntervalOid, -1, "P1Y2M3DT4H", "1 year 2 mons 3 days 04:00:00"},
    {kIntervalOid, -1, "2147483648 days", "interval field value out of range: \"2147483648 days\"",
     "22015"},
};

TEST(TypeIo, KnownTextsReadAndPrint) {
  ContextPtr cx = Bump::CreateRoot("test");
  const SessionSettings settings = AssumeUtcAndMdy(0);
  for (const Case& c : kCases) {
    SCOPED_TRACE(FormatType(c.type, c.typmod) + " " + c.text);
    const auto value = TypeInput(c.type, c.typmod, c.text, settings, *cx);
    if (*c.sqlstate != '\0') {
      ASSERT_FALSE(value);
      EXPECT_STREQ(value.error().sqlstate, c.sqlstate);
      EXPECT_EQ(value.error().message, c.out);
      EXPECT_EQ(value.error().detail, c.detail);
      continue;
    }
    ASSERT_TRUE(value) << value.error().ToString();
    const auto text = TypeOutput(c.type, *value, settings, *cx);
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, c.out);
    // What is printed reads back to an equal text.
    const auto again = TypeInput(c.type, c.typmod, *text, settings, *cx);
    ASSERT_TRUE(again) << again.error().ToString();
    EXPECT_EQ(*TypeOutput(c.type, *again, settings, *cx), *text);
  }
}

TEST(TypeIo, NowAndItsDaysComeFromTheSettings) {
  ContextPtr cx = Bump::CreateRoot("test");
  SessionSettings settings = AssumeUtcAndMdy(0);
  ASSERT_TRUE(SetSetting(settings, "TimeZone", "Asia/Tokyo"));
  settings.now = *TimestamptzIn("2024-02-28 20:00:00.5+00", -1, settings);
  const auto print = [&](Oid type, const char* text) {
    return std::string(*TypeOutput(type, *TypeInput(type, -1, text, settings, *cx), settings, *cx));
  };
  EXPECT_EQ(print(kTimestamptzOid, "now"), "2024-02-29 05:00:00.5+09");
  EXPECT_EQ(print(kDateOid, "today"), "2024-02-29");
  EXPECT_EQ(print(kDateOid, "tomorrow"), "2024-03-01");
  EXPECT_EQ(print(kTimestampOid, "yesterday 12:30"), "2024-02-28 12:30:00");
  EXPECT_EQ(print(kTimestamptzOid, "2024-07-01 allballs"), "2024-07-01 09:00:00+09");
}

TEST(TypeIo, TypesWithoutInputAreRefusedByName) {
  ContextPtr cx = Bump::CreateRoot("test");
  const SessionSettings settings = AssumeUtcAndMdy(0);
  const auto point = TypeInput(600, -1, "(1,2)", settings, *cx);
  ASSERT_FALSE(point);
  EXPECT_EQ(point.error().code, ErrorCode::kNotSupported);
  EXPECT_EQ(point.error().message, "not supported: input of type point");
  EXPECT_EQ(TypeOutput(16999, Datum{}, settings, *cx).error().message,
            "not supported: output of type oid 16999");
  EXPECT_FALSE(HasInput(600));
  EXPECT_TRUE(HasInput(kNumericOid));
}

TEST(TypeIo, NulInTextIsRefused) {
  ContextPtr cx = Bump::CreateRoot("test");
  const auto value = TypeInput(kTextOid, -1, {"a\0b", 3}, AssumeUtcAndMdy(0), *cx);
  ASSERT_FALSE(value);
  EXPECT_STREQ(value.error().sqlstate, "22021");
}

TEST(TypeIo, ExplicitCastsCutAndAssignmentsRefuse) {
  ContextPtr cx = Bump::CreateRoot("test");
  const Datum text = MakeVarlena("abcdef", *cx);
  EXPECT_EQ(VarData(*ApplyTypmod(kVarcharOid, 3 + kVarHdr, text, true, *cx)), "abc");
  EXPECT_FALSE(ApplyTypmod(kVarcharOid, 3 + kVarHdr, text, false, *cx));
  EXPECT_EQ(VarData(*ApplyTypmod(kBpcharOid, 8 + kVarHdr, text, false, *cx)), "abcdef  ");
  EXPECT_EQ(*ApplyTypmod(kVarcharOid, -1, text, false, *cx), text);
  EXPECT_EQ(*ApplyTypmod(kVarcharOid, 6 + kVarHdr, text, false, *cx), text);
}

TEST(TypeIo, AnyBytesGiveAValueOrAnError) {
  std::mt19937 random(7);
  const std::string alphabet = "0123456789-+:./,eEPTYMDHSZ infant\\x\xc3\xa4{}@\x80\xff";
  SessionSettings settings = AssumeUtcAndMdy(0);
  ASSERT_TRUE(SetSetting(settings, "TimeZone", "America/New_York"));
  int values = 0;
  for (int i = 0; i < 20000; ++i) {
    ContextPtr cx = Bump::CreateRoot("test");
    std::string text(random() % 40, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    for (const TypeInfo& type : TypeInfos()) {
      if (!HasInput(type.oid)) continue;
      const auto value = TypeInput(type.oid, -1, text, settings, *cx);
      if (!value) {
        EXPECT_FALSE(value.error().message.empty());
        continue;
      }
      EXPECT_TRUE(TypeOutput(type.oid, *value, settings, *cx)) << type.typname << " " << text;
      ++values;
    }
  }
  EXPECT_GT(values, 20000);
}

TEST(TypeIo, TextsBeyondTheLimitAreErrors) {
  // Pages that nobody writes to cost nothing: the text must be refused before it is made.
  constexpr std::size_t kSize = 600'000'000;
  const std::unique_ptr<void, decltype(&std::free)> bytes(std::calloc(kSize, 1), &std::free);
  ASSERT_NE(bytes, nullptr);
  const auto header = static_cast<std::uint32_t>(kSize << 2);
  std::memcpy(bytes.get(), &header, sizeof header);
  const ContextPtr cx = AllocSet::CreateRoot("test");
  const auto text = TypeOutput(kByteaOid, PointerGetDatum(bytes.get()), AssumeUtcAndMdy(0), *cx);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kLimit);
  EXPECT_STREQ(text.error().sqlstate, "XX000");
  EXPECT_EQ(text.error().message, "invalid memory alloc request size");
}

}  // namespace
}  // namespace relcache
