// Joins and aggregates against a running PostgreSQL 15.
#include <gtest/gtest.h>

#include "postgres_rows.h"
#include "random_aggregates.h"
#include "random_joins.h"

namespace relcache {
namespace {

using test::Bag;
using test::Random;
using test::SameBag;

std::string ToSql(const test::JoinCase& join) {
  std::string on;
  for (std::size_t k = 0; k < join.keys; ++k) {
    const std::string c = std::to_string(k);
    on += (k == 0 ? "p.c" : " AND p.c") + c + " = b.c" + c;
  }
  const std::string n = std::to_string(join.number_column());
  if (join.condition) on += " AND (p.c" + n + " + b.c" + n + ") % 3 <> 0";
  switch (join.type) {
    case JoinType::kInner:
      return "SELECT p.*, b.* FROM p JOIN b ON " + on;
    case JoinType::kLeft:
      return "SELECT p.*, b.* FROM p LEFT JOIN b ON " + on;
    case JoinType::kRight:
      return "SELECT p.*, b.* FROM p RIGHT JOIN b ON " + on;
    case JoinType::kFull:
      return "SELECT p.*, b.* FROM p FULL JOIN b ON " + on;
    case JoinType::kSemi:
      return "SELECT p.* FROM p WHERE EXISTS (SELECT FROM b WHERE " + on + ")";
    case JoinType::kAnti:
      return "SELECT p.* FROM p WHERE NOT EXISTS (SELECT FROM b WHERE " + on + ")";
    default:
      return "";
  }
}

void CompareJoins(std::uint64_t seed, int joins) {
  const auto server = test::PostgresRows::Connect();
  if (server == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  Random random(seed);
  for (int i = 0; i < joins; ++i) {
    const test::JoinCase join = test::RandomJoin(random, i % 10 == 0 ? 5000 : 300, 2000);
    server->Load("p", join.probe);
    server->Load("b", join.build);
    // A condition that cannot be merged or hashed keeps a full join from being planned.
    if (join.type == JoinType::kFull && join.condition) continue;
    const auto expected = Bag(server->Query(ToSql(join)));
    for (const HashJoinStrategy strategy : test::kStrategies) {
      test::JoinRun run = test::RandomRun(random, join.build.rows.size());
      run.strategy = strategy;
      const auto result = RunJoin(join, run);
      ASSERT_TRUE(result) << result.error().ToString();
      ASSERT_TRUE(SameBag(Bag(result->rows), expected)) << Describe(join, run);
    }
  }
}

TEST(PostgresHashJoinTest, AllStrategiesAgreeOnFiveHundredRandomJoins) {
  CompareJoins(11, 500);
}

void CompareAggregates(std::uint64_t seed, int aggregates) {
  const auto server = test::PostgresRows::Connect();
  if (server == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  Random random(seed);
  for (int i = 0; i < aggregates; ++i) {
    const test::AggregateCase aggregate = test::RandomAggregate(random, i % 10 == 0 ? 5000 : 300);
    server->Load("t", aggregate.input, true);
    const std::string sql = test::ToSql(aggregate, "t");
    const auto expected = Bag(server->Query(sql));
    for (const std::size_t limit : {std::size_t{64} << 10, std::size_t{64} << 20}) {
      const auto result = test::RunAggregate(aggregate, limit);
      ASSERT_TRUE(result) << sql << ": " << result.error().ToString();
      ASSERT_TRUE(SameBag(Bag(result->rows), expected)) << sql << " limit " << limit;
    }
  }
}

TEST(PostgresHashAggregateTest, AgreesOnFiveHundredRandomAggregates) {
  CompareAggregates(12, 500);
}

}  // namespace
}  // namespace relcache
