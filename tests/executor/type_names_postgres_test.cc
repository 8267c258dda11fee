// Messages that name a domain, under settings of search_path: the server's, word for word.
#include <gtest/gtest.h>

#include "relcache/cache/relation_cache.h"
#include "relcache/executor/constraints.h"
#include "relcache/tests/executor/postgres_rows.h"
#include "relcache/tests/server_snapshot.h"

namespace relcache {
namespace {

/// Domains of one name in several schemas, of a table's name, of built-in types' names.
constexpr const char* kSetUp = R"(
  drop schema if exists relcache_a cascade; drop schema if exists relcache_b cascade;
  drop schema if exists "Relcache C" cascade;
  create schema relcache_a; create schema relcache_b; create schema "Relcache C";
  create domain relcache_a.d as int check (value > 0);
  create domain relcache_b.d as int check (value > 0);
  create domain "Relcache C".d as int not null check (value > 0);
  create domain relcache_a.only_a as int check (value > 0);
  create domain relcache_b.only_b as int not null check (value > 0);
  create domain "Relcache C"."Only C" as int check (value > 0);
  create domain relcache_a.text as int check (value > 0);
  create domain relcache_a.int4 as relcache_b.d check (value < 100);
  create domain relcache_b.w as int check (value > 0);
  create domain relcache_b.x as int check (value > 0);
  create domain relcache_b.s as int check (value > 0);
  create table relcache_a.w (a int);
  create index x on relcache_a.w (a);
  create sequence relcache_a.s;
  create domain "Relcache C"."select" as int check (value > 0);
  create table relcache_a.t (a int,
    constraint c1 check (a::relcache_a.d is null or a = 1),
    constraint c2 check (a::relcache_b.d is null or a = 2),
    constraint c3 check (a::"Relcache C".d is null or a = 3),
    constraint c4 check (a::relcache_a.only_a is null or a = 4),
    constraint c5 check (a::relcache_b.only_b is null or a = 5),
    constraint c6 check (a::"Relcache C"."Only C" is null),
    constraint c7 check (a::relcache_a.text is null),
    constraint c8 check (a::relcache_a.int4 is null),
    constraint c9 check (a::relcache_b.w is null),
    constraint c10 check (a::relcache_b.x is null),
    constraint c11 check (a::relcache_b.s is null),
    constraint c12 check (a::"Relcache C"."select" is null));
  create function relcache_a.try(condition text, value int) returns text language plpgsql as $$
    declare state text; message text;
    begin
      execute 'select ' || condition || ' from (values ($1)) as v(a)' using value;
      return 'ok';
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      return state || ' ' || message;
    end $$)";

class PostgresTypeNamesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = test::PostgresRows::Connect();
    if (server_ == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Query(kSetUp);
  }
  void TearDown() override {
    if (server_ != nullptr)
      server_->Query(
          "drop schema relcache_a cascade; drop schema relcache_b cascade; drop schema \"Relcache "
          "C\" cascade");
  }

  std::unique_ptr<test::PostgresRows> server_;
};

TEST_F(PostgresTypeNamesTest, HaveTheirSchemaWhereSearchPathDoesNotShowThem) {
  const auto catalog = test::SnapshotOf(std::getenv("RELCACHE_TEST_POSTGRES"),
                                        {"relcache_a", "relcache_b", "Relcache C"});
  ASSERT_NE(catalog, nullptr);
  RelationCache cache(*catalog);
  const RelationPin pin = cache.Open("relcache_a", "t").value();
  const ContextPtr cx = AllocSet::CreateRoot("type names");
  int compared = 0;
  for (const char* path : {"relcache_a",
                           "relcache_b",
                           "\"Relcache C\"",
                           "relcache_a, relcache_b",
                           "relcache_b, relcache_a",
                           "relcache_b,relcache_a ,\"Relcache C\"",
                           "Relcache_A",
                           "\"Relcache_A\", RELCACHE_B",
                           "public",
                           "\"$user\", public",
                           "\"$user\", relcache_b",
                           "nowhere, relcache_a",
                           "relcache_a, pg_catalog",
                           "pg_catalog, relcache_a",
                           "relcache_b, pg_catalog, relcache_a",
                           "''",
                           "'', relcache_a",
                           "relcache_a, relcache_a, relcache_b",
                           "pg_temp, relcache_a",
                           "information_schema, relcache_b"}) {
    SCOPED_TRACE(path);
    server_->Query(std::string("set search_path = ") + path);
    SessionSettings settings;
    settings.search_path =
        *server_->Query("select pg_catalog.current_setting('search_path')")[0][0];
    Scratch scratch(settings, *cx);
    for (const CheckConstraint& check : pin->checks()) {
      const auto program = ProgramOf(*pin, check.expression());
      ASSERT_TRUE(program) << program.error().ToString();
      const std::string condition =
          *server_->Query("select substr(pg_catalog.pg_get_constraintdef(" +
                          std::to_string(check.row().oid) + "), 7)")[0][0];
      for (const bool is_null : {false, true}) {
        const NullableDatum row[] = {{Int32GetDatum(-7), is_null}};
        Error error;
        const TruthValue verdict = EvaluateBool(**program, row, scratch, &error);
        const std::string ours =
            verdict == TruthValue::kError ? error.sqlstate + (" " + error.message) : "ok";
        EXPECT_EQ(ours, *server_->Query("select relcache_a.try($x$" + condition + "$x$, " +
                                        (is_null ? "null" : "-7") + ")")[0][0])
            << check.name();
        ++compared;
      }
    }
  }
  std::cout << compared << " messages compared\n";
}

}  // namespace
}  // namespace relcache
