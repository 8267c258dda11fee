#include "relcache/types/internal/bytea.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

class Bytea : public testing::Test {
 protected:
  std::string Shown(const char* text, ByteaOutput form) {
    const auto value = ByteaIn(text, *cx_);
    return value ? std::string(ByteaOut(VarData(*value), form, *cx_))
                 : value.error().sqlstate + (" " + value.error().message);
  }
  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_F(Bytea, BothFormsInAndOut) {
  // set bytea_output = ...; select bytea 'text'
  struct Case {
    const char *text, *hex, *escape;
  };
  constexpr Case kCases[] = {
      {"\\xDE ad00", "\\xdead00", "\\336\\255\\000"},
      {"\\x", "\\x", ""},
      {"a\\\\b\\000\\377", "\\x615c6200ff", "a\\\\b\\000\\377"},
      {" ~", "\\x207e", " ~"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Shown(c.text, ByteaOutput::kHex), c.hex) << c.text;
    EXPECT_EQ(Shown(c.text, ByteaOutput::kEscape), c.escape) << c.text;
  }
}

TEST_F(Bytea, ErrorsAreThoseOfPostgres) {
  struct Case {
    const char *text, *error;
  };
  constexpr Case kCases[] = {
      {"\\xabc", "22023 invalid hexadecimal data: odd number of digits"},
      {"\\xzz", "22023 invalid hexadecimal digit: \"z\""},
      {"\\400", "22P02 invalid input syntax for type bytea"},
      {"\\\\\\", "22P02 invalid input syntax for type bytea"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Shown(c.text, ByteaOutput::kHex), c.error) << c.text;
}

TEST_F(Bytea, ASubstringMayBeginBeforeTheFirstByte) {
  EXPECT_EQ(*ByteaSubstring("abcdef", 2, 3), "bcd");
  EXPECT_EQ(*ByteaSubstring("abc", -1, 3), "a");
  EXPECT_EQ(*ByteaSubstring("abc", 5, 1), "");
  EXPECT_EQ(*ByteaSubstring("abc", 2147483647, 2147483647), "");
  EXPECT_EQ(ByteaSubstring("abc", 1, -1).error().message, "negative substring length not allowed");
}

TEST_F(Bytea, BytesAreUnsignedInOrder) {
  EXPECT_LT(ByteaCompare("a", "\xff"), 0);
  EXPECT_LT(ByteaCompare("a", "ab"), 0);
  EXPECT_EQ(ByteaCompare("", ""), 0);
}

}  // namespace
}  // namespace relcache
