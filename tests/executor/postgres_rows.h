// A running PostgreSQL 15 that is given tables and gives back rows.
#pragma once

#include <libpq-fe.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "random_tables.h"

namespace relcache::test {

class PostgresRows {
 public:
  /// Null when RELCACHE_TEST_POSTGRES does not name a server.
  static std::unique_ptr<PostgresRows> Connect() {
    return Connect(std::getenv("RELCACHE_TEST_POSTGRES"));
  }
  static std::unique_ptr<PostgresRows> Connect(const char* where) {
    if (where == nullptr || *where == '\0') return nullptr;
    return std::unique_ptr<PostgresRows>(new PostgresRows(where));
  }

  std::vector<TextRow> Query(const std::string& sql) {
    const ResultPtr result(PQexec(connection_.get(), sql.c_str()));
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      throw std::runtime_error(sql + ": " + PQerrorMessage(connection_.get()));
    std::vector<TextRow> rows(static_cast<std::size_t>(PQntuples(result.get())));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (int c = 0; c < PQnfields(result.get()); ++c) {
        const int row = static_cast<int>(r);
        rows[r].push_back(PQgetisnull(result.get(), row, c) != 0
                              ? std::nullopt
                              : std::optional<std::string>(PQgetvalue(result.get(), row, c)));
      }
    }
    return rows;
  }

  /// A temporary table with columns c0, c1 ...; texts under collation "C". If `numbered`, a last
  /// column n counts the rows: where they lie says nothing of their order.
  void Load(const std::string& name, const TextTable& table, bool numbered = false) {
    std::string columns;
    for (std::size_t c = 0; c < table.types.size(); ++c) {
      columns += (c == 0 ? "c" : ", c") + std::to_string(c) + " " + FormatType(table.types[c]);
      if (FindTypeInfo(table.types[c])->typcollation != kInvalidOid) columns += " COLLATE \"C\"";
    }
    if (numbered) columns += ", n integer";
    Query("DROP TABLE IF EXISTS " + name);
    Query("CREATE TEMP TABLE " + name + " (" + columns + ")");
    const ResultPtr copy(PQexec(connection_.get(), ("COPY " + name + " FROM STDIN").c_str()));
    std::string lines;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const TextRow& row = table.rows[r];
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (c > 0) lines += '\t';
        lines += row[c] ? *row[c] : "\\N";
      }
      if (numbered) lines += '\t' + std::to_string(r);
      lines += '\n';
    }
    PQputCopyData(connection_.get(), lines.data(), static_cast<int>(lines.size()));
    PQputCopyEnd(connection_.get(), nullptr);
    const ResultPtr end(PQgetResult(connection_.get()));
    if (PQresultStatus(end.get()) != PGRES_COMMAND_OK)
      throw std::runtime_error(PQerrorMessage(connection_.get()));
    while (const ResultPtr more{PQgetResult(connection_.get())}) {
    }
  }

 private:
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using ResultPtr = std::unique_ptr<PGresult, Clear>;

  explicit PostgresRows(const char* where) : connection_(PQconnectdb(where)) {
    if (PQstatus(connection_.get()) != CONNECTION_OK)
      throw std::runtime_error(PQerrorMessage(connection_.get()));
    Query(
        "SET client_min_messages = warning; SET client_encoding = 'UTF8'; SET "
        "max_parallel_workers_per_gather = 0; SET enable_sort = off");
  }

  std::unique_ptr<PGconn, Finish> connection_;
};

}  // namespace relcache::test
