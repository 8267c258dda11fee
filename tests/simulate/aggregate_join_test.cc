#include "relcache/simulate/aggregate_join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(AggregateJoinTest, TheFormsAgreeAndCountTheirResetsByPlace) {
  AggregateJoinOptions options;
  options.rows = 2500;
  options.batch = 1000;
  options.rounds = 2;
  const auto forms = MeasureAggregateJoin(options);
  ASSERT_TRUE(forms) << forms.error().ToString();
  const auto& [fast, full, batches] = *forms;
  EXPECT_STREQ(fast.form, "per-tuple");
  EXPECT_STREQ(full.form, "per-tuple-no-fast-path");
  EXPECT_STREQ(batches.form, "per-batch");
  // Five groups of equal size.
  EXPECT_EQ(std::ranges::count(fast.answer, '\n'), 5);
  EXPECT_EQ(fast.answer, full.answer);
  EXPECT_EQ(fast.answer, batches.answer);
  // A scan resets before each row and before it finds that there is none; of the batches only the
  // scan of the larger table does.
  EXPECT_EQ(fast.resets, full.resets);
  EXPECT_EQ(fast.resets[kScan], options.rows + 1 + 5 + 1);
  EXPECT_EQ(fast.resets[kFillHashTable], options.rows);
  EXPECT_EQ(fast.resets[kBatch], 0u);
  EXPECT_EQ(batches.resets[kBatch], 3u + 1);
  EXPECT_EQ(batches.total(), batches.resets[kBatch]);
}

}  // namespace
}  // namespace relcache
