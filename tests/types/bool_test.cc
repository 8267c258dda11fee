#include "relcache/types/internal/bool.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(Bool, UniquePrefixesInAnyCase) {
  // select bool 'text'
  for (const char* text : {" TRUE ", "t", "ye", "Y", "on", "1"}) {
    ASSERT_TRUE(BoolIn(text)) << text;
    EXPECT_TRUE(DatumGetBool(*BoolIn(text))) << text;
  }
  for (const char* text : {"f", "FALS", "of", "off", "n", "no", "0\n"}) {
    ASSERT_TRUE(BoolIn(text)) << text;
    EXPECT_FALSE(DatumGetBool(*BoolIn(text))) << text;
  }
  for (const char* text : {"o", "truee", "", "01", "t f"}) {
    const auto value = BoolIn(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().message,
              "invalid input syntax for type boolean: \"" + std::string(text) + "\"");
    EXPECT_STREQ(value.error().sqlstate, "22P02");
  }
  EXPECT_EQ(BoolOut(true), "t");
  EXPECT_EQ(BoolOut(false), "f");
  bool value;
  EXPECT_FALSE(ParseBool(" t", &value)) << "white space is the input function's";
}

}  // namespace
}  // namespace relcache
