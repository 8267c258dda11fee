#include "relcache/copy/internal/column_input.h"

#include <gtest/gtest.h>

#include <random>

#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache::internal {
namespace {

std::string_view BytesOf(Datum numeric) {
  return VarData(numeric);
}

TEST(ColumnInputTest, NumbersThatAreReadFastAreThoseOfTheInputFunction) {
  std::mt19937_64 random(11);
  const ContextPtr cx = AllocSet::CreateRoot("column input test");
  int fast = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string text = random() % 3 == 0 ? "-" : "";
    const std::size_t whole = random() % 12, places = random() % 9;
    for (std::size_t i = 0; i < whole; ++i)
      text += static_cast<char>('0' + (random() % 2 == 0 ? 0 : random() % 10));
    if (random() % 3 != 0) {
      text += '.';
      for (std::size_t i = 0; i < places; ++i)
        text += static_cast<char>('0' + (random() % 2 == 0 ? 0 : random() % 10));
    }
    if (random() % 50 == 0) text += "e1"[random() % 2];
    const int precision = 1 + static_cast<int>(random() % 14);
    const int scale = static_cast<int>(random() % 10) - 2;
    const std::int32_t typmod = random() % 2 == 0 ? -1 : ((precision << 16) | (scale & 0x7ff)) + 4;
    Datum got{};
    cx->Reset();
    if (!FastNumeric(text, typmod, *cx, got)) continue;
    ++fast;
    const auto expected = TypeInput(kNumericOid, typmod, text, SessionSettings(), *cx);
    ASSERT_TRUE(expected) << text << " typmod " << typmod << " " << expected.error().message;
    EXPECT_EQ(BytesOf(got), BytesOf(*expected)) << text << " typmod " << typmod;
    std::int64_t integer = 0;
    if (FastInteger(text, integer)) {
      const auto slow = TypeInput(kInt8Oid, -1, text, SessionSettings(), *cx);
      ASSERT_TRUE(slow) << text;
      EXPECT_EQ(integer, DatumGetInt64(*slow));
    }
  }
  EXPECT_GT(fast, 50'000);
}

TEST(ColumnInputTest, OtherFormsOfIntegersAreLeftToTheInputFunction) {
  std::int64_t value = 0;
  for (const char* text :
       {"", "-", "+1", " 1", "1 ", "0x1", "1_0", "1234567890123456789", "a", "1a"})
    EXPECT_FALSE(FastInteger(text, value)) << text;
}

}  // namespace
}  // namespace relcache::internal
