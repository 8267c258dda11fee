// What the JSON library makes of numbers, of hostile texts, and of memory that runs out.
#include "relcache/nodes/internal/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <string>

#include "relcache/tests/failing_allocator.h"

namespace relcache {
namespace {

using ::testing::HasSubstr;

class JsonTextTest : public ::testing::Test {
 protected:
  const ContextPtr cx_ = AllocSet::CreateRoot("test");
};

TEST_F(JsonTextTest, NumbersAreTheNearestDouble) {
  const struct {
    const char* text;
    double value;
  } numbers[] = {
      {"0e-64", 0},
      {"0e-30", 0},
      {"0.000e-40", 0},
      {"-0e-5", -0.0},
      {"-0", -0.0},
      {"-0.0", -0.0},
      {"0.0e5", 0},
      {"0e0", 0},
      {"0E-99999999999", 0},
      {"1e-5", 1e-5},
      {"1E+5", 1e5},
      {"0.1", 0.1},
      {"-1.5", -1.5},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"4.9e-324", 4.9e-324},
      {"-4.9e-324", -4.9e-324},
      {"123456789012345678901234567890", 123456789012345678901234567890.0},
      {"18446744073709551616", 18446744073709551616.0},
      {"-9223372036854775809", -9223372036854775808.0},
      {"9007199254740993.0", 9007199254740992.0},
      {"9007199254740993.00000000000000000000000000001", 9007199254740994.0},
      {"0.1000000000000000055511151231257827021181583404541015625", 0.1},
      {"8.442911973260991817129021e-309", 8.442911973260991817129021e-309},
  };
  for (const auto& number : numbers) {
    json::Document document(*cx_);
    const Status status = document.Parse(number.text);
    ASSERT_TRUE(status) << number.text << ": " << status.error().ToString();
    ASSERT_TRUE(document.root().IsDouble()) << number.text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(document.root().GetDouble()),
              std::bit_cast<std::uint64_t>(number.value))
        << number.text << " gives " << document.root().GetDouble();
  }
  const std::string digits(300, '7');
  json::Document document(*cx_);
  ASSERT_TRUE(document.Parse("[" + digits + ",0." + digits + digits + ",0." +
                             std::string(400, '0') + "7e401]"));
  EXPECT_EQ(document.root()[0].GetDouble(), std::strtod(digits.c_str(), nullptr));
  EXPECT_EQ(document.root()[1].GetDouble(), 7.0 / 9);
  EXPECT_EQ(document.root()[2].GetDouble(), 7.0);
}

TEST_F(JsonTextTest, IntegersAreExactInSixtyFourBits) {
  json::Document document(*cx_);
  ASSERT_TRUE(document.Parse(
      "[0,7,-7,2147483648,9007199254740993,9223372036854775807,-9223372036854775808]"));
  const std::int64_t expected[] = {0, 7, -7, 2147483648, 9007199254740993, INT64_MAX, INT64_MIN};
  ASSERT_EQ(document.root().Size(), std::size(expected));
  for (rapidjson::SizeType i = 0; i < std::size(expected); ++i) {
    ASSERT_TRUE(document.root()[i].IsInt64()) << expected[i];
    EXPECT_EQ(document.root()[i].GetInt64(), expected[i]);
  }
  json::Document large(*cx_);
  ASSERT_TRUE(large.Parse("18446744073709551615"));
  EXPECT_FALSE(large.root().IsInt64());
  ASSERT_TRUE(large.root().IsUint64());
  EXPECT_EQ(large.root().GetUint64(), UINT64_MAX);
}

