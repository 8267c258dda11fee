// Programs as filters, projected values and join conditions: alone, and in a plan over the rows of
// a cached relation whose answers are a server's (label postgres).
#include "relcache/executor/plan/program_operands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "postgres_rows.h"
#include "random_joins.h"
#include "relations.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/executor/aggregate/hash_aggregate.h"
#include "relcache/executor/expressions/cached_program.h"
#include "relcache/executor/plan/filter.h"
#include "relcache/executor/plan/project.h"
#include "relcache/nodes/read.h"
#include "relcache/tests/server_snapshot.h"

namespace relcache {
namespace {

using test::Bag;
using test::SameBag;

class ProgramOperandsTest : public ::testing::Test {
 protected:
  /// A program over two integers.
  const Program& ProgramFor(const std::string& tree) {
    static constexpr InputColumn kColumns[] = {{kInt4Oid, 4, true}, {kInt4Oid, 4, true}};
    const Node* node = StringToNode(tree, {}, *cx_).value();
    CompileOptions options;
    options.columns = kColumns;
    return *Compile(*node, options, *cx_).value();
  }
  static test::TextTable Integers(int n) {
    test::TextTable table;
    table.types = {kInt4Oid, kInt4Oid};
    for (int r = 0; r < n; ++r)
      table.rows.push_back({r % 11 == 3 ? std::nullopt : std::optional(std::to_string(r)),
                            std::to_string(1 + r % 5)});
    return table;
  }

