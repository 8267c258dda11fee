// Random regular expressions against a real server: whether texts match, and where, under "C", the
// C library's C.UTF-8 and ICU. RELCACHE_RANDOM_REGEXES says how many thousand pairs of pattern and
// text; a seed may follow it after a colon.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "postgres_server.h"
#include "random_regex.h"
#include "relcache/types/internal/system_locale.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/regex/regex.h"

namespace relcache {
namespace {

using test::PostgresServer;
using test::RandomRegex;

struct Locale {
  const char* collation;
  RegexLocale locale;
};

std::vector<Locale> LocalesOf(PostgresServer& server) {
  std::vector<Locale> out{{"C", {}}};
  if (HasLibcUtf8())
    out.push_back({"C.utf8", {.tables = RegexLocale::Tables::kLibc, .name = "under C.utf8"}});
  const std::string version =
      server.Run("SELECT collversion FROM pg_collation WHERE collname = 'und-x-icu'");
  if (HasIcu() && IcuCollationVersion("und") == version)
    out.push_back({"und-x-icu", {.tables = RegexLocale::Tables::kIcu, .name = "under icu"}});
  return out;
}

/// Makes pg_temp.ask_0(pattern, texts) and so on: a letter for each text, or the error.
void MakeFunctions(PostgresServer& server, const std::vector<Locale>& locales) {
  for (std::size_t i = 0; i < locales.size(); ++i) {
    const std::string name = "pg_temp.ask_" + std::to_string(i);
    const std::string collate = std::string(" COLLATE \"") + locales[i].collation + "\"";
    const auto make = [&](const std::string& kind, const std::string& each) {
      server.Run("CREATE FUNCTION " + name + kind +
                 "(p text, texts text[]) RETURNS text LANGUAGE plpgsql AS $f$\n"
                 "DECLARE out text := ''; t text;\n"
                 "BEGIN FOREACH t IN ARRAY texts LOOP out := out || " +
                 each +
                 "; END LOOP; RETURN out;\n"
                 "EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE || ' ' || SQLERRM; END $f$");
    };
    make("", "CASE WHEN t" + collate + " ~ p THEN 't' ELSE 'f' END");
    make("_i", "CASE WHEN t" + collate + " ~* p THEN 't' ELSE 'f' END");
    make("_find", "coalesce(regexp_match(t" + collate + ", p)::text, '-') || chr(1)");
    make("_replace", "regexp_replace(t" + collate + ", p, '<\\1|\\&>', 'g') || chr(1)");
  }
}

std::string Ours(const RandomRegex::Case& c, const Locale& locale, bool ignore_case, int version) {
  const ContextPtr cx = AllocSet::CreateRoot("regex");
  RegexFlags flags;
  flags.ignore_case = ignore_case;
  const auto regex = Regex::Compile(c.pattern, flags, locale.locale, ServerVersion{version},
                                    Regex::Use::kMatch, *cx);
  if (!regex) return std::string(regex.error().sqlstate) + " " + regex.error().message;
  std::string out;
  for (const std::string& text : c.texts) {
    const Result<bool> matches = (*regex)->Matches(text);
    if (!matches) return std::string(matches.error().sqlstate) + " " + matches.error().message;
    out += *matches ? 't' : 'f';
  }
  return out;
}

/// text[] as array_out prints it.
std::string ArrayText(const std::vector<std::optional<std::string>>& elements) {
  std::string out = "{";
  for (const auto& e : elements) {
    if (out.size() > 1) out += ',';
    if (!e) {
      out += "NULL";
      continue;
    }
    const bool quote = e->empty() || e->find_first_of("{},\\\" \t\n\v\f\r") != std::string::npos ||
                       (e->size() == 4 && strcasecmp(e->c_str(), "null") == 0);
    if (!quote) {
      out += *e;
      continue;
    }
    out += '"';
    for (const char c : *e) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out + "}";
}

std::string OursFound(const RandomRegex::Case& c, const Locale& locale, bool replace, int version) {
  const ContextPtr cx = AllocSet::CreateRoot("regex");
  const auto regex =
      Regex::Compile(c.pattern, {}, locale.locale, ServerVersion{version}, Regex::Use::kFind, *cx);
  if (!regex) return std::string(regex.error().sqlstate) + " " + regex.error().message;
  std::string out;
  for (const std::string& text : c.texts) {
    RegexSearch search(**regex, text);
    std::vector<RegexSpan> spans((*regex)->captures() + 1);
    std::int64_t from = 0, copied = 0;
    bool any = false;
    while (from <= search.size()) {
      const Result<bool> found = search.Find(from, spans);
      if (!found) return std::string(found.error().sqlstate) + " " + found.error().message;
      if (!*found) break;
      any = true;
      if (!replace) break;
      const auto slice = [&](const RegexSpan& s) {
        return s.from < 0 ? std::string() : std::string(search.Slice(s.from, s.to));
      };
      out += search.Slice(copied, spans[0].from);
      out += "<" + (spans.size() > 1 ? slice(spans[1]) : "") + "|" + slice(spans[0]) + ">";
      from = copied = spans[0].to;
      if (spans[0].from == spans[0].to) ++from;
    }
    if (replace) {
      out += std::string(search.Slice(copied, search.size())) + '\1';
      continue;
    }
    if (!any) {
      out += "-\1";
      continue;
    }
    std::vector<std::optional<std::string>> elements;
    for (std::size_t i = spans.size() > 1 ? 1 : 0; i < spans.size(); ++i)
      elements.push_back(
          spans[i].from < 0 ? std::nullopt
                            : std::optional(std::string(search.Slice(spans[i].from, spans[i].to))));
    out += ArrayText(elements) + '\1';
  }
  return out;
}

std::string CallOf(const std::string& name, const RandomRegex::Case& c) {
  std::string out = "pg_temp." + name + "(" + test::Quote(c.pattern) + ", ARRAY[";
  for (std::size_t i = 0; i < c.texts.size(); ++i)
    out += (i > 0 ? "," : "") + test::Quote(c.texts[i]);
  return out + "])";
}

/// The characters whose classes are compared: the first two planes, and the ends of the last ones.
constexpr std::pair<std::uint32_t, std::uint32_t> kCompared[] = {
    {1, 0xd7ff}, {0xe000, 0x1ffff}, {0xe0000, 0xe01ff}, {0x10ff00, 0x10ffff}};

TEST(PostgresRegexTest, EveryCharacterIsOfTheClassesItIsOfThere) {
  std::optional<PostgresServer> server = PostgresServer::Connect();
  if (!server) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  static constexpr std::pair<const char*, CharClass> kClasses[] = {
      {"alnum", CharClass::kAlnum}, {"alpha", CharClass::kAlpha}, {"digit", CharClass::kDigit},
      {"graph", CharClass::kGraph}, {"lower", CharClass::kLower}, {"print", CharClass::kPrint},
      {"punct", CharClass::kPunct}, {"space", CharClass::kSpace}, {"upper", CharClass::kUpper},
      {"cntrl", CharClass::kCntrl}, {"blank", CharClass::kBlank}};
  for (const Locale& locale : LocalesOf(*server)) {
    for (const auto& [first, last] : kCompared) {
      const std::string character =
          std::string("chr(c) COLLATE \"") + locale.collation + "\" ~ '[[:";
      std::string sql = "SELECT string_agg(concat_ws(' '";
      for (const auto& [name, unused] : kClasses) sql += ", (" + character + name + ":]]')::int";
      sql += "), ',' ORDER BY c) FROM generate_series(" + std::to_string(first) + ", " +
             std::to_string(last) + ") c";
      std::istringstream theirs(server->Run(sql));
      std::string row;
      std::size_t different = 0;
      for (std::uint32_t c = first; c <= last; ++c) {
        ASSERT_TRUE(std::getline(theirs, row, ','));
        std::string ours;
        for (const auto& [unused, which] : kClasses) {
          if (!ours.empty()) ours += ' ';
          ours += ClassMembers(locale.locale.tables, which).Contains(c) ? '1' : '0';
        }
        if (ours == row || ++different > 10) continue;
        ADD_FAILURE() << std::hex << c << " under " << locale.collation << ": server " << row
                      << ", ours " << ours;
      }
      EXPECT_EQ(different, 0u) << locale.collation;
    }
  }
}

TEST(PostgresRegexTest, RandomExpressionsMatchWhatTheyMatchThere) {
  std::optional<PostgresServer> server = PostgresServer::Connect();
  if (!server) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  const char* const wanted = std::getenv("RELCACHE_RANDOM_REGEXES");
  std::size_t pairs = 4'000, seed = 1;
  if (wanted != nullptr) {
    char colon = 0;
    std::istringstream in(wanted);
    in >> pairs >> colon >> seed;
    pairs *= 1000;
  }
  std::vector<Locale> locales = LocalesOf(*server);
  MakeFunctions(*server, locales);
  const int version = std::stoi(server->Run("SHOW server_version_num"));
  RandomRegex random(static_cast<std::uint32_t>(seed));

  std::size_t compared = 0, refused = 0, different = 0, errors = 0;
  std::map<std::string, std::size_t> refusals;
  for (std::size_t turn = 0; compared + refused < pairs; ++turn) {
    const std::size_t l = turn % locales.size();
    const int kind = static_cast<int>(turn / locales.size() % 4);
    static const char* const kKinds[] = {"", "_i", "_find", "_replace"};
    std::vector<RandomRegex::Case> cases;
    std::string sql = "SELECT concat_ws(chr(2)";
    for (int i = 0; i < 50; ++i) {
      cases.push_back(random.Make());
      sql += ", " + CallOf("ask_" + std::to_string(l) + kKinds[kind], cases.back());
    }
    const std::string all = server->Run(sql + ")");
    std::size_t at = 0;
    for (const RandomRegex::Case& c : cases) {
      const std::size_t end = std::min(all.find('\2', at), all.size());
      const std::string theirs = all.substr(at, end - at);
      at = end + 1;
      const std::string ours = kind < 2 ? Ours(c, locales[l], kind == 1, version)
                                        : OursFound(c, locales[l], kind == 3, version);
      if (ours.starts_with("0A000 ")) {
        refused += c.texts.size();
        ++refusals[ours];
        continue;
      }
      compared += c.texts.size();
      errors += theirs.starts_with("2201B") ? c.texts.size() : 0;
      if (ours == theirs) continue;
      ++different;
      if (different > 20) continue;
      std::string texts;
      for (const std::string& text : c.texts) texts += "[" + text + "] ";
      ADD_FAILURE() << "seed " << seed << ", collation " << locales[l].collation << kKinds[kind]
                    << ", pattern [" << c.pattern << "]\n  server " << theirs << "\n  ours   "
                    << ours << "\n  " << texts;
    }
  }
  std::cout << compared << " pairs compared under " << locales.size() << " collations (" << errors
            << " of patterns that are in error), " << different << " patterns differ, " << refused
            << " pairs refused\n";
  for (const auto& [why, n] : refusals) std::cout << "  " << n << " patterns: " << why << '\n';
  EXPECT_EQ(different, 0u);
  EXPECT_LT(refused, compared / 20);
}

}  // namespace
}  // namespace relcache
