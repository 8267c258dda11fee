// A trigger's WHEN is over the rows that the event has: OLD, NEW or both. The verdicts are a
// server's, whose triggers say whether they fired (label postgres).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <random>

#include "relcache/cache/relation_cache.h"
#include "relcache/executor/expressions/cached_program.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/tests/executor/postgres_rows.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/tests/executor/rows.h"
#include "relcache/tests/server_snapshot.h"

namespace relcache {
namespace {

using ::testing::HasSubstr;

TEST(TriggerWhenTest, WhichRowsThereAreFollowsFromTheEvents) {
  constexpr int kRow = 1, kInsert = 4, kDelete = 8, kUpdate = 16;
  const struct {
    int tgtype;
    bool old_row, new_row;
  } kCases[] = {
      {kRow | kInsert, false, true},
      {kRow | kUpdate, true, true},
      {kRow | kDelete, true, false},
      {kRow | kInsert | kUpdate, false, true},
      {kRow | kUpdate | kDelete, true, false},
      {kRow | kInsert | kDelete, false, false},
      {kUpdate, false, false},
  };
  for (const auto& one : kCases) {
    TriggerRow row;
    row.tgtype = static_cast<std::int16_t>(one.tgtype);
    const WhenRows rows = WhenRowsOf(row);
    EXPECT_EQ(rows.old_row, one.old_row) << one.tgtype;
    EXPECT_EQ(rows.new_row, one.new_row) << one.tgtype;
  }
}

struct When {
  std::string events, condition;
};

std::vector<When> Conditions() {
  std::vector<When> out;
  for (const char* condition :
       {"old.x is distinct from new.x",
        "old.x = new.x",
        "new.x > old.x",
        "old.x > new.x",
        "old.t is distinct from new.t",
        "old.t <> new.t",
        "new.x is null and old.x is not null",
        "coalesce(new.x, 0) <> coalesce(old.x, 0)",
        "old.x in (new.x, new.y)",
        "new.x = any (array[old.x, old.y])",
        "(old.x, old.t) is distinct from (new.x, new.t)",
        "(old.x, old.y) < (new.x, new.y)",
        "case when old.b then new.x else old.y end > 1",
        "case old.x when new.x then new.b when new.y then old.b else old.b is null end",
        "greatest(old.x, new.x) = new.x",
        "nullif(old.x, new.x) is null",
        "old.* is not null",
        "new.* is not null",
        "old.* is null",
        "not (old.* is null) and new.* is null",
        "old.n + new.n > 1",
        "new.x / old.x >= 1",
        "old.d < new.d - 1",
        "old.tableoid = new.tableoid",
        "old.y = 2",
        "new.y = 2",
        "old.b and not new.b",
        "(old.x = 1) is distinct from (new.x = 1)",
        "new.x between old.x and old.y",
        "new.small is distinct from old.small",
        "new.small = old.x"}) {
    out.push_back({"after update", condition});
    out.push_back({"before update of x, y", condition});
  }
  for (const char* condition : {"new.x > 1", "new.x is distinct from new.y", "new.* is not null"}) {
    out.push_back({"after insert", condition});
    out.push_back({"after insert or update", condition});
    out.push_back({"before insert or update", condition});
  }
  for (const char* condition : {"old.x > 1", "old.x is distinct from old.y", "old.* is not null"}) {
    out.push_back({"after delete", condition});
    out.push_back({"after update or delete", condition});
    out.push_back({"before delete", condition});
  }
  out.push_back({"after insert or delete", "1 < 2"});
  // BEFORE, the row's tableoid is not known yet.
  std::erase_if(out, [](const When& when) {
    return when.events.starts_with("before") &&
           when.condition.find("tableoid") != std::string::npos;
  });
  return out;
}

/// The same of a virtual generated column v.
std::vector<When> VirtualConditions() {
  std::vector<When> out;
  for (const char* condition :
       {"new.v > 10", "old.v > 10", "old.v is distinct from new.v", "new.v is null",
        "old.v is not null and new.v is null", "old.v = new.v + old.x",
        "old.x = new.y or new.v > 5", "case old.v when new.v then old.x = 1 else new.x = 1 end",
        "new.v in (old.v, 11)", "coalesce(old.v, new.v, 0) > 10", "(old.v, new.v) < (new.v, old.v)",
        "greatest(old.v, new.v) = new.v", "new.x > 0 and new.v > 10 and old.v > 10"})
    out.push_back({"after update", condition});
  out.push_back({"after update of x", "old.v <> new.v"});
  out.push_back({"before update", "old.v > 10 and new.x = 1"});
  out.push_back({"before update or delete", "old.v > 11"});
  out.push_back({"after insert", "new.v > 10"});
  out.push_back({"after insert or update", "new.v = 12 or new.b"});
  out.push_back({"after delete", "old.v > 10"});
  return out;
}

/// How the test's table is made, and the server's log of what fired.
constexpr const char* kSetUp = R"(
  drop schema if exists relcache_when cascade; create schema relcache_when;
  set search_path = relcache_when;
  create domain small as int check (value < 100);
  create table w (id int, x int, gone int, y int, t text collate "C", n numeric, d date, b bool,
                  small small);
  alter table w drop column gone;
  create table image (like w);
  create table pairs (id int, old_row image, new_row image);
  create table log (tgname text, id int, op text, outcome text);
  create function fired() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        insert into log values (tg_name, old.id, tg_op, 'fired'); return old;
      end if;
      insert into log values (tg_name, new.id, tg_op, 'fired'); return new;
    end $$;
  create function try(trigger_name text, id int, op text, statement text) returns void
  language plpgsql as $$
    declare state text; message text;
    begin
      execute statement using id;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      insert into log values (trigger_name, id, op, 'error ' || state || ' ' || message);
    end $$;
  create function try_all(trigger_name text) returns void language plpgsql as $$
    declare p int;
    begin
      for p in select id from pairs loop
        delete from w;
        execute format('alter table w enable trigger %I', trigger_name);
        perform try(trigger_name, p, 'INSERT',
                    'insert into w select (new_row).* from pairs where id = $1');
        execute 'alter table w disable trigger user';
        delete from w;
        insert into w select (old_row).* from pairs where id = p;
        execute format('alter table w enable trigger %I', trigger_name);
        perform try(trigger_name, p, 'UPDATE',
                    'update w set (x, y, t, n, d, b, small) = (select (new_row).x, (new_row).y, '
                    '(new_row).t, (new_row).n, (new_row).d, (new_row).b, (new_row).small '
                    'from pairs where id = $1)');
        execute 'alter table w disable trigger user';
        delete from w;
        insert into w select (old_row).* from pairs where id = p;
        execute format('alter table w enable trigger %I', trigger_name);
        perform try(trigger_name, p, 'DELETE', 'delete from w where id = $1');
        execute 'alter table w disable trigger user';
      end loop;
    end $$)";

class PostgresTriggerWhenTest : public ::testing::Test {
 protected:
  static constexpr int kPairs = 25;

