#include "relcache/executor/hash_join.h"

#include <gtest/gtest.h>

#include <map>

#include "random_joins.h"

namespace relcache {
namespace {

using test::Bag;
using test::JoinCase;
using test::JoinRun;
using test::Random;
using test::RunJoin;
using test::SameBag;
using test::TextRow;

// What makes two keys equal, as a text: numbers lose their spelling, blanks of bpchar their end.
std::optional<std::string> KeyOf(const test::TextTable& table, const TextRow& row,
                                 std::size_t keys) {
  std::string key;
  for (std::size_t k = 0; k < keys; ++k) {
    if (!row[k]) return std::nullopt;
    std::string text = *row[k];
    switch (table.types[k]) {
      case kFloat4Oid:
      case kFloat8Oid:
      case kNumericOid:
        if (text == "-0") text = "0";
        while (text.find('.') != std::string::npos && text.back() == '0') text.pop_back();
        break;
      case kBpcharOid:
        while (!text.empty() && text.back() == ' ') text.pop_back();
        break;
      default:
        break;
    }
    key += text + "|";
  }
  return key;
}

// The join by definition.
std::vector<TextRow> NestedLoop(const JoinCase& join) {
  std::multimap<std::string, std::size_t> build;
  for (std::size_t b = 0; b < join.build.rows.size(); ++b)
    if (auto key = KeyOf(join.build, join.build.rows[b], join.keys)) build.emplace(*key, b);
  std::vector<bool> build_matched(join.build.rows.size());
  const std::size_t n = join.number_column();
  const bool probe_only = join.type == JoinType::kSemi || join.type == JoinType::kAnti;
  std::vector<TextRow> out;
  for (const TextRow& row : join.probe.rows) {
    bool matched = false;
    if (const auto key = KeyOf(join.probe, row, join.keys)) {
      const auto [first, last] = build.equal_range(*key);
      for (auto i = first; i != last; ++i) {
        const TextRow& other = join.build.rows[i->second];
        if (join.condition &&
            !test::SumCondition::Holds(std::stoll(*row[n]), std::stoll(*other[n])))
          continue;
        matched = true;
        build_matched[i->second] = true;
        if (probe_only) continue;
        TextRow pair = row;
        pair.insert(pair.end(), other.begin(), other.end());
        out.push_back(std::move(pair));
      }
    }
    if ((join.type == JoinType::kSemi && matched) || (join.type == JoinType::kAnti && !matched))
      out.push_back(row);
    if ((join.type == JoinType::kLeft || join.type == JoinType::kFull) && !matched) {
      TextRow pair = row;
      pair.resize(row.size() + join.build.types.size());
      out.push_back(std::move(pair));
    }
  }
  if (join.type == JoinType::kRight || join.type == JoinType::kFull) {
    for (std::size_t b = 0; b < join.build.rows.size(); ++b) {
      if (build_matched[b]) continue;
      TextRow pair(join.probe.types.size());
      pair.insert(pair.end(), join.build.rows[b].begin(), join.build.rows[b].end());
      out.push_back(std::move(pair));
    }
  }
  return out;
}

// Texts as the types print them, so that a literal "-0" and the value's text agree.
void Normalize(test::TextTable& table) {
  const ContextPtr cx = AllocSet::CreateRoot("normalize");
  for (TextRow& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      if (row[c])
        row[c] = test::Text(table.types[c], test::Value(table.types[c], *row[c], *cx), *cx);
    cx->Reset();
  }
}

JoinCase Normalized(JoinCase join) {
  Normalize(join.probe);
  Normalize(join.build);
  return join;
}

void CompareRandomJoins(std::uint64_t seed, int joins, std::size_t max_rows) {
  Random random(seed);
  for (int i = 0; i < joins; ++i) {
    const JoinCase join =
        Normalized(test::RandomJoin(random, max_rows, 3.0 * static_cast<double>(max_rows)));
    const auto expected = Bag(NestedLoop(join));
    for (int r = 0; r < 3; ++r) {
      JoinRun run = test::RandomRun(random, join.build.rows.size());
      run.strategy = test::kStrategies[r];
      const std::size_t batch_rows = r == 0 ? kBatchRows : 1 + test::Below(random, 3000);
      const auto result = RunJoin(join, run, batch_rows);
      ASSERT_TRUE(result) << Describe(join, run) << ": " << result.error().ToString();
      ASSERT_TRUE(SameBag(Bag(result->rows), expected))
          << "join " << i << ": " << Describe(join, run);
    }
  }
}

TEST(HashJoinTest, AllStrategiesAgreeWithANestedLoopOnSmallTables) {
  CompareRandomJoins(1, 400, 60);
}

TEST(HashJoinTest, AllStrategiesAgreeWithANestedLoopOnTablesThatSpill) {
  CompareRandomJoins(2, 20, 3000);
}

TEST(SlowHashJoinTest, AllStrategiesAgreeWithANestedLoopOnLargerTables) {
  CompareRandomJoins(3, 60, 40000);
}

// Memory stays within the limit but for one batch, over random joins of every kind. Rows are at
// most a kilobyte and a half long here.
void CheckLimits(std::uint64_t seed, int joins, std::size_t max_rows) {
  Random random(seed);
  std::uint64_t spilled = 0;
  for (int i = 0; i < joins; ++i) {
    JoinCase join = test::RandomJoin(random, max_rows, static_cast<double>(max_rows));
    const JoinRun run = test::RandomRun(random, join.build.rows.size());
    const auto result = RunJoin(join, run);
    ASSERT_TRUE(result) << Describe(join, run) << ": " << result.error().ToString();
    std::size_t batch_bytes = 0;
    std::size_t at = 0;
    // What cannot be split: the rows of one key.
    std::map<std::string, std::size_t> key_bytes;
    std::size_t heaviest = 0;
    for (std::size_t r = 0; r < join.build.rows.size(); ++r) {
      std::size_t row = 64;
      for (const auto& value : join.build.rows[r]) row += value ? value->size() + 16 : 8;
      at = r % kBatchRows == 0 ? row : at + row;
      batch_bytes = std::max(batch_bytes, at);
      if (const auto key = KeyOf(join.build, join.build.rows[r], join.keys))
        heaviest = std::max(heaviest, key_bytes[*key] += row);
    }
    // Its bucket array may come on top, and chunks are not filled to the last byte.
    const std::size_t unsplittable = heaviest > run.work_mem / 2 ? 2 * heaviest : 0;
    ASSERT_LE(result->counters.peak_bytes, run.work_mem + batch_bytes + unsplittable)
        << Describe(join, run);
    ASSERT_EQ(result->counters.overrun_bytes, result->counters.peak_bytes > run.work_mem
                                                  ? result->counters.peak_bytes - run.work_mem
                                                  : 0);
    spilled += result->counters.spilled_bytes > 0 ? 1 : 0;
  }
  // Not by never spilling.
  EXPECT_GT(spilled, static_cast<std::uint64_t>(joins) / 50);
}

TEST(HashJoinTest, KeepsTheLimit) {
  CheckLimits(4, 150, 2000);
}

TEST(SlowHashJoinTest, KeepsTheLimitTenThousandTimes) {
  CheckLimits(5, 10000, 3000);
}

JoinCase OneKey(std::size_t probe_rows, std::size_t build_rows, bool equal_keys) {
  JoinCase join;
  join.probe.types = {kInt4Oid, kInt4Oid, kTextOid};
  join.build.types = join.probe.types;
  for (std::size_t r = 0; r < probe_rows; ++r)
    join.probe.rows.push_back({equal_keys ? "7" : std::to_string(r), std::to_string(r), "p"});
  for (std::size_t r = 0; r < build_rows; ++r)
    join.build.rows.push_back(
        {equal_keys ? "7" : std::to_string(r), std::to_string(r), "some text of a build row"});
  return join;
}

TEST(HashJoinTest, EqualKeysStopTheSplittingAndTheOverrunIsReported) {
  const JoinCase join = OneKey(3, 65536, true);
  for (const HashJoinStrategy strategy : test::kStrategies) {
    const auto result = RunJoin(join, {strategy, std::size_t{256} << 10, 65536, {}});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rows.size(), 3U * 65536);
    EXPECT_GT(result->counters.overrun_bytes, 0U);
    EXPECT_LE(result->counters.batches, 64U);
  }
}

TEST(HashJoinTest, NoBatchWritesNoFileWhenTheRowsFit) {
  const JoinCase join = OneKey(1000, 20000, false);
  const std::uint64_t far_too_high = 100'000'000;
  const auto without =
      RunJoin(join, {HashJoinStrategy::kDeferredNoBatch, std::size_t{4} << 20, far_too_high, {}});
  ASSERT_TRUE(without);
  EXPECT_EQ(without->counters.spilled_bytes, 0U);
  EXPECT_EQ(without->counters.batches, 1U);
  const auto with =
      RunJoin(join, {HashJoinStrategy::kDeferred, std::size_t{4} << 20, far_too_high, {}});
  ASSERT_TRUE(with);
  EXPECT_GT(with->counters.spilled_bytes, 0U);
}

TEST(HashJoinTest, BucketsComeFromTheTrueCountUnlessEager) {
  const JoinCase join = OneKey(10, 1000, false);
  const auto buckets = [&](HashJoinStrategy strategy) {
    return RunJoin(join, {strategy, std::size_t{64} << 20, 100'000, {}})->counters.buckets;
  };
  EXPECT_EQ(buckets(HashJoinStrategy::kEager), 131072U);
  EXPECT_EQ(buckets(HashJoinStrategy::kDeferred), 1024U);
  EXPECT_EQ(buckets(HashJoinStrategy::kDeferredNoBatch), 1024U);
}

TEST(HashJoinTest, DuplicatesGetBucketsByDistinctKeys) {
  JoinCase join = OneKey(10, 0, false);
  for (int r = 0; r < 50000; ++r)
    join.build.rows.push_back({std::to_string(r % 500), std::to_string(r), "x"});
  const auto result =
      RunJoin(join, {HashJoinStrategy::kDeferredNoBatch, std::size_t{64} << 20, 1, {}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rows.size(), 1000U);
  EXPECT_LE(result->counters.buckets, 1024U);
  EXPECT_NEAR(result->counters.distinct_keys, 500, 50);
}

TEST(HashJoinTest, TheFilterSparesProbeRowsTheWayToDisk) {
  JoinCase join = OneKey(50000, 20000, false);
  for (auto& row : join.probe.rows) row[0] = std::to_string(std::stoll(*row[0]) * 10);
  const auto result =
      RunJoin(join, {HashJoinStrategy::kDeferredNoBatch, std::size_t{512} << 10, 20000, {}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rows.size(), 2000U);
  EXPECT_GT(result->counters.spilled_bytes, 0U);
  EXPECT_GT(result->counters.filtered_rows, 30000U);
}

TEST(HashJoinTest, LongRowsPassThroughBuffersThatAreSmaller) {
  JoinCase join = OneKey(200, 200, false);
  for (auto* table : {&join.probe, &join.build})
    for (auto& row : table->rows) row[2] = std::string(20000, 'l');
  const auto expected = Bag(NestedLoop(join));
  for (const HashJoinStrategy strategy : test::kStrategies) {
    const auto result = RunJoin(join, {strategy, std::size_t{64} << 10, 200, {}}, 3);
    ASSERT_TRUE(result);
    EXPECT_TRUE(SameBag(Bag(result->rows), expected));
    EXPECT_GT(result->counters.spilled_bytes, 0U);
  }
}

TEST(HashJoinTest, RefusesWhatItCannotCompare) {
  JoinCase join = OneKey(1, 1, false);
  join.build.types[0] = kTextOid;
  const auto result = RunJoin(join, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "not supported: integer = text");
}

}  // namespace
}  // namespace relcache
