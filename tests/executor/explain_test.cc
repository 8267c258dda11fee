#include "relcache/executor/plan/explain.h"

#include <gtest/gtest.h>

#include <regex>

#include "random_joins.h"
#include "relations.h"
#include "relcache/executor/aggregate/hash_aggregate.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/plan/filter.h"
#include "relcache/executor/plan/program_operands.h"
#include "relcache/executor/plan/project.h"
#include "relcache/nodes/read.h"
#include "relcache/types/session_settings.h"

namespace relcache {
namespace {

/// How much memory is used is the allocator's to say: N in its place.
std::string Explain(const PlanOperator& root) {
  return std::regex_replace(ExplainPlan(root), std::regex("Usage: [0-9]+kB"), "Usage: NkB");
}

class ExplainTest : public ::testing::Test {
 protected:
  /// A program over so many integers.
  const Program& ProgramFor(const std::string& tree, std::size_t columns) {
    const std::vector<InputColumn> inputs(columns, InputColumn{kInt4Oid, 4, true});
    const Node* node = StringToNode(tree, {}, *cx_).value();
    CompileOptions options;
    options.columns = inputs;
    return *Compile(*node, options, *cx_).value();
  }
  /// (0, 0), (1, 1) ... (n - 1, n - 1), the second column modulo ten.
  static std::unique_ptr<MemoryTable> Integers(int n) {
    test::TextTable table;
    table.types = {kInt4Oid, kInt4Oid};
    for (int r = 0; r < n; ++r) table.rows.push_back({std::to_string(r), std::to_string(r % 10)});
    return table.Load();
  }
  PlanOperatorPtr Scan() { return std::make_unique<TableScan>(*table_, 100); }
  void Run(PlanOperator& root) { ASSERT_TRUE(test::ReadAll(root)); }

