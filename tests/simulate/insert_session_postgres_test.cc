// INSERT against a server: what it stores, or a refusal that names what is not done.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relcache/cache/relation_cache.h"
#include "relcache/simulate/insert_session.h"
#include "relcache/tests/executor/postgres_rows.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/tests/server_snapshot.h"

namespace relcache {
namespace {

/// A relation `t` of integer columns in a schema of its own.
struct InsertCase {
  const char* what;
  int since;
  const char* ddl;
  /// A part of the refusal, or nullptr: it does what the server does.
  const char* refused = nullptr;
  /// Triggers that are added; each does what the server's function of the name does.
  std::vector<std::string> triggers = {};
};

const char* const kRoutines = R"(
  create function plus_one() returns trigger language plpgsql as
    'begin new.a := new.a + 1; return new; end';
  create function twice() returns trigger language plpgsql as
    'begin new.a := new.a * 2; return new; end';
  create function skip() returns trigger language plpgsql as 'begin return null; end';
  create function try(statement text) returns text language plpgsql as $$
    declare state text; message text;
    begin
      execute statement; return 'ok';
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      return state || ' ' || message;
    end $$;
)";

const std::vector<InsertCase>& Cases() {
  static const std::vector<InsertCase> kCases = {
      {"a table", 12, "create table t (a int not null check (a < 10))"},
      {"an unlogged table", 12, "create unlogged table t (a int check (a < 10))"},
      {"a partitioned table", 12,
       "create table t (a int) partition by range (a); create table t1 partition of t for values "
       "from (0) to (9)",
       "partitioned table \"t\""},
      {"a partition", 12,
       "create table p (a int) partition by range (a); create table t partition of p for values "
       "from (0) to (9)",
       "that is a partition"},
      {"a table that was detached", 12,
       "create table p (a int) partition by range (a); create table t partition of p for values "
       "from (0) to (9); alter table p detach partition t"},
      {"a child and a parent", 12,
       "create table p (a int check (a < 10)); create table t () inherits (p); create table c () "
       "inherits (t)"},
      {"a view", 12, "create table u (a int); create view t as select a from u", "view \"t\""},
      {"a view of no table", 12, "create view t as select 1 as a", "view \"t\""},
      {"a view with an INSTEAD OF trigger", 12,
       "create view t as select 1 as a; create trigger x instead of insert on t for each row "
       "execute procedure skip()",
       "view \"t\""},
      {"a materialized view", 12, "create materialized view t as select 1 as a"},
      {"a sequence", 12, "create sequence t"},
      {"an index", 12, "create table u (a int); create index t on u (a)"},
      {"a partitioned index", 12,
       "create table u (a int) partition by range (a); create index t on u (a)"},
      {"a composite type", 12, "create type t as (a int)"},
      {"a foreign table", 12,
       "create foreign data wrapper relcache_insert_w; create server relcache_insert_s foreign "
       "data wrapper relcache_insert_w; create foreign table t (a int not null check (a < 10)) "
       "server relcache_insert_s",
       "foreign table \"t\""},
      {"BEFORE, added",
       12,
       "create table t (a int check (a < 10)); create trigger plus_one before insert on t for each "
       "row execute procedure plus_one()",
       nullptr,
       {"plus_one"}},
      {"BEFORE, two of them by name",
       12,
       "create table t (a int check (a < 10)); create trigger twice before insert on t for each "
       "row execute procedure twice(); create trigger plus_one before insert or update on t for "
       "each row execute procedure plus_one()",
       nullptr,
       {"twice", "plus_one"}},
      {"BEFORE, not added", 12,
       "create table t (a int); create trigger plus_one before insert on t for each row execute "
       "procedure plus_one()",
       "with trigger \"plus_one\", for which no function was added"},
      {"BEFORE, one added and one not",
       12,
       "create table t (a int); create trigger plus_one before insert on t for each row execute "
       "procedure plus_one(); create trigger twice before insert on t for each row execute "
       "procedure twice()",
       "with trigger \"twice\"",
       {"plus_one"}},
      {"BEFORE, tgenabled D",
       12,
       "create table t (a int); create trigger plus_one before insert on t for each row execute "
       "procedure plus_one(); alter table t disable trigger plus_one",
       nullptr,
       {"plus_one"}},
      {"BEFORE, tgenabled D, not added", 12,
       "create table t (a int); create trigger plus_one before insert on t for each row execute "
       "procedure plus_one(); alter table t disable trigger plus_one"},
      {"BEFORE, tgenabled R",
       12,
       "create table t (a int); create trigger plus_one before insert on t for each row execute "
       "procedure plus_one(); alter table t enable replica trigger plus_one",
       nullptr,
       {"plus_one"}},
      {"BEFORE, tgenabled A",
       12,
       "create table t (a int); create trigger plus_one before insert on t for each row execute "
       "procedure plus_one(); alter table t enable always trigger plus_one",
       nullptr,
       {"plus_one"}},
      {"BEFORE, RETURN NULL",
       12,
       "create table t (a int not null check (a < 10)); create trigger skip before insert on t for "
       "each row when (new.a is null or new.a > 9) execute procedure skip()",
       nullptr,
       {"skip"}},
      {"tgqual",
       12,
       "create table t (a int check (a < 10)); create trigger plus_one before insert on t for each "
       "row when (new.a < 9) execute procedure plus_one()",
       nullptr,
       {"plus_one"}},
      {"tgqual that looks at what the trigger before changed",
       12,
       "create table t (a int); create trigger plus_one before insert on t for each row execute "
       "procedure plus_one(); create trigger twice before insert on t for each row when (new.a > "
       "5) execute procedure twice()",
       nullptr,
       {"plus_one", "twice"}},
      {"tgqual that raises",
       12,
       "create table t (a int); create trigger plus_one before insert on t for each row when (10 / "
       "new.a > 1) execute procedure plus_one()",
       nullptr,
       {"plus_one"}},
      {"tgqual that is not supported",
       12,
       "create table t (a int); create trigger plus_one before insert on t for each row when "
       "(pg_column_size(new.a) > 1) execute procedure plus_one()",
       "FUNCTION pg_column_size(\"any\")",
       {"plus_one"}},
      {"tgtype: BEFORE UPDATE", 12,
       "create table t (a int); create trigger plus_one before update or delete on t for each row "
       "execute procedure plus_one()"},
      {"tgtype: BEFORE UPDATE, added",
       12,
       "create table t (a int); create trigger plus_one before update on t for each row execute "
       "procedure plus_one()",
       "by trigger \"plus_one\", which is not BEFORE INSERT FOR EACH ROW",
       {"plus_one"}},
      {"tgtype: AFTER", 12,
       "create table t (a int); create trigger x after insert on t for each row execute procedure "
       "skip()",
       "with trigger \"x\""},
      {"tgtype: AFTER, added",
       12,
       "create table t (a int); create trigger skip after insert on t for each row execute "
       "procedure skip()",
       "by trigger \"skip\", which is not BEFORE",
       {"skip"}},
      {"tgtype: AFTER, tgenabled D", 12,
       "create table t (a int); create trigger x after insert on t for each row execute procedure "
       "skip(); alter table t disable trigger all"},
      {"tgtype: BEFORE STATEMENT", 12,
       "create table t (a int); create trigger x before insert on t execute procedure skip()",
       "with trigger \"x\""},
      {"tgtype: AFTER STATEMENT", 12,
       "create table t (a int); create trigger x after insert on t execute procedure skip()",
       "with trigger \"x\""},
      {"tgtype: BEFORE TRUNCATE", 12,
       "create table t (a int); create trigger x before truncate on t execute procedure skip()"},
      {"tgconstraint: a constraint trigger", 12,
       "create table t (a int); create constraint trigger x after insert on t deferrable initially "
       "deferred for each row execute procedure skip()",
       "with trigger \"x\""},
      {"tgisinternal: a foreign key", 12,
       "create table u (a int primary key); insert into u values (5); create table t (a int "
       "constraint fk references u)",
       "with constraint \"fk\""},
      {"tgisinternal: a foreign key to it", 12,
       "create table t (a int); alter table t add unique (a); create table u (a int references t "
       "(a)); alter table t drop constraint t_a_key cascade"},
      {"relhastriggers f, added",
       12,
       "create table t (a int); create trigger plus_one before insert on t for each row execute "
       "procedure plus_one(); update pg_class set relhastriggers = false where oid = 't'::regclass",
       "though relhastriggers is false",
       {"plus_one"}},
      {"relhastriggers t, none there", 12,
       "create table t (a int check (a < 10)); update pg_class set relhastriggers = true where oid "
       "= 't'::regclass"},
      {"ON INSERT DO INSTEAD NOTHING", 12,
       "create table t (a int); create rule r as on insert to t do instead nothing",
       "with rule \"r\""},
      {"ON INSERT DO INSTEAD into another", 12,
       "create table t (a int); create table u (a int); create rule r as on insert to t do instead "
       "insert into u values (new.a)",
       "with rule \"r\""},
      {"ON INSERT WHERE ... DO INSTEAD", 12,
       "create table t (a int); create rule r as on insert to t where new.a > 5 do instead nothing",
       "with rule \"r\""},
      {"ON INSERT DO ALSO", 12,
       "create table t (a int); create table u (a int); create rule r as on insert to t do also "
       "insert into u values (1)",
       "with rule \"r\""},
      {"ev_enabled D", 12,
       "create table t (a int); create rule r as on insert to t do instead nothing; alter table t "
       "disable rule r"},
      {"ev_enabled R", 12,
       "create table t (a int); create rule r as on insert to t do instead nothing; alter table t "
       "enable replica rule r"},
      {"ev_enabled A", 12,
       "create table t (a int); create rule r as on insert to t do instead nothing; alter table t "
       "enable always rule r",
       "with rule \"r\""},
      {"ev_type of UPDATE and DELETE", 12,
       "create table t (a int); create rule r as on update to t do instead nothing; create rule s "
       "as on delete to t do instead nothing"},
      {"relhasrules t, none there", 12,
       "create table t (a int check (a < 10)); update pg_class set relhasrules = true where oid = "
       "'t'::regclass"},
      {"relrowsecurity", 12,
       "create table t (a int); create policy p on t with check (a < 5); alter table t enable row "
       "level security",
       "under row security"},
      {"relforcerowsecurity alone", 12,
       "create table t (a int); create policy p on t with check (a < 5); alter table t force row "
       "level security"},
      {"indisprimary", 12, "create table t (a int primary key)", "with unique index \"t_pkey\""},
      {"indisunique", 12, "create table t (a int); create unique index x on t (a)",
       "with unique index \"x\""},
      {"indisexclusion", 12, "create table t (a int, exclude using btree (a with =))",
       "with unique index \"t_a_excl\""},
      {"an index that is not unique", 12, "create table t (a int); create index on t (a)"},
      {"relhasindex t, none there", 12,
       "create table t (a int check (a < 10)); update pg_class set relhasindex = true where oid = "
       "'t'::regclass"},
      {"attgenerated s", 12,
       "create table t (a int, b int generated always as (a * 2) stored check (b < 15))"},
      {"attgenerated s, of what a trigger changed",
       12,
       "create table t (a int, b int generated always as (a * 2) stored not null check (b < 15)); "
       "create trigger plus_one before insert on t for each row execute procedure plus_one()",
       nullptr,
       {"plus_one"}},
      {"attgenerated s that raises", 12,
       "create table t (a int, b int generated always as (10 / a) stored)"},
      {"attgenerated s that raises, and NOT NULL", 12,
       "create table t (a int, b int generated always as (10 / a) stored not null, check (a > 5))"},
      {"attgenerated s that is not supported", 12,
       "create table t (a int, b int generated always as (length(quote_literal(a::text))) stored)",
       "FUNCTION quote_literal(text)"},
      {"attgenerated v", 18,
       "create table t (a int, b int generated always as (a * 2) virtual not null check (b < 15))"},
      {"attgenerated v and s", 18,
       "create table t (a int, b int generated always as (a * 2) virtual, c int generated always "
       "as (a + 1) stored check (b + c < 20))"},
      {"relchecks too large", 14,
       "create table t (a int not null check (a < 10)); update pg_class set relchecks = 2 where "
       "oid "
       "= 't'::regclass"},
  };
  return kCases;
}

class PostgresInsertTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = test::PostgresRows::Connect();
    if (server_ == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    version_ = std::stoi(*server_->Query("show server_version_num")[0][0]) / 10000;
    DropSchemas();
  }
  void TearDown() override {
    if (server_ != nullptr) DropSchemas();
  }
  void DropSchemas() {
    server_->Query(
        "update pg_class c set relchecks = (select count(*) from pg_constraint where conrelid = "
        "c.oid and contype = 'c'), relhastriggers = exists (select from pg_trigger where tgrelid = "
        "c.oid) where relname = 't' and relnamespace::regnamespace::text like "
        "'relcache\\_insert\\_%'");
    server_->Query("drop foreign data wrapper if exists relcache_insert_w cascade");
    for (const auto& row : server_->Query("select nspname from pg_namespace where nspname like "
                                          "'relcache\\_insert\\_%'"))
      server_->Query("drop schema " + *row[0] + " cascade");
  }
  static std::string SchemaOf(std::size_t i) { return "relcache_insert_" + std::to_string(i); }

