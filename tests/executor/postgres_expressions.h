// A PostgreSQL server that is asked what expressions are worth for the rows of a table, and this
// library's answer to the same question, in the same words: NULL, 'a quoted value', or
// `error SQLSTATE message`.
#pragma once

#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/nodes/primnodes.h"
#include "relcache/nodes/read.h"
#include "relcache/tests/executor/rows.h"

namespace relcache::testing {

/// As format('%L', value) writes a value.
inline std::string QuoteValue(std::string_view text) {
  const bool escaped = text.find('\\') != std::string_view::npos;
  std::string out = escaped ? "E'" : "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += c;
    out += c;
  }
  return out + "'";
}

class ExpressionServer final : public ObjectLookup {
 public:
  using Table = std::vector<std::vector<std::optional<std::string>>>;

  /// Works in a schema of its own, named `schema` and a number, which is dropped at the end: tests
  /// run side by side. Null when RELCACHE_TEST_POSTGRES names no server.
  static std::unique_ptr<ExpressionServer> Connect(const std::string& schema) {
    const char* where = std::getenv("RELCACHE_TEST_POSTGRES");
    if (where == nullptr || *where == '\0') return nullptr;
    return std::unique_ptr<ExpressionServer>(new ExpressionServer(where, schema));
  }
  ~ExpressionServer() override {
    Query("drop schema if exists " + schema_ + " cascade");
    PQfinish(connection_);
  }

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
        row.emplace_back();
        if (PQgetisnull(result.get(), r, c) == 0) row.back() = PQgetvalue(result.get(), r, c);
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

