// Joins and aggregates whose every request for memory fails once.
#include <gtest/gtest.h>

#include "random_aggregates.h"
#include "random_joins.h"
#include "relcache/tests/failing_allocator.h"

namespace relcache {
namespace {

using test::Drain;

TEST(HashOperatorsMemoryTest, AJoinThatSpillsSurvivesEveryFailure) {
  test::Random random(1);
  const std::vector<Oid> types = {kInt4Oid, kTextOid};
  const std::vector<test::KeyShape> shapes = {{400, 50, 0}, {2, 0, 0}};
  const auto probe = test::RandomJoinSide(types, shapes, 900, random).Load();
  const auto build = test::RandomJoinSide(types, shapes, 1500, random).Load();
  for (const HashJoinStrategy strategy : test::kStrategies) {
    const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
      HashJoinOptions options;
      options.type = JoinType::kFull;
      options.strategy = strategy;
      options.keys = {{0, 0}, {1, 1}};
      options.work_mem = std::size_t{64} << 10;
      options.estimated_rows = 1500;
      auto join = HashJoin::Create(options, std::make_unique<TableScan>(*probe),
                                   std::make_unique<TableScan>(*build));
      ASSERT_TRUE(join);
      ASSERT_TRUE(Drain(**join));
      EXPECT_GT((*join)->counters().spilled_bytes, 0U);
    });
    EXPECT_GT(failures, 50U);
  }
}

TEST(HashOperatorsMemoryTest, AnAggregateThatSpillsSurvivesEveryFailure) {
  test::TextTable rows;
  rows.types = {kInt4Oid, kTextOid, kNumericOid};
  // Few rows, but long: there is a run for every request.
  for (int r = 0; r < 36; ++r)
    rows.rows.push_back(
        {std::to_string(r % 18), std::string(2500, static_cast<char>('a' + r % 2)), "1.5"});
  const auto table = rows.Load();
  const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
    HashAggregateOptions options;
    options.group_by = {0, 1};
    options.calls = {{AggregateFunction::kArrayAgg, 1, false},
                     {AggregateFunction::kCount, 1, true},
                     {AggregateFunction::kMax, 1, false},
                     {AggregateFunction::kAvg, 2, false}};
    options.work_mem = std::size_t{64} << 10;
    auto aggregate = HashAggregate::Create(options, std::make_unique<TableScan>(*table));
    ASSERT_TRUE(aggregate);
    ASSERT_TRUE(Drain(**aggregate));
    EXPECT_GT((*aggregate)->counters().spilled_bytes, 0U);
  });
  EXPECT_GT(failures, 50U);
}

}  // namespace
}  // namespace relcache
