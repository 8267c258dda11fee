// Letter case and order of texts under C.UTF-8 and ICU against a real server: every character
// alone, and random texts. RELCACHE_RANDOM_TEXTS says how many texts a collation; a seed may follow
// it after a colon.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "postgres_server.h"
#include "relcache/types/internal/system_locale.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/internal/text_locale.h"

namespace relcache {
namespace {

using test::PostgresServer;
using Provider = TextLocale::Provider;

struct Collation {
  std::string sql;
  Provider provider;
  std::string locale;
};

/// Locales of ICU whose letters or whose order are unlike those of others.
constexpr const char* kLocales[] = {"und",
                                    "de",
                                    "de-AT",
                                    "tr",
                                    "az",
                                    "lt",
                                    "el",
                                    "nl",
                                    "sv",
                                    "da",
                                    "cs",
                                    "hu",
                                    "es",
                                    "ja",
                                    "zh",
                                    "th",
                                    "en-US-posix",
                                    "fr-CA",
                                    "de-u-co-phonebk",
                                    "und-u-kn-true",
                                    "und-u-ks-level2",
                                    "und-u-ka-shifted",
                                    "und-u-kf-upper",
                                    "und-u-co-emoji",
                                    "en-u-kr-digit-latn",
                                    "hy",
                                    "ga",
                                    "vi"};

class PostgresTextLocaleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = PostgresServer::Connect();
    if (!server_) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    if (HasLibcUtf8()) collations_.push_back({"\"C.utf8\"", Provider::kLibcUtf8, ""});
    const std::string version =
        server_->Run("SELECT collversion FROM pg_collation WHERE collname = 'und-x-icu'");
    if (!HasIcu() || IcuCollationVersion("und") != version) {
      std::cout << "no ICU of the server's version " << version << '\n';
      return;
    }
    // Collations of one's own go when the session ends.
    for (const char* const locale : kLocales) {
      const std::string name = "pg_temp.\"" + std::string(locale) + "\"";
      server_->Run("CREATE COLLATION " + name + " (provider = icu, locale = '" + locale + "')");
      collations_.push_back({name, Provider::kIcu, locale});
    }
  }

  const TextLocale& Made(const Collation& collation, MemoryContext& cx) {
    return *TextLocale::Make(collation.provider, collation.locale,
                             collation.provider == Provider::kIcu, cx)
                .value();
  }
  /// lower, upper and initcap of each text.
  std::vector<std::string> Theirs(const Collation& collation,
                                  const std::vector<std::string>& texts) {
    std::string sql = "SELECT string_agg(concat_ws(chr(1), lower(s COLLATE " + collation.sql +
                      "), upper(s COLLATE " + collation.sql + "), initcap(s COLLATE " +
                      collation.sql + ")), chr(2) ORDER BY i) FROM unnest(ARRAY[";
    for (std::size_t i = 0; i < texts.size(); ++i)
      sql += (i > 0 ? "," : "") + test::Quote(texts[i]);
    return Split(server_->Run(sql + "]) WITH ORDINALITY AS x (s, i)"), texts.size());
  }
  static std::vector<std::string> Split(const std::string& all, std::size_t n) {
    std::vector<std::string> out;
    std::istringstream in(all);
    for (std::string one; std::getline(in, one, '\2');) out.push_back(one);
    out.resize(n);
    return out;
  }
  void CompareCase(const Collation& collation, const std::vector<std::string>& texts) {
    const ContextPtr cx = AllocSet::CreateRoot("test");
    const TextLocale& locale = Made(collation, *cx);
    const std::vector<std::string> theirs = Theirs(collation, texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::string ours(locale.Lower(texts[i], *cx).value());
      ours += '\1' + std::string(locale.Upper(texts[i], *cx).value());
      ours += '\1' + std::string(locale.InitCap(texts[i], *cx).value());
      ++compared_;
      if (ours != theirs[i] && ++different_ < 20)
        ADD_FAILURE() << collation.sql << " [" << texts[i] << "]: ours " << ours << ", theirs "
                      << theirs[i];
    }
  }

  std::optional<PostgresServer> server_;
  std::vector<Collation> collations_;
  std::size_t compared_ = 0, different_ = 0;
};

void AppendUtf8(std::uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  const int tails = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  out += static_cast<char>((tails == 1 ? 0xc0 : tails == 2 ? 0xe0 : 0xf0) | c >> (6 * tails));
  for (int i = tails - 1; i >= 0; --i) out += static_cast<char>(0x80 | (c >> (6 * i) & 0x3f));
}

class RandomText {
 public:
  explicit RandomText(std::uint32_t seed) : random_(seed) {}

