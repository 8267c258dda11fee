#include "relcache/executor/join/hash_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>

#include "random_joins.h"
#include "relcache/executor/rows/internal/hash_table.h"
#include "relcache/executor/rows/internal/row_store.h"

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

// The bytes of each row as the join keeps it.
std::vector<std::uint32_t> StoredSizes(const test::TextTable& table) {
  const auto loaded = table.Load();
  const RowLayout layout(loaded->columns());
  std::vector<std::uint32_t> sizes(table.rows.size());
  std::vector<std::uint32_t> all(table.rows.size());
  std::iota(all.begin(), all.end(), 0U);
  std::vector<BatchColumn> columns(table.types.size());
  loaded->Slice(0, table.rows.size(), columns);
  EXPECT_TRUE(layout.Measure({columns, table.rows.size()}, all, sizes.data()));
  return sizes;
}

// What one key has: its rows cannot be split.
struct KeyBytes {
  std::size_t bytes = 0;
  std::size_t rows = 0;
};

KeyBytes HeaviestKey(const JoinCase& join, const std::vector<std::uint32_t>& sizes) {
  std::map<std::string, KeyBytes> keys;
  KeyBytes heaviest;
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    const auto key = KeyOf(join.build, join.build.rows[r], join.keys);
    if (!key) continue;
    KeyBytes& of_key = keys[*key];
    of_key.bytes += sizes[r];
    ++of_key.rows;
    if (of_key.bytes > heaviest.bytes) heaviest = of_key;
  }
  return heaviest;
}

std::size_t LongestRow(const std::vector<std::uint32_t>& sizes) {
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

// Random joins of every kind, with limits from 64 kB: the contexts never hold more than the limit
// and one row of each side, which is far less than a batch, unless one key alone asks for more.
void CheckLimits(std::uint64_t seed, int joins, std::size_t max_rows) {
  Random random(seed);
  std::uint64_t spilled = 0;
  std::uint64_t heavy = 0;
  for (int i = 0; i < joins; ++i) {
    const JoinCase join = test::RandomJoin(random, max_rows, static_cast<double>(max_rows));
    const JoinRun run = test::RandomRun(random, join.build.rows.size());
    const std::vector<std::uint32_t> sizes = StoredSizes(join.build);
    const test::PeakWatch watch("hash join");
    const auto result = RunJoin(join, run, kBatchRows, false);
    ASSERT_TRUE(result) << Describe(join, run) << ": " << result.error().ToString();
    const HashJoinCounters& counters = result->counters;
    const std::size_t rows = LongestRow(sizes) + LongestRow(StoredSizes(join.probe));
    // A key that cannot be split stays with up to a quarter of other rows, its buckets, and the
    // buffers and the filter that were made before this was known.
    const KeyBytes heaviest = HeaviestKey(join, sizes);
    const std::size_t unsplittable =
        heaviest.bytes + heaviest.bytes / 4 +
        HashTable::BucketsFor(heaviest.rows + heaviest.rows / 4) * sizeof(std::uint64_t) +
        run.work_mem / 8 * 3;
    ASSERT_LE(watch.peak(), std::max(run.work_mem, unsplittable) + rows) << Describe(join, run);
    // What is reported is what was, but for a reader that came and went.
    ASSERT_LE(counters.peak_bytes, watch.peak());
    ASSERT_GE(counters.peak_bytes + rows + 2048, watch.peak()) << Describe(join, run);
    ASSERT_EQ(counters.overrun_bytes, counters.peak_bytes > run.work_mem
                                          ? counters.peak_bytes - run.work_mem
                                          : std::uint64_t{0});
    spilled += counters.spilled_bytes > 0 ? 1 : 0;
    heavy += unsplittable > run.work_mem ? 1 : 0;
  }
  // Not by never spilling, nor by allowing for a heavy key all the time.
  EXPECT_GT(spilled, static_cast<std::uint64_t>(joins) / 20);
  EXPECT_LT(heavy, static_cast<std::uint64_t>(joins) / 20);
}

TEST(HashJoinTest, KeepsTheLimit) {
  CheckLimits(4, 300, 2000);
}

TEST(SlowHashJoinTest, KeepsTheLimitTenThousandTimes) {
  CheckLimits(5, 10000, 3000);
}

// What the machine has to give, in bytes.
std::size_t AvailableMemory() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::size_t kilobytes = 0;
  while (file >> name >> kilobytes) {
    if (name == "MemAvailable:") return kilobytes << 10;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
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
    EXPECT_LE(result->counters.passes, 64U);
  }
}