  void SetUp() override {
    server_ = test::PostgresRows::Connect();
    if (server_ == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Query(kSetUp);
    has_virtual_ = std::stoi(*server_->Query("show server_version_num")[0][0]) >= 180000;
    if (has_virtual_)
      server_->Query("alter table w add v int generated always as (10 / x + y) virtual");
  }
  void TearDown() override {
    if (server_ != nullptr) server_->Query("drop schema if exists relcache_when cascade");
  }
  /// A row for the server and for us, of few values so that OLD and NEW are often equal.
  std::vector<NullableDatum> RandomRow(int id, std::string& sql) {
    static const std::vector<std::string> kValues[] = {{},
                                                       {"0", "1", "2"},
                                                       {},
                                                       {"1", "2"},
                                                       {"", "a", "b"},
                                                       {"0", "1.5", "NaN"},
                                                       {"2020-01-01", "2020-01-05"},
                                                       {"t", "f"},
                                                       {"1", "2"}};
    static constexpr Oid kTypes[] = {kInt4Oid,    kInt4Oid, kInt4Oid, kInt4Oid, kTextOid,
                                     kNumericOid, kDateOid, kBoolOid, kInt4Oid};
    std::vector<NullableDatum> row(std::size(kTypes));
    row[0] = {Int32GetDatum(id), false};
    sql = "row(" + std::to_string(id);
    const bool all_null = random_() % 8 == 0;
    for (std::size_t c = 1; c < row.size(); ++c) {
      const auto& values = kValues[c];
      if (c == 2) continue;  // dropped
      if (all_null || random_() % 6 == 0) {
        sql += ", null";
        continue;
      }
      const std::string& text = values[random_() % values.size()];
      row[c] = {TypeInput(kTypes[c], -1, text, settings_, *cx_).value(), false};
      sql += ", '" + text + "'";
    }
    sql += ")::image";
    return row;
  }

  std::unique_ptr<test::PostgresRows> server_;
  /// w has a column that is computed from x and y, the tenth.
  bool has_virtual_ = false;
  ContextPtr cx_ = AllocSet::CreateRoot("when");
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  std::mt19937 random_{10};
};

TEST_F(PostgresTriggerWhenTest, FiresWhereTheServerFires) {
  std::vector<When> conditions = Conditions();
  if (has_virtual_) {
    std::erase_if(conditions, [](const When& when) {  // the server does not take them
      return when.events.starts_with("before") && when.condition.find("new.*") != std::string::npos;
    });
    const std::vector<When> more = VirtualConditions();
    conditions.insert(conditions.end(), more.begin(), more.end());
  }
  std::map<std::string, std::string> text_of;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string name = "w" + std::to_string(i);
    text_of[name] = conditions[i].events + " when (" + conditions[i].condition + ")";
    server_->Query("create trigger " + name + " " + conditions[i].events +
                   " on w for each row when (" + conditions[i].condition +
                   ") execute procedure fired()");
  }
  server_->Query("alter table w disable trigger user");
  std::vector<std::vector<NullableDatum>> old_rows, new_rows;
  for (int i = 0; i < kPairs; ++i) {
    std::string old_sql, new_sql;
    old_rows.push_back(RandomRow(i, old_sql));
    new_rows.push_back(RandomRow(i, new_sql));
    server_->Query("insert into pairs values (" + std::to_string(i) + ", " + old_sql + ", " +
                   new_sql + ")");
  }
  std::map<std::string, std::string> expected;  // by trigger, pair and event
  for (const auto& [name, text] : text_of) server_->Query("select try_all('" + name + "')");
  for (const auto& row : server_->Query("select tgname, id, op, outcome from log"))
    expected[*row[0] + " " + *row[1] + " " + *row[2]] = *row[3];

