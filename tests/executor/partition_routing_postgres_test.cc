// Compares where rows go with where a running PostgreSQL 15 puts them. Suites that are called Slow
// do the same with a million rows for each kind of key.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "postgres_rows.h"
#include "relcache/base/internal/format.h"
#include "relcache/executor/partition_routing.h"
#include "relcache/tests/executor/partition_routes.h"
#include "relcache/tests/server_snapshot.h"

namespace relcache {
namespace {

using test::Route;
using test::RowOf;
using test::Texts;

class Server {
 public:
  /// The schema has a fixed name, so tests that run at the same time wait for each other.
  Server() : rows_(test::PostgresRows::Connect()) {
    if (rows_ != nullptr) rows_->Query("SELECT pg_advisory_lock(hashtext('parts'))");
  }
  ~Server() {
    if (rows_ != nullptr) rows_->Query("DROP SCHEMA IF EXISTS parts CASCADE");
  }
  bool is_there() const { return rows_ != nullptr; }
  auto Query(const std::string& sql) { return rows_->Query(sql); }
  void Start(const std::string& sql) {
    Query("DROP SCHEMA IF EXISTS parts CASCADE");
    Query(sql);
    catalog_ = test::SnapshotOf(std::getenv("RELCACHE_TEST_POSTGRES"), {"parts"});
    ASSERT_NE(catalog_, nullptr);
    cache_ = std::make_unique<RelationCache>(*catalog_);
  }
  std::unique_ptr<PartitionRouter> Router(std::string_view table) {
    auto router = PartitionRouter::Make(*cache_, catalog_->LookupName("parts", table).value());
    EXPECT_TRUE(router) << table << ": " << router.error().ToString();
    return router ? std::move(*router) : nullptr;
  }