// At once after a limit that nothing but one key fills there is no overrun yet.
TEST(HashJoinTest, RowsThatFitAfterASplitAreNotKeptBeyondTheLimit) {
  // Four rows in five have one key, which alone fits.
  JoinCase join = OneKey(100, 0, false);
  for (int r = 0; r < 1200; ++r)
    join.build.rows.push_back(
        {r % 5 == 0 ? std::to_string(r) : "7", std::to_string(r), "some text of a build row"});
  for (const HashJoinStrategy strategy : test::kStrategies) {
    const auto result = RunJoin(join, {strategy, std::size_t{96} << 10, 1200, {}});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->counters.overrun_bytes, 0U);
    EXPECT_GT(result->counters.spilled_bytes, 0U);
  }
}

TEST(HashJoinTest, NoBatchWritesNoFileWhenTheRowsFit) {
  const JoinCase join = OneKey(1000, 20000, false);
  const std::uint64_t far_too_high = 100'000'000;
  const auto without = RunJoin(
      join, {HashJoinStrategy::kDeferredUnpartitioned, std::size_t{4} << 20, far_too_high, {}});
  ASSERT_TRUE(without);
  EXPECT_EQ(without->counters.spilled_bytes, 0U);
  EXPECT_EQ(without->counters.passes, 1U);
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
  EXPECT_EQ(buckets(HashJoinStrategy::kDeferredUnpartitioned), 1024U);
}

// An estimate is only somebody's guess: no number of it leads to overflow or to a wrong row.
TEST(HashJoinTest, AnyEstimateGivesTheSameRows) {
  const JoinCase join = OneKey(500, 300, false);
  const auto expected = Bag(NestedLoop(join));
  for (const std::uint64_t estimate :
       {std::uint64_t{0}, (std::uint64_t{1} << 31) - 1, (std::uint64_t{1} << 31) + 1,
        std::uint64_t{1} << 33, (std::uint64_t{1} << 63) + 1, UINT64_MAX}) {
    for (const HashJoinStrategy strategy : test::kStrategies) {
      const auto result = RunJoin(join, {strategy, std::size_t{1} << 20, estimate, {}});
      ASSERT_TRUE(result) << estimate;
      EXPECT_TRUE(SameBag(Bag(result->rows), expected)) << estimate;
    }
  }
}

