#include "relcache/tools/json_line.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace relcache::tools {
namespace {

TEST(JsonLineTest, MembersStandInTheOrderTheyWereAddedIn) {
  JsonLine line;
  line.String("z", "a \"b\"\n");
  line.Bool("yes", true);
  line.Object("within", [&] {
    line.Integer("n", 1);
    line.Object("empty", [] {});
  });
  line.FixedArray("list", {}, 3);
  line.Bool("no", false);
  EXPECT_EQ(line.Finish(),
            "{\"z\":\"a \\\"b\\\"\\n\",\"yes\":true,\"within\":{\"n\":1,\"empty\":{}},\"list\":[],"
            "\"no\":false}\n");
}

TEST(JsonLineTest, IntegersOfAnyTypeAreWrittenWhole) {
  JsonLine line;
  line.Integer("least", std::numeric_limits<std::int64_t>::min());
  line.Integer("most", std::numeric_limits<std::uint64_t>::max());
  line.Integer("int", -7);
  line.Integer("short", std::int16_t{-32768});
  EXPECT_EQ(line.Finish(),
            "{\"least\":-9223372036854775808,\"most\":18446744073709551615,\"int\":-7,"
            "\"short\":-32768}\n");
}

TEST(JsonLineTest, AFixedNumberReadsAsPrintfWritesIt) {
  const double values[] = {0.0,    -0.0,     1.5,    0.0005,    0.00049999, 2.5,
                           3.5,    -0.125,   1e-300, 1234.5678, 1e22,       123456789012345678.0,
                           9.9995, 0.1 + 0.2};
  for (const double value : values) {
    for (const int digits : {0, 1, 3, 4, 6}) {
      char expected[400];
      std::snprintf(expected, sizeof expected, "{\"v\":%.*f}\n", digits, value);
      JsonLine line;
      line.Fixed("v", value, digits);
      EXPECT_EQ(line.Finish(), expected);
    }
  }
  JsonLine largest;
  largest.Fixed("v", std::numeric_limits<double>::max(), 6);
  EXPECT_EQ(largest.Finish().size(), std::string_view("{\"v\":.000000}\n").size() + 309);
}

TEST(JsonLineTest, WhatIsNoNumberIsNull) {
  JsonLine line;
  line.Fixed("absent", std::nullopt, 4);
  line.Fixed("nan", std::numeric_limits<double>::quiet_NaN(), 4);
  line.Fixed("infinite", -std::numeric_limits<double>::infinity(), 4);
  const double values[] = {0.5, std::numeric_limits<double>::infinity()};
  line.FixedArray("list", values, 6);
  EXPECT_EQ(line.Finish(),
            "{\"absent\":null,\"nan\":null,\"infinite\":null,\"list\":[0.500000,null]}\n");
}

}  // namespace
}  // namespace relcache::tools