  ContextPtr cx_ = AllocSet::CreateRoot("programs");
  SessionSettings settings_ = AssumeUtcAndMdy(0);
};

TEST_F(ProgramOperandsTest, AFilterKeepsWhatAProgramFindsTrue) {
  const test::TextTable rows = Integers(5000);
  const auto table = rows.Load();
  for (const int bound : {-1, 0, 17, 1024, 2500, 4999}) {
    std::vector<test::TextRow> expected;
    for (const test::TextRow& row : rows.rows)
      if (row[0] && std::stoi(*row[0]) > bound) expected.push_back(row);
    for (const std::size_t batch_rows : {1, 100, 1024, 4096}) {
      ProgramPredicate condition(ProgramFor(testing::IntComparison(1, ">", bound)), settings_);
      FilterOperator filter(std::make_unique<TableScan>(*table, batch_rows), condition);
      const auto got = test::ReadAll(filter);
      ASSERT_TRUE(got);
      EXPECT_TRUE(SameBag(Bag(*got), Bag(expected))) << bound << " " << batch_rows;
    }
  }
}

TEST_F(ProgramOperandsTest, OnlySelectedRowsAreJudged) {
  // Row 0 divides by zero, rows 1 and 3 pass, row 2 does not.
  const std::int32_t values[] = {0, 1, 7, 1};
  const BatchColumn columns[] = {{kInt4Oid, ColumnForm::kInt4, values, nullptr},
                                 {kInt4Oid, ColumnForm::kInt4, values, nullptr}};
  const ColumnBatch batch{columns, 4};
  ProgramPredicate condition(ProgramFor(testing::OneByIntComparison(1, ">", 0)), settings_);
  std::uint8_t others[] = {0, 1, 1, 1};
  const auto kept = condition.Select(batch, others, *cx_);
  ASSERT_TRUE(kept);
  EXPECT_EQ(*kept, 2U);
  EXPECT_THAT(others, ::testing::ElementsAre(0, 1, 0, 1));
  std::uint8_t all[] = {1, 1, 0, 0};
  const auto failed = condition.Select(batch, all, *cx_);
  ASSERT_FALSE(failed);
  EXPECT_STREQ(failed.error().sqlstate, "22012");
}

/// Batches that end within, at and after a word of bytes and a chunk, NULLs or none, under several
/// selections; each row's truth is computed here.
TEST_F(ProgramOperandsTest, ASelectionKeepsWhatIsTrueInBatchesOfAnySize) {
  using Selected = bool (*)(std::size_t row, std::size_t rows);
  static constexpr Selected kSelections[] = {
      [](std::size_t, std::size_t) { return true; },
      [](std::size_t, std::size_t) { return false; },
      [](std::size_t row, std::size_t) { return row % 3 == 1; },
      [](std::size_t row, std::size_t rows) { return row + 1 == rows; },
      [](std::size_t row, std::size_t) { return row / 8 % 2 == 0; },
      [](std::size_t row, std::size_t) { return row * 2654435761U % 7 > 2; },
  };
  ProgramPredicate above(ProgramFor(testing::IntComparison(1, ">", 5)), settings_);
  for (const std::size_t rows : {0,   1,    2,    7,    8,    9,    16,   63,   64,   65,
                                 100, 1023, 1024, 1025, 1031, 1032, 2047, 2048, 2049, 2050}) {
    // What the condition lets pass: all, all but one row in a hundred, half, none.
    for (const std::size_t one_in : {0, 100, 2, 1}) {
      std::vector<std::int32_t> values;
      std::vector<std::uint8_t> nulls;
      for (std::size_t row = 0; row < rows; ++row) {
        values.push_back(one_in != 0 && (row + 37) % one_in == 0 ? 5 : 6);
        nulls.push_back(row % 11 == 3 ? 1 : 0);
      }
      for (const bool nullable : {false, true}) {
        const std::uint8_t* const null_bytes = nullable ? nulls.data() : nullptr;
        const BatchColumn columns[] = {{kInt4Oid, ColumnForm::kInt4, values.data(), null_bytes},
                                       {kInt4Oid, ColumnForm::kInt4, values.data(), nullptr}};
        const ColumnBatch batch{columns, rows};
        for (const Selected is_selected : kSelections) {
          std::vector<std::uint8_t> selected, expected;
          for (std::size_t row = 0; row < rows; ++row) {
            selected.push_back(is_selected(row, rows) ? 1 : 0);
            const bool is_null = nullable && nulls[row] != 0;
            expected.push_back(selected[row] != 0 && !is_null && values[row] > 5 ? 1 : 0);
          }
          const auto kept = above.Select(batch, selected, *cx_);
          ASSERT_TRUE(kept);
          ASSERT_EQ(selected, expected) << rows << " rows, one in " << one_in;
          ASSERT_EQ(*kept, std::accumulate(expected.begin(), expected.end(), std::size_t{0}));
        }
      }
    }
  }
}

TEST_F(ProgramOperandsTest, TheErrorIsThatOfTheFirstRowSelected) {
  ProgramPredicate condition(ProgramFor(testing::OneByIntComparison(1, ">", 0)), settings_);
  for (const std::size_t rows : {1, 8, 1024, 1025, 2050}) {
    for (const std::size_t zero : {std::size_t{0}, rows / 2, rows - 1}) {
      std::vector<std::int32_t> values(rows, 1);
      values[zero] = 0;
      const BatchColumn columns[] = {{kInt4Oid, ColumnForm::kInt4, values.data(), nullptr},
                                     {kInt4Oid, ColumnForm::kInt4, values.data(), nullptr}};
      const ColumnBatch batch{columns, rows};
      std::vector<std::uint8_t> selected(rows, 1);
      selected[zero] = 0;
      const std::vector<std::uint8_t> others = selected;
      const auto kept = condition.Select(batch, selected, *cx_);
      ASSERT_TRUE(kept) << rows << " " << zero;
      EXPECT_EQ(*kept, rows - 1);
      EXPECT_EQ(selected, others);
      selected[zero] = 1;
      const auto failed = condition.Select(batch, selected, *cx_);
      ASSERT_FALSE(failed) << rows << " " << zero;
      EXPECT_EQ(failed.error().message, "division by zero");
    }
  }
}

TEST_F(ProgramOperandsTest, AProjectionComputesBatchesOfAnySize) {
  const test::TextTable rows = Integers(5000);
  const auto table = rows.Load();
  const Program& sum = ProgramFor(
      testing::OperatorText(551, 177, kInt4Oid,  // int4pl
                            testing::VarText(1, kInt4Oid) + " " + testing::VarText(2, kInt4Oid)));
  std::vector<test::TextRow> expected;
  for (const test::TextRow& row : rows.rows)
    expected.push_back({row[0]
                            ? std::optional(std::to_string(std::stoi(*row[0]) + std::stoi(*row[1])))
                            : std::nullopt});
  for (const std::size_t batch_rows : {1, 1000, 1024, 1025, 5000}) {
    std::vector<std::unique_ptr<BatchExpression>> values;
    values.push_back(ProgramExpression::Create(sum, settings_).value());
    ProjectOperator project(std::make_unique<TableScan>(*table, batch_rows), std::move(values));
    const auto got = test::ReadAll(project);
    ASSERT_TRUE(got);
    EXPECT_TRUE(SameBag(Bag(*got), Bag(expected))) << batch_rows;
  }
}

TEST_F(ProgramOperandsTest, AProjectionsErrorIsThatOfItsFirstRow) {
  test::TextTable rows = Integers(1500);
  rows.rows.erase(rows.rows.begin());  // which would fail
  rows.rows.push_back({"0", "1"});     // in the second of the pieces that a program works off
  const auto table = rows.Load();
  std::vector<std::unique_ptr<BatchExpression>> values;
  values.push_back(
      ProgramExpression::Create(
          ProgramFor(testing::OperatorText(
              528, 154, kInt4Oid, testing::IntText(1) + " " + testing::VarText(1, kInt4Oid))),
          settings_)
          .value());
  ProjectOperator project(std::make_unique<TableScan>(*table, 4096), std::move(values));
  const auto got = test::ReadAll(project);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message, "division by zero");
}

/// A plan whose conditions and values are the stored expressions of a relation: the predicate of an
/// index filters, a generated column is projected, and a trigger's WHEN over OLD and NEW is what
/// pairs of a join must fulfil besides their key.
class PostgresPlanTest : public ::testing::Test {
 protected:
  static constexpr const char* kSetUp = R"(
    drop schema if exists relcache_plan cascade; create schema relcache_plan;
    set search_path = relcache_plan;
    create table m (id int, k int, t text collate "C", n numeric(8,2), d date,
                    g numeric generated always as (n * k + coalesce(length(t), 0)) stored);
    create index m_some on m (id) where (d >= '2020-03-01' and t not like 'a%') or k is null;
    create function nothing() returns trigger language plpgsql as 'begin return null; end';
    create trigger rising after update on m for each row
      when (old.n < new.n and old.t is distinct from new.t) execute function nothing();
    select setseed(0.11);
    insert into m
      select i, nullif((random() * 40)::int, 7), (array['a1', 'b', 'ba', 'c', null])[1 + i % 5],
             (random() * 1000)::numeric(8,2), date '2020-01-01' + (random() * 365)::int
      from generate_series(1, 2500) i)";

