// Every kernel, input and output function on each release's own server, as that release has it. The
// connections are in RELCACHE_TEST_POSTGRES_ALL, separated by semicolons; scripts/other_servers
// starts such servers.
#include <gtest/gtest.h>
#include <libpq-fe.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/functions/function.h"
#include "relcache/executor/functions/function_tables.h"
#include "relcache/tests/executor/version_values.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/time_zone.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

using testing::InputTexts;
using testing::ValuesOf;

class Server {
 public:
  explicit Server(const std::string& where) : connection_(PQconnectdb(where.c_str()), PQfinish) {
    if (PQstatus(connection_.get()) != CONNECTION_OK)
      ADD_FAILURE() << PQerrorMessage(connection_.get());
    version.num = PQserverVersion(connection_.get());
  }
  std::vector<std::string> Column(const std::string& sql) {
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
        PQexec(connection_.get(), sql.c_str()), PQclear);
    std::vector<std::string> out;
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
      ADD_FAILURE() << PQerrorMessage(connection_.get()) << sql.substr(0, 300);
    for (int r = 0; r < PQntuples(result.get()); ++r) out.push_back(PQgetvalue(result.get(), r, 0));
    return out;
  }
  std::string Quote(const std::string& text) {
    const std::unique_ptr<char, void (*)(void*)> quoted(
        PQescapeLiteral(connection_.get(), text.c_str(), text.size()), PQfreemem);
    return quoted.get();
  }

  ServerVersion version;

 private:
  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

constexpr const char* kStored = R"(
  create or replace function pg_temp.stored(t text) returns text language plpgsql as $$
  declare s text; m text;
  begin
    execute 'truncate one; insert into one values (' || quote_literal(t) || ')';
    return (select '=' || format('%s', c) from one);
  exception when others then
    get stacked diagnostics s = returned_sqlstate, m = message_text;
    return s || ' ' || m;
  end $$)";

constexpr const char* kVerdict = R"(
  create or replace function pg_temp.verdict(expr text) returns text language plpgsql as $$
  declare v text; s text; m text;
  begin
    execute 'select case when x is null then ''null'' else format(''=%s'', x) end from (select (' ||
            expr || ') as x) s' into v;
    return v;
  exception when others then
    get stacked diagnostics s = returned_sqlstate, m = message_text;
    return s || ' ' || m;
  end $$)";

std::string Ours(const Error& error) {
  return std::string(error.sqlstate) + " " + error.message;
}

/// What differed and what was refused, for one server.
struct Tally {
  std::size_t compared = 0;
  int differences = 0;
  std::map<std::string, int> refused;

  void Compare(const Error* error, const std::string& ours, const std::string& theirs,
               const std::string& what) {
    if (error != nullptr && error->code == ErrorCode::kNotSupported) {
      ++refused[error->message.substr(0, 60)];
      return;
    }
    ++compared;
    if (ours == theirs) return;
    ++differences;
    if (differences <= 40) ADD_FAILURE() << what << ": " << ours << " but " << theirs;
  }
  void Print(ServerVersion version, const char* what) const {
    int sum = 0;
    for (const auto& [why, n] : refused) sum += n;
    std::cout << version.num << ": " << compared << " " << what << ", " << differences
              << " differ, " << sum << " refused\n";
  }
};

class PostgresVersionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* all = std::getenv("RELCACHE_TEST_POSTGRES_ALL");
    if (all == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES_ALL is not set";
    std::stringstream list(all);
    for (std::string where; std::getline(list, where, ';');) {
      servers_.push_back(std::make_unique<Server>(where));
      servers_.back()->Column(kVerdict);
      servers_.back()->Column(kStored);
      servers_.back()->Column("set timezone = 'UTC'");
    }
  }

  /// The text of a value as the release prints it, or the error in `error`.
  std::string Text(Oid type, Datum value, ServerVersion version, std::optional<Error>& error) {
    const Result<std::string_view> text = TypeOutput(type, value, settings_, *cx_, version);
    if (text) {
      return "=" + std::string(*text);
    }
    error = text.error();
    return Ours(*error);
  }

  SessionSettings settings_;
  ContextPtr cx_ = AllocSet::CreateRoot("versions test");
  std::vector<std::unique_ptr<Server>> servers_;
};

