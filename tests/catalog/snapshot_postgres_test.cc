// scripts/snapshot against a running server: what it writes is read, and is what the server says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "relcache/catalog/internal/row_copy.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/catalog/names.h"
#include "relcache/tests/server_snapshot.h"

namespace relcache {
namespace {

const std::string kScripts = RELCACHE_TEST_DATA "/../../scripts/";

std::string RunCommand(const std::string& command) {
  return test::RunCommand(command).text;
}

/// A database of its own with a sample's tables.
class PostgresSnapshotTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (connection_ == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    database_ = "relcache_snapshot_" + std::to_string(getpid());
    Psql(connection_, "create database " + database_);
    RunCommand("PGOPTIONS='-c client_min_messages=error' psql -X -q -d \"" + Connection() +
               "\" -f " + RELCACHE_TEST_DATA "/" + GetParam() + ".sql 2>&1");
  }
  ~PostgresSnapshotTest() override {
    if (!database_.empty()) Psql(connection_, "drop database " + database_);
  }
  static std::string Psql(const std::string& connection, const std::string& sql) {
    return RunCommand("psql -X -q -A -t -d \"" + connection + "\" -c \"" + sql + "\"");
  }
  std::string Connection() const { return std::string(connection_) + " dbname=" + database_; }
  std::unique_ptr<JsonCatalog> Snapshot(const std::string& arguments) {
    auto catalog = JsonCatalog::Parse(
        RunCommand(kScripts + "snapshot \"" + Connection() + "\" " + arguments), "snapshot");
    EXPECT_TRUE(catalog) << catalog.error().ToString();
    return catalog ? std::move(*catalog) : nullptr;
  }

