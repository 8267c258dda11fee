// CHECK constraints on generated rows: each verdict and each error must be the server's. The
// connection is RELCACHE_TEST_POSTGRES; the tables of tests/data/check_schemas.sql are made in a
// schema of the test's own.
#include <gtest/gtest.h>
#include <libpq-fe.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>

#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/nodes/read.h"
#include "relcache/tests/executor/rows.h"

namespace relcache {
namespace {

using testing::BatchOf;
using testing::TestColumn;

class Server {
 public:
  static std::unique_ptr<Server> FromEnvironment() {
    const char* where = std::getenv("RELCACHE_TEST_POSTGRES");
    if (where == nullptr) return nullptr;
    return std::make_unique<Server>(where);
  }
  explicit Server(const char* where) : connection_(PQconnectdb(where)) {
    if (PQstatus(connection_) != CONNECTION_OK) ADD_FAILURE() << PQerrorMessage(connection_);
  }
  ~Server() { PQfinish(connection_); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  using Table = std::vector<std::vector<std::optional<std::string>>>;
  Table Query(const std::string& sql) {
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(connection_, sql.c_str()),
                                                                PQclear);
    Table rows;
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      ADD_FAILURE() << PQerrorMessage(connection_) << sql.substr(0, 500);
      return rows;
    }
    for (int r = 0; r < PQntuples(result.get()); ++r) {
      auto& row = rows.emplace_back();
      for (int c = 0; c < PQnfields(result.get()); ++c) {
        if (PQgetisnull(result.get(), r, c) != 0) {
          row.emplace_back();
        } else {
          row.emplace_back(PQgetvalue(result.get(), r, c));
        }
      }
    }
    return rows;
  }
  std::string Quote(const std::string& text) {
    char* quoted = PQescapeLiteral(connection_, text.c_str(), text.size());
    std::string out = quoted;
    PQfreemem(quoted);
    return out;
  }

 private:
  PGconn* connection_;
};

struct Check {
  std::string table, name, sql, tree;
};

/// Values worth trying for a type; NULL comes on top.
std::vector<std::string> ValuesOf(Oid type) {
  switch (type) {
    case kBoolOid:
      return {"t", "f"};
    case kInt2Oid:
      return {"0", "1", "-1", "5", "12", "100", "32767", "-32768"};
    case kInt4Oid:
      return {"0",  "1",   "-1",  "2",    "5",    "10",         "12",
              "99", "100", "101", "1000", "2024", "2147483647", "-2147483648"};
    case kInt8Oid:
      return {
          "0", "1", "-1", "5", "100", "5000000000", "9223372036854775807", "-9223372036854775808"};
    case kFloat4Oid:
    case kFloat8Oid:
      return {"0", "-0", "1", "0.5", "0.1", "-3.25", "100", "NaN", "Infinity", "-Infinity"};
    case kNumericOid:
      return {"0", "1", "-1", "0.5", "9.99", "99.99", "100", "1000.5", "NaN"};
    case kTextOid:
    case kVarcharOid:
    case kBpcharOid:
      return {"",       "a",         "A",          "x",   " ",       "ab",  "abc",
              "active", "open",      "closed",     "new", "USD",     "EUR", "äöü",
              "a@b.c",  "https://x", "0123456789", "123", "abc def", "M",   "F"};
    case kDateOid:
      return {"2000-01-01", "1999-12-31", "2020-02-29", "2024-06-01", "infinity"};
    case kTimestampOid:
      return {"2000-01-01 00:00", "1999-12-31 23:59:59.5", "2024-06-01 12:00", "infinity"};
    case kTimestamptzOid:
      return {"2000-01-01 00:00+00", "1999-12-31 23:59:59.5+02", "2024-06-01 12:00+00", "infinity"};
    case kIntervalOid:
      return {"0", "1 day", "25 hours", "1 mon", "-1 day"};
    case kUuidOid:
      return {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "00000000-0000-0000-0000-000000000000"};
    case kByteaOid:
      return {"\\x", "\\x00", "\\x0102", "\\xffffff"};
    default:
      return {};
  }
}

class PostgresCheckTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = Server::FromEnvironment();
    if (!server_) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Query("set timezone = 'UTC'");
    server_->Query("drop schema if exists relcache_executor cascade");
    server_->Query("create schema relcache_executor");
    server_->Query("set search_path = relcache_executor");
    server_->Query(R"(
      create function verdict(expr text, tab text) returns text language plpgsql as $$
      declare v bool; s text; m text;
      begin
        execute 'select (' || expr || ') from ' || tab into v;
        return coalesce(v::text, 'null');
      exception when others then
        get stacked diagnostics s = returned_sqlstate, m = message_text;
        return 'error ' || s || ' ' || m;
      end $$)");
    std::ifstream file(RELCACHE_TEST_DATA "/check_schemas.sql");
    std::stringstream all;
    all << file.rdbuf();
    server_->Query(all.str());
  }
  void TearDown() override {
    if (server_) server_->Query("drop schema if exists relcache_executor cascade");
  }

  void ReadColumns(const std::string& table) {
    columns_.clear();
    types_.clear();
    for (const auto& row :
         server_->Query("select attname, atttypid::oid::int8, attlen, attbyval, atttypmod from "
                        "pg_attribute where attrelid = " +
                        server_->Quote(table) + "::regclass and attnum > 0 order by attnum")) {
      const InputColumn type{static_cast<Oid>(std::stoul(*row[1])),
                             static_cast<std::int16_t>(std::stoi(*row[2])), *row[3] == "t"};
      columns_.push_back({*row[0], type, std::stoi(*row[4])});
      types_.push_back(type);
    }
  }

  std::unique_ptr<Server> server_;
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  std::vector<TestColumn> columns_;
  std::vector<InputColumn> types_;
  std::mt19937 random_{20};
};

