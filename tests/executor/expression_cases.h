// The expressions of tests/executor/expression_cases.txt with rows, and what PostgreSQL said of
// each.
#pragma once

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "relcache/catalog/memory_catalog.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/nodes/read.h"
#include "relcache/tests/executor/rows.h"

namespace relcache::testing {

struct ExpectedRow {
  std::vector<NullableDatum> values;
  TruthValue verdict = TruthValue::kNull;
  std::string sqlstate, message;

  /// An error that comes before any row is each row's.
  bool Agrees(const Error& error) const {
    return verdict == TruthValue::kError && sqlstate == error.sqlstate && message == error.message;
  }
};
struct ExpressionCase {
  std::string sql, tree;
  std::vector<ExpectedRow> rows;
};

class ExpressionCasesTest : public ::testing::Test {
 protected:
  void SetUp() override { Load(15); }

  /// What a release said. Only the trees and rows that are not 15's are in the file of another.
  void Load(int major) {
    std::ifstream file(RELCACHE_TEST_DATA "/expression_cases.jsonl");
    std::ifstream others(RELCACHE_TEST_DATA "/expression_cases_" + std::to_string(major) +
                         ".jsonl");
    std::string line, other;
    ASSERT_TRUE(std::getline(file, line));
    rapidjson::Document head, changed;
    head.Parse(line.c_str());
    changed.SetObject();
    if (major != 15) {
      ASSERT_TRUE(std::getline(others, other)) << major;
      version_.num = changed.Parse(other.c_str())["server_version_num"].GetInt();
    }
    ASSERT_EQ(version_.major(), major);
    Begin(head);
    while (std::getline(file, line)) {
      rapidjson::Document one;
      one.Parse(line.c_str());
      if (major != 15) {
        ASSERT_TRUE(std::getline(others, other)) << line;
        changed.Parse(other.c_str());
        ASSERT_TRUE(changed["sql"] == one["sql"]) << line;
      }
      const auto member = [&](const char* name) -> const rapidjson::Value& {
        return changed.HasMember(name) ? changed[name] : one[name];
      };
      cases_.push_back({one["sql"].GetString(), member("tree").GetString(), {}});
      ReadRows(member("rows"), cases_.back());
    }
    ASSERT_GT(cases_.size(), 150u);
    EXPECT_EQ(skipped_, 0) << "rows with values that cannot be read";
  }

  void Begin(const rapidjson::Value& head) {
    cases_.clear();
    columns_.clear();
    types_.clear();
    for (const auto& c : head["columns"].GetArray()) {
      const InputColumn type{c["atttypid"].GetUint(),
                             static_cast<std::int16_t>(c["attlen"].GetInt()),
                             c["attbyval"].GetBool()};
      columns_.push_back({c["attname"].GetString(), type, c["atttypmod"].GetInt()});
      types_.push_back(type);
    }
    // The databases that were asked: in UTF8, and letter case beyond ASCII is not in the cases.
    ServerInfo info;
    info.datcollate = info.datctype = "C.UTF-8";
    info.server_version_num = version_.num;
    objects_.reset();
    catalog_.emplace(info);
    objects_.emplace(*catalog_, *cx_);
  }

  void ReadRows(const rapidjson::Value& rows, ExpressionCase& one) {
    for (const auto& r : rows.GetArray()) {
      ExpectedRow row;
      row.values.resize(columns_.size());
      bool readable = true;
      for (const auto& member : r["row"].GetObject()) {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
          if (columns_[c].attname != member.name.GetString()) continue;
          auto value = ValueFromText(columns_[c].type.type, columns_[c].atttypmod,
                                     member.value.GetString(), settings_, *cx_, version_);
          readable = readable && value.has_value();
          if (value) row.values[c] = *value;
        }
      }
      if (!readable) {
        ++skipped_;
        continue;
      }
      if (r.HasMember("sqlstate")) {
        row.verdict = TruthValue::kError;
        row.sqlstate = r["sqlstate"].GetString();
        row.message = r["message"].GetString();
      } else if (!r["result"].IsNull()) {
        row.verdict = r["result"].GetBool() ? TruthValue::kTrue : TruthValue::kFalse;
      }
      one.rows.push_back(std::move(row));
    }
  }

  Result<const Program*> CompileTree(const std::string& tree) {
    RELCACHE_ASSIGN(const Node* root, StringToNode(tree, {.pg_version = version_.major()}, *cx_));
    CompileOptions options;
    options.columns = types_;
    options.objects = &*objects_;
    return Compile(*root, options, *cx_);
  }

  SessionSettings settings_ = AssumeUtcAndMdy(0);
  ContextPtr cx_ = AllocSet::CreateRoot("expression test");
  ServerVersion version_;
  std::optional<MemoryCatalog> catalog_;
  std::optional<SourceObjects> objects_;
  std::vector<TestColumn> columns_;
  std::vector<InputColumn> types_;
  std::vector<ExpressionCase> cases_;
  int skipped_ = 0;
};

}  // namespace relcache::testing
