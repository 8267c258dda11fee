#include "relcache/base/internal/format.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace relcache {
namespace {

TEST(FormatTest, ValuesStandWhereTheBracesAre) {
  const std::string_view name("t\0u", 3);
  EXPECT_EQ(Format("{}.{} has {} of {{}}", "public", std::string("t"), 3), "public.t has 3 of {}");
  EXPECT_EQ(Format("\"{}\"", name), std::string("\"t\0u\"", 5));
  EXPECT_EQ(Format("nothing"), "nothing");
}

TEST(FormatTest, IntegersAreNumbersWhateverTheirWidth) {
  EXPECT_EQ(Format("{} {} {} {}", std::int16_t{-32768}, std::uint8_t{65}, UINT64_MAX, INT64_MIN),
            "-32768 65 18446744073709551615 -9223372036854775808");
  EXPECT_EQ(Format("{}{}", 'k', std::size_t{7}), "k7");
}

TEST(FormatTest, DigitsAfterThePointAreThoseThatWereAskedFor) {
  EXPECT_EQ(Format("{:.3f} {:.1f} %", 0.0005, 12.25), "0.001 12.2 %");
}

TEST(FormatTest, ALongTextIsWhole) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(Format("<{}>", text), "<" + text + ">");
}

}  // namespace
}  // namespace relcache