TEST_F(PostgresVersionsTest, EachFunctionGivesTheReleasesAnswer) {
  for (const auto& server : servers_) {
    const ServerVersion version = server->version;
    Tally tally;
    for (const Function* f15 : AllFunctions()) {
      const BuiltinProc& proc = *FindBuiltinProc(f15->oid);
      if (f15->nargs == 0) continue;
      const Function& f = *FindFunction(f15->oid, version);
      std::vector<std::vector<std::string>> values;  // of each argument
      bool known = HasInput(proc.prorettype);
      for (std::size_t i = 0; i < f.nargs; ++i) {
        values.push_back(ValuesOf(proc.proargtypes[i], proc.proname == "timezone" && i == 0));
        known = known && !values.back().empty();
      }
      if (!known) continue;
      // Every combination, the last argument running fastest.
      std::string sql;
      std::vector<std::vector<std::string>> rows{{}};
      for (const auto& list : values) {
        std::vector<std::vector<std::string>> longer;
        for (const auto& row : rows)
          for (const auto& v : list) {
            longer.push_back(row);
            longer.back().push_back(v);
          }
        rows = std::move(longer);
      }
      std::string call = "'pg_catalog.\"" + std::string(proc.proname) + "\"('";
      for (std::size_t i = 0; i < f.nargs; ++i) {
        const std::string n = std::to_string(i);
        std::string list;
        for (const auto& v : values[i]) list += (list.empty() ? "array[" : ",") + server->Quote(v);
        sql += (i > 0 ? ", " : "") + std::string("unnest(") + list + "]) with ordinality a" + n +
               "(x, n)";
        call += std::string(" || ") + (i > 0 ? "',' || " : "") + "quote_literal(a" + n +
                ".x) || '::pg_catalog." +
                (proc.proargtypes[i] == kCharOid
                     ? std::string("\"char\"")
                     : std::string(FindTypeInfo(proc.proargtypes[i])->typname)) +
                "'";
      }
      std::string order;
      for (std::size_t i = 0; i < f.nargs; ++i)
        order += (i > 0 ? ", a" : "a") + std::to_string(i) + ".n";
      const std::vector<std::string> theirs = server->Column(
          "select pg_temp.verdict(" + call + " || ')') from " + sql + " order by " + order);
      ASSERT_EQ(theirs.size(), rows.size());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        std::optional<Error> error;
        std::string ours;
        Datum args[3] = {};
        for (std::size_t i = 0; i < f.nargs && !error; ++i) {
          const auto value =
              TypeInput(proc.proargtypes[i], -1, rows[r][i], settings_, *cx_, version);
          if (value)
            args[i] = *value;
          else
            error = value.error(), ours = Ours(*error);
        }
        if (!error) {
          FunctionContext fx;
          Error why;
          fx.settings = &settings_;
          fx.cx = cx_.get();
          fx.error = &why;
          Datum value{};
          value = f.row(args[0], args[1], args[2], fx);
          if (fx.outcome == FunctionContext::Outcome::kFailed) {
            error = why;
            ours = Ours(why);
          } else if (fx.outcome == FunctionContext::Outcome::kNull) {
            ours = "null";
          } else {
            ours = Text(proc.prorettype, value, version, error);
          }
        }
        std::string what = std::to_string(version.num) + " " + std::string(proc.proname) + "(";
        for (const auto& v : rows[r]) what += "'" + v + "',";
        tally.Compare(error ? &*error : nullptr, ours, theirs[r], what + ")");
        cx_->Reset();
      }
    }
    tally.Print(version, "calls");
    for (const auto& [why, n] : tally.refused) std::cout << "  " << n << " " << why << "\n";
    EXPECT_GT(tally.compared, 50000u);
  }
}

TEST_F(PostgresVersionsTest, EachTextIsReadAndPrintedAsTheReleaseDoes) {
  for (const auto& server : servers_) {
    Tally tally;
    for (const auto& [name, texts] : InputTexts(300)) {
      // The type as it is stored: a column says its oid and typmod.
      server->Column("drop table if exists pg_temp.one; create temp table one (c " + name + ")");
      const auto described = server->Column(
          "select unnest(array[atttypid::int8, atttypmod]) from pg_attribute where attrelid = "
          "'pg_temp.one'::regclass and attnum = 1");
      ASSERT_EQ(described.size(), 2u);
      const Oid type = static_cast<Oid>(std::stoul(described[0]));
      const std::int32_t typmod = std::stoi(described[1]);
      std::string list;
      for (const auto& text : texts) list += (list.empty() ? "array[" : ",") + server->Quote(text);
      // Through a column: a cast would cut what is too long.
      const std::vector<std::string> theirs = server->Column(
          "select pg_temp.stored(x) from unnest(" + list + "]) with ordinality a(x, n) order by n");
      ASSERT_EQ(theirs.size(), texts.size());
      for (std::size_t i = 0; i < texts.size(); ++i) {
        std::optional<Error> error;
        std::string ours;
        auto value = TypeInput(type, typmod, texts[i], settings_, *cx_, server->version);
        if (value) {
          ours = Text(type, *value, server->version, error);
        } else {
          error = value.error();
          ours = Ours(*error);
        }
        tally.Compare(error ? &*error : nullptr, ours, theirs[i],
                      std::to_string(server->version.num) + " '" + texts[i] + "'::" + name);
        cx_->Reset();
      }
    }
    tally.Print(server->version, "texts");
    EXPECT_GT(tally.compared, 3000u);
  }
}

// ExpressionTest evaluates the stored trees of each release without its server.
TEST_F(PostgresVersionsTest, TheStoredExpressionsAreWhatTheServersSay) {
  std::string command = RELCACHE_TEST_DATA "/../../scripts/make_expression_cases --check";
  std::stringstream list(std::getenv("RELCACHE_TEST_POSTGRES_ALL"));
  for (std::string where; std::getline(list, where, ';');) command += " \"" + where + "\"";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace
}  // namespace relcache