  ContextPtr cx_ = AllocSet::CreateRoot("programs");
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  std::unique_ptr<MemoryTable> table_ = Integers(1000);
};

TEST_F(ExplainTest, CountsAreThoseOfTheBatchesSoFar) {
  ProgramPredicate condition(ProgramFor(testing::IntComparison(1, ">", 149), 2), settings_);
  FilterOperator filter(Scan(), condition);
  EXPECT_EQ(Explain(filter),
            "Filter (rows=0)\n"
            "  Filter: int4gt(c0, 149)\n"
            "  ->  Seq Scan on memory table (rows=0)\n");
  ASSERT_TRUE(filter.Next());
  EXPECT_EQ(Explain(filter),
            "Filter (rows=50)\n"
            "  Filter: int4gt(c0, 149)\n"
            "  Rows Removed by Filter: 150\n"
            "  ->  Seq Scan on memory table (rows=200)\n");
  Run(filter);
  EXPECT_EQ(Explain(filter),
            "Filter (rows=850)\n"
            "  Filter: int4gt(c0, 149)\n"
            "  Rows Removed by Filter: 150\n"
            "  ->  Seq Scan on memory table (rows=1000)\n");
  EXPECT_EQ(filter.counters().rows_in, 1000U);
  EXPECT_EQ(filter.counters().rows_out, 850U);
}

TEST_F(ExplainTest, AFilterThatRemovesNothingSaysNothingOfIt) {
  ProgramPredicate condition(ProgramFor(testing::IntComparison(1, ">", -1), 2), settings_);
  FilterOperator filter(Scan(), condition);
  Run(filter);
  EXPECT_EQ(Explain(filter),
            "Filter (rows=1000)\n"
            "  Filter: int4gt(c0, -1)\n"
            "  ->  Seq Scan on memory table (rows=1000)\n");
}

TEST_F(ExplainTest, AProjectionNamesItsValues) {
  std::vector<std::unique_ptr<BatchExpression>> values;
  values.push_back(std::make_unique<ColumnReference>(1, test::TypeOf(kInt4Oid)));
  values.push_back(ProgramExpression::Create(
                       ProgramFor(testing::OperatorText(551, 177, kInt4Oid,
                                                        testing::VarText(1, kInt4Oid) + " " +
                                                            testing::VarText(2, kInt4Oid)),
                                  2),
                       settings_)
                       .value());
  ProjectOperator project(Scan(), std::move(values));
  Run(project);
  EXPECT_EQ(Explain(project),
            "Project (rows=1000)\n"
            "  Output: c1, int4pl(c0, c1)\n"
            "  ->  Seq Scan on memory table (rows=1000)\n");
  EXPECT_EQ(project.counters().rows_out, 1000U);
}

TEST_F(ExplainTest, AnAggregateOverAJoinStandsAboveIt) {
  const auto build = Integers(20);
  // The third column of a pair is the build side's first.
  ProgramPredicate residual(ProgramFor(testing::IntComparison(3, "<", 5), 4), settings_);
  ProgramPredicate condition(ProgramFor(testing::IntComparison(1, "<=", 99), 2), settings_);
  HashJoinOptions options;
  options.keys = {{1, 1}};
  options.output = {{HashJoinSide::kBuild, 0}, {HashJoinSide::kProbe, 0}};
  options.condition = &residual;
  auto join =
      HashJoin::Create(std::move(options), std::make_unique<FilterOperator>(Scan(), condition),
                       std::make_unique<TableScan>(*build))
          .value();
  HashAggregateOptions groups;
  groups.group_by = {0};
  groups.calls = {{AggregateFunction::kCount, AggregateCall::kNoColumn},
                  {AggregateFunction::kSum, 1},
                  {AggregateFunction::kCount, 1, true}};
  auto aggregate = HashAggregate::Create(std::move(groups), std::move(join)).value();
  Run(*aggregate);
  EXPECT_EQ(Explain(*aggregate),
            "HashAggregate (rows=5)\n"
            "  Output: c0, count(*), sum(c1), count(DISTINCT c1)\n"
            "  Group Key: c0\n"
            "  Batches: 1  Memory Usage: NkB\n"
            "  ->  Hash Join (rows=50)\n"
            "        Output: build.c0, probe.c0\n"
            "        Hash Cond: probe.c1 = build.c1\n"
            "        Join Filter: int4lt(build.c0, 5)\n"
            "        Rows Removed by Join Filter: 150\n"
            "        Buckets: 64  Batches: 1  Memory Usage: NkB\n"
            "        ->  Filter (rows=100)\n"
            "              Filter: int4le(c0, 99)\n"
            "              Rows Removed by Filter: 900\n"
            "              ->  Seq Scan on memory table (rows=1000)\n"
            "        ->  Seq Scan on memory table (rows=20)\n");
}

TEST_F(ExplainTest, EachJoinTypeHasPostgresNameOfIt) {
  static constexpr std::pair<JoinType, const char*> kCases[] = {
      {JoinType::kInner, "Hash Join (rows=0)\n"},
      {JoinType::kLeft, "Hash Left Join (rows=0)\n"},
      {JoinType::kFull, "Hash Full Join (rows=0)\n"},
      {JoinType::kRight, "Hash Right Join (rows=0)\n"},
      {JoinType::kSemi, "Hash Semi Join (rows=0)\n"},
      {JoinType::kAnti, "Hash Anti Join (rows=0)\n"},
  };
  for (const auto& [type, first_line] : kCases) {
    HashJoinOptions options;
    options.type = type;
    options.keys = {{0, 0}, {1, 1}};
    const auto join = HashJoin::Create(std::move(options), Scan(), Scan()).value();
    const std::string text = Explain(*join);
    EXPECT_TRUE(text.starts_with(first_line)) << text;
    EXPECT_NE(text.find("  Hash Cond: probe.c0 = build.c0 AND probe.c1 = build.c1\n"),
              std::string::npos)
        << text;
  }
}

TEST_F(ExplainTest, WithoutKeysItIsAnAggregate) {
  HashAggregateOptions options;
  options.calls = {{AggregateFunction::kMin, 0}, {AggregateFunction::kArrayAgg, 1}};
  auto aggregate = HashAggregate::Create(std::move(options), Scan()).value();
  Run(*aggregate);
  EXPECT_EQ(Explain(*aggregate),
            "Aggregate (rows=1)\n"
            "  Output: min(c0), array_agg(c1)\n"
            "  Batches: 1  Memory Usage: NkB\n"
            "  ->  Seq Scan on memory table (rows=1000)\n");
}

TEST_F(ExplainTest, WhatWentToDiskIsNamed) {
  const auto large = Integers(50000);
  HashJoinOptions join_options;
  join_options.keys = {{0, 0}};
  join_options.work_mem = std::size_t{64} << 10;
  auto join = HashJoin::Create(std::move(join_options), std::make_unique<TableScan>(*large),
                               std::make_unique<TableScan>(*large))
                  .value();
  const HashJoin& joined = *join;
  HashAggregateOptions options;
  options.group_by = {0};
  options.work_mem = std::size_t{64} << 10;
  auto aggregate = HashAggregate::Create(std::move(options), std::move(join)).value();
  Run(*aggregate);
  const std::string text = Explain(*aggregate);
  EXPECT_TRUE(std::regex_search(
      text, std::regex("^HashAggregate \\(rows=50000\\)\n  Output: c0\n  Group Key: c0\n"
                       "  Batches: [0-9]+  Memory Usage: NkB  Disk Usage: NkB\n")))
      << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("        Buckets: [0-9]+  Batches: " +
                                                 std::to_string(joined.counters().passes) +
                                                 "  Memory Usage: NkB  Disk Usage: NkB\n")))
      << text;
  EXPECT_GT(joined.counters().passes, 1U);
  EXPECT_GT(aggregate->counters().passes, 1U);
}

/// An operator of an embedder's.
class Custom : public PlanOperator {
 public:
  std::span<const ColumnType> columns() const override { return {}; }
  Result<const ColumnBatch*> Next() override { return nullptr; }
};

class CustomCondition : public BatchPredicate {
 public:
  Result<std::size_t> Select(const ColumnBatch&, std::span<std::uint8_t> selected,
                             MemoryContext&) override {
    return selected.size();
  }
};

TEST_F(ExplainTest, WhatSaysNothingOfItselfIsCustom) {
  CustomCondition condition;
  const FilterOperator filter(std::make_unique<Custom>(), condition);
  EXPECT_EQ(Explain(filter),
            "Filter (rows=0)\n"
            "  Filter: custom condition\n"
            "  ->  Custom Scan\n");
}

TEST(OperatorDescriptionTest, MemoryIsInKilobytesRoundedUp) {
  PlanOperatorCounters counters;
  counters.peak_bytes = 1;
  PlanOperatorDescription node;
  node.AddMemory(counters);
  counters = {.peak_bytes = 2048, .overrun_bytes = 1025, .spilled_bytes = 1024, .passes = 3};
  node.AddMemory(counters, "Buckets: 8");
  node.AddCount("Rows Removed by Filter", 0);
  node.AddCount("Rows Removed by Filter", 7);
  EXPECT_EQ(JoinTexts(node.details, "\n"),
            "Batches: 1  Memory Usage: 1kB\n"
            "Buckets: 8  Batches: 3  Memory Usage: 2kB  Disk Usage: 1kB  Over Limit: 2kB\n"
            "Rows Removed by Filter: 7");
}

}  // namespace
}  // namespace relcache
