#include "relcache/executor/aggregate/hash_aggregate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "random_aggregates.h"

namespace relcache {
namespace {

using test::AggregateCase;
using test::Bag;
using test::Random;
using test::RunAggregate;
using test::SameBag;
using test::TextRow;

constexpr std::size_t kNoLimit = std::size_t{1} << 30;

// Keys, then an int4 and a text.
AggregateCase SmallCase() {
  AggregateCase aggregate;
  aggregate.input.types = {kInt4Oid, kInt4Oid, kTextOid};
  aggregate.input.rows = {{"1", "10", "a"},          {"2", "20", "b"},
                          {"1", "30", std::nullopt}, {std::nullopt, "5", "c"},
                          {"2", std::nullopt, "b"},  {std::nullopt, "5", "a"}};
  aggregate.group_by = {0};
  return aggregate;
}

struct FunctionCase {
  AggregateFunction function;
  std::size_t column;
  bool distinct;
  std::vector<std::string> rows;
};

TEST(HashAggregateTest, EveryFunctionGroupsNullsTogetherAndLeavesThemOut) {
  const FunctionCase cases[] = {
      {AggregateFunction::kCount, AggregateCall::kNoColumn, false, {"1|2|", "2|2|", "\\N|2|"}},
      {AggregateFunction::kCount, 1, false, {"1|2|", "2|1|", "\\N|2|"}},
      {AggregateFunction::kCount, 1, true, {"1|2|", "2|1|", "\\N|1|"}},
      {AggregateFunction::kSum, 1, false, {"1|40|", "2|20|", "\\N|10|"}},
      {AggregateFunction::kSum, 1, true, {"1|40|", "2|20|", "\\N|5|"}},
      {AggregateFunction::kAvg,
       1,
       false,
       {"1|20.0000000000000000|", "2|20.0000000000000000|", "\\N|5.0000000000000000|"}},
      {AggregateFunction::kMin, 2, false, {"1|a|", "2|b|", "\\N|a|"}},
      {AggregateFunction::kMax, 2, false, {"1|a|", "2|b|", "\\N|c|"}},
      {AggregateFunction::kArrayAgg, 2, false, {"1|{a,NULL}|", "2|{b,b}|", "\\N|{c,a}|"}},
      {AggregateFunction::kArrayAgg, 2, true, {"1|{a,NULL}|", "2|{b}|", "\\N|{a,c}|"}},
  };
  for (const FunctionCase& c : cases) {
    AggregateCase aggregate = SmallCase();
    aggregate.calls = {{c.function, c.column, c.distinct}};
    const auto result = RunAggregate(aggregate, kNoLimit);
    ASSERT_TRUE(result) << result.error().ToString();
    EXPECT_TRUE(SameBag(Bag(result->rows), c.rows)) << NameOf(c.function);
  }
}

TEST(HashAggregateTest, WithoutKeysNoRowsMakeOneRow) {
  AggregateCase aggregate = SmallCase();
  aggregate.input.rows.clear();
  aggregate.group_by.clear();
  aggregate.calls = {{AggregateFunction::kCount, AggregateCall::kNoColumn, false},
                     {AggregateFunction::kSum, 1, false},
                     {AggregateFunction::kArrayAgg, 2, false}};
  EXPECT_TRUE(SameBag(Bag(RunAggregate(aggregate, kNoLimit)->rows), {"0|\\N|\\N|"}));
  aggregate.group_by = {0};
  EXPECT_TRUE(RunAggregate(aggregate, kNoLimit)->rows.empty());
}

TEST(HashAggregateTest, SumsOfBigintsDoNotOverflow) {
  AggregateCase aggregate;
  aggregate.input.types = {kInt8Oid};
  aggregate.input.rows.assign(3, {"9223372036854775807"});
  aggregate.calls = {{AggregateFunction::kSum, 0, false}, {AggregateFunction::kAvg, 0, false}};
  EXPECT_TRUE(SameBag(Bag(RunAggregate(aggregate, kNoLimit)->rows),
                      {"27670116110564327421|9223372036854775807|"}));
  for (TextRow& row : aggregate.input.rows) row[0] = "-9223372036854775808";
  EXPECT_TRUE(SameBag(Bag(RunAggregate(aggregate, kNoLimit)->rows),
                      {"-27670116110564327424|-9223372036854775808|"}));
}

TEST(HashAggregateTest, FloatSumsReportOverflow) {
  AggregateCase aggregate;
  aggregate.input.types = {kFloat8Oid};
  aggregate.input.rows.assign(2, {"1e308"});
  for (const AggregateFunction function : {AggregateFunction::kSum, AggregateFunction::kAvg}) {
    aggregate.calls = {{function, 0, false}};
    const auto result = RunAggregate(aggregate, kNoLimit);
    ASSERT_FALSE(result);
    EXPECT_STREQ(result.error().sqlstate, "22003");
    EXPECT_EQ(result.error().message, "value out of range: overflow");
  }
}

TEST(HashAggregateTest, RefusesWhatPostgresHasNot) {
  AggregateCase aggregate;
  aggregate.input.types = {kBoolOid};
  aggregate.calls = {{AggregateFunction::kSum, 0, false}};
  const auto result = RunAggregate(aggregate, kNoLimit);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "not supported: sum(boolean)");
}

// Counts and sums by definition, over integers.
TEST(HashAggregateTest, AgreesWithAMapOnRandomRows) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    AggregateCase aggregate;
    aggregate.input.types = {kInt4Oid, kTextOid, kInt8Oid};
    const std::uint64_t keys = 1 + test::Below(random, 500);
    struct Sums {
      std::int64_t rows = 0;
      std::int64_t sum = 0;
      std::set<std::string> different;
    };
    std::map<std::pair<std::string, std::string>, Sums> groups;
    for (std::uint64_t r = test::Below(random, 5000); r > 0; --r) {
      const std::string a = std::to_string(test::Below(random, keys));
      const std::string b = "key" + std::to_string(test::Below(random, 3));
      const std::string v = std::to_string(test::Below(random, 100));
      aggregate.input.rows.push_back({a, b, v});
      Sums& sums = groups[{a, b}];
      ++sums.rows;
      sums.sum += std::stoll(v);
      sums.different.insert(v);
    }
    aggregate.group_by = {0, 1};
    aggregate.calls = {{AggregateFunction::kCount, AggregateCall::kNoColumn, false},
                       {AggregateFunction::kSum, 2, false},
                       {AggregateFunction::kCount, 2, true}};
    std::vector<TextRow> expected;
    for (const auto& [key, sums] : groups)
      expected.push_back({key.first, key.second, std::to_string(sums.rows),
                          std::to_string(sums.sum), std::to_string(sums.different.size())});
    for (const std::size_t limit : {std::size_t{64} << 10, kNoLimit}) {
      const auto result = RunAggregate(aggregate, limit);
      ASSERT_TRUE(result);
      ASSERT_TRUE(SameBag(Bag(result->rows), Bag(expected))) << "case " << i << " limit " << limit;
    }
  }
}