  /// Makes the tables: `columns` is "a integer, b text ...", `rows` has a text for each or none.
  void Define(const std::string& columns, const Table& rows) {
    Query("drop table if exists x, r; create table x (" + columns + "); create table r (nth int, " +
          columns + ")");
    columns_.clear();
    columns_of_base_.clear();
    types_.clear();
    for (const auto& row :
         Query("select attname, atttypid::oid::int8, attlen, attbyval, atttypmod from pg_attribute "
               "where attrelid = 'x'::regclass and attnum > 0 order by attnum")) {
      types_.push_back({static_cast<Oid>(std::stoul(*row[1])),
                        static_cast<std::int16_t>(std::stoi(*row[2])), *row[3] == "t"});
      columns_.push_back({*row[0], types_.back(), std::stoi(*row[4])});
      columns_of_base_.push_back(columns_.back());
      Oid& base = columns_of_base_.back().type.type;
      while (FindTypeInfo(base) == nullptr && (*FindType(base))->pg_type.typtype == 'd')
        base = (*FindType(base))->pg_type.typbasetype;
    }
    tableoid_ = static_cast<Oid>(std::stoul(*Query("select 'r'::regclass::oid::int8")[0][0]));
    SetRows(rows);
  }
  /// Other rows for the same columns.
  void SetRows(const Table& rows) {
    rows_.clear();
    rows_cx_->Reset();
    std::string all;
    for (const auto& row : rows) {
      auto& values = rows_.emplace_back(columns_.size());
      all += (all.empty() ? "(" : ", (") + std::to_string(rows_.size());
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        all += row[c] ? ", " + Quote(*row[c]) : ", null";
        if (!row[c]) continue;
        const auto value = Read(types_[c].type, columns_[c].atttypmod, *row[c]);
        if (!value) ADD_FAILURE() << *row[c] << ": " << value.error().ToString();
        if (value) values[c] = *value;
      }
      all += ")";
    }
    Query("truncate r");
    if (!all.empty()) Query("insert into r values " + all);
  }
  /// The columns, those of domains as columns of what the domains are over, which says how values
  /// lie in a batch.
  const std::vector<TestColumn>& columns_of_base() const { return columns_of_base_; }
  const std::vector<InputColumn>& types() const { return types_; }
  const std::vector<std::vector<NullableDatum>>& rows() const { return rows_; }

  /// What the server makes of an expression: its tree as a CHECK constraint has it, and what it is
  /// worth for each row. Nothing, when it is no expression.
  struct Answer {
    std::string tree;
    std::vector<std::string> values;
  };
  std::optional<Answer> Ask(const std::string& expression) {
    Table rows = Query("select * from probe(" + Quote(expression) + ")");
    if (rows.size() < 2) return std::nullopt;
    Answer out{*rows[0][0], {}};
    for (std::size_t i = 1; i < rows.size(); ++i) out.values.push_back(*rows[i][0]);
    return out;
  }

  /// The expression inside of an Answer's tree, which asks whether it is NULL.
  Result<const Program*> CompileAnswer(const Answer& answer, MemoryContext& cx) {
    const TreeOptions version{.pg_version = info_.server_version_num / 10000};
    RELCACHE_ASSIGN(const Node* tree, StringToNode(answer.tree, version, cx));
    const auto* test = As<NullTest>(tree);
    if (test == nullptr) return Fail(NotSupported("another node than NullTest"));
    CompileOptions options;
    options.columns = types_;
    options.objects = this;
    options.tableoid = tableoid_;
    return Compile(*test->arg, options, cx);
  }

  std::string Say(Oid type, const NullableDatum& value, MemoryContext& cx) {
    if (value.isnull) return "NULL";
    const TypeRows* rows = nullptr;
    while (FindTypeInfo(type) == nullptr) {
      rows = *FindType(type);
      if (rows == nullptr) return "a value of an unknown type";
      for (const EnumRow& label : rows->enums)
        if (label.oid == DatumGetObjectId(value.value)) return QuoteValue(label.enumlabel);
      if (rows->pg_type.typtype != 'd') return "no label of that number";
      type = rows->pg_type.typbasetype;
    }
    const auto text = TypeOutput(type, value.value, settings_, cx, {info_.server_version_num});
    return text ? QuoteValue(*text) : "no output: " + text.error().ToString();
  }
  /// The server leaves the schema out, since search_path shows it.
  std::string Say(const Error& error) const {
    std::string out = std::string("error ") + error.sqlstate + " " + error.message;
    if (const std::size_t at = out.find(schema_ + "."); at != std::string::npos)
      out.erase(at, schema_.size() + 1);
    return out;
  }

  const SessionSettings& settings() const { return settings_; }
  /// For both sides from now on; a value that either of them does not take is a failure.
  void Set(const std::string& name, const std::string& value) {
    Query("select set_config(" + Quote(name) + ", " + Quote(value) + ", false)");
    const Status set = SetSetting(settings_, name, value);
    if (!set) ADD_FAILURE() << name << " = " << value << ": " << set.error().ToString();
  }

  Result<const TypeRows*> FindType(Oid oid) override {
    const auto known = known_.find(oid);
    if (known != known_.end()) return known->second;
    const Table type = Query(
        "select typname, nspname, typlen, typbyval, typtype, typalign, typnotnull, "
        "typbasetype::int8, typtypmod, typelem::int8 from pg_type t join pg_namespace n on n.oid = "
        "typnamespace where t.oid = " +
        std::to_string(oid));
    TypeRows* out = nullptr;
    if (!type.empty()) {
      const auto& t = type[0];
      out = cx_->New<TypeRows>();
      out->nspname = cx_->CopyString(*t[1]);
      TypeRow& row = out->pg_type;
      row.oid = oid;
      row.typname = cx_->CopyString(*t[0]);
      row.typlen = static_cast<std::int16_t>(std::stoi(*t[2]));
      row.typbyval = *t[3] == "t";
      row.typtype = (*t[4])[0];
      row.typalign = (*t[5])[0];
      row.typnotnull = *t[6] == "t";
      row.typbasetype = static_cast<Oid>(std::stoul(*t[7]));
      row.typtypmod = std::stoi(*t[8]);
      row.typelem = static_cast<Oid>(std::stoul(*t[9]));
      const Table checks =
          Query("select conname, conbin::text from pg_constraint where contypid = " +
                std::to_string(oid) + " and contype = 'c' order by conname collate \"C\"");
      auto constraints = cx_->NewArray<ConstraintRow>(checks.size());
      for (std::size_t i = 0; i < checks.size(); ++i) {
        constraints[i].contype = 'c';
        constraints[i].conname = cx_->CopyString(*checks[i][0]);
        constraints[i].conbin = cx_->CopyString(*checks[i][1]);
      }
      out->constraints = constraints;
      const Table labels = Query("select oid::int8, enumlabel from pg_enum where enumtypid = " +
                                 std::to_string(oid) + " order by enumsortorder");
      auto enums = cx_->NewArray<EnumRow>(labels.size());
      for (std::size_t i = 0; i < labels.size(); ++i) {
        enums[i].oid = static_cast<Oid>(std::stoul(*labels[i][0]));
        enums[i].enumlabel = cx_->CopyString(*labels[i][1]);
      }
      out->enums = enums;
    }
    return known_[oid] = out;
  }
  Result<const ProcRow*> FindProc(Oid) override { return nullptr; }
  Result<const OperatorRow*> FindOperator(Oid) override { return nullptr; }
  Result<const CollationRow*> FindCollation(Oid) override { return nullptr; }
  const ServerInfo& info() const override { return info_; }

 private:
  ExpressionServer(const char* where, const std::string& schema)
      : connection_(PQconnectdb(where)), schema_(schema + "_" + std::to_string(getpid())) {
    if (PQstatus(connection_) != CONNECTION_OK) ADD_FAILURE() << PQerrorMessage(connection_);
    Query(
        "set client_min_messages = warning; set timezone = 'UTC'; set datestyle = 'ISO, MDY'; "
        "set intervalstyle = 'postgres'; set extra_float_digits = 1; set jit = off");
    Query("drop schema if exists " + schema_ + " cascade; create schema " + schema_ +
          "; set search_path = " + schema_);
    // An error of planning is that of every row, and needs none to be raised.
    Query(R"(
      create function probe(expr text) returns setof text language plpgsql as $$
      declare tree text; s text; m text; v text; vs text[]; n int;
        ask text := 'format(''%L'', (' || expr || '))';
      begin
        begin
          execute 'alter table x add constraint k check ((' || expr || ') is null) not valid';
        exception when others then return;
        end;
        select conbin::text into tree from pg_constraint
          where conrelid = 'x'::regclass and conname = 'k';
        execute 'alter table x drop constraint k';
        return next tree;
        begin
          execute 'select array_agg(' || ask || ' order by nth) from r' into vs;
          return query select unnest(vs);
          return;
        exception when others then null;
        end;
        select count(*) into n from r;
        begin
          execute 'select ' || ask || ' from r where nth = 0';
        exception when others then
          get stacked diagnostics s = returned_sqlstate, m = message_text;
          return query select 'error ' || s || ' ' || m from generate_series(1, n);
          return;
        end;
        for i in 1 .. n loop
          begin
            execute 'select ' || ask || ' from r where nth = $1' into v using i;
            return next v;
          exception when others then
            get stacked diagnostics s = returned_sqlstate, m = message_text;
            return next 'error ' || s || ' ' || m;
          end;
        end loop;
      end $$)");
    const Table server = Query(
        "select current_setting('server_version_num'), datcollate, datctype from pg_database where "
        "datname = current_database()");
    info_.server_version_num = std::stoi(*server.at(0)[0]);
    info_.datcollate = *server[0][1];
    info_.datctype = *server[0][2];
  }

  Result<NullableDatum> Read(Oid type, std::int32_t typmod, const std::string& text) {
    const TypeRows* rows = nullptr;
    while (FindTypeInfo(type) == nullptr) {
      RELCACHE_ASSIGN(rows, FindType(type));
      for (const EnumRow& label : rows->enums)
        if (label.enumlabel == text) return NullableDatum{ObjectIdGetDatum(label.oid), false};
      type = rows->pg_type.typbasetype;
      typmod = rows->pg_type.typtypmod;
    }
    return ValueFromText(type, typmod, text, settings_, *rows_cx_);
  }

  PGconn* connection_;
  std::string schema_;
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  ServerInfo info_;
  ContextPtr cx_ = AllocSet::CreateRoot("expression server");
  ContextPtr rows_cx_ = AllocSet::CreateRoot("expression rows");
  std::map<Oid, const TypeRows*> known_;
  Oid tableoid_ = kInvalidOid;
  std::vector<TestColumn> columns_, columns_of_base_;
  std::vector<InputColumn> types_;
  std::vector<std::vector<NullableDatum>> rows_;
};

