// Compares what files contain with what COPY FROM of a running PostgreSQL 15 reads from them.
#include <gtest/gtest.h>
#include <libpq-fe.h>

#include <cstdlib>
#include <memory>
#include <random>

#include "relcache/tests/copy/read_copy.h"

namespace relcache {
namespace {

struct Finish {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, Clear>;

class Server {
 public:
  Server() {
    const char* where = std::getenv("RELCACHE_TEST_POSTGRES");
    if (where == nullptr) return;
    connection_.reset(PQconnectdb(where));
    Run("SET client_encoding = 'UTF8'");
    Run("CREATE TEMP TABLE k (n serial, c0 text, c1 text)");
  }
  bool is_there() const { return connection_ != nullptr; }
  void Run(const std::string& sql) {
    const ResultPtr result(PQexec(connection_.get(), sql.c_str()));
    ASSERT_TRUE(PQresultStatus(result.get()) == PGRES_COMMAND_OK)
        << PQerrorMessage(connection_.get());
  }
  /// The rows that COPY reads, or what ReadCopy prints of the first row that it refuses.
  std::vector<std::string> Copy(const std::string& options, const std::string& text) {
    Run("TRUNCATE k");
    const ResultPtr copy(
        PQexec(connection_.get(), ("COPY k (c0, c1) FROM STDIN (" + options + ")").c_str()));
    PQputCopyData(connection_.get(), text.data(), static_cast<int>(text.size()));
    PQputCopyEnd(connection_.get(), nullptr);
    std::vector<std::string> out;
    while (const ResultPtr result{PQgetResult(connection_.get())})
      if (PQresultStatus(result.get()) != PGRES_COMMAND_OK)
        out.push_back(std::string("!") + PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY));
    if (!out.empty()) return out;
    const ResultPtr rows(PQexec(connection_.get(), "SELECT c0, c1 FROM k ORDER BY n"));
    for (int row = 0; row < PQntuples(rows.get()); ++row) {
      std::string& line = out.emplace_back();
      for (int i = 0; i < 2; ++i)
        line += PQgetisnull(rows.get(), row, i) != 0
                    ? "[NULL]"
                    : "['" + std::string(PQgetvalue(rows.get(), row, i)) + "']";
    }
    return out;
  }

 private:
  std::unique_ptr<PGconn, Finish> connection_;
};

struct Syntax {
  const char* name;
  const char* sql;
  CopyOptions options;
  /// The bytes that files are made of, in addition to letters.
  std::string_view bytes;
};

std::vector<Syntax> Syntaxes() {
  CopyOptions csv, text, escape, null_text, pipes;
  csv.format = escape.format = null_text.format = CopyFormat::kCsv;
  escape.escape = "\\";
  null_text.null_text = "N";
  null_text.delimiter = ";";
  null_text.quote = "'";
  pipes.delimiter = "|";
  pipes.null_text = "";
  return {
      {"Csv", "FORMAT csv", csv, "ab,,\"\"\n\n\r\\.\xc3\xa4"},
      {"CsvLf", "FORMAT csv", csv, "ab,,\"\"\n\n"},
      {"CsvEscape", "FORMAT csv, ESCAPE '\\'", escape, "ab,,\"\"\\\\\n\n."},
      {"CsvOther", "FORMAT csv, NULL 'N', DELIMITER ';', QUOTE ''''", null_text, "aN;;''\n\n\r"},
      {"Text", "FORMAT text", text, "aN\t\t\\\\\n\n.\r"},
      {"TextEscapes", "FORMAT text", text, "aNx017\t\t\\\\\n\nbf"},
      {"TextPipes", "FORMAT text, DELIMITER '|', NULL ''", pipes, "a||\\\n\n.x4"}};
}

void Compare(int files) {
  Server server;
  if (!server.is_there()) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  std::mt19937 random(20261203);
  int rows = 0, faults = 0, differ = 0;
  for (int round = 0; round < files; ++round) {
    const std::vector<Syntax> syntaxes = Syntaxes();
    const Syntax& syntax = syntaxes[random() % syntaxes.size()];
    const char delimiter = syntax.options.delimiter ? (*syntax.options.delimiter)[0]
                           : syntax.options.format == CopyFormat::kCsv ? ','
                                                                       : '\t';
    const std::string_view end = random() % 4 == 0 ? "\r\n" : "\n";
    std::string text;
    for (std::size_t line = 0, lines = random() % 5; line < lines; ++line) {
      // Mostly lines of two fields, so that reading gets past them.
      for (int field = 0; field < 2; ++field) {
        if (field > 0) text += delimiter;
        for (std::size_t i = 0, n = random() % 5; i < n; ++i) {
          const char c = syntax.bytes[random() % syntax.bytes.size()];
          // A server that peeks behind a carriage return meets an invalid byte there too early.
          const bool peeked = c == '\xc3' || c == '\xa4';
          const bool before = !text.empty() && text.back() == '\r';
          text += (random() % 3 == 0 || c == 'a') && !(peeked && before) ? c : 'z';
        }
      }
      text += end;
    }
    const std::vector<std::string> expected = server.Copy(syntax.sql, text);
    std::vector<std::string> got =
        test::ReadCopy(text, MakeCopySyntax(syntax.options).value(), 2, 1 + random() % 40);
    // COPY ends at the first row that it refuses, and keeps nothing.
    for (const std::string& row : got) {
      if (!row.starts_with('!')) continue;
      got = {row};
      break;
    }
    rows += static_cast<int>(expected.size());
    faults += !expected.empty() && expected[0].starts_with('!') ? 1 : 0;
    if (got == expected) continue;
    if (++differ <= 5)
      ADD_FAILURE() << syntax.name << ": " << ::testing::PrintToString(text) << "\n  got "
                    << ::testing::PrintToString(got)
                    << "\n  PostgreSQL: " << ::testing::PrintToString(expected);
  }
  EXPECT_EQ(differ, 0) << "of " << files;
  EXPECT_GT(rows, files / 2);
  EXPECT_GT(faults, files / 20);
}

TEST(PostgresCopyTest, RandomFilesAreReadAsTheServerReadsThem) {
  Compare(5'000);
}
TEST(SlowPostgresCopyTest, RandomFilesAreReadAsTheServerReadsThem) {
  Compare(300'000);
}

}  // namespace
}  // namespace relcache