void CompareLimits(std::uint64_t seed, int cases, std::size_t max_rows) {
  Random random(seed);
  int spilled = 0;
  for (int i = 0; i < cases; ++i) {
    const AggregateCase aggregate = test::RandomAggregate(random, max_rows);
    const auto whole = RunAggregate(aggregate, kNoLimit);
    const auto parts = RunAggregate(aggregate, std::size_t{64} << 10);
    ASSERT_TRUE(whole && parts) << test::ToSql(aggregate, "t");
    ASSERT_TRUE(SameBag(Bag(parts->rows), Bag(whole->rows))) << test::ToSql(aggregate, "t");
    EXPECT_EQ(whole->counters.spilled_bytes, 0U);
    spilled += parts->counters.spilled_bytes > 0 ? 1 : 0;
  }
  EXPECT_GT(spilled, cases / 10);
}

TEST(HashAggregateTest, TheLimitDoesNotChangeTheAnswer) {
  CompareLimits(2, 60, 4000);
}

TEST(SlowHashAggregateTest, TheLimitDoesNotChangeTheAnswerOnLargerTables) {
  CompareLimits(3, 60, 40000);
}

TEST(HashAggregateTest, KeepsTheLimitWhereStatesDoNotGrow) {
  AggregateCase aggregate;
  aggregate.input.types = {kInt4Oid, kInt4Oid};
  for (int r = 0; r < 60000; ++r)
    aggregate.input.rows.push_back({std::to_string(r % 30000), std::to_string(r)});
  aggregate.group_by = {0};
  aggregate.calls = {{AggregateFunction::kSum, 1, false}};
  for (const std::size_t limit : {64, 256, 1024}) {
    const auto result = RunAggregate(aggregate, limit << 10);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rows.size(), 30000U);
    EXPECT_EQ(result->counters.overrun_bytes, 0U) << limit;
    EXPECT_GT(result->counters.passes, 1U);
  }
}

// Calls whose states grow, and some that must survive a group's way to disk besides.
AggregateCase GrowingCase(int rows, int groups) {
  AggregateCase aggregate;
  aggregate.input.types = {kInt4Oid, kTextOid, kNumericOid};
  for (int r = 0; r < rows; ++r)
    aggregate.input.rows.push_back({std::to_string(r * 7919 % groups),
                                    "value " + std::to_string(r / groups) + std::string(20, 'v'),
                                    std::to_string(r) + ".25"});
  aggregate.group_by = {0};
  aggregate.calls = {{AggregateFunction::kArrayAgg, 1, false},
                     {AggregateFunction::kCount, 1, true},
                     {AggregateFunction::kSum, 2, false},
                     {AggregateFunction::kMax, 1, false},
                     {AggregateFunction::kArrayAgg, 0, false}};
  return aggregate;
}

