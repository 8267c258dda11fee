#include "relcache/types/type_ops.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

class TypeOpsTest : public ::testing::Test {
 protected:
  Datum Read(Oid type, const std::string& text) {
    const auto value = TypeInput(type, -1, text, AssumeUtcAndMdy(0), *cx_);
    EXPECT_TRUE(value) << text;
    return value.value_or(Datum{});
  }
  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_F(TypeOpsTest, OrderEachListOfValues) {
  // Ascending; values in one string, separated by |, are equal.
  struct Case {
    Oid type;
    std::vector<std::vector<std::string>> values;
  };
  const std::vector<Case> cases = {
      {kBoolOid, {{"f"}, {"t"}}},
      {kInt2Oid, {{"-32768"}, {"-1"}, {"0"}, {"32767"}}},
      {kInt4Oid, {{"-2147483648"}, {"0"}, {"2147483647"}}},
      {kInt8Oid, {{"-9223372036854775808"}, {"0"}, {"9223372036854775807"}}},
      {kOidOid, {{"0"}, {"2147483648"}, {"4294967295"}}},
      {kCharOid, {{""}, {"a"}, {"\\377"}}},
      {kFloat8Oid, {{"-Infinity"}, {"-1"}, {"0", "-0"}, {"1e308"}, {"Infinity"}, {"NaN", "-nan"}}},
      {kFloat4Oid, {{"-Infinity"}, {"0", "-0"}, {"Infinity"}, {"NaN"}}},
      {kNumericOid,
       {{"-Infinity"},
        {"-1e100"},
        {"-2"},
        {"-1.5", "-1.50"},
        {"0", "0.000"},
        {"1e-50"},
        {"0.1"},
        {"1", "1.0", "1.0000000"},
        {"10000", "1e4"},
        {"10000.0001"},
        {"1e1000"},
        {"Infinity"},
        {"NaN"}}},
      {kTextOid, {{""}, {"A"}, {"B"}, {"a"}, {"ab"}, {"\xc3\xa4"}}},
      {kVarcharOid, {{"a"}, {"a "}, {"b"}}},
      {kBpcharOid, {{"", "  "}, {"a", "a  "}, {"ab"}}},
      {kByteaOid, {{"\\x"}, {"\\x00"}, {"\\x0001"}, {"\\xff"}}},
      {kNameOid, {{"a"}, {"ab"}, {"b"}}},
      {kDateOid, {{"-infinity"}, {"0044-03-15 BC"}, {"2024-01-01"}, {"infinity"}}},
      {kTimestampOid,
       {{"-infinity"}, {"1999-12-31"}, {"2000-01-01", "2000-01-01 00:00"}, {"infinity"}}},
      {kTimestamptzOid, {{"2000-01-01 01:00+02", "1999-12-31 23:00Z"}, {"2000-01-01"}}},
      {kIntervalOid, {{"-1 mon"}, {"0"}, {"1 day", "24:00:00"}, {"1 mon", "30 days"}, {"31 days"}}},
      {kUuidOid,
       {{"00000000-0000-0000-0000-000000000000"}, {"ffffffff-ffff-ffff-ffff-ffffffffffff"}}},
  };
  for (const Case& c : cases) {
    const TypeOps* ops = FindTypeOps(c.type);
    ASSERT_NE(ops, nullptr) << FormatType(c.type);
    for (std::size_t i = 0; i < c.values.size(); ++i) {
      for (std::size_t j = 0; j < c.values.size(); ++j) {
        for (const std::string& a : c.values[i]) {
          for (const std::string& b : c.values[j]) {
            const Datum x = Read(c.type, a);
            const Datum y = Read(c.type, b);
            const int order = ops->compare(x, y);
            SCOPED_TRACE(FormatType(c.type) + " " + a + " with " + b);
            EXPECT_EQ(order < 0, i < j);
            EXPECT_EQ(order > 0, i > j);
            EXPECT_EQ(ops->equal(x, y), i == j);
            if (i == j) {
              EXPECT_EQ(ops->hash(x), ops->hash(y));
              EXPECT_EQ(ops->hash_extended(x, 42), ops->hash_extended(y, 42));
            }
            EXPECT_EQ(static_cast<std::uint32_t>(ops->hash_extended(x, 0)), ops->hash(x));
          }
        }
      }
    }
  }
}

TEST_F(TypeOpsTest, HashesAreThoseOfHashPartitions) {
  constexpr std::uint64_t kPartitionSeed = 0x7A5B22367996DCFD;
  const auto hash = [&](Oid type, const char* text) {
    return static_cast<std::int64_t>(
        FindTypeOps(type)->hash_extended(Read(type, text), kPartitionSeed));
  };
  EXPECT_EQ(hash(kInt4Oid, "1"), 5968994663651403477);
  EXPECT_EQ(hash(kInt4Oid, "0"), -4403592609991167795);
  EXPECT_EQ(hash(kTextOid, "abc"), 3628778498291917250);
  EXPECT_EQ(hash(kInt8Oid, "1"), hash(kInt4Oid, "1"));
  EXPECT_EQ(hash(kInt2Oid, "-1"), hash(kInt8Oid, "-1"));
  EXPECT_EQ(hash(kFloat4Oid, "1.5"), hash(kFloat8Oid, "1.5"));
}

TEST(TypeOps, UnknownTypesHaveNone) {
  EXPECT_EQ(FindTypeOps(600), nullptr);
  EXPECT_EQ(FindTypeOps(kInvalidOid), nullptr);
}

}  // namespace
}  // namespace relcache
