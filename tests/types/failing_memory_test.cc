// Every request for memory of reading, printing, coercing, comparing and hashing values, of the
// operations on them, of settings and of time zones fails once: each comes through with
// std::bad_alloc, leaks nothing, gives no other answer, and works the next time.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "postgres_operations.h"
#include "relcache/tests/failing_allocator.h"
#include "relcache/types/date_time/find_time_zone.h"
#include "relcache/types/internal/system_locale.h"
#include "relcache/types/internal/text_locale.h"
#include "relcache/types/regex/regex_cache.h"
#include "relcache/types/type_ops.h"

namespace relcache {
namespace {

using test::Outcome;
using test::OutcomeOf;
using test::TypeCase;

/// `run` comes to an Outcome. With a request failing it may come to the same all the same.
template <class Run>
std::uint64_t SurvivesEveryFailure(const Run& run) {
  const Outcome expected = run();
  return ForEachFailure([&](FailingAllocator&) {
    const Outcome outcome = run();
    const FailurePause pause;
    EXPECT_EQ(outcome, expected);
  });
}

Result<std::string_view> ReadAndPrint(Oid type, std::int32_t typmod, const std::string& text,
                                      const SessionSettings& settings, MemoryContext& cx) {
  RELCACHE_ASSIGN(const Datum value, TypeInput(type, typmod, text, settings, cx));
  return TypeOutput(type, value, settings, cx);
}

std::vector<TypeCase> AllCases() {
  std::vector<TypeCase> all = test::LiteralCases();
  all.insert(all.end(), test::DateTimeCases().begin(), test::DateTimeCases().end());
  all.push_back(test::IntervalCase());
  return all;
}

/// A literal that the type reads.
std::string GoodLiteral(Oid type) {
  const ContextPtr cx = Bump::CreateRoot("test");
  for (const TypeCase& c : AllCases()) {
    if (c.type != type) continue;
    for (const std::string& text : c.seeds)
      if (TypeInput(type, -1, text, {}, *cx)) return text;
  }
  ADD_FAILURE() << "no literals for " << FormatType(type);
  return {};
}

class FailingMemory : public ::testing::Test {
 protected:
  std::vector<SessionSettings> AllSettings() {
    std::vector<SessionSettings> all(3, AssumeUtcAndMdy(0));
    const auto set = [](SessionSettings& settings, const char* zone, const char* dates,
                        const char* intervals) {
      EXPECT_TRUE(SetSetting(settings, "TimeZone", zone));
      EXPECT_TRUE(SetSetting(settings, "DateStyle", dates));
      EXPECT_TRUE(SetSetting(settings, "IntervalStyle", intervals));
    };
    set(all[1], "Europe/Berlin", "German", "iso_8601");
    set(all[2], "America/New_York", "Postgres, DMY", "postgres_verbose");
    all[1].bytea_output = ByteaOutput::kEscape;
    all[1].extra_float_digits = 0;
    return all;
  }
};

TEST_F(FailingMemory, ReadingAndPrintingEachLiteralOfEachType) {
  std::uint64_t failures = 0;
  for (const SessionSettings& settings : AllSettings()) {
    for (const TypeCase& c : AllCases()) {
      for (const std::int32_t typmod : c.typmods) {
        for (const std::string& text : c.seeds) {
          SCOPED_TRACE(FormatType(c.type, typmod) + " " + text);
          failures += SurvivesEveryFailure([&] {
            const ContextPtr cx = AllocSet::CreateRoot("test");
            return OutcomeOf(ReadAndPrint(c.type, typmod, text, settings, *cx));
          });
          if (HasFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(failures, 5000u);
}

TEST_F(FailingMemory, ReadingAndPrintingAnArrayOfEachType) {
  int arrays = 0;
  for (const TypeInfo& type : TypeInfos()) {
    if (!IsArrayType(type) || !HasInput(type.oid)) continue;
    SCOPED_TRACE(type.typname);
    std::string element;
    for (const char c : GoodLiteral(type.typelem)) {
      if (c == '"' || c == '\\') element += '\\';
      element += c;
    }
    const std::string text = "{{\"" + element + "\",NULL},{NULL,\"" + element + "\"}}";
    const std::uint64_t failures = SurvivesEveryFailure([&] {
      const ContextPtr cx = AllocSet::CreateRoot("test");
      return OutcomeOf(ReadAndPrint(type.oid, -1, text, {}, *cx));
    });
    EXPECT_GE(failures, 3u);
    ++arrays;
  }
  EXPECT_GT(arrays, 20);
}

TEST_F(FailingMemory, BringingAValueToATypmod) {
  for (const TypeCase& c : AllCases()) {
    for (const std::int32_t typmod : c.typmods) {
      if (typmod < 0) continue;
      for (const std::string& text : c.seeds) {
        const ContextPtr kept = AllocSet::CreateRoot("value");
        const auto value = TypeInput(c.type, -1, text, {}, *kept);
        if (!value) continue;
        for (const bool is_explicit : {false, true}) {
          SCOPED_TRACE(FormatType(c.type, typmod) + " " + text);
          SurvivesEveryFailure([&] {
            const ContextPtr cx = AllocSet::CreateRoot("test");
            return OutcomeOf(
                ApplyTypmod(c.type, typmod, *value, is_explicit, *cx).and_then([&](Datum coerced) {
                  return TypeOutput(c.type, coerced, {}, *cx);
                }));
          });
        }
      }
    }
  }
}

TEST_F(FailingMemory, ComparingAndHashing) {
  int types = 0;
  for (const TypeInfo& type : TypeInfos()) {
    const TypeOps* ops = FindTypeOps(type.oid);
    if (ops == nullptr) continue;
    SCOPED_TRACE(type.typname);
    const ContextPtr kept = AllocSet::CreateRoot("value");
    const auto value = TypeInput(type.oid, -1, GoodLiteral(type.oid), {}, *kept);
    ASSERT_TRUE(value);
    SurvivesEveryFailure([&]() -> Outcome {
      EXPECT_EQ(ops->compare(*value, *value), 0);
      EXPECT_TRUE(ops->equal(*value, *value));
      return {"", std::to_string(ops->hash_extended(*value, ops->hash(*value)))};
    });
    ++types;
  }
  EXPECT_GT(types, 20);
}

TEST_F(FailingMemory, Operations) {
  SessionSettings settings = AssumeUtcAndMdy(0);
  ASSERT_TRUE(SetSetting(settings, "TimeZone", "Europe/Berlin"));
  const ContextPtr kept = AllocSet::CreateRoot("operands");
  for (const test::Operation& op : test::AllOperations()) {
    const std::vector<std::string>& left = test::Values(op.a);
    const std::vector<std::string>& right = test::Values(op.b == test::kNone ? op.a : op.b);
    for (std::size_t i = 0; i < left.size(); ++i) {
      // Each value of the left with a few of the right.
      for (std::size_t j = i % 3; j < right.size(); j += op.b == test::kNone ? right.size() : 3) {
        SCOPED_TRACE(std::string(op.sql) + " of " + left[i] + " and " + right[j]);
        kept->Reset();
        const auto a = TypeInput(op.a, -1, left[i], settings, *kept);
        ASSERT_TRUE(a);
        const auto b = op.b == test::kNone ? a : TypeInput(op.b, -1, right[j], settings, *kept);
        ASSERT_TRUE(b);
        SurvivesEveryFailure([&] {
          const ContextPtr cx = AllocSet::CreateRoot("test");
          return OutcomeOf(op.run({*a, *b, settings, *cx}).and_then([&](Datum value) {
            return TypeOutput(op.result, value, settings, *cx);
          }));
        });
        if (HasFailure()) return;
      }
    }
  }
}

/// What a regular expression says of a text, and where it finds itself in it.
Outcome MatchAndFind(std::string_view pattern, std::string_view text, const RegexLocale& locale,
                     RegexCache* cache) {
  const ContextPtr cx = AllocSet::CreateRoot("test");
  RegexFlags flags;
  flags.ignore_case = text.size() % 2 == 0;
  const auto compile = [&](Regex::Use use) {
    return cache != nullptr ? cache->Get(pattern, flags, locale, ServerVersion{}, use)
                            : Regex::Compile(pattern, flags, locale, ServerVersion{}, use, *cx);
  };
  const auto match = compile(Regex::Use::kMatch);
  if (!match) return OutcomeOf(match.error());
  const Result<bool> matches = (*match)->Matches(text);
  if (!matches) return OutcomeOf(matches.error());
  const auto find = compile(Regex::Use::kFind);
  if (!find) return OutcomeOf(find.error());
  RegexSearch search(**find, text);
  std::vector<RegexSpan> spans((*find)->captures() + 1);
  const Result<bool> found = search.Find(0, spans);
  if (!found) return OutcomeOf(found.error());
  std::string out = *matches ? "t" : "f";
  for (const RegexSpan& span : spans) out += " " + std::to_string(span.from);
  return {"", out};
}

TEST_F(FailingMemory, RegularExpressions) {
  std::vector<RegexLocale> locales{{}};
  if (HasLibcUtf8()) locales.push_back({.tables = RegexLocale::Tables::kLibc, .name = {}});
  if (HasIcu()) locales.push_back({.tables = RegexLocale::Tables::kIcu, .name = {}});
  std::uint64_t failures = 0;
  for (const RegexLocale& locale : locales) {
    for (const char* const pattern :
         {"^[a-z0-9-]+$", "^\\w{2,5}@([[:alpha:]]|-)+", "(a|bc)*d", "(.)\\1", "^(a+|b)(?=c)c{0,3}$",
          "\\mé+\\M|[^[:space:]]$", "(", "a**", "((a*)b)*\\2", "***=a.c", "(?b)a"}) {
      for (const char* const text : {"ab@c-d", "é aé"}) {
        SCOPED_TRACE(std::string(pattern) + " of " + text);
        failures +=
            SurvivesEveryFailure([&] { return MatchAndFind(pattern, text, locale, nullptr); });
        RegexCache cache;
        MatchAndFind("x", "y", locale, &cache);
        const Outcome expected = MatchAndFind(pattern, text, locale, nullptr);
        for (std::uint64_t n = 1; n < 12; ++n) {
          try {
            FailingAllocator allocator(n * 9);
            const Outcome outcome = MatchAndFind(pattern, text, locale, &cache);
            const FailurePause pause;
            EXPECT_EQ(outcome, expected);
          } catch (const std::bad_alloc&) {
            ++failures;
          }
          EXPECT_EQ(MatchAndFind(pattern, text, locale, &cache), expected);
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(failures, 500u);
}

TEST_F(FailingMemory, LetterCaseAndOrderOfALocale) {
  using Provider = TextLocale::Provider;
  std::vector<Provider> providers;
  if (HasLibcUtf8()) providers.push_back(Provider::kLibcUtf8);
  if (HasIcu()) providers.push_back(Provider::kIcu);
  std::string longer;
  for (int i = 0; i < 300; ++i) longer += "Éß";
  for (const Provider provider : providers) {
    for (const std::string& text : {std::string("Straße"), longer}) {
      SurvivesEveryFailure([&]() -> Outcome {
        const ContextPtr cx = AllocSet::CreateRoot("test");
        const auto locale = TextLocale::Make(provider, "de", provider == Provider::kIcu, *cx);
        if (!locale) return OutcomeOf(locale.error());
        std::string out(*(*locale)->Lower(text, *cx));
        out += *(*locale)->Upper(text, *cx);
        out += *(*locale)->InitCap(text, *cx);
        return {"", out + std::to_string(*(*locale)->Compare(text, "straße"))};
      });
    }
  }
}

TEST_F(FailingMemory, ASettingThatCannotBeSetStaysAsItWas) {
  const std::pair<const char*, const char*> kSettings[] = {
      {"TimeZone", "Europe/Berlin"},
      {"TimeZone", "Nowhere/At/All"},
      {"TimeZone", "-7.5"},
      {"DateStyle", "SQL, DMY"},
      {"DateStyle", "ISO, German"},
      {"IntervalStyle", "sql_standard"},
      {"IntervalStyle", "roman"},
      {"bytea_output", "escape"},
      {"extra_float_digits", "-15"},
      {"extra_float_digits", "many"},
      {"search_path", "one, two, three, four, five, six, seven, eight"},
      {"work_mem", "64MB"},
  };
  for (const auto& [name, value] : kSettings) {
    SCOPED_TRACE(std::string(name) + " = " + value);
    const Result<std::string> before = ShowSetting(AssumeUtcAndMdy(0), name);
    SurvivesEveryFailure([&]() -> Outcome {
      SessionSettings settings = AssumeUtcAndMdy(0);
      try {
        const Status set = SetSetting(settings, name, value);
        if (!set) return OutcomeOf(set.error());
      } catch (const std::bad_alloc&) {
        const FailurePause pause;
        EXPECT_EQ(ShowSetting(settings, name).value_or(""), before.value_or(""));
        throw;
      }
      const Result<std::string> shown = ShowSetting(settings, name);
      return shown ? Outcome{"", *shown} : OutcomeOf(shown.error());
    });
  }
}

TEST_F(FailingMemory, ATimeZoneThatCouldNotBeReadIsReadTheNextTime) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/share/zoneinfo/America"))
    if (entry.is_regular_file()) names.push_back("america/" + entry.path().filename().string());
  for (int hour = 0; hour < 90; ++hour)
    names.push_back("ABCDEFGHIJKLMNOPQ" + std::to_string(hour % 24) + "RSTUVWXYZABCDEFGHIJ,M" +
                    std::to_string(1 + hour / 24) + ".2.0,M11.1.0");
  ASSERT_TRUE(FindTimeZone("UTC"));
  // Each zone is read once in a process: every name is one try.
  std::uint64_t failures = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(names[i]);
    const std::int64_t live = LiveAllocations();
    try {
      FailingAllocator allocator(1 + i % 90);
      const auto zone = FindTimeZone(names[i]);
      const FailurePause pause;
      EXPECT_TRUE(zone && *zone != nullptr) << "a wrong answer instead of bad_alloc";
    } catch (const std::bad_alloc&) {
      ++failures;
      EXPECT_EQ(LiveAllocations(), live) << "leaked";
    }
    const auto zone = FindTimeZone(names[i]);
    ASSERT_TRUE(zone);
    EXPECT_NE(*zone, nullptr);
  }
  EXPECT_GT(failures, 30u);
}

}  // namespace
}  // namespace relcache