  const auto catalog = test::SnapshotOf(std::getenv("RELCACHE_TEST_POSTGRES"), {"relcache_when"});
  ASSERT_NE(catalog, nullptr);
  RelationCache cache(*catalog);
  const RelationPin pin = cache.Open("relcache_when", "w").value();
  ASSERT_EQ(pin->triggers().size(), conditions.size());
  Scratch scratch(settings_, *cx_);
  int compared = 0, fired = 0;
  for (const TriggerDescriptor& trigger : pin->triggers()) {
    const std::string name(trigger.name());
    SCOPED_TRACE(text_of[name]);
    const auto program = ProgramOf(*pin, *trigger.when());
    if (has_virtual_ && text_of[name].find(".*") != std::string::npos) {
      EXPECT_THAT(program.error().message, ::testing::HasSubstr("virtual generated column"));
      continue;
    }
    ASSERT_TRUE(program) << program.error().ToString();
    const WhenRows rows = WhenRowsOf(trigger.row());
    const std::pair<const char*, int> kEvents[] = {{"INSERT", 4}, {"DELETE", 8}, {"UPDATE", 16}};
    for (const auto& [event, bit] : kEvents) {
      if ((trigger.row().tgtype & bit) == 0) continue;
      std::vector<std::vector<NullableDatum>> inputs;
      std::vector<testing::TestColumn> columns;
      for (int side = 0; side < rows.old_row + rows.new_row; ++side)
        for (const InputColumn& column : InputColumnsOf(pin->attributes(), *cx_))
          columns.push_back({"", column.dropped ? InputColumn{kInt4Oid, 4, true} : column});
      // What stands in the place of a virtual column does not matter.
      const NullableDatum ignored{Int32GetDatum(77), false};
      for (std::size_t i = 0; i < kPairs; ++i) {
        std::vector<NullableDatum> input;
        if (rows.old_row) input.insert(input.end(), old_rows[i].begin(), old_rows[i].end());
        if (rows.old_row && has_virtual_) input.push_back(ignored);
        if (rows.new_row) input.insert(input.end(), new_rows[i].begin(), new_rows[i].end());
        if (rows.new_row && has_virtual_) input.push_back(ignored);
        inputs.push_back(std::move(input));
      }
      std::vector<TruthValue> batch(kPairs);
      EvaluateBatch(**program, *testing::BatchOf(columns, inputs), scratch, batch);
      for (std::size_t i = 0; i < kPairs; ++i) {
        Error error;
        const TruthValue verdict = EvaluateBool(**program, inputs[i], scratch, &error);
        EXPECT_EQ(verdict, batch[i]) << event << " " << i;
        std::string ours = verdict == TruthValue::kTrue ? "fired" : "";
        if (verdict == TruthValue::kError)
          ours = "error " + std::string(error.sqlstate) + " " + error.message;
        EXPECT_EQ(ours, expected[name + " " + std::to_string(i) + " " + event])
            << event << " " << i;
        ++compared;
        fired += ours == "fired" ? 1 : 0;
      }
    }
  }
  std::cout << conditions.size() << " triggers, " << compared << " verdicts compared, " << fired
            << " fired\n";
  EXPECT_GT(fired, compared / 10);
}

}  // namespace
}  // namespace relcache
