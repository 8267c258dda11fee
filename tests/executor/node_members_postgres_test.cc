// What members of nodes change in the value of an expression (docs/node_members_evaluated.md):
// operator families, dimensions, the value of CASE.
#include <gtest/gtest.h>

#include <iostream>

#include "relcache/tests/executor/postgres_expressions.h"

namespace relcache {
namespace {

using testing::CompareWithServer;
using testing::ExpressionServer;

constexpr const char* kExpressions[] = {
    // Types of one width whose words do not compare as each other.
    "(ts, i) < (tz, 1)",
    "(ts, i) >= (tz, 1)",
    "(tz, i) <= (ts, 1)",
    "(tz, i) > (timestamp '2020-01-01 12:00', 1)",
    "(ts, i) < (timestamptz '2020-01-01 12:00-10', 1)",
    "(d, i) < (ts, 1)",
    "(d, i) >= (tz, 1)",
    "(ts, i) > (d, 1)",
    "(f4, i) < (f8, 1)",
    "(f8, i) >= (f4, 1)",
    "(f8, 1) < (f8, i)",
    "(f4, 1) > (0.5::float4, i)",
    "(s, i) < (i, 1)",
    "(l, s) > (i, l)",
    "(i, l) <= (s, i)",
    "(d, ts) < (d, ts)",
    "(d, i) < ('2020-01-02', 5)",
    "(ts, i) < ('2020-01-01 12:00', 5)",
    // Operators that two families order, the second one of them the other way round.
    "(i, i) < (1, 2)",
    "(i, i) <= (1, 2)",
    "(i, i) > (1, 2)",
    "(i, i) >= (1, 2)",
    "(l, i) > (1, 2)",
    "(s, i) > (s, 2)",
    "(t, i) > (t, 2)",
    "(i, 1) > (0, 2)",
    // Pattern operators.
    "(t, t) operator(pg_catalog.~>~) ('a', 'B')",
    "(v, v) operator(pg_catalog.~<=~) ('a', 'B')",
    "(c, c) operator(pg_catalog.~<~) ('a', 'B')",
    // Text and its kin.
    "(t, i) < ('a', 1)",
    "(v, i) < ('a', 1)",
    "(c, i) < ('a ', 1)",
    "(c, i) >= ('a', 1)",
    "(v, t) > (t, v)",
    "(t collate \"C\", i) < ('B', 1)",
    "(t collate \"POSIX\", i) < ('B', 1)",
    "(n, i) < ('b', 1)",
    "(n, i) < (t, 1)",
    "(t, i) >= (n, 1)",
    // The others.
    "(m, i) < ('happy', 1)",
    "(m, i) > (m, 1)",
    "(a, i) < (array[1,2], 1)",
    "(a, i) >= (a, 1)",
    "(b, i) < (true, 1)",
    "(o, i) < (5, 1)",
    "(o, i) > (4000000000, 1)",
    "(num, i) < (1.0, 1)",
    "(num, i) >= (i, 1)",
    "(u, i) < ('00000000-0000-0000-0000-000000000001', 1)",
    "(iv, i) > ('30 days', 1)",
    "(ti, i) < ('12:00', 1)",
    "(tt, i) < ('12:00', 1)",
    "(ip, i) < ('10.0.0.0/8', 1)",
    "(by, i) < ('\\x01', 1)",
    "(j, i) < ('1', 1)",
    "(di, i) < (1, 1)",
    "(di, dt) > (i, t)",
    "(ch, i) < ('b', 1)",
    // Arrays of arrays.
    "i = any (array[array[1, 2], array[5]])",
    "i = any (array[array[1, 2], array[5, 0]])",
    "i <> all (array[array[1, l], array[5]])",
    "i = any (array[array[i, 2], array[5, s]])",
    "i = any (array[array[1, 2], '{5}'::int[]])",
    "i = any (array['{1,2}'::int[], '{5,0}'::int[]])",
    "i = any (array['[2:3]={1,2}'::int[], '{5,0}'::int[]])",
    "i = any (array['[2:3]={1,2}'::int[], '[2:3]={5,0}'::int[]])",
    "i = any (array['{}'::int[], '{5,0}'::int[]])",
    "i = any (array['{}'::int[], '{}'::int[]])",
    "i = any (array[array[array[1, 2]], array[array[5]]])",
    "i = any (array[array[array[1, i]], array[array[5, 0]]])",
    "i = any (array[[[[[[1, i]]]]]])",
    "i = any (array[[[[[[[1, i]]]]]]])",
    "i = any (array[a, array[1, 5]])",
    "i = any (array[null::int[], array[1, 5]])",
    "i = any (array[array[1.0, 2.0], array[5.0]]::int[])",
    "t = any (array[array['a', 'B'], array['']])",
    "t = any (array[array['a', v], array['', 'x']])",
    // CASE in CASE.
    "case i when 1 then case l when -1 then 'x' end when 2 then case when l = -1 then t end end",
    "case case i when 1 then 2 else i end when 2 then 'x' else 'y' end",
    "case i when case l when -1 then 2 else 1 end then 'x' else 'y' end",
    "case i when 2 then i when case when i = 5 then 5 end then 7 else i + 1 end",
    "case i when 1 then (case s when 1 then case l when 1 then 'a' end end) else 'b' end",
    "case 1 when i then case 2 when i then 'x' else 'y' end else 'z' end",
    "case when i = 1 then case i when 1 then t end else case s when 3 then v end end",
    "case di when 1 then case dt when 'a' then 'x' end when 2 then dt end",
    // VALUE in a check of a domain over another.
    "i::dpos",
    "case i when 1 then i::dpos when 5 then (i + 1)::dpos else 3 end",
    "(i::dpos)::dodd",
    "i::dodd",
    "case i when i::dodd then 'x' else 'y' end",
    "coalesce(nullif(i, 2)::dodd, 3)",
    // VARIADIC and functions with defaults.
    "num_nulls(i, t, d)",
    "num_nulls(variadic array[i, null, s])",
    "num_nonnulls(variadic a)",
    "nullif(i, l)",
    "nullif(s, i)",
    "nullif(t, v)",
    "nullif(di, 1)",
    "t is distinct from v",
    "i is distinct from l",
};

class PostgresNodeMembersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = ExpressionServer::Connect("relcache_node_members");
    if (!server_) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Query(R"(
      create function backwards(int, int) returns int language sql immutable
        as 'select case when $1 > $2 then -1 when $1 < $2 then 1 else 0 end';
      create operator class backwards_ops for type int using btree as operator 1 >, operator 2 >=,
        operator 3 =, operator 4 <=, operator 5 <, function 1 backwards(int, int);
      create type mood as enum ('sad', 'happy');
      create domain di as int; create domain dt as text collate "C";
      create domain dpos as int check (value > 0);
      create domain dodd as dpos check (case value when 2 then false else value % 2 = 1 end)
        check (value::dpos < 100 and case when value = 5 then value::dpos = 5 else true end))");
    server_->Define(
        "i int, l int8, s int2, ts timestamp, tz timestamptz, d date, f4 float4, f8 float8, "
        "t text collate \"C\", v varchar collate \"C\", c char(3) collate \"C\", n name, m mood, "
        "a int[], b bool, o oid, num numeric, u uuid, iv interval, ti time, tt time, ip inet, "
        "by bytea, j jsonb, di di, dt dt, ch \"char\"",
        {{"1",
          "1",
          "1",
          "2020-01-01 12:00",
          "2020-01-01 12:00-10",
          "2020-01-01",
          "0.1",
          "0.1",
          "a",
          "a",
          "a",
          "a",
          "sad",
          "{1,2}",
          "t",
          "5",
          "1.00",
          "00000000-0000-0000-0000-000000000001",
          "1 mon",
          "12:00",
          "12:00",
          "10.0.0.0/8",
          "\\x01",
          "1",
          "1",
          "a",
          "b"},
         {"2",
          "-1",
          "3",
          "2020-01-01 00:00",
          "2020-01-01 00:00+10",
          "2020-01-02",
          "NaN",
          "-0",
          "B",
          "b",
          "B",
          "b",
          "happy",
          "{1}",
          "f",
          "4000000001",
          "NaN",
          "00000000-0000-0000-0000-000000000000",
          "29 days 24:00",
          "11:00",
          "12:30",
          "10.0.0.1",
          "\\x",
          "[1]",
          "2",
          "B",
          "a"},
         {"0",        "4294967297", "-1",
          "infinity", "-infinity",  "infinity",
          "3",        "3",          "",
          "",         "",           "",
          "sad",      "{2,1,0}",    "t",
          "0",        "-5",         "ffffffff-0000-0000-0000-000000000000",
          "-1 mon",   "24:00",      "00:30",
          "::1",      "\\xff00",    "\"a\"",
          "0",        "",           ""},
         {"-2147483648",
          "2147483648",
          "-32768",
          "2019-12-31 23:00",
          "2020-01-01 12:00+10",
          "2019-12-31",
          "1e30",
          "1e30",
          "ab",
          "ab",
          "ab",
          "ab",
          "happy",
          "{}",
          "f",
          "2147483648",
          "1e20",
          "10000000-0000-0000-0000-000000000000",
          "1 year",
          "00:00",
          "12:01",
          "192.168.0.0/16",
          "\\x0100",
          "{}",
          "-5",
          "ab",
          "z"},
         {"5",          std::nullopt, "1",          std::nullopt, "2020-01-01", std::nullopt,
          "1",          std::nullopt, std::nullopt, "a",          std::nullopt, "a",
          std::nullopt, std::nullopt, std::nullopt, "1",          std::nullopt, std::nullopt,
          std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
          std::nullopt, "a",          std::nullopt}});
  }

  std::unique_ptr<ExpressionServer> server_;
};

TEST_F(PostgresNodeMembersTest, ChangeTheValueAsTheyDoInTheServer) {
  ContextPtr cx = AllocSet::CreateRoot("node members test");
  Scratch scratch(server_->settings(), *cx);
  std::size_t compared = 0, refused = 0;
  for (const char* expression : kExpressions) {
    const auto answer = server_->Ask(expression);
    if (!answer) {
      ADD_FAILURE() << "no expression: " << expression;
      continue;
    }
    const auto comparison = CompareWithServer(*server_, *answer, scratch);
    EXPECT_EQ(comparison.difference, "") << expression;
    if (!comparison.refused.empty()) {
      std::cout << "refused: " << expression << ": " << comparison.refused << "\n";
      ++refused;
    }
    compared += comparison.compared;
  }
  std::cout << compared << " values compared, " << refused << " expressions refused\n";
  EXPECT_GT(compared, std::size(kExpressions));
}

}  // namespace
}  // namespace relcache
