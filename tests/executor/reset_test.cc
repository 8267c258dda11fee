// Contexts that are reset per row or batch hold no start-up data: what they hold at their first
// reset is no more than at later ones, for rows that are all alike.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "random_aggregates.h"
#include "random_joins.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/executor/plan/filter.h"
#include "relcache/executor/plan/project.h"
#include "relcache/memory/memory_context.h"
#include "relcache/simulate/insert_session.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

/// Watches every context that this thread makes while it lives.
class ResetObserver final : public AllocationObserver {
 public:
  ResetObserver() { WatchNewContexts(this); }
  ~ResetObserver() override { WatchNewContexts(nullptr); }
  void OnAllocate(MemoryContext&, std::size_t) override {}
  void OnFree(MemoryContext&, std::size_t) noexcept override {}
  void OnReset(MemoryContext& context) noexcept override {
    held_[{&context, context.name()}].push_back(context.bytes_used());
  }

  /// Looks at the contexts with at least `often` resets; returns how many there were.
  int ExpectNoStartUpData(std::size_t often) const {
    int contexts = 0;
    for (const auto& [context, held] : held_) {
      if (held.size() < often) continue;
      ++contexts;
      const std::size_t later = *std::max_element(held.begin() + 1, held.end());
      EXPECT_LE(held.front(), later) << context.second << " holds more at its first reset";
    }
    return contexts;
  }

 private:
  std::map<std::pair<const MemoryContext*, std::string_view>, std::vector<std::size_t>> held_;
};

class Everything : public BatchPredicate {
 public:
  Result<std::size_t> Select(const ColumnBatch&, std::span<std::uint8_t> selected,
                             MemoryContext& cx) override {
    (void)cx.Allocate(100);
    return selected.size();
  }
};

class Constant : public BatchExpression {
 public:
  const ColumnType& type() const override { return type_; }
  Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext& cx) override {
    const auto values = cx.NewArray<std::int64_t>(batch.rows);
    return BatchColumn{kInt8Oid, ColumnForm::kInt8, values.data(), nullptr};
  }

 private:
  ColumnType type_ = test::TypeOf(kInt8Oid);
};

TEST(ResetTest, FilterAndProject) {
  test::TextTable rows;
  rows.types = {kInt4Oid};
  rows.rows.assign(2000, {"1"});
  const auto table = rows.Load();
  ResetObserver observer;
  {
    Everything everything;
    std::vector<std::unique_ptr<BatchExpression>> expressions;
    expressions.push_back(std::make_unique<Constant>());
    ProjectOperator project(
        std::make_unique<FilterOperator>(std::make_unique<TableScan>(*table, 100), everything),
        std::move(expressions));
    for (;;) {
      const auto batch = project.Next();
      ASSERT_TRUE(batch);
      if (*batch == nullptr) break;
    }
  }
  EXPECT_EQ(observer.ExpectNoStartUpData(10), 2);
}

/// Reads an operator to its end.
void Drain(PlanOperator& op) {
  for (;;) {
    const auto batch = op.Next();
    ASSERT_TRUE(batch) << batch.error().ToString();
    if (*batch == nullptr) return;
  }
}

test::TextTable NumberedRows(int n) {
  test::TextTable table;
  table.types = {kInt4Oid, kInt4Oid, kTextOid, kNumericOid};
  for (int r = 0; r < n; ++r)
    table.rows.push_back({std::to_string(r % 1000), std::to_string(r), "a text", "1.5"});
  return table;
}

TEST(ResetTest, BatchesOfAJoin) {
  const auto build = NumberedRows(1000).Load();
  const auto probe = NumberedRows(20'000).Load();
  for (const HashJoinStrategy strategy : test::kStrategies) {
    // In memory, and with all that spilling makes.
    for (const std::size_t work_mem : {std::size_t{4} << 20, std::size_t{64} << 10}) {
      ResetObserver observer;
      {
        test::SumCondition condition(1, 5);
        HashJoinOptions options;
        options.strategy = strategy;
        options.keys = {{0, 0}};
        options.condition = &condition;
        options.work_mem = work_mem;
        auto join = HashJoin::Create(options, std::make_unique<TableScan>(*probe, 100),
                                     std::make_unique<TableScan>(*build, 100));
        ASSERT_TRUE(join);
        Drain(**join);
      }
      EXPECT_GE(observer.ExpectNoStartUpData(10), 1);
    }
  }
}

TEST(ResetTest, BatchesAndRowsOfAnAggregation) {
  const auto table = NumberedRows(40'000).Load();
  for (const std::size_t work_mem : {std::size_t{4} << 20, std::size_t{64} << 10}) {
    ResetObserver observer;
    {
      HashAggregateOptions options;
      options.group_by = {0, 2};
      options.calls = {{AggregateFunction::kSum, 3, false},
                       {AggregateFunction::kArrayAgg, 1, false},
                       {AggregateFunction::kMax, 2, false}};
      options.work_mem = work_mem;
      auto aggregate = HashAggregate::Create(options, std::make_unique<TableScan>(*table, 100));
      ASSERT_TRUE(aggregate);
      Drain(**aggregate);
    }
    EXPECT_GE(observer.ExpectNoStartUpData(10), 1);
  }
}

TEST(ResetTest, RowsAndStatementsOfAnInsert) {
  std::ostringstream text;
  text << std::ifstream(RELCACHE_TEST_DATA "/../../examples/job.json").rdbuf();
  const auto catalog = JsonCatalog::Parse(text.str(), "job.json");
  ASSERT_TRUE(catalog) << catalog.error().ToString();
  const Result<Oid> child = (*catalog)->LookupName("public", "measurement_1");
  ASSERT_TRUE(child);
  const ContextPtr values = AllocSet::CreateRoot("values");
  const Datum reading = NumericIn("21.500", -1, *values).value();
  const Datum note = MakeVarlena("a reading", *values);
  ResetObserver observer;
  {
    RelationCache cache(**catalog);
    const SessionSettings settings = AssumeUtcAndMdy(0);
    InsertSession session(cache, settings);
    int left = 100;
    const auto stored =
        session.InsertAll(*child, [&](std::span<NullableDatum> row, MemoryContext& cx) {
          (void)cx.Allocate(10);
          const NullableDatum next[] = {{Int64GetDatum(left), false},
                                        {Int64GetDatum(left), false},
                                        {Int32GetDatum(left), false},
                                        {reading, false},
                                        {note, false}};
          std::copy(std::begin(next), std::end(next), row.begin());
          return left-- > 0;
        });
    ASSERT_TRUE(stored) << stored.error().ToString();
    EXPECT_EQ(*stored, 100u);
  }
  EXPECT_GE(observer.ExpectNoStartUpData(50), 1);
}

}  // namespace
}  // namespace relcache
