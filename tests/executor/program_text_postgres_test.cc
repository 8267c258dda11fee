// Programs as text: the text of a stored expression, put to the server as SQL, has the value that
// the server stored (label postgres).
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "postgres_rows.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/executor/expressions/cached_program.h"
#include "relcache/tests/server_snapshot.h"

namespace relcache {
namespace {

constexpr const char* kExpressions[] = {
    "c0 > 5 and c1 < 9",
    "c0 > 5 or c1 < 9 and c3",
    "not (c0 > 5 or c3)",
    "(c0 is null) = (c1 is null)",
    "(c0 > 3 and c1 > 3 or c0 < 2) and not c3",
    "c1 <> 0 and 10 / c1 > 1",
    "c1 = 0 or 10 / c1 > 1 or c3",
    "(c1 <> 0 and 10 / c1 > 1) or (c0 <> 0 and 10 / c0 > 2) or c3",
    "c3 and (c1 = 0 or 10 / c1 > 1) and length(c2) > 1",
    "c0 is distinct from c1",
    "not (c0 is distinct from c1) or c3 is null",
    "nullif(c0, c1) > 3",
    "greatest(c0, c1, 4) > 4",
    "least(c0, c1) < 3 is not false",
    "c3 is not true or c0 > 2",
    "c3 is unknown",
    "(c3 is false) is distinct from (c0 > c1)",
    "length(c2) > 2 and (c3 or c0 < c1)",
    "length(c2) > 2 or c3 and 100 / (c0 - 1000) < 0",
    "num_nulls(c0, c1, c2) = 1",
    "c0 between 3 and 8",
    "c0::text = c1::text",
};

TEST(PostgresProgramTextTest, TheTextOfAnExpressionIsTheExpression) {
  const auto server = test::PostgresRows::Connect();
  if (server == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  std::string columns;
  std::size_t n = 0;
  for (const char* expression : kExpressions)
    columns +=
        ", g" + std::to_string(n++) + " boolean generated always as (" + expression + ") stored";
  server->Query(
      "drop schema if exists relcache_text cascade; create schema relcache_text;"
      "create table relcache_text.e (c0 int, c1 int, c2 text collate \"C\", c3 boolean" +
      columns +
      "); insert into relcache_text.e"
      " select a, b, t, p from unnest(array[null, 0, 1, 2, 3, 4, 5, 6, 9, 20]) a,"
      " unnest(array[null, 0, 1, 3, 5, 9, 10]) b, unnest(array[null, 'x', 'xyz']) t,"
      " unnest(array[null, true, false]) p");
  const auto catalog = test::SnapshotOf(std::getenv("RELCACHE_TEST_POSTGRES"), {"relcache_text"});
  ASSERT_NE(catalog, nullptr);
  {
    RelationCache cache(*catalog);
    const RelationPin e = cache.Open("relcache_text", "e").value();
    ASSERT_EQ(e->defaults().size(), std::size(kExpressions));
    for (std::size_t i = 0; i < std::size(kExpressions); ++i) {
      SCOPED_TRACE(kExpressions[i]);
      const auto program = ProgramOf(*e, e->defaults()[i].expression());
      ASSERT_TRUE(program) << program.error().ToString();
      const std::string text = (*program)->ToExpression();
      SCOPED_TRACE(text);
      EXPECT_EQ(text.find(';'), std::string::npos);
      const auto differing = server->Query("select count(*) from relcache_text.e where (" + text +
                                           ") is distinct from g" + std::to_string(i));
      ASSERT_EQ(differing.size(), 1U);
      EXPECT_EQ(differing[0][0], "0");
    }
  }
  server->Query("drop schema relcache_text cascade");
}

}  // namespace
}  // namespace relcache
