#include "relcache/types/internal/json.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

TEST(Json, IsTheTextItself) {
  const ContextPtr cx = Bump::CreateRoot("test");
  const char* const text = " {\"a\": [1, 2.5e3, true, null, \"x\\u00e9\"]} ";
  const auto value = JsonIn(text, *cx);
  ASSERT_TRUE(value);
  EXPECT_EQ(VarData(*value), text);
}

TEST(Json, WhatIsNoneIsRefusedInPostgressWords) {
  // select json 'text'
  struct Case {
    const char *text, *detail;
  };
  constexpr Case kCases[] = {
      {"{\"a\":1,}", "Expected string, but found \"}\"."},
      {"[1,2", "The input string ended unexpectedly."},
      {"tru", "Token \"tru\" is invalid."},
      {"01", "Token \"01\" is invalid."},
      {"\"a", "Token \"\"a\" is invalid."},
      {"{a:1}", "Token \"a\" is invalid."},
      {"", "The input string ended unexpectedly."},
  };
  const ContextPtr cx = Bump::CreateRoot("test");
  for (const Case& c : kCases) {
    const auto value = JsonIn(c.text, *cx);
    ASSERT_FALSE(value) << c.text;
    EXPECT_STREQ(value.error().sqlstate, "22P02") << c.text;
    EXPECT_EQ(value.error().message, "invalid input syntax for type json") << c.text;
    EXPECT_EQ(value.error().detail, c.detail) << c.text;
  }
}

// The parts of a text in one line.
class Recorder final : public JsonHandler {
 public:
  Status ObjectStart() override { return Note("{"); }
  Status ObjectEnd() override { return Note("}"); }
  Status ArrayStart() override { return Note("["); }
  Status ArrayEnd() override { return Note("]"); }
  Status Key(std::string_view key) override { return Note(std::string(key) + ":"); }
  Status String(std::string_view text) override { return Note("'" + std::string(text) + "'"); }
  Status Number(std::string_view text) override { return Note(text); }
  Status Bool(bool value) override { return Note(value ? "true" : "false"); }
  Status Null() override { return Note("null"); }
  std::string seen;

 private:
  Status Note(std::string_view part) {
    seen.append(part).append(" ");
    return {};
  }
};

TEST(Json, AHandlerIsGivenThePartsInOrderWithoutEscapes) {
  Recorder recorder;
  ASSERT_TRUE(ParseJson("{\"a\\n\":[1,-2.50,\"\\u00e9\\\"\",true,null],\"b\":{}}", &recorder));
  EXPECT_EQ(recorder.seen, "{ a\n: [ 1 -2.50 '\xc3\xa9\"' true null ] b: { } } ");
}

TEST(Json, StringsAreWrittenAsPostgresWritesThem) {
  std::string out;
  AppendJsonString(out, "a\"b\\c\n\t\x01/\xc3\xa9");
  EXPECT_EQ(out, "\"a\\\"b\\\\c\\n\\t\\u0001/\xc3\xa9\"");
}

}  // namespace
}  // namespace relcache