  std::unique_ptr<JsonCatalog> Snapshot() {
    std::vector<std::string> schemas;
    for (std::size_t i = 0; i < Cases().size(); ++i)
      if (Cases()[i].since <= version_) schemas.push_back(SchemaOf(i));
    return test::SnapshotOf(std::getenv("RELCACHE_TEST_POSTGRES"), schemas);
  }
  static RowTrigger TriggerOf(const std::string& name) {
    if (name == "skip")
      return [](TriggerContext&) -> Result<TriggerAction> { return TriggerAction::kSkip; };
    return [twice = name == "twice"](TriggerContext& t) -> Result<TriggerAction> {
      if (const int a = DatumGetInt32(t.row[0].value); !t.row[0].isnull)
        t.row[0].value = Int32GetDatum(twice ? a * 2 : a + 1);
      return TriggerAction::kInsert;
    };
  }
  /// What stands in the table after an insert of `a` that should store so many rows.
  static std::string Stored(const Result<std::size_t>& stored, HeapTable& table,
                            const RelationDescriptor& relation, std::size_t before) {
    if (!stored) return std::string(stored.error().sqlstate) + " " + stored.error().message;
    EXPECT_EQ(table.size(), before + *stored);
    if (*stored == 0) return "nothing";
    std::string out;
    bool any = false;
    for (const AttributeRow& a : relation.attributes()) {
      const NullableDatum v = table.Get(before, static_cast<std::size_t>(a.attnum) - 1);
      if (a.attgenerated == 'v') {
        EXPECT_TRUE(v.isnull);
        continue;
      }
      if (std::exchange(any, true)) out += ",";
      out += (v.isnull ? "" : std::to_string(DatumGetInt32(v.value)));
    }
    return out;
  }

