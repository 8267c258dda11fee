#include <gtest/gtest.h>

#include <utility>

#include "random_joins.h"
#include "relcache/executor/plan/filter.h"
#include "relcache/executor/plan/project.h"

namespace relcache {
namespace {

using test::Bag;

// Rows whose first column is below a bound.
class Below : public BatchPredicate {
 public:
  explicit Below(std::int32_t bound) : bound_(bound) {}
  Result<std::size_t> Select(const ColumnBatch& batch, std::span<std::uint8_t> selected,
                             MemoryContext&) override {
    return test::KeepIf(selected, [&](std::size_t r) -> Result<bool> {
      const NullableDatum value = batch.columns[0].Get(r);
      if (value.isnull) return false;
      if (DatumGetInt32(value.value) == -1)
        return Fail(ErrorCode::kEvaluation, "22012", "division by zero");
      return DatumGetInt32(value.value) < bound_;
    });
  }

 private:
  std::int32_t bound_;
};

class Doubled : public BatchExpression {
 public:
  const ColumnType& type() const override { return type_; }
  Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext& cx) override {
    const auto values = cx.NewArray<std::int64_t>(batch.rows);
    for (std::size_t r = 0; r < batch.rows; ++r)
      values[r] = std::int64_t{2} * batch.columns[0].data<std::int32_t>()[r];
    return BatchColumn{kInt8Oid, ColumnForm::kInt8, values.data(), batch.columns[0].nulls};
  }

 private:
  ColumnType type_ = test::TypeOf(kInt8Oid);
};

test::TextTable Rows(int n) {
  test::TextTable table;
  table.types = {kInt4Oid, kTextOid};
  for (int r = 0; r < n; ++r)
    table.rows.push_back(
        {std::to_string(r), r % 7 == 0 ? std::nullopt : std::optional("t" + std::to_string(r))});
  table.rows.push_back({std::nullopt, "null key"});
  return table;
}

TEST(FilterTest, KeepsWhatIsTrueInBatchesOfAnySize) {
  const test::TextTable rows = Rows(5000);
  const auto table = rows.Load();
  for (const std::int32_t bound : {0, 1, 2500, 5000}) {
    for (const std::size_t batch_rows : {1, 100, 4096}) {
      Below below(bound);
      FilterOperator filter(std::make_unique<TableScan>(*table, batch_rows), below);
      const auto got = test::ReadAll(filter);
      ASSERT_TRUE(got);
      std::vector<test::TextRow> expected(rows.rows.begin(), rows.rows.begin() + bound);
      EXPECT_TRUE(test::SameBag(Bag(*got), Bag(expected)));
    }
  }
}

TEST(FilterTest, HandsTheConditionsErrorOn) {
  test::TextTable rows = Rows(10);
  rows.rows.push_back({"-1", "bad"});
  const auto table = rows.Load();
  Below below(5);
  FilterOperator filter(std::make_unique<TableScan>(*table), below);
  const auto got = test::ReadAll(filter);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message, "division by zero");
}

TEST(FilterTest, EndsWithAnError) {
  test::TextTable rows = Rows(10);
  rows.rows.insert(rows.rows.begin(), {"-1", "bad"});
  const auto table = rows.Load();
  Below below(5);
  FilterOperator filter(std::make_unique<TableScan>(*table, 1), below);
  ASSERT_FALSE(filter.Next());
  EXPECT_EQ(filter.Next().value(), nullptr);
}

TEST(ProjectTest, EndsWithAnError) {
  class FailsOnce : public Doubled {
   public:
    Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext& cx) override {
      if (!std::exchange(failed_, true)) return Fail(ErrorCode::kEvaluation, "22012", "once");
      return Doubled::Evaluate(batch, cx);
    }

   private:
    bool failed_ = false;
  };
  const auto table = Rows(3).Load();
  std::vector<std::unique_ptr<BatchExpression>> expressions;
  expressions.push_back(std::make_unique<FailsOnce>());
  ProjectOperator project(std::make_unique<TableScan>(*table, 1), std::move(expressions));
  ASSERT_FALSE(project.Next());
  EXPECT_EQ(project.Next().value(), nullptr);
}

TEST(ProjectTest, ComputesAndHandsOnColumns) {
  const auto table = Rows(3).Load();
  std::vector<std::unique_ptr<BatchExpression>> expressions;
  expressions.push_back(std::make_unique<Doubled>());
  expressions.push_back(std::make_unique<ColumnReference>(1, test::TypeOf(kTextOid)));
  ProjectOperator project(std::make_unique<TableScan>(*table), std::move(expressions));
  const auto got = test::ReadAll(project);
  ASSERT_TRUE(got);
  EXPECT_TRUE(test::SameBag(Bag(*got), {"0|\\N|", "2|t1|", "4|t2|", "\\N|null key|"}));
}

}  // namespace
}  // namespace relcache
