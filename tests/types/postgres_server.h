// A running PostgreSQL 15 as the judge: evaluates SQL expressions by the thousand and says for each
// what came out, value or error.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/error.h"
#include "relcache/base/result.h"

namespace relcache::test {

/// What an expression came to: a text, NULL, or an error.
struct Outcome {
  std::string sqlstate;  // empty: no error
  std::string text;      // the value, or message and detail of the error
  friend bool operator==(const Outcome&, const Outcome&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Outcome& o) {
    return out << (o.sqlstate.empty() ? "value " : o.sqlstate + " ") << '[' << o.text << ']';
  }
};

inline Outcome OutcomeOf(const Error& error) {
  return {error.sqlstate,
          error.detail.empty() ? error.message : error.message + " / " + error.detail};
}
inline Outcome OutcomeOf(const Result<std::string_view>& result) {
  return result ? Outcome{"", std::string(*result)} : OutcomeOf(result.error());
}

/// A quoted literal: E'it\'s'.
inline std::string Quote(std::string_view text) {
  std::string out = "E'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

class PostgresServer {
 public:
  /// The server that RELCACHE_TEST_POSTGRES names, or nothing when it is not set.
  static std::optional<PostgresServer> Connect() {
    const char* where = std::getenv("RELCACHE_TEST_POSTGRES");
    if (where == nullptr || *where == '\0') return std::nullopt;
    return PostgresServer(where);
  }

  /// Runs statements. A failure is thrown: it is the test that is wrong.
  std::string Run(const std::string& sql) {
    const Owned<PGresult, PQclear> result(PQexec(connection_.get(), sql.c_str()));
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      throw std::runtime_error(PQerrorMessage(connection_.get()));
    return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
  }

  /// Begins a transaction and returns its now(), in microseconds since 2000-01-01 UTC.
  std::int64_t Begin() {
    Run("BEGIN");
    return std::stoll(Run("SELECT (extract(epoch FROM now()) * 1000000)::int8 - 946684800000000"));
  }
  void End() { Run("COMMIT"); }

  /// The outcome of each expression, of any type, as text.
  std::vector<Outcome> Ask(const std::vector<std::string>& expressions) {
    std::vector<Outcome> out;
    for (std::size_t at = 0; at < expressions.size(); at += kBatch) {
      std::string array = "{";
      for (std::size_t i = at; i < std::min(at + kBatch, expressions.size()); ++i) {
        array += i == at ? "\"" : ",\"";
        for (const char c : expressions[i]) {
          if (c == '"' || c == '\\') array += '\\';
          array += c;
        }
        array += '"';
      }
      array += '}';
      AskBatch(array, out);
    }
    return out;
  }

 private:
  template <class T, void (*kFree)(T*)>
  struct Free {
    void operator()(T* p) const { kFree(p); }
  };
  template <class T, void (*kFree)(T*)>
  using Owned = std::unique_ptr<T, Free<T, kFree>>;
  static constexpr std::size_t kBatch = 500;

  explicit PostgresServer(const char* where) : connection_(PQconnectdb(where)) {
    if (PQstatus(connection_.get()) != CONNECTION_OK)
      throw std::runtime_error(PQerrorMessage(connection_.get()));
    Run("SET client_min_messages = warning; SET client_encoding = 'UTF8'");
    Run(R"(CREATE FUNCTION pg_temp.ask(expression text, OUT state text, OUT result text)
           LANGUAGE plpgsql AS $$
           DECLARE detail text;
           BEGIN
             EXECUTE 'SELECT (' || expression || ')::text' INTO result;
           EXCEPTION WHEN OTHERS THEN
             GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, result = MESSAGE_TEXT,
                                     detail = PG_EXCEPTION_DETAIL;
             IF detail <> '' THEN result := result || ' / ' || detail; END IF;
           END $$)");
  }

  void AskBatch(const std::string& array, std::vector<Outcome>& out) {
    const char* values[] = {array.c_str()};
    const Owned<PGresult, PQclear> result(
        PQexecParams(connection_.get(),
                     "SELECT (pg_temp.ask(e)).* FROM unnest($1::text[]) WITH ORDINALITY u(e, n) "
                     "ORDER BY n",
                     1, nullptr, values, nullptr, nullptr, 0));
    if (PQresultStatus(result.get()) != PGRES_TUPLES_OK)
      throw std::runtime_error(PQerrorMessage(connection_.get()));
    for (int row = 0; row < PQntuples(result.get()); ++row) {
      const bool is_null = PQgetisnull(result.get(), row, 1) != 0;
      out.push_back(
          {PQgetvalue(result.get(), row, 0), is_null ? "NULL" : PQgetvalue(result.get(), row, 1)});
    }
  }

  Owned<PGconn, PQfinish> connection_;
};

}  // namespace relcache::test
