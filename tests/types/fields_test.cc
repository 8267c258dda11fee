#include "relcache/types/date_time/fields.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

std::string Split(std::string_view text) {
  DateTimeFields fields;
  if (fields.Split(text, DateTimeFields::kTimestampBuffer) != DateTimeFault::kNone) return "fault";
  static constexpr const char* kKinds[] = {"number", "text", "date", "time", "signed", "special"};
  std::string out;
  for (int i = 0; i < fields.count(); ++i)
    out += std::string(i == 0 ? "" : ", ") + kKinds[static_cast<int>(fields.kind(i))] + " " +
           fields.text(i);
  return out;
}

TEST(DateTimeFields, ATextIsCutWhereItsKindChanges) {
  struct Case {
    const char *text, *fields;
  };
  constexpr Case kCases[] = {
      {"2024-01-02 03:04:05.6+01:30", "date 2024-01-02, time 03:04:05.6, signed +01:30"},
      {"January 8, 1999", "text january, number 8, number 1999"},
      {"  y2001m02d04  ", "text y, number 2001, text m, number 02, text d, number 04"},
      {"20240102T030405", "number 20240102, text t, number 030405"},
      {"-infinity", "special -infinity"},
      {"America/New_York", "date america/new_york"},
      {"", ""},
      {"2024-01-02 \x01", "fault"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Split(c.text), c.fields) << c.text;
  EXPECT_EQ(Split(std::string(500, '1')), "fault") << "more than its buffer holds";
}

TEST(DateTimeFields, WordsCountByTenLetters) {
  EXPECT_EQ(FindDateWord("january").token, Token::kMonth);
  EXPECT_EQ(FindDateWord("january").value, 1);
  EXPECT_EQ(FindDateWord("sept").value, 9);
  EXPECT_EQ(FindDateWord("nosuchword").token, Token::kUnknown);
  EXPECT_EQ(FindIntervalWord("millenniums").token, Token::kUnit);
  EXPECT_EQ(FindIntervalWord("ago").token, Token::kAgo);
}

TEST(DateTimeFields, NumbersHaveABound) {
  const char* end;
  std::int32_t value;
  ASSERT_TRUE(ParseInt32("-2147483648x", &end, &value));
  EXPECT_EQ(value, -2147483648);
  EXPECT_STREQ(end, "x");
  EXPECT_FALSE(ParseInt32("2147483648", &end, &value));
  std::int32_t usec;
  ASSERT_EQ(ParseFractionalSecond(".1234567", &usec), DateTimeFault::kNone);
  EXPECT_EQ(usec, 123457);
}

}  // namespace
}  // namespace relcache
