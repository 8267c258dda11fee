// The built-in tables against a running server.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/tests/server_snapshot.h"

namespace relcache {
namespace {

/// The server that the tables were made from.
constexpr int kMadeFrom = 150020;

/// Lines that psql prints for a query.
std::string Query(const char* connection, const std::string& sql) {
  return test::RunCommand(std::string("psql -X -A -t -v ON_ERROR_STOP=1 -d \"") + connection +
                          "\" -c \"" + sql + "\"")
      .text;
}

class PostgresBuiltinTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (connection_ == nullptr) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  }
  const char* connection_ = std::getenv("RELCACHE_TEST_POSTGRES");
};

TEST_F(PostgresBuiltinTest, EveryFunctionIsFormattedAsTheServerFormatsIt) {
  std::istringstream lines(Query(connection_,
                                 "select oid::bigint, oid::regprocedure from pg_proc where oid < "
                                 "10000"));
  Oid oid = 0;
  std::string text;
  std::size_t n = 0;
  char bar = 0;
  std::size_t unknown = 0;
  while (lines >> oid >> bar && std::getline(lines, text)) {
    ++n;
    if (FindBuiltinProc(oid) == nullptr) {
      ++unknown;
    } else {
      EXPECT_EQ(FormatProc(oid), text);
    }
  }
  // A minor release may add a function (15.20 has one that 15.18 has not), and takes none away.
  const int version = std::stoi(Query(connection_, "show server_version_num"));
  EXPECT_TRUE(unknown == 0 || version > kMadeFrom) << unknown;
  EXPECT_TRUE(n == BuiltinProcs().size() || version != kMadeFrom) << n;
  EXPECT_GT(n - unknown, BuiltinProcs().size() - 10);
}

TEST_F(PostgresBuiltinTest, EveryOperatorIsFormattedAsTheServerFormatsIt) {
  std::istringstream lines(
      Query(connection_,
            "select oid::bigint, oid::regoperator from pg_operator where oid < "
            "10000"));
  Oid oid = 0;
  std::string text;
  std::size_t n = 0;
  while (lines >> oid && std::getline(lines, text)) {
    EXPECT_EQ("|" + FormatOperator(oid), text);
    ++n;
  }
  EXPECT_EQ(n, BuiltinOperators().size());
}

TEST_F(PostgresBuiltinTest, EveryKeywordIsQuotedAsTheServerQuotesIt) {
  std::istringstream lines(
      Query(connection_, "select word, quote_ident(word) from pg_get_keywords()"));
  std::string line;
  std::size_t n = 0;
  while (std::getline(lines, line)) {
    const std::size_t bar = line.find('|');
    ASSERT_NE(bar, std::string::npos) << line;
    EXPECT_EQ(QuoteIdentifier(line.substr(0, bar)), line.substr(bar + 1));
    ++n;
  }
  EXPECT_GT(n, 400u);
}

}  // namespace
}  // namespace relcache
