// Texts made from texts; tests/data/expression_cases.jsonl has what servers say of them.
#include "relcache/types/internal/text_edit.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

class TextEditTest : public ::testing::Test {
 protected:
  std::string Sqlstate(const Result<std::string_view>& result) {
    return result ? "value " + std::string(*result) : std::string(result.error().sqlstate);
  }
  ContextPtr cx_ = AllocSet::CreateRoot("test");
};

TEST_F(TextEditTest, PartsAreReplacedFromTheLeft) {
  EXPECT_EQ(TextReplace("aaa", "aa", "b", *cx_), "ba");
  EXPECT_EQ(TextReplace("abcb", "b", "", *cx_), "ac");
  EXPECT_EQ(TextReplace("abc", "", "x", *cx_), "abc");
  EXPECT_EQ(TextReplace("", "a", "x", *cx_), "");
  EXPECT_EQ(TextTranslate("12345", "143", "ax", *cx_), "a2x5");
  EXPECT_EQ(TextTranslate("aba", "aa", "xy", *cx_), "xbx");
  EXPECT_EQ(TextTranslate("é日", "日é", "a𐐀", *cx_), "𐐀a");
}

TEST_F(TextEditTest, PartsAreCountedFromEitherEnd) {
  EXPECT_EQ(*TextSplitPart("a,b,c", ",", -1), "c");
  EXPECT_EQ(*TextSplitPart("a,b,c", ",", -3), "a");
  EXPECT_EQ(*TextSplitPart("a,b,c", ",", -4), "");
  EXPECT_EQ(*TextSplitPart("aaa", "aa", -1), "a");
  EXPECT_EQ(*TextSplitPart("a", ",", INT32_MIN), "");
  EXPECT_EQ(*TextSplitPart("a", ",", INT32_MAX), "");
  EXPECT_EQ(Sqlstate(TextSplitPart("a", ",", 0)), "22023");
  EXPECT_EQ(Sqlstate(TextSplitPart13("a", ",", -1)), "22023");
}

TEST_F(TextEditTest, LengthsAreInCharactersAndHaveAnEnd) {
  EXPECT_EQ(*TextLpad("é", 3, "日", *cx_), "日日é");
  EXPECT_EQ(*TextRpad("é日a", 2, "x", *cx_), "é日");
  EXPECT_EQ(*TextRpad("a", INT32_MAX, "", *cx_), "a");
  EXPECT_EQ(*TextLpad("a", INT32_MIN, "x", *cx_), "");
  EXPECT_EQ(Sqlstate(TextLpad("a", 268435455, "x", *cx_)), "54000");
  EXPECT_EQ(Sqlstate(TextRepeat("ab", 600'000'000, *cx_)), "54000");
  EXPECT_EQ(Sqlstate(TextRepeat14("ab", 600'000'000, *cx_)), "XX000");
  EXPECT_EQ(Sqlstate(TextRepeat14("ab", INT32_MAX, *cx_)), "54000");
  EXPECT_EQ(TextLpad14("a", 536870911, "x", *cx_).error().message,
            "invalid memory alloc request size 18446744071562067968");
  EXPECT_EQ(Sqlstate(TextRpad14("a", 536870912, "x", *cx_)), "54000");
  EXPECT_EQ(*TextRepeat("", INT32_MAX, *cx_), "");
  EXPECT_EQ(*TextOverlay("abcdef", "XX", 3, -1, *cx_), "abXXbcdef");
  EXPECT_EQ(Sqlstate(TextOverlay("abc", "X", 2, INT32_MAX, *cx_)), "22003");
  EXPECT_EQ(Sqlstate(TextOverlay("abc", "X", 0, 1, *cx_)), "22011");
  EXPECT_EQ(TextReverse("aé日𐐀", *cx_), "𐐀日éa");
  EXPECT_EQ(TextAscii("日a"), 26085);
  EXPECT_EQ(TextAscii(""), 0);
  EXPECT_EQ(ToHex(~std::uint64_t{0}, *cx_), "ffffffffffffffff");
}

}  // namespace
}  // namespace relcache