  std::unique_ptr<test::PostgresRows> server_;
  int version_ = 0;
};

TEST_F(PostgresInsertTest, StoresWhatTheServerStoresOrRefusesByName) {
  const std::vector<InsertCase>& cases = Cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].since > version_) continue;
    const std::string schema = SchemaOf(i);
    server_->Query("create schema " + schema + "; set search_path = " + schema + "; " + kRoutines +
                   cases[i].ddl);
  }
  const auto catalog = Snapshot();
  ASSERT_NE(catalog, nullptr);
  RelationCache cache(*catalog);
  int compared = 0, refused = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].since > version_) continue;
    SCOPED_TRACE(std::string(cases[i].what) + ": " + cases[i].ddl);
    server_->Query("set search_path = " + SchemaOf(i));
    const RelationPin pin = cache.Open(SchemaOf(i), "t").value();
    SessionSettings settings;
    InsertSession session(cache, settings);
    for (const std::string& name : cases[i].triggers)
      session.AddTrigger(pin->oid(), name, TriggerOf(name));
    HeapTable& table = **session.Table(pin->oid());
    std::string columns;
    for (const AttributeRow& a : pin->attributes())
      if (a.attgenerated != 'v')
        columns += (columns.empty() ? "" : " || ',' || ") +
                   ("coalesce(" + std::string(a.attname) + "::text, '')");
    int refusals = 0;
    for (const char* a : {"5", "-1", "0", "12", "null"}) {
      // Places of generated columns hold nonsense.
      std::vector<NullableDatum> row(pin->attributes().size(), {Int32GetDatum(77), false});
      const bool is_null = std::string_view(a) == "null";
      row[0] = {Int32GetDatum(is_null ? 0 : std::stoi(a)), is_null};
      const std::size_t before = table.size();
      const std::string ours = Stored(session.Insert(pin->oid(), row), table, *pin, before);
      if (ours.starts_with("0A000")) {
        ASSERT_NE(cases[i].refused, nullptr) << ours;
        EXPECT_THAT(ours, ::testing::HasSubstr(cases[i].refused));
        ++refused, ++refusals;
        continue;
      }
      const std::string insert = "insert into t values (" + std::string(a) + ")";
      std::string theirs = *server_->Query("select try($x$" + insert + "$x$)")[0][0];
      if (theirs == "ok") {
        const auto rows = server_->Query("select " + columns + " from only t");
        theirs = rows.empty() ? "nothing" : *rows[0][0];
        server_->Query("truncate only t");
      }
      EXPECT_EQ(ours, theirs) << a;
      ++compared;
    }
    EXPECT_EQ(refusals > 0, cases[i].refused != nullptr);
  }
  std::cout << compared << " rows compared, " << refused << " refused\n";
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace relcache
