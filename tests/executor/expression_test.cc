// Every expression of tests/executor/expression_cases.txt is worth what PostgreSQL said it is, row
// by row and in batches.
#include <gtest/gtest.h>

#include <iostream>

#include "relcache/tests/executor/expression_cases.h"

namespace relcache {
namespace {

using testing::BatchOf;
using testing::ExpectedRow;
using testing::ExpressionCase;
using testing::ExpressionCasesTest;

using ExpressionTest = ExpressionCasesTest;

TEST_F(ExpressionTest, EachRowGetsPostgresVerdict) {
  Scratch scratch(settings_, *cx_);
  for (const ExpressionCase& one : cases_) {
    SCOPED_TRACE(one.sql);
    const auto program = CompileTree(one.tree);
    for (std::size_t r = 0; r < one.rows.size(); ++r) {
      const ExpectedRow& row = one.rows[r];
      SCOPED_TRACE("row " + std::to_string(r));
      if (!program) {
        EXPECT_TRUE(row.Agrees(program.error())) << program.error().ToString();
        continue;
      }
      Error error;
      const TruthValue verdict = EvaluateBool(**program, row.values, scratch, &error);
      EXPECT_EQ(static_cast<int>(verdict), static_cast<int>(row.verdict)) << error.ToString();
      if (verdict == TruthValue::kError) {
        EXPECT_TRUE(row.Agrees(error)) << error.ToString() << " but " << row.message;
      }
    }
  }
}

// The trees of each release, as it writes them, and its answers.
TEST_F(ExpressionTest, EachRowGetsTheVerdictOfTheCatalogsRelease) {
  for (const int major : {12, 13, 14, 16, 17, 18}) {
    Load(major);
    if (HasFatalFailure()) return;
    Scratch scratch(settings_, *cx_);
    int refused = 0;
    std::size_t rows = 0;
    for (const ExpressionCase& one : cases_) {
      SCOPED_TRACE(std::to_string(major) + ": " + one.sql);
      const auto program = CompileTree(one.tree);
      rows += one.rows.size();
      for (const ExpectedRow& row : one.rows) {
        Error error;
        const TruthValue verdict =
            program ? EvaluateBool(**program, row.values, scratch, &error) : TruthValue::kError;
        if (!program) error = program.error();
        if (verdict == TruthValue::kError && error.code == ErrorCode::kNotSupported) {
          ++refused;
          std::cout << major << ": " << one.sql << ": " << error.message << "\n";
          continue;
        }
        EXPECT_EQ(static_cast<int>(verdict), static_cast<int>(row.verdict)) << error.ToString();
        if (verdict == TruthValue::kError) {
          EXPECT_TRUE(row.Agrees(error)) << error.ToString() << " but " << row.message;
        }
      }
    }
    EXPECT_GT(rows, 450u);
    // A refusal is no wrong verdict, but each is known.
    EXPECT_EQ(refused, 0) << "of PostgreSQL " << major;
  }
}

TEST_F(ExpressionTest, ABatchGivesEachRowTheSameVerdict) {
  Scratch scratch(settings_, *cx_);
  for (const ExpressionCase& one : cases_) {
    SCOPED_TRACE(one.sql);
    const auto program = CompileTree(one.tree);
    if (!program || one.rows.empty()) continue;
    // Of all lengths around a slice's, and with long runs of one row's kind.
    for (const std::size_t n : {one.rows.size(), std::size_t{1}, std::size_t{1023},
                                std::size_t{1024}, std::size_t{4500}}) {
      const std::size_t run = n > 1024 ? 300 : 1;
      std::vector<std::vector<NullableDatum>> rows;
      std::vector<TruthValue> expected, verdicts(n);
      for (std::size_t i = 0; i < n; ++i) {
        const ExpectedRow& row = one.rows[i / run % one.rows.size()];
        rows.push_back(row.values);
        expected.push_back(row.verdict);
      }
      for (const bool always_null_bytes : {false, true}) {
        const BatchOf batch(columns_, rows, always_null_bytes);
        EvaluateBatch(**program, *batch, scratch, verdicts);
        EXPECT_TRUE(verdicts == expected) << n << " rows";
      }
    }
  }
}

TEST_F(ExpressionTest, AProgramOutlivesItsTree) {
  for (const ExpressionCase& one : cases_) {
    SCOPED_TRACE(one.sql);
    const Program* program = nullptr;
    ContextPtr programs = AllocSet::CreateRoot("programs");
    {
      ContextPtr trees = AllocSet::CreateRoot("trees");
      const auto root = StringToNode(one.tree, {}, *trees);
      ASSERT_TRUE(root);
      CompileOptions options;
      options.columns = types_;
      const auto compiled = Compile(**root, options, *programs);
      if (!compiled) continue;
      program = *compiled;
    }
    Scratch scratch(settings_, *cx_);
    for (const ExpectedRow& row : one.rows)
      EXPECT_EQ(static_cast<int>(EvaluateBool(*program, row.values, scratch, nullptr)),
                static_cast<int>(row.verdict));
  }
}

TEST_F(ExpressionTest, EvaluatingABooleanAllocatesNothing) {
  for (const ExpressionCase& one : cases_) {
    if (one.sql != "i4 > 0 AND i4 <= 100000000") continue;
    const auto program = CompileTree(one.tree);
    ASSERT_TRUE(program);
    ContextPtr results = AllocSet::CreateRoot("results");
    Scratch scratch(settings_, *results);
    const std::size_t before = results->bytes_used();
    for (const ExpectedRow& row : one.rows) EvaluateBool(**program, row.values, scratch, nullptr);
    EXPECT_EQ(results->bytes_used(), before);
    return;
  }
  FAIL() << "the case is gone";
}

}  // namespace
}  // namespace relcache
