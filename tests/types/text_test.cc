#include "relcache/types/internal/text.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

TEST(CheckUtf8, KnowsWhatPostgresKnows) {
  struct Case {
    std::string_view bytes;
    const char* message;  // "" is valid
  };
  const Case cases[] = {
      {"", ""},
      {"plain ascii of more than eight bytes", ""},
      {"h\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", ""},
      {"\xf4\x8f\xbf\xbf", ""},
      {"\xed\x9f\xbf\xee\x80\x80", ""},
      {"12345678\xff", "0xff"},
      {"\xc0\x80", "0xc0 0x80"},
      {"\xc3", "0xc3"},
      {"\xc3(", "0xc3 0x28"},
      {"\xed\xa0\x80", "0xed 0xa0 0x80"},
      {"\xe0\x80\x80", "0xe0 0x80 0x80"},
      {"\xf4\x90\x80\x80", "0xf4 0x90 0x80 0x80"},
      {"\xf8\x88\x80\x80\x80", "0xf8"},
      {"\x80", "0x80"},
      {{"abcdefgh\0ijklmno", 16}, "0x00"},
  };
  for (const Case& c : cases) {
    const Status status = CheckUtf8(c.bytes);
    if (*c.message == '\0') {
      EXPECT_TRUE(status) << c.bytes;
      continue;
    }
    ASSERT_FALSE(status) << c.message;
    EXPECT_STREQ(status.error().sqlstate, "22021");
    EXPECT_EQ(status.error().message,
              "invalid byte sequence for encoding \"UTF8\": " + std::string(c.message));
  }
}

TEST(CharLength, CountsCharactersWhereverTheyLie) {
  for (int ascii = 0; ascii < 100; ++ascii) {
    const std::string before(static_cast<std::size_t>(ascii), 'x');
    const std::string text = before + "\xc3\xa4\xf0\x9f\x98\x80z";
    EXPECT_EQ(CharLength(before), ascii);
    EXPECT_EQ(CharLength(text), ascii + 3);
    EXPECT_EQ(CharLength(text + before + "\xc3\xa4"), 2 * ascii + 4);
    EXPECT_EQ(CharClip(text, static_cast<std::size_t>(ascii) + 1), text.size() - 5);
  }
  EXPECT_EQ(CharClip("\xe2\x82", 1), 2u);  // cut short: not past the end
}

TEST(TextLike, Matches) {
  struct Case {
    const char* text;
    const char* pattern;
    int result;  // 1, 0, or -1: an error
  };
  const Case cases[] = {
      {"abc", "abc", 1},
      {"abc", "a%", 1},
      {"abc", "%c", 1},
      {"abc", "_b_", 1},
      {"abc", "a_", 0},
      {"", "", 1},
      {"", "%", 1},
      {"", "_", 0},
      {"abc", "", 0},
      {"abc", "%%%", 1},
      {"abc", "%_%_%_%", 1},
      {"abc", "%____", 0},
      {"a%c", "a\\%c", 1},
      {"abc", "a\\%c", 0},
      {"\xc3\xa4", "_", 1},
      {"\xc3\xa4z", "_z", 1},
      {"abc", "abc\\", 0},
      {"abcd", "abc\\", -1},
      {"", "\\", 0},
      {"abc", "%\\", -1},
      {"aXbXc", "%X_", 1},
      {"mississippi", "%iss%ip%i", 1},
      {"mississippi", "%iss%ipx%", 0},
  };
  for (const Case& c : cases) {
    const auto result = TextLike(c.text, c.pattern);
    if (c.result < 0) {
      ASSERT_FALSE(result) << c.text << " " << c.pattern;
      EXPECT_STREQ(result.error().sqlstate, "22025");
    } else {
      ASSERT_TRUE(result);
      EXPECT_EQ(*result, c.result == 1) << c.text << " LIKE " << c.pattern;
    }
  }
}

TEST(TextLike, ManyPercentSignsCostNoMoreThanTextTimesPattern) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "%x";
  EXPECT_FALSE(*TextLike(std::string(10000, 'x') + "y", pattern));
}

