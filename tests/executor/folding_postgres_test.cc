// What is computed before the first row, what is left to each row, and in which order: every value
// and every error must be the server's.
#include "relcache/tests/executor/postgres_expressions.h"

namespace relcache {
namespace {

using testing::CompareWithServer;
using testing::ExpressionServer;

constexpr const char* kExpressions[] = {
    // A cast of a constant to a domain with constraints is no constant: it stands where it stands.
    "(b is false) or (('255'::numeric)::dnum is not null)",
    "((('255'::numeric)::dnum = 1) or b)",
    "b or (('255'::numeric)::dnum is null)",
    "b and (('255'::numeric)::dnum is null)",
    "not b or ('255'::numeric)::dnum is distinct from 1",
    "(('255'::numeric)::dnum = 1) is unknown or b",
    "((255::dnum) is not null) is not true",
    "('f'::bool)::dtrue or b",
    "b or ('f'::bool)::dtrue",
    "not (('f'::bool)::dtrue)",
    "(('f'::bool)::dtrue) is not false",
    "case when ('f'::bool)::dtrue then i else j end",
    "case when b then 1 else 255::dnum end",
    "case when b then 255::dnum else 1 end",
    "case 255::dnum when 1 then i else j end",
    "case i when 255::dnum then i else j end",
    "case when false then 255::dnum else i end",
    "case when true then i else 255::dnum end",
    "coalesce(i, 255::dnum)",
    "coalesce(255::dnum, i)",
    "coalesce(null::numeric, 255::dnum)",
    "coalesce(7, 255::dnum)",
    "nullif(i, 255::dnum)",
    "nullif(255::dnum, i)",
    "nullif(255::dnum, null)",
    "nullif(null, 255::dnum)",
    "greatest(i, 255::dnum)",
    "least(1, 255::dnum)",
    "array[1, 255::dnum]::numeric[]",
    "i = any(array[1, 255::dnum])",
    "i in (1, 2, 255::dnum)",
    "b or i in (1, 2, 255::dnum)",
    "(255::dnum)::text",
    "b or (255::dnum)::text = '255'",
    "(255::dnum) + null::numeric",
    "(1 / 0) + null::int",
    "num_nulls(255::dnum, i)",
    "(i, 255::dnum) < (j, 1)",
    "(i, j) < (1, 255::dnum)",
    "b or null::dnotnull is null",
    "coalesce(i, null::dnotnull)",
    "case when b then i else null::dnotnull end",
    // What a check computes of a constant is computed when the cast is reached.
    "case when b then 0::dinverse else 5 end",
    "coalesce(i, 0::dinverse)",
    "b or 0::dinverse = 1",
    "b or 5::dinverse = 5",
    "case when b then 'x'::dlen else 'y' end",
    // A domain without constraints is its base.
    "b or (1 / (0::dplain)) = 1",
    "case when b then 1 else 1 / (0::dplain) end",
    "case when (1::dplain) = 1 then i else 1 / 0 end",
    "coalesce(1::dplain, 1 / 0)",
    "b or (1 / (1::dplain)) = 1",
    // Constants are computed before the first row, in arms that are never taken too.
    "case when b then '1.1.1.1'::inet else ('x'::text)::inet end",
    "coalesce('1.1.1.1'::cidr, ('x'::text)::cidr)",
    "coalesce(null::cidr, case when b then '10.0.0.0/8'::cidr end, ('x'::text)::cidr)",
    "case when b then i else ('x'::text)::int end",
    "case when b then i else 1 / 0 end",
    "case when b then null else ('x'::text)::uuid end",
    "case when b then null else ('x'::text)::jsonb end",
    "case when b then null else ('\\x0'::text)::bytea end",
    "case when b then null else ('x'::text)::bool end",
    "case when b then null else ('x'::text)::float8 end",
    "case when b then null else ('x'::text)::numeric end",
    "case when b then null else ('9999999999'::text)::oid end",
    "b or ('x'::text)::inet is null",
    "b and ('x'::text)::inet is null",
    "b or (not b and ('x'::text)::json is null)",
    // ... but not by functions that are only stable.
    "case when b then '2020-01-01'::date else ('x'::text)::date end",
    "case when b then null else ('x'::text)::timestamp end",
    "case when b then null else ('x'::text)::timestamptz end",
    "case when b then null else ('x'::text)::interval end",
    "case when b then null else ('x'::text)::time end",
    "case when b then null else ('x'::text)::int[] end",
    "case when b then null else ('x'::text)::mood end",
    "case when b then null else ('{x}'::text)::int[] end",
    "coalesce(b::text, ('x'::text)::date::text)",
    "case when b then null else ('2020-01-01'::date)::text::int end",
    "case when b then null else ('1 day'::interval)::text::int end",
    "case when b then null else ('10:00'::time)::text::int end",
    "case when b then null else ('happy'::mood)::text::int end",
    "case when b then null else ('1.1.1.1'::inet)::text::int end",
    "case when b then null else (true)::text::int end",
    "case when b then null else ('{1}'::int[])::text::int end",
    // A strict function with a NULL constant is NULL whatever its other arguments would raise.
    "(1 / i) + null::int",
    "(1 / i) + (null::text)::int",
    "length((null::date)::text) + 1 / i",
    "length((null::mood)::text) + 1 / i",
    "(null::text)::date - ('x' || t)::date",
    "(null::text)::mood is null or 1 / i = 1",
    "case when (null::text)::date is null then i else 1 / 0 end",
    "coalesce((null::text)::timestamptz, null) is null or 1 / 0 = 1",
    "((null::text)::date is not null) and 1 / 0 = 1",
    // Which conditions are known, and in which order parts are simplified.
    "case when i > 0 then 1 when true then 2 else 1 / 0 end",
    "case when i > 0 then 1 when false then 1 / 0 else 2 end",
    "case when i > 0 then 1 when null then 1 / 0 else 2 end",
    "case when i > 0 then 1 when 1 / 0 = 1 then 2 else ('x'::text)::int end",
    "case when true then i when 1 / 0 = 1 then 2 end",
    "case 0 when 0 then i else 1 / 0 end",
    "case 0 when i then 1 else 1 / 0 end",
    "case i when 0 then 1 else 1 / 0 end",
    "case 1 / i when 0 then j else 7 end",
    "case 1 / i when null then j else 7 end",
    "case null::int when 1 then 1 / 0 else i end",
    "case i when 1 then case 2 when 2 then j else 1 / 0 end else 5 end",
    "case 1 when 1 then case i when 2 then j else 4 end else 5 end",
    "true or 1 / 0 = 1",
    "b or true or 1 / 0 = 1",
    "b or 1 / 0 = 1 or true",
    "b or (b or true) or 1 / 0 = 1",
    "b or (false or 1 / 0 = 1) or true",
    "b and (b and false) and 1 / 0 = 1",
    "(b and null) and 1 / i = 1",
    "(b or null) or 1 / i = 1",
    "b or (null or 1 / i = 1)",
    "not (b and null) or 1 / i = 1",
    "not (b or 1 / i = 1)",
    "not (1 / i = 1 and b)",
    "(b = true) or 1 / i = 1",
    "(b <> true) and 1 / i = 1",
    "(false = b) or 1 / i = 1",
    "coalesce(null, 1, 1 / 0)",
    "coalesce(i, 1, 1 / 0)",
    "coalesce(i, 1 / 0, 1)",
    "coalesce(i, 1 / j, 1)",
    "nullif(1 / i, null)",
    "nullif(null::int, 1 / i)",
    "nullif(i, 1 / 0)",
    "nullif(1, 1) is null or 1 / 0 = 1",
    "1 is distinct from null or 1 / 0 = 1",
    "null::int is distinct from 1 / i",
    "1 / i is distinct from 1 / j",
    "greatest(1, 2) = 2 or 1 / 0 = 1",
    "greatest(i, 1 / j)",
    "least(null, 1 / i)",
    "(1, 2) < (1, 3) or 1 / 0 = 1",
    "case when (1, 2) < (1, 3) then i else 1 / 0 end",
    "(i, 1 / j) < (1, 5)",
    "(i, j) < (null, 1 / i)",
    "(1 / i, j) <= (1 / j, 3)",
    "(i, 1 / j) = (1, 5)",
    "(i, 1 / j) <> (1, 5)",
    "(null is null) or 1 / 0 = 1",
    "(1 is null) or b",
    "(null::bool is unknown) or 1 / 0 = 1",
    "num_nulls(null, 1) = 1 or 1 / 0 = 1",
    "num_nonnulls(i, 1 / j)",
    "tableoid is null or 1 / i = 1",
    "case when tableoid = 0 then 1 / 0 else i end",
    "case when tableoid <> 0 then i else ('x'::text)::int end",
    "b or 1 / (tableoid::bigint - tableoid::bigint) = 1",
    "coalesce(tableoid, (1 / 0)::oid) is null",
    "('1'::int2, ('-1'::int8)::oid) >= (('1.7e308'::float8)::int2, 0::oid)",
    "((i, 1 / 0) < (('x'::text)::int, 1)) is null",
    "(i, ((1, 'y'::text::int) < (1, 2))) < (('x'::text)::int, true)",
    // What settings print is printed before the first row.
    "b or (('0.1'::float8)::text)::bool",
    "b and (('1.7e308'::float8)::text)::bool and b",
    "('0.1'::float8 + '0.2'::float8)::text",
    "('0.1'::float8)::text = '0.1' or 1 / i = 1",
    "t = ('5'::float8)::text",
    "t = 'x' || ('5'::float4)::text or 1 / i = 1",
    "case when b then null else (('\\xff'::bytea)::text)::int end",
    "((t)::bool or (' x ' ~<~ ('-Infinity'::float4)::text) or b)",
    "(not (('\\xff'::bytea)::text is null)) or 1 / 0 = 1",
    "('-Infinity'::float8)::text::oid between (' x '::text)::oid and 1",
    "i = any('{1.5}'::float8[]::text[]::int[])",
    // Words of the same bytes, signed and unsigned.
    "(4294967295::oid)::int",
    "(i - 2)::oid",
    "('-32768'::int2)::oid",
    "((i - 2)::oid)::int < 0",
    "((i - 2)::oid)::bigint",
    "('10.0.0.0/8'::cidr)::inet",
    "('1.1.1.1'::cidr, i) < ('10.0.0.0/8'::cidr, 1)",
    // Arrays are computed whole before anything is compared.
    "i = any(array[i, 1 / j])",
    "i <> all(array[i, 1 / j])",
    "null::int = any(array[1, 1 / j])",
    "i = any(array[1, 1 / 0])",
    "i in (1, j, 1 / j)",
    "i in (1, 2, 1 / 0)",
    "i not in (1, j, 1 / j)",
    "1 / i in (1, j)",
    "i::dten = 1",
    "j::dtwenty = 1",
    "i = any('{}'::int[])",
    "i <> all('{}'::int[])",
    "1 / i = any('{}'::int[])",
    "1 / i = any(null::int[])",
    "1 = any(null::int[]) is null or 1 / 0 = 1",
    "1 = any('{1,2}') or 1 / 0 = 1",
    "i = any(array[]::int[])",
    "i = any('{1,null}')",
    "i = all('{1,null}')",
    "i in (1, 2, 3, 4, 5, 6, 7, 8, 9, null)",
    "i not in (1, 2, 3, 4, 5, 6, 7, 8, 9, null)",
    "i not in (2, 3, 4, 5, 6, 7, 8, 9, 10)",
    "n in (1, 1.0, 'NaN', 4, 5, 6, 7, 8, 9, 10)",
    "f in ('-0', 'NaN', 3, 4, 5, 6, 7, 8, 9)",
    "f not in ('0', 'NaN', 3, 4, 5, 6, 7, 8, 9)",
    // Coercions of arrays element by element.
    "n = any('{1,255}'::numeric[]::dnum[])",
    "b or n = any('{1,255}'::numeric[]::dnum[])",
    "b or n = any('{1,10000.5}'::numeric[]::dnum[])",
    "case when b then true else n = any('{1,10000.5}'::numeric[]::numeric(4,2)[]) end",
    "case when b then true else i = any('{1,x}'::text[]::int[]) end",
    "case when b then true else d = any('{2020-01-01,x}'::text[]::date[]) end",
    "d = any('{2020-01-01,x}'::text[]::date[])",
    "'{1,2}'::int[]::text[]",
    "'{1,2}'::int[]::dpos[]::int[]",
    "'{1,-2}'::int[]::dpos[]::int[]",
    "b or ('{1,-2}'::int[]::dpos[]) is null",
    "(null::int[])::text[] is null or 1 / 0 = 1",
    "(null::int[])::dpos[] is null or 1 / i = 1",
    "'{}'::int[]::text[] = '{}'::text[]",
    "'{{1,2},{3,4}}'::int[]::text[]",
    "'[0:1]={1,2}'::int[]::text[]",
    // All arguments of a function are computed, from the left.
    "substr(t, 1 / i, ('x' || t)::int)",
    "substr(null, 1 / i, 1)",
    "substr(n2, 1 / i, 1)",
    "(1 / i) + ('x' || t)::int",
    "i between 1 and 1 / j",
    "i not between 1 and 1 / j",
    "i between symmetric 1 / j and 2",
    "1 / i between 1 and 1 / j",
};

class PostgresFoldingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = ExpressionServer::Connect("relcache_folding");
    if (!server_) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
    server_->Query(R"(
      create domain dnum as numeric(6,2) check (value < 100);
      create domain dtrue as bool check (value);
      create domain dnotnull as int not null;
      create domain dinverse as int check (10 / value > 1);
      create domain dlen as text collate "C" check (length(value) > 1);
      create domain dplain as int;
      create domain dpos as int check (value > 0);
      create domain dten as int check (value in (1, 2, 10 / value));
      create domain dtwenty as int constraint b check (value < 20) constraint a check (value <> 0);
      create type mood as enum ('sad', 'happy'))");
    server_->Define(
        "i int, j int, b bool, t text collate \"C\", n2 text collate \"C\", n numeric, f float8, d "
        "date",
        {{"0", "0", "t", "5", std::nullopt, "1", "0", "2020-01-01"},
         {"0", "1", "f", "x", std::nullopt, "255", "-0", "2020-01-02"},
         {"1", "0", std::nullopt, "", std::nullopt, "NaN", "NaN", std::nullopt},
         {"1", "1", "t", std::nullopt, "a", "1.00", "3", "infinity"},
         {"5", "-3", "f", "12", std::nullopt, std::nullopt, "1", "2020-01-01"},
         {std::nullopt, "0", "t", "7", std::nullopt, "0", std::nullopt, "2020-01-01"},
         {"30", std::nullopt, "f", "7", std::nullopt, "2", "0", "2020-01-01"},
         {std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
          std::nullopt, std::nullopt}});
  }

  std::unique_ptr<ExpressionServer> server_;
};

TEST_F(PostgresFoldingTest, ErrorsAreRaisedWhenTheServerRaisesThem) {
  ContextPtr cx = AllocSet::CreateRoot("folding test");
  Scratch scratch(server_->settings(), *cx);
  std::size_t compared = 0;
  for (const char* expression : kExpressions) {
    const auto answer = server_->Ask(expression);
    if (!answer) {
      ADD_FAILURE() << "no expression: " << expression;
      continue;
    }
    const auto comparison = CompareWithServer(*server_, *answer, scratch);
    EXPECT_EQ(comparison.difference, "") << expression;
    if (!comparison.refused.empty())
      std::cout << "refused: " << expression << ": " << comparison.refused << "\n";
    compared += comparison.compared;
  }
  RecordProperty("compared", static_cast<int>(compared));
}

}  // namespace
}  // namespace relcache
