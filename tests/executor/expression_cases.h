// The expressions of tests/executor/expression_cases.txt with rows, and what PostgreSQL said of
// each.
#pragma once

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <string>
#include <vector>

#include "relcache/catalog/memory_catalog.h"
#include "relcache/executor/compile.h"
#include "relcache/executor/evaluate.h"
#include "relcache/nodes/read.h"
#include "relcache/tests/executor/rows.h"

namespace relcache::testing {

struct ExpectedRow {
  std::vector<NullableDatum> values;
  Verdict verdict = Verdict::kNull;
  std::string sqlstate, message;

  /// An error that comes before any row is each row's.
  bool Agrees(const Error& error) const {
    return verdict == Verdict::kError && sqlstate == error.sqlstate && message == error.message;
  }
};
struct ExpressionCase {
  std::string sql, tree;
  std::vector<ExpectedRow> rows;
};

class ExpressionCasesTest : public ::testing::Test {
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
    ExpressionCase& one = cases_.emplace_back();
    one.sql = d["sql"].GetString();
    one.tree = d["tree"].GetString();
    for (const auto& r : d["rows"].GetArray()) {
      ExpectedRow row;
      row.values.resize(columns_.size());
      bool readable = true;
      for (const auto& member : r["row"].GetObject()) {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
          if (columns_[c].attname != member.name.GetString()) continue;
          auto value = ValueFromText(columns_[c].type.type, columns_[c].atttypmod,
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
    options.objects = &objects_;
    return Compile(*root, options, *cx_);
  }

  SessionSettings settings_ = AssumeUtcAndMdy(0);
  ContextPtr cx_ = AllocSet::CreateRoot("expression test");
  /// The database that was asked: in UTF8, of locale C.UTF-8.
  MemoryCatalog catalog_{[] {
    ServerInfo info;
    info.datcollate = info.datctype = "C.UTF-8";
    return info;
  }()};
  SourceObjects objects_{catalog_, *cx_};
  std::vector<TestColumn> columns_;
  std::vector<InputColumn> types_;
  std::vector<ExpressionCase> cases_;
  int skipped_ = 0;
};

}  // namespace relcache::testing
