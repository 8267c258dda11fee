// Values of catalog columns that change what a row may be (docs/catalog_columns.md): each has a
// table whose rows get the server's verdict, or a refusal that names what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "relcache/cache/relation_cache.h"
#include "relcache/executor/constraints.h"
#include "relcache/tests/executor/catalog_values_of_relations.h"
#include "relcache/tests/executor/catalog_values_of_types.h"
#include "relcache/tests/executor/postgres_rows.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/tests/executor/rows.h"
#include "relcache/tests/server_snapshot.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

using test::ValueCase;

const std::vector<ValueCase>& Cases() {
  static const std::vector<ValueCase> kCases = [] {
    std::vector<ValueCase> all = test::RelationValueCases();
    const std::vector<ValueCase>& types = test::TypeValueCases();
    all.insert(all.end(), types.begin(), types.end());
    return all;
  }();
  return kCases;
}

class PostgresCatalogValuesTest : public ::testing::Test {
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
        "c.oid and contype = 'c') where relname = 't' and relnamespace::regnamespace::text like "
        "'relcache\\_values\\_%'");
    for (const auto& row : server_->Query("select nspname from pg_namespace where nspname like "
                                          "'relcache\\_values\\_%'"))
      server_->Query("drop schema " + *row[0] + " cascade");
  }
  /// A server whose foreign tables are tables of the same database.
  void MakeForeignServer() {
    server_->Query(R"(create schema relcache_values_foreign;
      create extension postgres_fdw schema relcache_values_foreign;
      do $$ begin
        execute format('create server relcache_values foreign data wrapper postgres_fdw options '
                       '(host %L, port %L, dbname %L)',
                       split_part(current_setting('unix_socket_directories'), ',', 1),
                       current_setting('port'), current_database());
      end $$;
      create user mapping for current_user server relcache_values)");
  }
  static std::string SchemaOf(std::size_t i) { return "relcache_values_" + std::to_string(i); }

  std::unique_ptr<JsonCatalog> Snapshot() {
    std::vector<std::string> schemas;
    for (std::size_t i = 0; i < Cases().size(); ++i)
      if (Cases()[i].since <= version_) schemas.push_back(SchemaOf(i));
    return test::SnapshotOf(std::getenv("RELCACHE_TEST_POSTGRES"), schemas);
  }

  static std::string Describe(const Error& error) {
    const bool row = error.detail.starts_with("Failing row");
    return std::string(error.sqlstate) + " " + error.message + (row ? " | " + error.detail : "");
  }
  /// A value from its text as the server reads one: through an enum's labels, a domain's
  /// constraints.
  Result<NullableDatum> Read(Oid type, std::int32_t typmod, const std::string& text,
                             ObjectLookup& objects) {
    const bool is_null = text == "\\N";
    if (FindTypeInfo(type) != nullptr) {
      if (is_null) return NullableDatum{};
      return testing::ValueFromText(type, typmod, text, settings_, *cx_);
    }
    RELCACHE_ASSIGN(const TypeRows* rows, objects.FindType(type));
    if (rows->pg_type.typtype == 'd') {
      RELCACHE_ASSIGN(const DomainProgram domain, CompileDomain(type, objects, *cx_));
      RELCACHE_ASSIGN(const NullableDatum value, Read(domain.base, domain.typmod, text, objects));
      Scratch scratch(settings_, *cx_);
      return Evaluate(*domain.program, {&value, 1}, scratch);
    }
    if (is_null) return NullableDatum{};
    for (const EnumRow& label : rows->enums)
      if (label.enumlabel == text) return NullableDatum{ObjectIdGetDatum(label.oid), false};
    if (rows->pg_type.typtype == 'e')
      return Fail(ErrorCode::kInvalidInput, "22P02",
                  "invalid input value for enum " + std::string(rows->pg_type.typname) + ": \"" +
                      text + "\"");
    return Fail(NotSupported("TYPE " + std::string(rows->pg_type.typname)));
  }

  std::unique_ptr<test::PostgresRows> server_;
  int version_ = 0;
  ContextPtr cx_ = AllocSet::CreateRoot("values");
  SessionSettings settings_ = AssumeUtcAndMdy(0);
};

/// A generated or identity column is left to the server, which says what it comes to.
bool IsGiven(const AttributeRow& column) {
  return !column.attisdropped && column.attgenerated == '\0' && column.attidentity != 'a';
}

/// Every combination of the values.
std::vector<std::vector<std::string>> Rows(const std::vector<std::vector<std::string>>& values) {
  std::vector<std::vector<std::string>> rows = {{}};
  for (const auto& column : values) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& row : rows)
      for (const std::string& value : column) {
        longer.push_back(row);
        longer.back().push_back(value);
      }
    rows = std::move(longer);
  }
  return rows;
}

