// Texts mutated at random against a real server, for every type that can be read: as they are, in
// arrays, and put together from two. RELCACHE_RANDOM_TEXTS says how many thousands; a random seed
// follows it after a colon.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "postgres_compare.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

using test::PostgresServer;
using test::TypeCase;

std::vector<TypeCase> AllCases() {
  std::vector<TypeCase> cases = test::LiteralCases();
  cases.insert(cases.end(), test::DateTimeCases().begin(), test::DateTimeCases().end());
  cases.push_back(test::IntervalCase());
  return cases;
}

/// The array type over an element type; InvalidOid if there is none that can be read.
Oid ArrayTypeOf(PostgresServer& server, Oid element) {
  const std::string sql = "SELECT typarray::int FROM pg_type WHERE typcategory <> 'A' AND oid = ";
  const std::string oid = server.Run(sql + std::to_string(element));
  const Oid array = oid.empty() ? kInvalidOid : static_cast<Oid>(std::stoul(oid));
  return HasInput(array) ? array : kInvalidOid;
}

/// Seeds cut in two and put together with halves of others.
std::vector<std::string> Spliced(const std::vector<std::string>& seeds, std::mt19937& random) {
  std::vector<std::string> out(seeds);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const std::string& a = seeds[random() % seeds.size()];
    const std::string& b = seeds[random() % seeds.size()];
    const std::size_t cut = b.size() - random() % (b.size() + 1);
    out.push_back(a.substr(0, random() % (a.size() + 1)) + b.substr(cut));
  }
  return out;
}

/// The same as elements: quoted or not, several, nested, with bounds.
std::vector<std::string> InArrays(const std::vector<std::string>& seeds, std::mt19937& random) {
  std::vector<std::string> out;
  const auto element = [&] {
    const std::string& text = seeds[random() % seeds.size()];
    if (random() % 4 == 0) return text;
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + "\"";
  };
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    switch (random() % 4) {
      case 0:
        out.push_back("{" + element() + "}");
        break;
      case 1:
        out.push_back("{" + element() + ",NULL," + element() + "}");
        break;
      case 2:
        out.push_back("{{" + element() + "},{" + element() + "}}");
        break;
      default:
        out.push_back("[0:1]={" + element() + ", " + element() + "}");
    }
  }
  return out;
}

TEST(PostgresRandomTexts, AreReadAndPrintedAsPostgresDoes) {
  auto server = PostgresServer::Connect();
  if (!server) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  unsigned long long thousands = 10;
  unsigned seed = 1;
  if (const char* wanted = std::getenv("RELCACHE_RANDOM_TEXTS")) {
    char* end;
    thousands = std::strtoull(wanted, &end, 10);
    if (*end == ':') seed = static_cast<unsigned>(std::strtoul(end + 1, nullptr, 10));
  }
  const char* styles[] = {"postgres", "postgres_verbose", "sql_standard", "iso_8601"};
  const char* dates[] = {"ISO, MDY", "SQL, DMY", "German, DMY", "Postgres, YMD"};
  std::size_t compared = 0;
  // Each round is short: a difference shows the seed that makes it again.
  for (; compared < thousands * 1000; ++seed) {
    std::mt19937 random(seed);
    const test::Settings settings = {{"TimeZone", random() % 2 == 0 ? "UTC" : "America/New_York"},
                                     {"DateStyle", dates[random() % 4]},
                                     {"IntervalStyle", styles[random() % 4]},
                                     {"bytea_output", random() % 2 == 0 ? "hex" : "escape"},
                                     {"extra_float_digits", random() % 2 == 0 ? "1" : "0"}};
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (TypeCase c : AllCases()) {
      c.typmods = {c.typmods[random() % c.typmods.size()]};
      const std::vector<std::string> seeds = c.seeds;
      for (const bool in_array : {false, true}) {
        if (in_array) c.type = ArrayTypeOf(*server, c.type);
        if (c.type == kInvalidOid) continue;
        c.seeds = in_array ? InArrays(seeds, random) : Spliced(seeds, random);
        const std::string alphabet = std::string(c.alphabet) + (in_array ? "{}[]:=,\"\\" : "");
        c.seeds = test::Damaged(c.seeds, alphabet, 1, static_cast<unsigned>(random()), 4);
        compared += c.seeds.size();
        test::CompareWithServer(*server, c, settings, 0);
        if (HasFatalFailure()) return;
      }
    }
  }
  std::cout << compared << " texts\n";
}

}  // namespace
}  // namespace relcache