/// Where this library's answer is another than the server's: empty when nowhere. `refused` is set
/// when it gives none.
struct Comparison {
  std::string difference;
  std::string refused;
  std::size_t compared = 0;
};

/// Evaluates row by row, and in a batch of so many copies of the rows that it takes several chunks;
/// `scratch` has whatever other programs left in it.
inline Comparison CompareWithServer(ExpressionServer& server,
                                    const ExpressionServer::Answer& answer, Scratch& scratch) {
  Comparison out;
  ContextPtr cx = AllocSet::CreateRoot("compiled");
  scratch.set_cx(*cx);
  const auto& rows = server.rows();
  const auto differs = [&](std::size_t row, const std::string& ours, const char* how) {
    if (!out.difference.empty()) return;
    out.difference = "row " + std::to_string(row + 1) + ", " + how + ": " + ours +
                     ", but server: " + answer.values[row];
  };
  const auto program = server.CompileAnswer(answer, *cx);
  if (!program) {
    if (program.error().code == ErrorCode::kNotSupported) {
      out.refused = program.error().message;
      return out;
    }
    for (std::size_t r = 0; r < rows.size(); ++r, ++out.compared)
      if (const auto ours = server.Say(program.error()); ours != answer.values[r])
        differs(r, ours, "before any row");
    return out;
  }
  const Oid type = (*program)->result_type();
  std::vector<std::string> said;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto value = Evaluate(**program, rows[r], scratch);
    if (!value && value.error().code == ErrorCode::kNotSupported) {
      out.refused = value.error().message;
      said.emplace_back();
      continue;
    }
    said.push_back(value ? server.Say(type, *value, *cx) : server.Say(value.error()));
    if (said.back() != answer.values[r]) differs(r, said.back(), "alone");
    ++out.compared;
  }
  std::vector<std::vector<NullableDatum>> many;
  while (many.size() <= Scratch::kSliceRows + rows.size() / 2)
    many.insert(many.end(), rows.begin(), rows.end());
  const BatchOf batch(server.columns_of_base(), many);
  for (std::size_t first = 0; first < many.size(); first += Scratch::kSliceRows) {
    const std::size_t n = std::min(Scratch::kSliceRows, many.size() - first);
    const BatchResult result = EvaluateSlice(**program, *batch, first, n, scratch);
    std::vector<bool> failed(n);
    for (const std::uint16_t row : result.failed) failed[row] = true;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t r = (first + i) % rows.size();
      if (said[r].empty()) continue;
      if (failed[i] || said[r].starts_with("error ")) {
        if (!failed[i] || !said[r].starts_with("error "))
          differs(r, failed[i] ? "an error" : "a value", "in a batch");
        continue;
      }
      NullableDatum value;
      if (!result.column.isnull(i))
        value = {LoadDatum(result.column.form, result.column.values, i), false};
      if (const auto ours = server.Say(type, value, *cx); ours != said[r])
        differs(r, ours, "in a batch");
    }
  }
  return out;
}

}  // namespace relcache::testing