TEST_F(PostgresCatalogValuesTest, EachGivesTheServersVerdictOrARefusalByName) {
  const std::vector<ValueCase>& cases = Cases();
  MakeForeignServer();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].since > version_) continue;
    std::string ddl = cases[i].ddl;
    for (std::size_t at; (at = ddl.find('%')) != std::string::npos;)
      ddl.replace(at, 1, SchemaOf(i));
    server_->Query("create schema " + SchemaOf(i) + "; set search_path = " + SchemaOf(i) + "; " +
                   ddl);
    server_->Query(R"(create function try(statement text) returns text language plpgsql as $$
      declare state text; message text; detail text;
      begin
        execute statement; return 'ok';
      exception when others then
        get stacked diagnostics state = returned_sqlstate, message = message_text,
          detail = pg_exception_detail;
        return state || ' ' || message || case when detail like 'Failing row%' then ' | ' || detail
          else '' end;
      end $$)");
  }
  const auto catalog = Snapshot();
  ASSERT_NE(catalog, nullptr);
  RelationCache cache(*catalog);
  SourceObjects objects(*catalog, *cx_);
  std::map<std::string, int> refused;
  int compared = 0, violations = 0, tried = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].since > version_) continue;
    SCOPED_TRACE(std::string(cases[i].column) + ": " + cases[i].ddl);
    ++tried;
    server_->Query("set search_path = " + SchemaOf(i));
    settings_.search_path = SchemaOf(i);
    const RelationPin pin = cache.Open(SchemaOf(i), "t").value();
    const auto checks = ChecksOf(*pin);
    int attempt = 0;
    for (const std::vector<std::string>& texts : Rows(cases[i].values)) {
      ++attempt;
      std::string columns, values;
      std::size_t next = 0;
      std::vector<NullableDatum> row(pin->attributes().size());
      std::string ours = "ok";
      bool not_supported = false;
      for (const AttributeRow& a : pin->attributes()) {
        if (!IsGiven(a) || next == texts.size()) continue;
        const std::string& text = texts[next];
        columns += (next > 0 ? ", \"" : "\"") + std::string(a.attname) + "\"";
        values += std::string(next > 0 ? ", " : "") + (text == "\\N" ? "null" : "'" + text + "'");
        ++next;
        const auto value = Read(a.atttypid, a.atttypmod, text, objects);
        if (value) {
          row[static_cast<std::size_t>(a.attnum) - 1] = *value;
        } else if (ours == "ok") {
          ours = Describe(value.error());
          not_supported = value.error().code == ErrorCode::kNotSupported;
        }
      }
      const std::string theirs = *server_->Query("select try($x$insert into t (" + columns +
                                                 ") values (" + values + ")$x$)")[0][0];
      // What the server computes, it computes before it checks; a row that it refused has no value.
      for (const AttributeRow& a : pin->attributes()) {
        if (a.attisdropped || IsGiven(a)) continue;
        const bool twice = a.attgenerated == 's', counts = a.attidentity != '\0';
        row[static_cast<std::size_t>(a.attnum) - 1] =
            twice && !row[0].isnull
                ? NullableDatum{Int32GetDatum(2 * DatumGetInt32(row[0].value)), false}
                : NullableDatum{Int32GetDatum(attempt), !counts};
      }
      server_->Query("truncate t cascade");
      if (ours == "ok") {
        if (!checks) {
          ours = Describe(checks.error());
          not_supported = checks.error().code == ErrorCode::kNotSupported;
        } else {
          Scratch scratch(settings_, *cx_);
          RowMessageInput text;
          text.objects = &objects;
          if (const Status status = CheckRow(**checks, row, scratch, text); !status) {
            ours = Describe(status.error());
            not_supported = status.error().code == ErrorCode::kNotSupported;
          }
        }
      }
      if (not_supported) {
        ++refused[std::string(cases[i].column) + ": " + ours];
        EXPECT_THAT(ours, ::testing::ContainsRegex("not supported: .*[a-z]"));
        continue;
      }
      EXPECT_EQ(ours, theirs) << values;
      ++compared;
      violations += theirs != "ok" ? 1 : 0;
    }
  }
  std::cout << tried << " values of columns, " << compared << " rows compared, " << violations
            << " of them violations; refused:\n";
  for (const auto& [why, n] : refused) std::cout << "  " << n << " " << why << "\n";
  EXPECT_GT(violations, compared / 10);
}

}  // namespace
}  // namespace relcache