  const char* connection_ = std::getenv("RELCACHE_TEST_POSTGRES");
  std::string database_;
  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_P(PostgresSnapshotTest, HoldsEveryRelationAndTree) {
  const auto catalog = Snapshot("");
  ASSERT_NE(catalog, nullptr);
  std::set<std::string> trees, from_server;
  std::size_t relations = 0;
  const auto listed = catalog->ListRelations(*cx_).value();
  for (const RelationName& name : listed) {
    const RelationRows* rows = catalog->LoadRelation(name.oid, *cx_).value();
    ++relations;
    for (const auto& row : rows->constraints) trees.emplace(row.conbin);
    for (const auto& row : rows->attrdefs) trees.emplace(row.adbin);
    for (const auto& row : rows->indexes) trees.emplace(row.indexprs), trees.emplace(row.indpred);
    for (const auto& row : rows->triggers) trees.emplace(row.tgqual);
    for (const auto& row : rows->policies) {
      trees.emplace(row.polqual), trees.emplace(row.polwithcheck);
    }
    for (const auto& row : rows->statistics) trees.emplace(row.stxexprs);
    trees.emplace(rows->pg_class.relpartbound);
    if (rows->partitioned_table != nullptr) trees.emplace(rows->partitioned_table->partexprs);
  }
  trees.erase("");
  // Trees hold no line breaks but where names and texts do.
  std::istringstream lines(Psql(
      Connection(),
      "select t || chr(1) from (select conbin::text as t from pg_constraint where conrelid >= 16384"
      " union select adbin::text from pg_attrdef union select indexprs::text from pg_index where "
      "indrelid >= 16384"
      " union select indpred::text from pg_index where indrelid >= 16384 union select tgqual::text "
      "from pg_trigger"
      " union select polqual::text from pg_policy union select polwithcheck::text from pg_policy"
      " union select stxexprs::text from pg_statistic_ext union select relpartbound::text from "
      "pg_class"
      " union select partexprs::text from pg_partitioned_table) s where t is not null"));
  for (std::string line; std::getline(lines, line, '\1');) {
    if (line.starts_with('\n')) line.erase(0, 1);
    if (!line.empty()) from_server.insert(line);
  }
  EXPECT_EQ(trees, from_server);
  EXPECT_EQ(std::to_string(relations) + "\n",
            Psql(Connection(),
                 "select count(*) from pg_class where oid >= 16384 and relnamespace <> "
                 "'pg_toast'::regnamespace"));
}

TEST_P(PostgresSnapshotTest, NamesAreWhatTheServerPrints) {
  const auto catalog = Snapshot("");
  ASSERT_NE(catalog, nullptr);
  std::istringstream lines(
      Psql(Connection(),
           "select attrelid::bigint, attnum, format_type(atttypid, atttypmod) from pg_attribute"
           " where attrelid >= 16384 and attnum > 0 and not attisdropped and attrelid in"
           " (select oid from pg_class where relnamespace <> 'pg_toast'::regnamespace)"));
  Oid relation = 0;
  int attnum = 0;
  char bar = 0;
  std::size_t n = 0;
  for (std::string type; lines >> relation >> bar >> attnum >> bar && std::getline(lines, type);
       ++n) {
    const RelationRows* rows = catalog->LoadRelation(relation, *cx_).value();
    ASSERT_NE(rows, nullptr);
    const AttributeRow& column = rows->attributes[static_cast<std::size_t>(attnum) - 1];
    EXPECT_EQ(FormatTypeOf(column.atttypid, column.atttypmod, *catalog).value(), type)
        << rows->pg_class.relname << "." << column.attname;
  }
  EXPECT_GT(n, 0u);
}

TEST_P(PostgresSnapshotTest, ASchemaBringsWhatItNeeds) {
  Psql(Connection(), R"(create schema \"odd \"\"schema\"\", {\\\\}\")");
  const auto whole = Snapshot("");
  const auto part = Snapshot("--schema public --schema 'odd \"schema\", {\\\\}'");
  ASSERT_NE(whole, nullptr);
  ASSERT_NE(part, nullptr);
  const auto all = whole->ListRelations(*cx_).value();
  for (const RelationName& name : all) {
    const RelationRows* rows = part->LoadRelation(name.oid, *cx_).value();
    if (name.nspname == "public") {
      ASSERT_NE(rows, nullptr) << name.relname;
    }
  }
  EXPECT_LE(part->ListRelations(*cx_).value().size(), all.size());
}

TEST_P(PostgresSnapshotTest, ASchemaThatDoesNotExistIsAnError) {
  const std::string written = RunCommand(kScripts + "snapshot \"" + Connection() +
                                         "\" --schema public --schema nosuch 2>&1; echo $?");
  EXPECT_THAT(written, ::testing::ContainsRegex("snapshot.sql:[0-9]+: ERROR"));
  EXPECT_THAT(written, ::testing::HasSubstr("schema \"nosuch\" does not exist"));
  EXPECT_THAT(written, ::testing::EndsWith("\n2\n"));
}

TEST_P(PostgresSnapshotTest, ValuesDoNotDependOnTheSettingsOfTheDatabase) {
  Psql(Connection(),
       "create table missing_values(a int);"
       "alter table missing_values add d date default '2024-03-04',"
       " add ts timestamp default '2024-03-04 05:06:07',"
       " add tz timestamptz default '2024-03-04 05:06:07+00',"
       " add i interval default '-1 year 2 days -03:04:05', add b bytea default '\\x00ff5c61',"
       " add f4 float4 default 0.1, add f8 float8 default 0.30000000000000004,"
       " add r tstzrange default '[2024-03-04 05:06:07+00,2024-05-06 00:00:00+00)',"
       " add ds date[] default '{2024-03-04,2024-05-06}', add m money default 12.5");
  const std::string command = kScripts + "snapshot \"" + Connection() + "\"";
  const std::string before = RunCommand(command);
  EXPECT_THAT(before, ::testing::HasSubstr("{2024-03-04}"));
  for (const char* setting :
       {"datestyle = 'SQL, DMY'", "datestyle = 'German'", "datestyle = 'Postgres, MDY'",
        "intervalstyle = 'iso_8601'", "intervalstyle = 'sql_standard'",
        "timezone = 'Asia/Kathmandu'", "timezone = 'America/New_York'", "bytea_output = 'escape'",
        "extra_float_digits = 0", "extra_float_digits = -15"}) {
    Psql(Connection(), "alter database " + database_ + " set " + setting);
    EXPECT_EQ(RunCommand(command), before) << setting;
    Psql(Connection(), "alter database " + database_ + " reset all");
  }
}

INSTANTIATE_TEST_SUITE_P(Postgres, PostgresSnapshotTest,
                         ::testing::Values("catalog/checks", "catalog/inheritance",
                                           "catalog/partitions", "catalog/programs"),
                         [](const auto& test) {
                           const std::string sample = test.param;
                           return sample.substr(sample.rfind('/') + 1);
                         });

}  // namespace
}  // namespace relcache