 private:
  std::unique_ptr<test::PostgresRows> rows_;
  std::unique_ptr<JsonCatalog> catalog_;
  std::unique_ptr<RelationCache> cache_;
};

std::string Quoted(const std::optional<std::string>& text) {
  if (!text) return "NULL";
  std::string out = "'";
  for (const char c : *text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string SqlOf(const char* file) {
  std::ostringstream text;
  text << std::ifstream(std::string(RELCACHE_TEST_DATA "/") + file).rdbuf();
  return text.str();
}

// The table of routes is what the server says, to the word.
TEST(PostgresPartitionRoutingTest, RoutesAreThoseOfTheServer) {
  Server server;
  if (!server.is_there()) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  server.Start(SqlOf("partitions.sql"));
  server.Query(
      "CREATE FUNCTION parts.try(stmt text) RETURNS text LANGUAGE plpgsql AS $$\n"
      "DECLARE r text; m text; d text; BEGIN EXECUTE stmt INTO r; RETURN r;\n"
      "EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS m = MESSAGE_TEXT, d = "
      "PG_EXCEPTION_DETAIL; RETURN m || ' | ' || d; END $$");
  for (const Route& route : test::Routes()) {
    std::string values;
    for (const auto& text : route.row) values += (values.empty() ? "" : ", ") + Quoted(text);
    const std::string insert = std::string("INSERT INTO parts.") + route.table + " AS k VALUES (" +
                               values +
                               ") RETURNING (SELECT c.relname FROM pg_class c WHERE c.oid = "
                               "k.tableoid)::text";
    EXPECT_EQ(server.Query("SELECT parts.try(" + Quoted(insert) + ")").at(0).at(0).value(),
              route.goes_to)
        << insert;
  }
}

/// A partitioned table k with an expression for its rows, in which i counts.
struct RandomTable {
  const char* name;
  const char* ddl;
  const char* row;
};

void Compare(const RandomTable& table, int rows) {
  Server server;
  if (!server.is_there()) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  server.Start(
      Format("SET search_path = pg_catalog; CREATE SCHEMA parts; SET search_path = parts, "
             "pg_catalog; {}",
             table.ddl));
  server.Query("SELECT setseed(0.5)");
  server.Query(
      Format("INSERT INTO parts.k SELECT {} FROM generate_series(1, {}) i", table.row, rows));
  const auto router = server.Router("k");
  ASSERT_NE(router, nullptr);
  const ContextPtr cx = AllocSet::CreateRoot("partition routing test");
  const SessionSettings settings = AssumeUtcAndMdy(0);
  Scratch scratch(settings, *cx);
  std::map<std::string, int> hits;
  int differ = 0, compared = 0;
  for (const test::TextRow& row :
       server.Query("SELECT (SELECT relname FROM pg_class c WHERE c.oid = k.tableoid), "
                    "k.* FROM parts.k")) {
    const auto values = RowOf(router->table(), Texts(row.begin() + 1, row.end()), settings, *cx);
    const auto leaf = router->Route(values, scratch);
    const std::string goes_to =
        leaf ? std::string(router->leaves()[*leaf].relation->name()) : leaf.error().ToString();
    ++hits[goes_to];
    ++compared;
    if (goes_to != *row[0] && ++differ <= 5)
      ADD_FAILURE() << goes_to << ", PostgreSQL: " << *row[0] << ", key "
                    << row[1].value_or("null");
    cx->Reset();
  }
  EXPECT_EQ(compared, rows);
  EXPECT_EQ(differ, 0);
  // NULL and both truth values have the same remainder.
  EXPECT_GT(hits.size(), std::string(table.name) == "HashBool" ? 0U : 1U);
}

#define HASHED                                                                                    \
  "DO $$ BEGIN FOR r IN 0..4 LOOP EXECUTE format('CREATE TABLE k%s PARTITION OF k FOR VALUES "    \
  "WITH (MODULUS 8, REMAINDER %s)', r, r); END LOOP; END $$; CREATE TABLE k5 PARTITION OF k FOR " \
  "VALUES WITH (MODULUS 16, REMAINDER 5); CREATE TABLE k13 PARTITION OF k FOR VALUES WITH "       \
  "(MODULUS 16, REMAINDER 13); CREATE TABLE k6 PARTITION OF k FOR VALUES WITH (MODULUS 8, "       \
  "REMAINDER 6); CREATE TABLE k7 PARTITION OF k FOR VALUES WITH (MODULUS 8, REMAINDER 7)"
// Every seventeenth key is NULL.
#define OR_NULL(expression) "CASE WHEN i % 17 = 0 THEN NULL ELSE " expression " END"

const RandomTable kTables[] = {
    {"HashInt4", "CREATE TABLE k (a int) PARTITION BY HASH (a); " HASHED,
     OR_NULL("(random() * 4294967295 - 2147483648)::int")},
    {"HashInt2", "CREATE TABLE k (a smallint) PARTITION BY HASH (a); " HASHED,
     OR_NULL("(random() * 65535 - 32768)::smallint")},
    {"HashInt8", "CREATE TABLE k (a bigint) PARTITION BY HASH (a); " HASHED,
     OR_NULL("(random() * 1e18 - 5e17)::bigint * (i % 3)")},
    {"HashText", "CREATE TABLE k (a text) PARTITION BY HASH (a); " HASHED,
     OR_NULL("left(md5(random()::text) || 'äöü', (random() * 35)::int)")},
    {"HashVarchar", "CREATE TABLE k (a varchar(40)) PARTITION BY HASH (a); " HASHED,
     OR_NULL("left(md5(random()::text), (random() * 35)::int)")},
    {"HashBpchar", "CREATE TABLE k (a char(36)) PARTITION BY HASH (a); " HASHED,
     OR_NULL("left(md5(random()::text), (random() * 35)::int)")},
    {"HashNumeric", "CREATE TABLE k (a numeric) PARTITION BY HASH (a); " HASHED,
     OR_NULL("CASE i % 7 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' WHEN 2 THEN (i % 100)::numeric / "
             "10 * 1.000 ELSE (random() * 1e12)::numeric / (i % 9 + 1) END")},
    {"HashFloat8", "CREATE TABLE k (a float8) PARTITION BY HASH (a); " HASHED,
     OR_NULL("CASE i % 5 WHEN 0 THEN 'NaN' WHEN 1 THEN '-0' ELSE random() * 1e10 END")},
    {"HashFloat4", "CREATE TABLE k (a float4) PARTITION BY HASH (a); " HASHED,
     OR_NULL("(random() * 1e10)::float4")},
    {"HashDate", "CREATE TABLE k (a date) PARTITION BY HASH (a); " HASHED,
     OR_NULL("date '0001-01-01' + (random() * 3000000)::int")},
    {"HashTimestamptz", "CREATE TABLE k (a timestamptz) PARTITION BY HASH (a); " HASHED,
     OR_NULL("timestamptz '2024-01-01' + random() * 1e9 * interval '1 second'")},
    {"HashTime", "CREATE TABLE k (a time) PARTITION BY HASH (a); " HASHED,
     OR_NULL("time '00:00' + random() * 86399 * interval '1 second'")},
    {"HashInterval", "CREATE TABLE k (a interval) PARTITION BY HASH (a); " HASHED,
     OR_NULL("random() * 1e6 * interval '1 second' + (i % 50) * interval '1 mon'")},
    {"HashUuid", "CREATE TABLE k (a uuid) PARTITION BY HASH (a); " HASHED,
     OR_NULL("md5(random()::text)::uuid")},
    {"HashBytea", "CREATE TABLE k (a bytea) PARTITION BY HASH (a); " HASHED,
     OR_NULL("decode(left(md5(random()::text), (i % 16) * 2), 'hex')")},
    {"HashBool", "CREATE TABLE k (a bool) PARTITION BY HASH (a); " HASHED,
     OR_NULL("random() < 0.5")},
    {"HashChar", "CREATE TABLE k (a \"char\") PARTITION BY HASH (a); " HASHED,
     OR_NULL("chr(32 + (random() * 90)::int)::\"char\"")},
    {"HashInet", "CREATE TABLE k (a inet) PARTITION BY HASH (a); " HASHED,
     OR_NULL("inet '10.0.0.0' + (random() * 1e6)::int")},
    {"HashName", "CREATE TABLE k (a name) PARTITION BY HASH (a); " HASHED,
     OR_NULL("md5(random()::text)::name")},
    {"HashOid", "CREATE TABLE k (a oid) PARTITION BY HASH (a); " HASHED,
     OR_NULL("(random() * 4294967295)::bigint::oid")},
    {"HashEnum",
     "CREATE TYPE e AS ENUM ('a', 'b', 'c', 'd', 'e'); CREATE TABLE k (a e) PARTITION BY HASH "
     "(a); " HASHED,
     OR_NULL("(enum_range(NULL::parts.e))[1 + i % 5]")},
    {"HashSeveral", "CREATE TABLE k (a int, b text, c date) PARTITION BY HASH (c, b, a); " HASHED,
     OR_NULL(
         "(random() * 100)::int") ", CASE WHEN i % 5 = 0 THEN NULL ELSE md5(random()::text) END, "
                                  "CASE WHEN i % 7 = 0 THEN NULL ELSE date '2024-01-01' + i % 1000 "
                                  "END"},
    {"HashExpression",
     "CREATE TABLE k (a int, b text) PARTITION BY HASH (lower(b), (a + 1)); " HASHED,
     OR_NULL("(random() * 100)::int") ", upper(md5(random()::text))"},
    {"ListInt",
     "CREATE TABLE k (a int) PARTITION BY LIST (a); CREATE TABLE d PARTITION OF k DEFAULT; DO "
     "$$ BEGIN FOR r IN 0..99 LOOP EXECUTE format('CREATE TABLE k%s PARTITION OF k FOR VALUES IN "
     "(%s, "
     "%s)', r, r * 7919 % 1000, r * 7919 % 1000 + 1000); END LOOP; END $$",
     OR_NULL("(random() * 2200 - 100)::int")},
    {"ListText",
     "CREATE TABLE k (a text) PARTITION BY LIST (a); CREATE TABLE d PARTITION OF k DEFAULT; "
     "CREATE TABLE n PARTITION OF k FOR VALUES IN (NULL, ''); DO $$ BEGIN FOR r IN 0..49 LOOP "
     "EXECUTE "
     "format('CREATE TABLE k%s PARTITION OF k FOR VALUES IN (%L)', r, 'ä' || r); END LOOP; END $$",
     OR_NULL("CASE i % 3 WHEN 0 THEN '' ELSE 'ä' || (random() * 60)::int END")},
    {"ListNumeric",
     "CREATE TABLE k (a numeric) PARTITION BY LIST (a); CREATE TABLE d PARTITION OF k "
     "DEFAULT; CREATE TABLE n PARTITION OF k FOR VALUES IN (1.0, 2.50, 'NaN'); CREATE TABLE m "
     "PARTITION "
     "OF k FOR VALUES IN (3, NULL)",
     OR_NULL("CASE i % 5 WHEN 0 THEN 'NaN' ELSE round((random() * 8)::numeric) / 2 END")},
    {"ListExpression",
     "CREATE TABLE k (a text) PARTITION BY LIST (lower(a)); CREATE TABLE d PARTITION OF "
     "k DEFAULT; CREATE TABLE n PARTITION OF k FOR VALUES IN ('a', 'b'); CREATE TABLE m PARTITION "
     "OF k FOR "
     "VALUES IN ('c', NULL)",
     OR_NULL("chr(65 + i % 8)")},
    {"RangeInt",
     "CREATE TABLE k (a int) PARTITION BY RANGE (a); CREATE TABLE d PARTITION OF k DEFAULT; DO "
     "$$ BEGIN FOR r IN 0..499 LOOP EXECUTE format('CREATE TABLE k%s PARTITION OF k FOR VALUES "
     "FROM (%s) "
     "TO (%s)', r, r * 10, r * 10 + 7 + (r % 4)); END LOOP; END $$",
     OR_NULL("(random() * 5200 - 100)::int")},
    {"RangeTimestamptz",
     "CREATE TABLE k (a timestamptz) PARTITION BY RANGE (a); CREATE TABLE d PARTITION "
     "OF k DEFAULT; DO $$ BEGIN FOR r IN 0..99 LOOP EXECUTE format('CREATE TABLE k%s PARTITION OF "
     "k FOR "
     "VALUES FROM (%L) TO (%L)', r, timestamptz '2024-01-01' + r * interval '1 hour', timestamptz "
     "'2024-01-01' + (r + 1) * interval '1 hour'); END LOOP; END $$",
     OR_NULL("CASE i % 50 WHEN 0 THEN 'infinity' WHEN 1 THEN '-infinity' ELSE timestamptz "
             "'2024-01-01' + "
             "round(random() * 400) * interval '15 minutes' END")},
    {"RangeText",
     "CREATE TABLE k (a text COLLATE \"C\") PARTITION BY RANGE (a); CREATE TABLE d PARTITION OF "
     "k DEFAULT; CREATE TABLE n PARTITION OF k FOR VALUES FROM ('a') TO ('m'); CREATE TABLE m "
     "PARTITION OF k "
     "FOR VALUES FROM ('m') TO (MAXVALUE)",
     OR_NULL("chr(64 + i % 60) || left(md5(random()::text) || 'é', i % 40)")},
    {"RangeSeveral",
     "CREATE TABLE k (a int, b numeric, c text COLLATE \"C\") PARTITION BY RANGE (a, b, c); "
     "CREATE TABLE d PARTITION OF k DEFAULT; CREATE TABLE k1 PARTITION OF k FOR VALUES FROM "
     "(MINVALUE, "
     "MINVALUE, MINVALUE) TO (1, 5.5, 'c'); CREATE TABLE k2 PARTITION OF k FOR VALUES FROM (1, "
     "5.5, 'c') TO "
     "(1, 5.5, MAXVALUE); CREATE TABLE k3 PARTITION OF k FOR VALUES FROM (1, 7, MINVALUE) TO (2, "
     "3, 'f'); "
     "CREATE TABLE k4 PARTITION OF k FOR VALUES FROM (3, MAXVALUE, MAXVALUE) TO (4, 0, 'm'); "
     "CREATE TABLE k5 "
     "PARTITION OF k FOR VALUES FROM (4, 2, 'a') TO (MAXVALUE, MAXVALUE, MAXVALUE)",
     OR_NULL("(i % 6)") ", CASE WHEN i % 13 = 0 THEN NULL ELSE (i % 20) / 2.0 END, chr(97 + "
                        "(random() * "
                        "20)::int)"},
    {"Nested",
     "CREATE TABLE k (gone int, a int, b text, t timestamp) PARTITION BY LIST (a); ALTER TABLE k "
     "DROP COLUMN gone; CREATE TABLE d PARTITION OF k DEFAULT PARTITION BY RANGE (t); CREATE TABLE "
     "dd "
     "PARTITION OF d DEFAULT; CREATE TABLE d1 PARTITION OF d FOR VALUES FROM ('2024-01-01') TO "
     "('2024-02-01'); CREATE TABLE m (t timestamp, b text, junk int, a int) PARTITION BY HASH (b, "
     "(t::date)); ALTER TABLE m DROP COLUMN junk; ALTER TABLE k ATTACH PARTITION m FOR "
     "VALUES IN "
     "(1, 2, NULL); CREATE TABLE m0 (b text, a int, t timestamp); ALTER TABLE m ATTACH PARTITION "
     "m0 FOR "
     "VALUES WITH (MODULUS 2, REMAINDER 0); CREATE TABLE m1 PARTITION OF m FOR VALUES WITH "
     "(MODULUS 2, "
     "REMAINDER 1)",
     OR_NULL("(i % 5)") ", md5(random()::text), timestamp '2024-01-01' + random() * interval '60 "
                        "days'"},
};

class PostgresRandomRoutesTest : public ::testing::TestWithParam<RandomTable> {};
TEST_P(PostgresRandomRoutesTest, AgreeWithTheServer) {
  Compare(GetParam(), 20'000);
}
class SlowPostgresRandomRoutesTest : public ::testing::TestWithParam<RandomTable> {};
TEST_P(SlowPostgresRandomRoutesTest, AgreeWithTheServer) {
  Compare(GetParam(), 1'000'000);
}
const auto kName = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(, PostgresRandomRoutesTest, ::testing::ValuesIn(kTables), kName);
INSTANTIATE_TEST_SUITE_P(, SlowPostgresRandomRoutesTest, ::testing::ValuesIn(kTables), kName);

}  // namespace
}  // namespace relcache