std::string Ours(TruthValue verdict, const Error& error) {
  switch (verdict) {
    case TruthValue::kTrue:
      return "true";
    case TruthValue::kFalse:
      return "false";
    case TruthValue::kNull:
      return "null";
    default:
      return std::string("error ") + error.sqlstate + " " + error.message;
  }
}

TEST_F(PostgresCheckTest, EveryVerdictIsTheServers) {
  std::vector<Check> checks;
  for (const auto& row :
       server_->Query("select conrelid::regclass::text, conname, pg_get_expr(conbin, conrelid), "
                      "conbin::text from pg_constraint "
                      "where contype = 'c' and conrelid <> 0 and connamespace = "
                      "'relcache_executor'::regnamespace order by 1, 2"))
    checks.push_back({*row[0], *row[1], *row[2], *row[3]});
  ASSERT_GT(checks.size(), 50u);

  std::map<std::string, int> refused;
  std::size_t compared = 0, covered = 0;
  for (const Check& check : checks) {
    SCOPED_TRACE(check.table + "." + check.name + ": " + check.sql);
    ReadColumns(check.table);
    ContextPtr cx = AllocSet::CreateRoot("differential test");
    const auto tree = StringToNode(check.tree, {}, *cx);
    ASSERT_TRUE(tree) << tree.error().ToString();
    CompileOptions options;
    options.columns = types_;
    const auto program = Compile(**tree, options, *cx);
    if (!program && program.error().code == ErrorCode::kNotSupported) {
      ++refused[program.error().message];
      continue;
    }
    ++covered;
    // The columns that the expression reads get values; the others stay NULL.
    std::set<std::size_t> used;
    if (program)
      for (const auto& use : (*program)->columns()) used.insert(use.index);
    std::vector<std::vector<NullableDatum>> rows;
    std::vector<std::string> inputs;
    for (int r = 0; r < 40; ++r) {
      std::vector<NullableDatum> row(columns_.size());
      std::string values;
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        std::string literal = "null";
        const auto candidates = ValuesOf(types_[c].type);
        if (used.count(c) != 0 && !candidates.empty() && random_() % 6 != 0) {
          const std::string& text = candidates[random_() % candidates.size()];
          const auto value = TypeInput(types_[c].type, columns_[c].atttypmod, text, settings_, *cx);
          if (value) {
            row[c] = {*value, false};
            literal = server_->Quote(text);
          }
        }
        values += (c > 0 ? ", " : "") + literal;
      }
      rows.push_back(row);
      inputs.push_back(values);
    }
    std::vector<std::string> expected;
    server_->Query("begin; create temp table r (like " + check.table + ") on commit drop");
    for (const auto& row : server_->Query("select quote_ident(attname) from pg_attribute where "
                                          "attrelid = 'r'::regclass and attnum > 0 and attnotnull"))
      server_->Query("alter table r alter column " + *row[0] + " drop not null");
    std::string all;
    for (const std::string& values : inputs) all += (all.empty() ? "(" : ", (") + values + ")";
    server_->Query("alter table r add column nth serial; insert into r values " + all);
    for (const auto& row : server_->Query("select verdict(" + server_->Quote(check.sql) +
                                          ", 'r where nth = ' || nth) from r order by nth"))
      expected.push_back(*row[0]);
    ASSERT_EQ(expected.size(), rows.size());
    server_->Query("commit");

    Scratch scratch(settings_, *cx);
    // Each row again and again, so that the batch has several chunks.
    std::vector<std::vector<NullableDatum>> many;
    while (!rows.empty() && many.size() < 4500) many.insert(many.end(), rows.begin(), rows.end());
    std::vector<TruthValue> verdicts(many.size());
    if (program) EvaluateBatch(**program, *BatchOf(columns_, many), scratch, verdicts);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Error error;
      TruthValue verdict = TruthValue::kError;
      if (program) {
        verdict = EvaluateBool(**program, rows[r], scratch, &error);
        for (std::size_t again = r; again < many.size(); again += rows.size())
          EXPECT_EQ(static_cast<int>(verdicts[again]), static_cast<int>(verdict)) << inputs[r];
      } else {
        error = program.error();
      }
      if (verdict == TruthValue::kError && error.code == ErrorCode::kNotSupported) {
        ++refused[error.message];
        continue;
      }
      EXPECT_EQ(Ours(verdict, error), expected[r]) << inputs[r];
      ++compared;
    }
  }
  std::cout << covered << " of " << checks.size() << " constraints, " << compared
            << " rows compared\n";
  for (const auto& [why, n] : refused) std::cout << "  " << n << " " << why << "\n";
  RecordProperty("covered", static_cast<int>(covered));
  RecordProperty("compared", static_cast<int>(compared));
}

}  // namespace
}  // namespace relcache