  std::string Make() {
    static constexpr const char* kPieces[] = {
        "a",          "A",      "b",      "i",      "I",          "ı",          "İ",
        "ij",         "IJ",     "ch",     "Cz",     "ll",         "ß",          "ẞ",
        "Σ",          "σ",      "ς",      "ΑΣ",     "ά",          "Ά",          "é",
        "É",          "ä",      "Å",      "ǆ",      "ǅ",          "ﬁ",          "ﬃ",
        "ŉ",          "և",      "ა",      "Ა",    "ж",          "Ж",          "中",
        "日",         " ",      "  ",     "-",      "_",          "'",          "’",
        ".",          ":",      "/",      "\t",     "\n",         "1",          "10",
        "9",          "٣",      "ª",      "º",      "²",          "\u0301",     "\u0307",
        "\u0345",     "\u00ad", "\u200b", "\u200d", "\U00010400", "\U00010428", "\U0001f600",
        "\U0001e900", "\ufffe", "\u02bc", "d'",     "O'",         "mc",         "ὀ",
        "ᾳ",          "ᾼ",      "ΐ",      "ᏸ",    "Ꮸ",          "ꭰ",        "\u1e9e",
        "ǰ",          "\u03f4"};
    std::string out;
    for (std::size_t n = Below(9); n > 0; --n) {
      if (Below(12) == 0) {
        std::uint32_t c = 1 + static_cast<std::uint32_t>(Below(Below(3) == 0 ? 0x2ffff : 0x2fff));
        if (c >= 0xd800 && c < 0xe000) c = 'x';
        AppendUtf8(c, out);
      } else {
        out += kPieces[Below(std::size(kPieces))];
      }
    }
    // These stand between the texts of an answer.
    for (char& c : out)
      if (c == '\1' || c == '\2') c = '\3';
    return out;
  }
  std::size_t Below(std::size_t n) { return random_() % n; }

 private:
  std::mt19937 random_;
};

std::pair<std::size_t, std::uint32_t> Wanted() {
  std::size_t n = 300;
  std::uint32_t seed = 1;
  if (const char* const wanted = std::getenv("RELCACHE_RANDOM_TEXTS"); wanted != nullptr) {
    char colon = 0;
    std::istringstream in(wanted);
    in >> n >> colon >> seed;
  }
  return {n, seed};
}

TEST_F(PostgresTextLocaleTest, EveryCharacterHasTheLettersItHasThere) {
  for (const Collation& collation : collations_) {
    // All locales of ICU have the same tables, but for the letters of a few languages.
    const bool all = collation.provider == Provider::kLibcUtf8 || collation.locale == "und";
    std::vector<std::string> texts;
    for (std::uint32_t c = 3; c <= (all ? 0x1ffffu : 0x5ffu); ++c) {
      if (c >= 0xd800 && c < 0xe000) continue;
      AppendUtf8(c, texts.emplace_back());
    }
    CompareCase(collation, texts);
  }
  std::cout << compared_ << " characters compared under " << collations_.size() << " collations, "
            << different_ << " differ\n";
  EXPECT_EQ(different_, 0u);
}

TEST_F(PostgresTextLocaleTest, RandomTextsAreMappedAndOrderedAsThere) {
  const auto [n, seed] = Wanted();
  RandomText random(seed);
  std::size_t ordered = 0;
  for (const Collation& collation : collations_) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < n; ++i) texts.push_back(random.Make());
    CompareCase(collation, texts);
    // Each text with the next one, and with one that differs a little.
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i < n; ++i) {
      pairs.emplace_back(texts[i], texts[(i + 1) % n]);
      std::string other = texts[i];
      other.insert(0, random.Make());
      pairs.emplace_back(texts[i], random.Below(2) == 0 ? other : texts[i] + random.Make());
    }
    std::string sql = "SELECT string_agg(CASE WHEN a < b COLLATE " + collation.sql +
                      " THEN '<' WHEN a > b COLLATE " + collation.sql +
                      " THEN '>' ELSE '=' END, '' ORDER BY i) FROM unnest(ARRAY[";
    for (std::size_t i = 0; i < pairs.size(); ++i)
      sql += (i > 0 ? "," : "") + test::Quote(pairs[i].first);
    sql += "], ARRAY[";
    for (std::size_t i = 0; i < pairs.size(); ++i)
      sql += (i > 0 ? "," : "") + test::Quote(pairs[i].second);
    const std::string theirs = server_->Run(sql + "]) WITH ORDINALITY AS x (a, b, i)");
    ASSERT_EQ(theirs.size(), pairs.size());
    const ContextPtr cx = AllocSet::CreateRoot("test");
    const TextLocale& locale = Made(collation, *cx);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const int order = locale.Compare(pairs[i].first, pairs[i].second).value();
      ++ordered;
      const char ours = order < 0 ? '<' : order > 0 ? '>' : '=';
      if (ours != theirs[i] && ++different_ < 20)
        ADD_FAILURE() << collation.sql << " [" << pairs[i].first << "] [" << pairs[i].second
                      << "]: ours " << ours << ", theirs " << theirs[i];
    }
  }
  std::cout << "seed " << seed << ": " << compared_ << " texts mapped and " << ordered
            << " pairs ordered under " << collations_.size() << " collations, " << different_
            << " differ\n";
  EXPECT_EQ(different_, 0u);
}

}  // namespace
}  // namespace relcache