  void SetUp() override {
    server_ = test::PostgresRows::Connect();
    if (server_ == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Query(kSetUp);
    catalog_ = test::SnapshotOf(std::getenv("RELCACHE_TEST_POSTGRES"), {"relcache_plan"});
    ASSERT_NE(catalog_, nullptr);
    table_.types = {kInt4Oid, kInt4Oid, kTextOid, kNumericOid, kDateOid, kNumericOid};
    table_.rows = server_->Query("select * from m");
    loaded_ = table_.Load();
  }
  void TearDown() override {
    if (server_ != nullptr) server_->Query("drop schema if exists relcache_plan cascade");
  }

  PlanOperatorPtr Scan() { return std::make_unique<TableScan>(*loaded_); }

  std::unique_ptr<test::PostgresRows> server_;
  std::unique_ptr<JsonCatalog> catalog_;
  test::TextTable table_;
  std::unique_ptr<MemoryTable> loaded_;
  SessionSettings settings_ = AssumeUtcAndMdy(0);
};

TEST_F(PostgresPlanTest, StoredExpressionsFilterProjectAndJoinAsTheServerDoes) {
  RelationCache cache(*catalog_);
  const RelationPin m = cache.Open("relcache_plan", "m").value();
  const Program& some = *ProgramOf(*m, *m->indexes()[0].predicate()).value();
  const Program& generated = *ProgramOf(*m, m->defaults()[0].expression()).value();
  const Program& rising = *ProgramOf(*m, *m->triggers()[0].when()).value();

  ProgramPredicate filter_condition(some, settings_), residual(rising, settings_);
  for (const HashJoinStrategy strategy : test::kStrategies) {
    for (const JoinType type : {JoinType::kInner, JoinType::kLeft, JoinType::kAnti}) {
      SCOPED_TRACE(static_cast<int>(type));
      HashJoinOptions options;
      options.type = type;
      options.strategy = strategy;
      options.keys = {{1, 1}};
      options.condition = &residual;
      options.work_mem = std::size_t{64} << 10;
      auto join = HashJoin::Create(
          std::move(options), std::make_unique<FilterOperator>(Scan(), filter_condition), Scan());
      ASSERT_TRUE(join) << join.error().ToString();

      // The generated column of the probe side again, and its key.
      std::vector<std::unique_ptr<BatchExpression>> values;
      values.push_back(std::make_unique<ColumnReference>(1, test::TypeOf(kInt4Oid)));
      values.push_back(ProgramExpression::Create(generated, settings_).value());
      auto project = std::make_unique<ProjectOperator>(std::move(*join), std::move(values));

      HashAggregateOptions groups;
      groups.group_by = {0};
      groups.calls = {{AggregateFunction::kCount, AggregateCall::kNoColumn},
                      {AggregateFunction::kSum, 1},
                      {AggregateFunction::kMax, 1}};
      auto aggregate = HashAggregate::Create(std::move(groups), std::move(project));
      ASSERT_TRUE(aggregate) << aggregate.error().ToString();
      const auto got = test::ReadAll(**aggregate);
      ASSERT_TRUE(got) << got.error().ToString();

      const std::string on = "o.k = n.k and o.n < n.n and o.t is distinct from n.t";
      const std::string from =
          type == JoinType::kAnti ? "m o where not exists (select from m n where " + on + ") and"
                                  : std::string("m o ") + (type == JoinType::kLeft ? "left " : "") +
                                        "join m n on " + on + " where";
      const auto expected = server_->Query(
          "select o.k, count(*), sum(o.g), max(o.g) from " + from +
          " ((o.d >= '2020-03-01' and o.t not like 'a%') or o.k is null) group by o.k");
      EXPECT_GT(expected.size(), 1U);
      EXPECT_TRUE(SameBag(Bag(*got), Bag(expected)));
    }
  }
}

}  // namespace
}  // namespace relcache
