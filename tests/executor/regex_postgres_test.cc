// ~, SIMILAR TO and the regexp_ functions against a real server: constant patterns, patterns of the
// row, options, errors, under the collations that are answered.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "relcache/tests/executor/postgres_expressions.h"

namespace relcache {
namespace {

using testing::ExpressionServer;

struct RegexExpression {
  const char* expression;
  int since = 12;
};

constexpr RegexExpression kExpressions[] = {
    {"t ~ '^[a-z0-9-]+$'"},
    {"t !~ '^[a-z0-9-]+$'"},
    {"t ~* 'É|ab'"},
    {"t !~* '^A'"},
    {"t ~ p"},
    {"t ~* p"},
    {"t !~ p"},
    {"n ~ '^a'"},
    {"n !~* '^A'"},
    {"n ~ p"},
    {"c ~ '^ab$'"},
    {"c ~ '^ab {3}$'"},
    {"c !~* 'B'"},
    {"v ~ '\\d'"},
    {"t ~ '('"},
    {"t ~ '\\q' or t is null"},
    {"t ~ 'a**'"},
    {"t ~ null"},
    {"'abc' ~ 'b'"},
    {"'abc' ~ '('"},
    {"t ~ '(a)\\1'"},
    {"t ~ '(?=.*b)a'"},
    {"t ~ '\\mab\\M'"},
    {"t ~ ('^' || p)"},
    {"t collate \"C\" ~ '^\\w+$'"},
    {"t collate \"POSIX\" ~* 'é'"},
    {"t collate \"C.utf8\" ~ '^\\w+$'"},
    {"t collate \"C.utf8\" ~* 'É'"},
    {"t similar to 'a%'"},
    {"t not similar to '(a|b)_'"},
    {"t similar to 'a#%' escape '#'"},
    {"t similar to '[a-c]+' escape ''"},
    {"t similar to p"},
    {"t similar to 'a' escape 'xy'"},
    {"substring(t from 'b+')"},
    {"substring(t from '(a)(b)?')"},
    {"substring(t from '(z)?')"},
    {"substring(t from p)"},
    {"regexp_match(t, '(a)(z)?')"},
    {"regexp_match(t, 'B+', 'i')"},
    {"regexp_match(t, p)"},
    {"regexp_match(t, 'a', 'g')"},
    {"regexp_match(t, 'a', 'z')"},
    {"regexp_match(t, 'a', p)"},
    {"cardinality(regexp_match(t, '(a)|(b)')) = 2"},
    {"regexp_replace(t, 'b+', 'X')"},
    {"regexp_replace(t, '(a)(b)', '\\2-\\1\\&\\\\\\x\\')"},
    {"regexp_replace(t, 'b', '<\\&>', 'g')"},
    {"regexp_replace(t, '', '-', 'g')"},
    {"regexp_replace(t, '\\s*', '', 'g')"},
    {"regexp_replace(t, 'B', 'x', 'gi')"},
    {"regexp_replace(t, '\\D', '', 'g')"},
    {"regexp_replace(t, p, '[\\&]', 'g')"},
    {"regexp_replace(t, 'a', p)"},
    {"regexp_replace(t, 'a', 'b', '1')"},
    {"regexp_replace(t, 'a', 'b', 'q')"},
    {"regexp_replace(t, 'a.', 'b', 'qn')"},
    {"regexp_replace(t, '^.', 'X', 'gn')"},
    {"regexp_split_to_array(t, 'b')"},
    {"regexp_split_to_array(t, '')"},
    {"regexp_split_to_array(t, '\\s+|b*')"},
    {"regexp_split_to_array(t, 'B', 'i')"},
    {"regexp_split_to_array(t, 'B', 'g')"},
    {"cardinality(regexp_split_to_array(t, p)) > 1"},
    {"regexp_like(t, 'AB', 'i')", 15},
    {"regexp_like(t, p)", 15},
    {"regexp_like(t, 'a', 'g')", 15},
    {"regexp_like(t, 'a', p)", 15},
    {"regexp_count(t, 'b')", 15},
    {"regexp_count(t, 'b', 3)", 15},
    {"regexp_count(t, 'B', 1, 'i')", 15},
    {"regexp_count(t, 'b', 0)", 15},
    {"regexp_count(t, 'b', i)", 15},
    {"regexp_count(t, '', i)", 15},
    {"regexp_instr(t, 'b+')", 15},
    {"regexp_instr(t, 'b', 2)", 15},
    {"regexp_instr(t, 'b', 1, 2)", 15},
    {"regexp_instr(t, 'b', i, i)", 15},
    {"regexp_instr(t, 'b', 1, 1, 1)", 15},
    {"regexp_instr(t, 'b', 1, 1, 2)", 15},
    {"regexp_instr(t, '(A)(B)', 1, 1, 0, 'i', 2)", 15},
    {"regexp_instr(t, 'ab', 1, 1, 0, '', 1)", 15},
    {"regexp_instr(t, '(a)', 1, 1, 0, '', 3)", 15},
    {"regexp_instr(t, '(a)', 1, 1, 0, '', -1)", 15},
    {"regexp_substr(t, 'b+')", 15},
    {"regexp_substr(t, 'b', i, i)", 15},
    {"regexp_substr(t, '(a)(b)?', 1, 1, '', 2)", 15},
    {"regexp_substr(t, 'B', 1, 1, 'i')", 15},
    {"regexp_replace(t, 'b', 'x', 2)", 15},
    {"regexp_replace(t, 'b', 'x', i, i)", 15},
    {"regexp_replace(t, 'B', 'x', 1, 0, 'i')", 15},
    {"regexp_replace(t, 'b', 'x', 0, 0)", 15},
    {"regexp_replace(t, 'b', 'x', 1, -1)", 15},
};

ExpressionServer::Table Rows() {
  ExpressionServer::Table out{
      {std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt}};
  static constexpr const char* kTexts[] = {"",     "a",    "ab", "abb bab", "AB",     "éÉ",
                                           "12-3", "a\nb", "a%", "aab",     "x ab y", "中bb"};
  static constexpr const char* kPatterns[] = {"b", "^a",      "(",  "",       "(a)(b)?", "\\w+",
                                              "i", "[[:x:]]", "b*", "(.)\\1", "É",       "a.b"};
  for (std::size_t i = 0; i < std::size(kTexts); ++i)
    for (std::size_t j = 0; j < std::size(kPatterns); ++j)
      out.push_back({kTexts[i], kPatterns[j], kTexts[i], std::string("ab").substr(0, i % 3),
                     "v" + std::to_string(i), std::to_string(static_cast<int>(j) - 1)});
  return out;
}

TEST(PostgresRegexFunctionsTest, GiveWhatTheServerGives) {
  const auto server = ExpressionServer::Connect("relcache_regex");
  if (server == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  server->Define("t text, p text, n name, c char(5), v varchar(10), i integer", Rows());
  const ContextPtr cx = AllocSet::CreateRoot("scratch");
  Scratch scratch(server->settings(), *cx);
  std::size_t compared = 0, refused = 0;
  for (const RegexExpression& e : kExpressions) {
    if (server->info().pg_version() < e.since) continue;
    SCOPED_TRACE(e.expression);
    const auto answer = server->Ask(e.expression);
    if (!answer) {
      ADD_FAILURE() << "the server takes it for no expression";
      continue;
    }
    const auto comparison = testing::CompareWithServer(*server, *answer, scratch);
    EXPECT_EQ(comparison.difference, "");
    compared += comparison.compared;
    if (!comparison.refused.empty()) {
      ++refused;
      std::cout << e.expression << ": " << comparison.refused << '\n';
    }
  }
  std::cout << compared << " values compared, " << refused << " expressions refused\n";
  EXPECT_LE(refused, 5u);
}

}  // namespace
}  // namespace relcache