TEST(HashAggregateTest, GroupsWhoseStatesGrowGoToDiskAndGoOnWhereTheyStood) {
  for (const int groups : {2, 40, 1000}) {
    const AggregateCase aggregate = GrowingCase(20000, groups);
    const auto whole = RunAggregate(aggregate, kNoLimit);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->counters.spilled_bytes, 0U);
    const std::size_t limit = whole->counters.peak_bytes / 4;
    for (const std::size_t now : {limit, 3 * limit}) {
      const test::PeakWatch watch("hash aggregate");
      const auto parts = RunAggregate(aggregate, now);
      ASSERT_TRUE(parts);
      EXPECT_TRUE(SameBag(Bag(parts->rows), Bag(whole->rows)));
      EXPECT_GT(parts->counters.spilled_bytes, 0U);
      // With two groups either has half of all: more than the smaller limit.
      if (groups > 2) {
        EXPECT_LE(watch.peak(), now) << groups;
      }
      EXPECT_EQ(parts->counters.overrun_bytes > 0, groups == 2 && now == limit);
    }
  }
}

TEST(HashAggregateTest, OneGroupThatOutgrowsTheLimitIsReported) {
  const AggregateCase aggregate = GrowingCase(20000, 1);
  const std::size_t limit = std::size_t{64} << 10;
  const auto result = RunAggregate(aggregate, limit);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rows.size(), 1U);
  EXPECT_GT(result->counters.peak_bytes, 20000U * 2 * 30);
  EXPECT_EQ(result->counters.overrun_bytes, result->counters.peak_bytes - limit);
  EXPECT_LE(result->counters.passes, 2U);
}

// The rows of the group that has most of them.
AggregateCase LargestGroup(const AggregateCase& aggregate) {
  std::map<std::vector<std::optional<std::string>>, std::vector<TextRow>> groups;
  const std::vector<TextRow>* largest = nullptr;
  for (const TextRow& row : aggregate.input.rows) {
    const auto keys = static_cast<std::ptrdiff_t>(aggregate.group_by.size());
    std::vector<TextRow>& group = groups[{row.begin(), row.begin() + keys}];
    group.push_back(row);
    if (largest == nullptr || group.size() > largest->size()) largest = &group;
  }
  AggregateCase alone = aggregate;
  alone.input.rows = largest == nullptr ? std::vector<TextRow>() : *largest;
  return alone;
}

// Random aggregates under random limits: the contexts never hold more than the limit, or what one
// group has when it is worked on alone.
void CheckLimits(std::uint64_t seed, int cases, std::size_t max_rows) {
  Random random(seed);
  int spilled = 0;
  int large = 0;
  for (int i = 0; i < cases; ++i) {
    const AggregateCase aggregate = test::RandomAggregate(random, max_rows);
    static constexpr std::size_t kLimits[] = {64, 64, 100, 256, 1024};
    const std::size_t limit = kLimits[test::Below(random, std::size(kLimits))] << 10;
    std::size_t alone = 0;
    {
      const test::PeakWatch watch("hash aggregate");
      ASSERT_TRUE(RunAggregate(LargestGroup(aggregate), kNoLimit));
      alone = watch.peak();
    }
    const test::PeakWatch watch("hash aggregate");
    const auto result = RunAggregate(aggregate, limit);
    ASSERT_TRUE(result) << test::ToSql(aggregate, "t");
    ASSERT_LE(watch.peak(), std::max(limit, alone)) << test::ToSql(aggregate, "t");
    ASSERT_LE(result->counters.peak_bytes, watch.peak());
    ASSERT_EQ(result->counters.overrun_bytes, result->counters.peak_bytes > limit
                                                  ? result->counters.peak_bytes - limit
                                                  : std::uint64_t{0});
    spilled += result->counters.spilled_bytes > 0 ? 1 : 0;
    large += alone > limit ? 1 : 0;
  }
  // Not by never spilling, nor by single groups all the time.
  EXPECT_GT(spilled, cases / 4);
  EXPECT_LT(large, cases / 3);
}

TEST(HashAggregateTest, KeepsTheLimit) {
  CheckLimits(5, 200, 4000);
}

TEST(SlowHashAggregateTest, KeepsTheLimitTwoThousandTimes) {
  CheckLimits(6, 2000, 6000);
}

}  // namespace
}  // namespace relcache