TEST_F(JsonTextTest, WhatIsNoTextOfOneValueIsRefusedWithItsOffset) {
  using namespace std::string_view_literals;
  const struct {
    std::string_view text;
    std::size_t offset;
    const char* sqlstate;
    const char* says;
  } refusals[] = {
      {"", 0, "22P02", "empty"},
      {"[1,]", 3, "22P02", "Invalid value"},
      {"[1] x", 4, "22P02", "must not be followed"},
      {"[1]\0"sv, 3, "22P02", "must not be followed"},
      {"[1]\0[2]"sv, 3, "22P02", "must not be followed"},
      {"[\"\xff\"]", 2, "22P02", "Invalid encoding"},
      {"[1, 1e400]", 4, "22003", "out of range for type double precision"},
      {"[1, 1e-400]", 4, "22003", "out of range for type double precision"},
      {"-1e400", 0, "22003", "out of range for type double precision"},
      {"[1e]", 3, "22P02", "exponent"},
      {"[01]", 2, "22P02", "comma"},
      {"[+1]", 1, "22P02", "Invalid value"},
      {"[.5]", 1, "22P02", "Invalid value"},
      {"[1.]", 3, "22P02", "fraction"},
      {"[NaN]", 1, "22P02", "Invalid value"},
      {"[[[]]]", 2, "54001", "nested more than 2 deep"},
      {"[{\"a\":{}}]", 6, "54001", "nested more than 2 deep"},
  };
  for (const auto& r : refusals) {
    json::Document document(*cx_);
    const Status status = document.Parse(r.text, 2);
    ASSERT_FALSE(status) << r.text;
    EXPECT_EQ(status.error().offset, r.offset) << r.text;
    EXPECT_STREQ(status.error().sqlstate, r.sqlstate) << r.text;
    EXPECT_THAT(status.error().message, HasSubstr(r.says)) << r.text;
  }
  const std::string huge(400, '9');
  json::Document document(*cx_);
  EXPECT_STREQ(document.Parse(huge).error().sqlstate, "22003");
}

TEST_F(JsonTextTest, ItsMemoryGoesWithIt) {
  {
    json::Document document(*cx_);
    ASSERT_TRUE(
        document.Parse("[" + std::string(100'000, ' ') + "\"" + std::string(50'000, 'x') + "\"]"));
    EXPECT_GT(cx_->total_bytes_reserved(), 50'000u);
  }
  EXPECT_TRUE(cx_->IsLeaf());
  EXPECT_TRUE(cx_->IsUnused());
}

TEST_F(JsonTextTest, AContextsLimitBoundsIt) {
  cx_->SetLimit(1 << 20);
  json::Document document(*cx_);
  EXPECT_THROW(std::ignore = document.Parse("[" + std::string(1'000'000, '[')),
               ContextLimitExceeded);
}

TEST_F(JsonTextTest, EveryAllocationMayFail) {
  // Values of each kind, long enough that both stacks grow, in contexts of both kinds.
  std::string text = "[\"" + std::string(3000, 'a') + "\", null, 1.5, {\"a key of some length\": ";
  text += "[" + std::string(500, '[') + std::string(500, ']');
  for (int i = 0; i < 300; ++i) text += ",12345";
  text += "]}]";
  for (const bool bump : {false, true}) {
    const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
      const ContextPtr cx = bump ? Bump::CreateRoot("json") : AllocSet::CreateRoot("json");
      json::Document document(*cx);
      ASSERT_TRUE(document.Parse(text));
      EXPECT_EQ(document.root()[3]["a key of some length"].Size(), 301u);
    });
    EXPECT_GT(failures, 500u);
  }
}

TEST_F(JsonTextTest, TheAllocatorGrowsInContextsOfBothKinds) {
  for (const bool bump : {false, true}) {
    const ContextPtr cx = bump ? Bump::CreateRoot("json") : AllocSet::CreateRoot("json");
    json::ContextAllocator allocator(*cx);
    EXPECT_EQ(allocator.Malloc(0), nullptr);
    auto* bytes = static_cast<char*>(allocator.Realloc(nullptr, 0, 3));
    std::memcpy(bytes, "abc", 3);
    bytes = static_cast<char*>(allocator.Realloc(bytes, 3, 100'000));
    EXPECT_EQ(std::string_view(bytes, 3), "abc");
    bytes[99'999] = 'z';
    json::ContextAllocator::Free(bytes);
  }
}

}  // namespace
}  // namespace relcache