TEST(TextTrim, TakesCharactersOfTheSet) {
  EXPECT_EQ(TextBtrim("  a b "), "a b");
  EXPECT_EQ(TextLtrim("  a "), "a ");
  EXPECT_EQ(TextRtrim(" a  "), " a");
  EXPECT_EQ(TextBtrim("xyaxy", "yx"), "a");
  EXPECT_EQ(TextBtrim("\xc3\xa4"
                      "a\xc3\xa4",
                      "\xc3\xa4"),
            "a");
  EXPECT_EQ(TextRtrim("a\xc3\xa4", "\xc3\xb6"), "a\xc3\xa4");
  EXPECT_EQ(TextBtrim("   "), "");
}

TEST(TextParts, CountCharacters) {
  EXPECT_EQ(*TextSubstring("h\xc3\xa4llo", 2, 2), "\xc3\xa4l");
  EXPECT_EQ(*TextSubstring("hello", -1, 4), "he");
  EXPECT_EQ(*TextSubstring("hello", 2147483647, 2147483647), "");
  EXPECT_STREQ(TextSubstring("hello", 1, -1).error().sqlstate, "22011");
  EXPECT_EQ(TextLeft("h\xc3\xa4llo", -2), "h\xc3\xa4l");
  EXPECT_EQ(TextRight("h\xc3\xa4llo", 4), "\xc3\xa4llo");
  EXPECT_EQ(TextRight("hello", -2147483647 - 1), "");
  EXPECT_EQ(TextPosition("h\xc3\xa4llo", "llo"), 3);
  EXPECT_EQ(TextPosition("hello", ""), 1);
  EXPECT_EQ(TextPosition("hello", "x"), 0);
}

TEST(BpcharTrim, LeavesOutTrailingBlanksOnly) {
  EXPECT_EQ(BpcharTrim(" a  "), " a");
  EXPECT_EQ(BpcharTrim("   "), "");
  EXPECT_EQ(BpcharCompare("a ", "a"), 0);
  EXPECT_LT(BpcharCompare("a", "a b"), 0);
}

TEST(BpcharCoerce, LengthsBeyondAnAllocationAreTheErrorThatPostgresRaises) {
  struct Case {
    const char* text;
    std::int32_t typmod;
    const char* error;
  };
  const Case cases[] = {
      {"a", 2147483647, "XX000 invalid memory alloc request size 2147483647"},
      {"", 2147483647, "XX000 invalid memory alloc request size 2147483647"},
      {"\xc3\xa4", 2147483647, "XX000 invalid memory alloc request size 18446744071562067968"},
      {"\xc3\xa4\xc3\xa4", 2147483646,
       "XX000 invalid memory alloc request size 18446744071562067968"},
      {"abc", 1073741824, "XX000 invalid memory alloc request size 1073741824"},
      {"\xc3\xa4", 1073741823, "XX000 invalid memory alloc request size 1073741824"},
      // PostgreSQL fills the memory.
      {"abc", 1073741823, "0A000 not supported: character padded with 1073741816 blanks"},
      {"abc", 10485767, ""},
      {"abc", -1, ""},
      {"abc", -2147483648, ""},
  };
  ContextPtr cx = AllocSet::CreateRoot("test");
  for (const Case& c : cases) {
    const Datum text = MakeVarlena(c.text, *cx);
    for (const bool is_explicit : {false, true}) {
      const auto value = BpcharCoerce(text, c.typmod, is_explicit, *cx);
      EXPECT_EQ(value ? "" : std::string(value.error().sqlstate) + " " + value.error().message,
                c.error)
          << c.typmod;
    }
  }
}

// The bytes of such an argument are never read: its length says enough.
TEST(TextConcat, ResultsBeyondAnAllocationAreTheErrorThatPostgresRaises) {
  ContextPtr cx = AllocSet::CreateRoot("test");
  const std::string_view half("x", 600000000);
  const auto value = TextConcat(half, half, *cx);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().sqlstate, std::string("XX000"));
  EXPECT_EQ(value.error().message, "invalid memory alloc request size 1200000004");
}

}  // namespace
}  // namespace relcache
