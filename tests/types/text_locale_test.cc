// Letter case and order of texts without a server: what PostgreSQL 15 says, as tables.
#include "relcache/types/internal/text_locale.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "relcache/types/internal/system_locale.h"

namespace relcache {
namespace {

using Provider = TextLocale::Provider;

struct CaseCase {
  const char* locale;
  const char* text;
  const char *lower, *upper, *initcap;
};

void ExpectCase(Provider provider, const CaseCase& c) {
  SCOPED_TRACE(std::string(c.locale) + " " + c.text);
  const ContextPtr cx = AllocSet::CreateRoot("test");
  const TextLocale& locale = *TextLocale::Make(provider, c.locale, false, *cx).value();
  EXPECT_EQ(locale.Lower(c.text, *cx).value(), c.lower);
  EXPECT_EQ(locale.Upper(c.text, *cx).value(), c.upper);
  EXPECT_EQ(locale.InitCap(c.text, *cx).value(), c.initcap);
}

TEST(TextLocaleTest, TheCLibraryMapsCharacterByCharacter) {
  if (!HasLibcUtf8()) GTEST_SKIP() << "no locale C.UTF-8";
  for (const CaseCase& c : {
           CaseCase{"", "", "", "", ""},
           {"", "it's A 2nd tEST", "it's a 2nd test", "IT'S A 2ND TEST", "It'S A 2nd Test"},
           {"", "Straße ÀÉ", "straße àé", "STRAßE ÀÉ", "Straße Àé"},
           {"", "ΑΣ ΟΔΟΣ", "ασ οδοσ", "ΑΣ ΟΔΟΣ", "Ασ Οδοσ"},
           {"", "ǆ", "ǆ", "Ǆ", "Ǆ"},
           {"", "中文 ж", "中文 ж", "中文 Ж", "中文 Ж"},
           {"", "\u0250", "\u0250", "\u2c6f", "\u2c6f"},
           {"", "\U00010428x", "\U00010428x", "\U00010400X", "\U00010400x"},
       })
    ExpectCase(Provider::kLibcUtf8, c);
}

TEST(TextLocaleTest, IcuMapsTextsByTheRulesOfTheLanguage) {
  if (!HasIcu()) GTEST_SKIP() << "built without ICU";
  for (const CaseCase& c : {
           CaseCase{"und", "", "", "", ""},
           {"und", "it's A 2nd tEST", "it's a 2nd test", "IT'S A 2ND TEST", "It's A 2nd Test"},
           {"und", "Straße", "straße", "STRASSE", "Straße"},
           {"und", "ΟΔΟΣ", "οδος", "ΟΔΟΣ", "Οδος"},
           {"und", "ǆ", "ǆ", "Ǆ", "ǅ"},
           {"tr", "Iıİi", "ııii", "IIİİ", "Iıii"},
           {"tr-TR", "I", "ı", "I", "I"},
           {"nl", "ijs", "ijs", "IJS", "IJs"},
           {"de", "ijs", "ijs", "IJS", "Ijs"},
           {"el", "άδης", "άδης", "ΑΔΗΣ", "Άδης"},
           {"lt", "i\u0307\u0301", "i\u0307\u0301", "I\u0301", "I\u0307\u0301"},
       })
    ExpectCase(Provider::kIcu, c);
}

TEST(TextLocaleTest, AMappedTextMayBeMuchLonger) {
  const ContextPtr cx = AllocSet::CreateRoot("test");
  std::string text, upper;
  for (int i = 0; i < 3000; ++i) {
    text += "ß\u0250ﬃ";
    upper += "SS\u2c6fFFI";
  }
  if (HasIcu()) {
    EXPECT_EQ(TextLocale::Make(Provider::kIcu, "und", false, *cx).value()->Upper(text, *cx).value(),
              upper);
  }
  if (HasLibcUtf8()) {
    const std::string_view mapped =
        TextLocale::Make(Provider::kLibcUtf8, "", false, *cx).value()->Upper(text, *cx).value();
    EXPECT_GT(mapped.size(), text.size());
  }
}

TEST(TextLocaleTest, CKnowsAsciiLettersAndDigits) {
  const ContextPtr cx = AllocSet::CreateRoot("test");
  EXPECT_EQ(InitCapC("it's A 2nd_tEST éA", *cx), "It'S A 2nd_Test éA");
  EXPECT_EQ(InitCapC("", *cx), "");
}

struct OrderCase {
  const char* locale;
  const char *less, *greater;
};

TEST(TextLocaleTest, IcuOrdersAndEqualBytesComeLast) {
  if (!HasIcu()) GTEST_SKIP() << "built without ICU";
  for (const OrderCase& c : {
           OrderCase{"und", "", "a"},
           {"und", "a", "B"},
           {"und", "a", "A"},
           {"und", "é\U00010428", "Z"},
           {"und", "éa", "f"},
           {"und", "a\u0301", "á"},
           {"und", "a", "a\u200b"},
           {"de", "ä", "z"},
           {"sv", "z", "ä"},
           {"und-u-kn-true", "a9", "a10"},
           {"und", "a10", "a9"},
           {"de-u-co-phonebk", "ad", "ä"},
           {"und-u-ks-level2", "A", "a"},
       }) {
    SCOPED_TRACE(std::string(c.locale) + " " + c.less + " " + c.greater);
    const ContextPtr cx = AllocSet::CreateRoot("test");
    const TextLocale& locale = *TextLocale::Make(Provider::kIcu, c.locale, true, *cx).value();
    EXPECT_LT(locale.Compare(c.less, c.greater).value(), 0);
    EXPECT_GT(locale.Compare(c.greater, c.less).value(), 0);
    EXPECT_EQ(locale.Compare(c.less, c.less).value(), 0);
  }
}

TEST(TextLocaleTest, ACollatorGoesWithItsContextAndCountsUntilThen) {
  if (!HasIcu()) GTEST_SKIP() << "built without ICU";
  const ContextPtr cx = AllocSet::CreateRoot("test");
  ASSERT_TRUE(TextLocale::Make(Provider::kIcu, "de", false, *cx));
  EXPECT_EQ(cx->Stats().foreign, 0u);
  ASSERT_TRUE(TextLocale::Make(Provider::kIcu, "de", true, *cx));
  EXPECT_GT(cx->Stats().foreign, 0u);
  cx->Reset();
  EXPECT_EQ(cx->Stats().foreign, 0u);
}

TEST(TextLocaleTest, ThreadsShareALocale) {
  if (!HasIcu()) GTEST_SKIP() << "built without ICU";
  const ContextPtr cx = AllocSet::CreateRoot("test");
  const TextLocale& locale = *TextLocale::Make(Provider::kIcu, "de", true, *cx).value();
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (int& mine : right)
    threads.emplace_back([&locale, &mine] {
      const ContextPtr own = AllocSet::CreateRoot("thread");
      for (int i = 0; i < 500; ++i) {
        mine += *locale.Compare("ä" + std::to_string(i), "z") < 0 ? 1 : 0;
        mine += *locale.Upper("straße", *own) == "STRASSE" ? 1 : 0;
        own->Reset();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const int mine : right) EXPECT_EQ(mine, 1000);
}

TEST(TextLocaleTest, ALocaleThatIcuRefusesIsAnError) {
  if (!HasIcu()) GTEST_SKIP() << "built without ICU";
  const ContextPtr cx = AllocSet::CreateRoot("test");
  const std::string name(2000, 'x');
  const auto made = TextLocale::Make(Provider::kIcu, name, true, *cx);
  ASSERT_FALSE(made);
  EXPECT_TRUE(made.error().message.starts_with("could not open collator for locale \"x"))
      << made.error().message;
  EXPECT_EQ(IcuCollationVersion(name), "");
}

}  // namespace
}  // namespace relcache