TEST(HashJoinTest, DuplicatesGetBucketsByDistinctKeys) {
  JoinCase join = OneKey(10, 0, false);
  for (int r = 0; r < 50000; ++r)
    join.build.rows.push_back({std::to_string(r % 500), std::to_string(r), "x"});
  const auto result =
      RunJoin(join, {HashJoinStrategy::kDeferredUnpartitioned, std::size_t{64} << 20, 1, {}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rows.size(), 1000U);
  EXPECT_LE(result->counters.buckets, 1024U);
  EXPECT_NEAR(result->counters.distinct_keys, 500, 50);
}

TEST(HashJoinTest, TheFilterSparesProbeRowsTheWayToDisk) {
  JoinCase join = OneKey(50000, 20000, false);
  for (auto& row : join.probe.rows) row[0] = std::to_string(std::stoll(*row[0]) * 10);
  const auto result =
      RunJoin(join, {HashJoinStrategy::kDeferredUnpartitioned, std::size_t{512} << 10, 20000, {}});
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

TEST(HashTableTest, NumbersOfBucketsAreSixtyFourBitsWide) {
  constexpr std::uint64_t kOne = 1;
  EXPECT_EQ(HashTable::BucketsFor(0), 64U);
  EXPECT_EQ(HashTable::BucketsFor((kOne << 31) - 1), kOne << 31);
  EXPECT_EQ(HashTable::BucketsFor((kOne << 31) + 1), kOne << 32);
  EXPECT_EQ(HashTable::BucketsFor((kOne << 40) + 1), kOne << 41);
  EXPECT_LE(HashTable::BucketsFor(UINT64_MAX), SIZE_MAX / sizeof(std::uint64_t));
  for (int bits = 6; bits <= 58; ++bits) {
    const std::uint64_t buckets = kOne << bits;
    EXPECT_EQ(HashTable::BucketOf(UINT64_MAX, buckets), buckets - 1);
    EXPECT_EQ(HashTable::BucketOf(buckets + 3, buckets), 3U);
    EXPECT_EQ(HashTable::BucketOf(buckets / 2, buckets), buckets / 2);
  }
}

// 2 GiB of buckets, where PostgreSQL's array of them ended at one.
TEST(SlowHashTableTest, BucketsBeyondAGigabyteAreFoundAgain) {
  if (AvailableMemory() < std::size_t{4} << 30) GTEST_SKIP() << "less than 4 GB of memory";
  constexpr std::size_t kBuckets = std::size_t{1} << 28;
  const ContextPtr cx = AllocSet::CreateRoot("buckets of this test");
  HashTable table;
  table.Allocate(kBuckets, true, *cx);
  EXPECT_GT(cx->total_bytes_reserved(), std::size_t{2} << 30);
  // Two rows in every bucket that is written, over the whole length and at both its ends.
  std::vector<StoredRow> rows;
  for (std::uint64_t i = 0; i < 4096; ++i)
    for (const std::uint64_t above : {i << 40, (i << 40) + (std::uint64_t{1} << 60)})
      rows.push_back({0, i * (kBuckets / 4095) % kBuckets + above});
  rows.push_back({0, kBuckets - 1});
  for (StoredRow& row : rows) table.Insert(&row);
  for (const StoredRow& row : rows) {
    const std::uint64_t tags = HashTable::Tags(row.hash);
    std::uint64_t link = table.Head(row.hash);
    while (HashTable::MayLeadTo(link, tags) && HashTable::RowAt(link) != &row)
      link = HashTable::RowAt(link)->next;
    ASSERT_EQ(HashTable::RowAt(link), &row) << row.hash;
  }
}

TEST(SlowHashJoinTest, EagerTakesBucketsBeyondAGigabyte) {
  if (AvailableMemory() < std::size_t{4} << 30) GTEST_SKIP() << "less than 4 GB of memory";
  const JoinCase join = OneKey(5000, 3000, false);
  const auto expected = Bag(NestedLoop(join));
  const std::size_t limit = std::size_t{64} << 30;
  const std::uint64_t estimate = 200'000'000;
  const auto eager = RunJoin(join, {HashJoinStrategy::kEager, limit, estimate, {}});
  ASSERT_TRUE(eager);
  EXPECT_EQ(eager->counters.buckets, std::uint64_t{1} << 28);
  EXPECT_GT(eager->counters.peak_bytes, std::uint64_t{2} << 30);
  EXPECT_EQ(eager->counters.passes, 1U);
  EXPECT_TRUE(SameBag(Bag(eager->rows), expected));
  const auto deferred = RunJoin(join, {HashJoinStrategy::kDeferred, limit, estimate, {}});
  ASSERT_TRUE(deferred);
  EXPECT_EQ(deferred->counters.buckets, 4096U);
  EXPECT_LT(deferred->counters.peak_bytes, std::uint64_t{2} << 20);
  EXPECT_TRUE(SameBag(Bag(deferred->rows), expected));
}

TEST(RowStoreTest, FreeEndsAndLongRowsAreForeseen) {
  Random random(6);
  const std::vector<ColumnType> columns = {ColumnTypeOf(kTextOid).value()};
  const RowLayout layout(columns);
  for (const std::size_t chunk : {std::size_t{4} << 10, std::size_t{64} << 10}) {
    const ContextPtr cx = AllocSet::CreateRoot("rows of this test");
    RowStore rows(layout, {chunk, false}, *cx);
    for (int i = 0; i < 300; ++i) {
      std::vector<std::uint32_t> sizes(1 + test::Below(random, 100));
      for (std::uint32_t& size : sizes)
        size = static_cast<std::uint32_t>(
            32 + 8 * test::Below(random, test::Below(random, 10) == 0 ? 2000 : 10));
      const std::size_t foreseen = rows.bytes_reserved() + rows.BytesToGrow(sizes);
      std::vector<StoredRow*> made(sizes.size());
      rows.Allocate(sizes, made.data());
      ASSERT_LE(rows.bytes_reserved(), foreseen);
      ASSERT_GE(rows.bytes_reserved() + sizes.size() * 512, foreseen);
    }
  }
}

}  // namespace
}  // namespace relcache
