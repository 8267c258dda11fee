// Regular expressions without a server: what PostgreSQL 15 says, as tables.
#include "relcache/types/regex/regex.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "relcache/types/internal/system_locale.h"
#include "relcache/types/regex/regex_cache.h"

namespace relcache {
namespace {

constexpr RegexLocale kAscii{.ascii_only = true, .name = "under collation \"x\""};

std::string Verdict(std::string_view pattern, std::string_view text, const RegexLocale& locale = {},
                    std::string_view options = "", int version = 150000) {
  const ContextPtr cx = AllocSet::CreateRoot("test");
  RegexFlags flags;
  bool global = false;
  const Status read = ParseRegexOptions(options, flags, global);
  if (!read) return read.error().message;
  const auto regex =
      Regex::Compile(pattern, flags, locale, ServerVersion{version}, Regex::Use::kMatch, *cx);
  if (!regex) return regex.error().message;
  const Result<bool> matches = (*regex)->Matches(text);
  if (!matches) return matches.error().message;
  return *matches ? "t" : "f";
}

/// The sub-matches, or the match if there are none.
std::string Found(std::string_view pattern, std::string_view text) {
  const ContextPtr cx = AllocSet::CreateRoot("test");
  const auto regex = Regex::Compile(pattern, {}, {}, ServerVersion{}, Regex::Use::kFind, *cx);
  if (!regex) return regex.error().message;
  RegexSearch search(**regex, text);
  std::vector<RegexSpan> spans((*regex)->captures() + 1);
  const Result<bool> found = search.Find(0, spans);
  if (!found) return found.error().message;
  if (!*found) return "none";
  std::string out;
  for (std::size_t i = spans.size() > 1 ? 1 : 0; i < spans.size(); ++i) {
    if (!out.empty()) out += ',';
    out += spans[i].from < 0 ? "NULL"
                             : "[" + std::string(search.Slice(spans[i].from, spans[i].to)) + "]";
  }
  return out;
}

struct MatchCase {
  const char* pattern;
  const char* text;
  bool matches;
  const char* options = "";
};

TEST(RegexTest, SaysWhetherATextMatches) {
  static constexpr MatchCase kCases[] = {
      // Runs of classes.
      {"^[a-z0-9-]+$", "a-9", true},
      {"^[a-z0-9-]+$", "a_9", false},
      {"^[a-z0-9-]+$", "", false},
      {"^\\d{3}-\\d{2}$", "123-45", true},
      {"^\\d{3}-\\d{2}$", "1234-5", false},
      {"^a{0,2}b?$", "aab", true},
      {"^a{0,2}b?$", "aaab", false},
      {"^https?://[^/]+", "http://a/b", true},
      {"^https?://[^/]+", "https:///", false},
      {"^[^@]+@[^@]+$", "é@中", true},
      {"^a*ab$", "aab", true},
      {"^a+a$", "a", false},
      // Anchors are those of the text, and a newline is a character.
      {"a$", "a\n", false},
      {"^b", "a\nb", false},
      {"^b", "a\nb", true, "n"},
      {"^b", "a\nb", false, "p"},
      {"a.b", "a\nb", true},
      {"a.b", "a\nb", false, "n"},
      {"a[^x]b", "a\nb", true},
      {"a[^x]b", "a\nb", false, "p"},
      {"a\\Wb", "a\nb", true, "n"},
      {"a.b", "a\nb", true, "w"},
      // What other engines take otherwise.
      {"\\bx", "\bx", true},
      {"\\B", "\\", true},
      {"a\\Z", "a\n", false},
      {"x{", "x{", true},
      {"\\x41z", "Az", true},
      {"\\x414", "A4", false},
      {"\\x414", "Д", true},
      {"[[.hyphen.]]", "-", true},
      {"[]a]+", "]", true},
      {"a|", "", true},
      {"(^)*a", "a", true},
      {"***=a.c", "xa.cx", true},
      {"***=a.c", "abc", false},
      {"(?x) a  b # no", "ab", true},
      {"(?q)(a", "(a", true},
      {"(?e)a)", "a)", true},
      // Letter case: two variants of each character, and no more.
      {"STRASSE", "strasse", true, "i"},
      {"[[:upper:]]", "a", true, "i"},
      {"[a-c]", "B", true, "i"},
      {"(?c)A", "a", false, "i"},
      // Word edges, look arounds, back references.
      {"\\mfoo\\M", "a foo b", true},
      {"\\mfoo\\M", "a foob", false},
      {"[[:>:]]a*", "a", true},
      {"\\yfoo\\y", "-foo-", true},
      {"\\Yo\\Y", "foo", true},
      {"\\Yf", "foo", false},
      {"^(?=.*\\d)(?=.*[a-z]).{4,}$", "abc1", true},
      {"^(?=.*\\d)(?=.*[a-z]).{4,}$", "abcd", false},
      {"(?<=a)b", "ab", true},
      {"(?<!a)b", "ab", false},
      {"(?<=a.*c)b", "axxcb", true},
      {"^(.+)\\1$", "abab", true},
      {"^(.+)\\1$", "aba", false},
      {"(a){0}\\1", "a", false},
      {"^(a|b)*\\1$", "abb", true},
  };
  for (const MatchCase& c : kCases)
    EXPECT_EQ(Verdict(c.pattern, c.text, {}, c.options), c.matches ? "t" : "f")
        << c.pattern << " on " << c.text << " with " << c.options;
}

TEST(RegexTest, RejectsAPatternInTheServersWords) {
  struct Case {
    const char* pattern;
    const char* why;
  };
  static constexpr Case kCases[] = {
      {"[", "brackets [] not balanced"},           {"[a", "brackets [] not balanced"},
      {"(", "parentheses () not balanced"},        {")", "parentheses () not balanced"},
      {"a{2", "braces {} not balanced"},           {"a{2,1}", "invalid repetition count(s)"},
      {"a{256}", "invalid repetition count(s)"},   {"a{1x}", "invalid repetition count(s)"},
      {"*a", "quantifier operand invalid"},        {"a**", "quantifier operand invalid"},
      {"^*", "quantifier operand invalid"},        {"(?=a)*", "quantifier operand invalid"},
      {"\\z", "invalid escape \\ sequence"},       {"a\\", "invalid escape \\ sequence"},
      {"\\u00", "invalid escape \\ sequence"},     {"[b-a]", "invalid character range"},
      {"[a-\\d]", "invalid character range"},      {"[[:nope:]]", "invalid character class"},
      {"[[.nope.]]", "invalid collating element"}, {"\\1", "invalid backreference number"},
      {"(a\\1)", "invalid backreference number"},  {"(a)(?=\\1)", "invalid backreference number"},
      {"(?z)a", "invalid embedded option"},        {"***?", "invalid regexp (reg version 0.8)"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(Verdict(c.pattern, "a"), std::string("invalid regular expression: ") + c.why)
        << c.pattern;
  EXPECT_EQ(Verdict("a", "a", {}, "z"), "invalid regular expression option: \"z\"");
  EXPECT_EQ(Verdict("a", "a", {}, "iqn"),
            "invalid regular expression: invalid argument to regex function");
}

TEST(RegexTest, FindsTheSubMatchesThatTheServerFinds) {
  struct Case {
    const char* pattern;
    const char* text;
    const char* found;
  };
  static constexpr Case kCases[] = {
      {"b+", "abbbc", "[bbb]"},
      {"b+?", "abbbc", "[b]"},
      {"(a*)(ab)*(b*)", "abb", "[a],NULL,[bb]"},
      {"(a|ab)(c|bcd)", "abcd", "[a],[bcd]"},
      {"(.*)(\\d+)", "abc123", "[abc12],[3]"},
      {"(.*?)(\\d+)", "abc123", "[abc],[1]"},
      {"(?:(.*?)(\\d+)){1,1}", "abc123", "[abc],[123]"},
      {"((a)|b)*", "ab", "[b],NULL"},
      {"(|a)*", "b", "[]"},
      {"(a)*", "b", "NULL"},
      {"b(0+?){0,2}[a-z0-9]{1,3}", "b00000b", "[0000]"},
      {"-(Z?\?){0,1}(x){2,}", "-xx", "NULL,[x]"},
      {"1+?(_b{2,})*(?:\\1*);", "1_bb;", "[_bb]"},
      {"x", "a", "none"},
      {"(?:(A)|x)b|(?:\\1)?c", "c", "NULL"},
      {"(A)b|\\1?.c", "zc", "none"},
      {"( )??$|\\1?", "A", "none"},
      {"(x|(y))(\\2)*", "x", "[x],NULL,NULL"},
      {"(é+)", "aéé", "[éé]"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Found(c.pattern, c.text), c.found) << c.pattern;
}

TEST(RegexTest, AClassHasTheMembersOfTheCollation) {
  const RegexLocale c, libc{.tables = RegexLocale::Tables::kLibc, .name = {}};
  EXPECT_EQ(Verdict("^\\w$", "é", c), "f");
  EXPECT_EQ(Verdict("é", "É", c, "i"), "f");
  if (HasLibcUtf8()) {
    EXPECT_EQ(Verdict("^\\w$", "é", libc), "t");
    EXPECT_EQ(Verdict("^\\d$", "٣", libc), "f");
    EXPECT_EQ(Verdict("é", "É", libc, "i"), "t");
  }
  if (!HasIcu()) GTEST_SKIP() << "built without ICU";
  const RegexLocale icu{.tables = RegexLocale::Tables::kIcu, .name = {}};
  EXPECT_EQ(Verdict("^\\d$", "٣", icu), "t");
  // Its lower case has two characters of which one is no more than a mark.
  EXPECT_EQ(Verdict("^İ$", "i", icu, "i"), "t");
}

TEST(RegexTest, WhatACollationDoesNotSayIsRefused) {
  EXPECT_EQ(Verdict("^[a-z]$", "é", kAscii), "f");
  EXPECT_EQ(Verdict("^\\w$", "a", kAscii), "t");
  EXPECT_EQ(Verdict("^\\w$", "é", kAscii),
            "not supported: characters outside ASCII for a regular expression under collation "
            "\"x\"");
  EXPECT_EQ(Verdict("É", "a", kAscii, "i"),
            "not supported: regular expression that ignores the case of characters outside ASCII "
            "under collation \"x\"");
  RegexLocale turkish = kAscii;
  turkish.case_unknown = true;
  EXPECT_EQ(Verdict("i", "a", turkish, "i"),
            "not supported: regular expression that ignores case under collation \"x\"");
  EXPECT_EQ(Verdict("i", "a", turkish), "f");
}

TEST(RegexTest, ReleasesReadBracketsDifferently) {
  EXPECT_EQ(Verdict("[\\D]", "a", {}, "", 130000),
            "invalid regular expression: invalid escape \\ sequence");
  EXPECT_EQ(Verdict("[\\D]", "a"), "t");
  EXPECT_EQ(Verdict("\\D", "\n", {}, "n", 130000), "f");
  EXPECT_EQ(Verdict("\\D", "\n", {}, "n"), "t");
}

TEST(RegexTest, WhatTakesTooLongIsRefused) {
  EXPECT_EQ(Verdict("((a{1,255}){1,255}){1,255}", "a"),
            "not supported: regular expression of this size");
  const std::string deep = std::string(200, '(') + std::string(200, ')');
  EXPECT_NE(Verdict(deep, "a").find("not supported"), std::string::npos);
  // No product of two numbers is a prime.
  EXPECT_EQ(Verdict("^(aa+)\\1+$", std::string(9973, 'a')),
            "not supported: regular expression that takes more than 50000000 steps for a text");
}

TEST(RegexCacheTest, AnExpressionIsCompiledOnce) {
  RegexCache cache;
  const auto get = [&](const std::string& pattern) {
    return *cache.Get(pattern, {}, {}, ServerVersion{}, Regex::Use::kMatch);
  };
  const Regex* const first = get("a");
  EXPECT_EQ(get("a"), first);
  for (int i = 0; i < 31; ++i) EXPECT_NE(get("b" + std::to_string(i)), first);
  EXPECT_EQ(get("a"), first);
  EXPECT_FALSE(cache.Get("(", {}, {}, ServerVersion{}, Regex::Use::kMatch));
}

}  // namespace
}  // namespace relcache
