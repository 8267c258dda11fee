// Every expression of tests/executor/expression_cases.txt is worth what PostgreSQL said it is, row
// by row and in batches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>

#include "relcache/executor/compile.h"
#include "relcache/executor/evaluate.h"
#include "relcache/nodes/read.h"
#include "relcache/tests/executor/rows.h"

namespace relcache {
namespace {

using testing::BatchOf;
using testing::TestColumn;

struct ExpectedRow {
  std::vector<NullableDatum> values;
  Verdict verdict = Verdict::kNull;
  std::string sqlstate, message;
};
struct Case {
  std::string sql, tree;
  std::vector<ExpectedRow> rows;
};

class ExpressionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(RELCACHE_TEST_DATA "/expression_cases.jsonl");
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    rapidjson::Document head;
    head.Parse(line.c_str());
    for (const auto& c : head["columns"].GetArray()) {
      const InputColumn type{c["atttypid"].GetUint(),
                             static_cast<std::int16_t>(c["attlen"].GetInt()),
                             c["attbyval"].GetBool()};
      columns_.push_back({c["attname"].GetString(), type, c["atttypmod"].GetInt()});
      types_.push_back(type);
    }
    while (std::getline(file, line)) Read(line);
    ASSERT_GT(cases_.size(), 150u);
    EXPECT_EQ(skipped_, 0) << "rows with values that cannot be read";
  }

  void Read(const std::string& line) {
    rapidjson::Document d;
    d.Parse(line.c_str());
    Case& one = cases_.emplace_back();
    one.sql = d["sql"].GetString();
    one.tree = d["tree"].GetString();
    for (const auto& r : d["rows"].GetArray()) {
      ExpectedRow row;
      row.values.resize(columns_.size());
      bool readable = true;
      for (const auto& member : r["row"].GetObject()) {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
          if (columns_[c].attname != member.name.GetString()) continue;
          auto value = testing::ValueFromText(columns_[c].type.type, columns_[c].atttypmod,
                                              member.value.GetString(), settings_, *cx_);
          readable = readable && value.has_value();
          if (value) row.values[c] = *value;
        }
      }
      if (!readable) {
        ++skipped_;
        continue;
      }
      if (r.HasMember("sqlstate")) {
        row.verdict = Verdict::kError;
        row.sqlstate = r["sqlstate"].GetString();
        row.message = r["message"].GetString();
      } else if (!r["result"].IsNull()) {
        row.verdict = r["result"].GetBool() ? Verdict::kTrue : Verdict::kFalse;
      }
      one.rows.push_back(std::move(row));
    }
  }

  Result<const Program*> CompileTree(const std::string& tree) {
    RELCACHE_ASSIGN(const Node* root, StringToNode(tree, {}, *cx_));
    CompileOptions options;
    options.columns = types_;
    return Compile(*root, options, *cx_);
  }

  SessionSettings settings_;
  ContextPtr cx_ = AllocSet::CreateRoot("expression test");
  std::vector<TestColumn> columns_;
  std::vector<InputColumn> types_;
  std::vector<Case> cases_;
  int skipped_ = 0;
};

/// An error that comes before any row is each row's.
bool Agrees(const ExpectedRow& row, const Error& error) {
  return row.verdict == Verdict::kError && row.sqlstate == error.sqlstate &&
         row.message == error.message;
}

TEST_F(ExpressionTest, EachRowGetsPostgresVerdict) {
  Scratch scratch(settings_, *cx_);
  for (const Case& one : cases_) {
    SCOPED_TRACE(one.sql);
    const auto program = CompileTree(one.tree);
    for (std::size_t r = 0; r < one.rows.size(); ++r) {
      const ExpectedRow& row = one.rows[r];
      SCOPED_TRACE("row " + std::to_string(r));
      if (!program) {
        EXPECT_TRUE(Agrees(row, program.error())) << program.error().ToString();
        continue;
      }
      Error error;
      const Verdict verdict = EvaluateBool(**program, row.values, scratch, &error);
      EXPECT_EQ(static_cast<int>(verdict), static_cast<int>(row.verdict)) << error.ToString();
      if (verdict == Verdict::kError) {
        EXPECT_TRUE(Agrees(row, error)) << error.ToString() << " but " << row.message;
      }
    }
  }
}

TEST_F(ExpressionTest, ABatchGivesEachRowTheSameVerdict) {
  Scratch scratch(settings_, *cx_);
  for (const Case& one : cases_) {
    SCOPED_TRACE(one.sql);
    const auto program = CompileTree(one.tree);
    if (!program || one.rows.empty()) continue;
    // Of all lengths around a chunk's, and with long runs of one row's kind.
    for (const std::size_t n : {one.rows.size(), std::size_t{1}, std::size_t{1023},
                                std::size_t{1024}, std::size_t{2500}}) {
      const std::size_t run = n > 1024 ? 300 : 1;
      std::vector<std::vector<NullableDatum>> rows;
      std::vector<Verdict> expected, verdicts(n);
      for (std::size_t i = 0; i < n; ++i) {
        const ExpectedRow& row = one.rows[i / run % one.rows.size()];
        rows.push_back(row.values);
        expected.push_back(row.verdict);
      }
      const BatchOf batch(columns_, rows);
      EvaluateBatch(**program, *batch, scratch, verdicts);
      EXPECT_TRUE(verdicts == expected) << n << " rows";
    }
  }
}

TEST_F(ExpressionTest, AProgramOutlivesItsTree) {
  for (const Case& one : cases_) {
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
  for (const Case& one : cases_) {
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
