#include "relcache/simulate/hash_join_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(HashJoinFormTest, BothFormsFindTheSameRowsWithEveryStrategyInMemoryAndSpilled) {
  HashJoinRun run;
  run.build = 3000;
  run.probe = 5000;
  run.distinct = 1000;
  run.estimate = run.build;
  std::vector<HashJoinRun> runs;
  for (const auto strategy : {HashJoinStrategy::kEager, HashJoinStrategy::kDeferred,
                              HashJoinStrategy::kDeferredUnpartitioned}) {
    for (const std::size_t work_mem_kb : {64, 8192}) {
      run.strategy = strategy;
      run.work_mem_kb = work_mem_kb;
      run.buckets_allocated_first = strategy == HashJoinStrategy::kEager;
      runs.push_back(run);
    }
  }
  const auto tuple = MakeTupleForm(run);
  ASSERT_TRUE(tuple) << tuple.error().ToString();
  const auto batch = MakeBatchForm(run);
  for (HashJoinForm* form : {tuple->get(), batch.get()}) {
    const auto figures = MeasureHashJoins(*form, runs, 2);
    ASSERT_TRUE(figures) << figures.error().ToString();
    ASSERT_EQ(figures->size(), runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const HashJoinFigures& f = (*figures)[i];
      // Three build rows have each key, and every text is `width` characters long.
      EXPECT_EQ(f.rows, 3 * run.probe);
      EXPECT_EQ(f.length_sum, f.rows * 2 * run.width);
      EXPECT_EQ(f.batches > 1, runs[i].work_mem_kb == 64);
      EXPECT_EQ(f.spilled_bytes > 0, f.batches > 1);
    }
  }
}

TEST(HashJoinFormTest, TuplesThatAreTooWideForAChunkAreRefused) {
  HashJoinRun run;
  run.build = run.probe = 1;
  run.width = std::size_t{16} << 10;
  EXPECT_EQ(MakeTupleForm(run).error().code, ErrorCode::kNotSupported);
}

}  // namespace
}  // namespace relcache
