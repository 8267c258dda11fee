// Values of catalog columns that change what a row may be (docs/catalog_columns.md): each has a
// table whose rows get the server's verdict, or a refusal that names what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/executor/constraints.h"
#include "relcache/tests/executor/postgres_rows.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/tests/executor/rows.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

/// A table `t` of a schema of its own, and what is tried in each of its columns; "\N" is NULL.
struct Case {
  const char* column;  ///< the catalog's column and the value that the case is about
  int since;
  const char* ddl;
  std::vector<std::vector<std::string>> values;
};

const std::vector<std::string> kInts = {"-1", "0", "5", "10", "\\N"};
const std::vector<std::string> kTexts = {"a", "A", "b", "", "\\N"};

const std::vector<Case>& Cases() {
  static const std::vector<Case> kCases = {
      {"relpersistence u", 12, "create unlogged table t (a int not null check (a < 10))", {kInts}},
      {"relpersistence p", 12, "create table t (a int not null check (a < 10))", {kInts}},
      {"relkind r, partition",
       12,
       "create table p (a int check (a < 10)) partition by range (a);"
       "create table t partition of p (check (a > 0)) default",
       {kInts}},
      {"relkind f",
       14,
       "create table u (a int, b int); create foreign table t (a int not null check (a < 10), b "
       "int not null) server "
       "relcache_values options (schema_name '%', table_name 'u')",
       {kInts, kInts}},
      {"relkind f, a partition",
       14,
       "create table u (a int, b int); create table p (a int not null check (a < 10), b int) "
       "partition by range (a); create foreign table t partition of p (b not null) for values from "
       "(0) to (6) server "
       "relcache_values options (schema_name '%', table_name 'u')",
       {kInts, kInts}},
      {"relkind f, relchecks too large",
       14,
       "create table u (a int, b int); create foreign table t (a int not null check (a < 10), b "
       "int) server relcache_values "
       "options (schema_name '%', table_name 'u'); update pg_class set relchecks = 7 where oid = "
       "'t'::regclass",
       {kInts}},
      {"reloftype",
       12,
       "create type row_type as (a int, b text); create table t of row_type (check (a < 10))",
       {kInts, {"x"}}},
      {"relhasrules, an ALSO rule",
       12,
       "create table log (a int); create table t (a int check (a < 10));"
       "create rule r as on update to t do also insert into log values (1)",
       {kInts}},
      {"relhastriggers, AFTER",
       12,
       "create function f() returns trigger language plpgsql as 'begin return null; end';"
       "create table t (a int check (a < 10));"
       "create trigger x after insert on t for each row execute procedure f()",
       {kInts}},
      {"relhassubclass",
       12,
       "create table t (a int check (a < 10)); create table child () inherits (t)",
       {kInts}},
      {"relrowsecurity",
       12,
       "create table t (a int check (a < 10)); alter table t enable row level security;"
       "create policy p on t with check (a < 5)",
       {kInts}},
      {"attisdropped",
       12,
       "create table t (x int, a int check (a < 10), y int, b int not null);"
       "alter table t drop column x, drop column y",
       {kInts, kInts}},
      {"attgenerated s",
       12,
       "create table t (a int, b int generated always as (a * 2) stored check (b < 10))",
       {kInts}},
      {"attgenerated v",
       18,
       "create table t (a int, b int generated always as (a * 2) virtual check (b < 10))",
       {kInts}},
      {"attgenerated v, attnotnull",
       18,
       "create table t (a int, b int generated always as (a * 2) virtual not null, c int not null)",
       {kInts, kInts}},
      {"attgenerated v, errors",
       18,
       "create table t (a int, b int generated always as (10 / a) virtual not null, c int "
       "generated "
       "always as (a - 1) virtual check (c <> 4 and b < 5), check (a is null or c < 9))",
       {kInts}},
      {"attgenerated v, distinct, case and null tests",
       18,
       "create table t (a int, b int generated always as (nullif(a, 5)) virtual check (b is not "
       "null or a = 5), check (case b when 10 then a > 10 else true end), check (b is distinct "
       "from "
       "0))",
       {kInts}},
      {"attgenerated v, the whole row",
       18,
       "create table t (a int, b int generated always as (a * 2) virtual, check (t.* is not null))",
       {kInts}},
      {"attgenerated v and s",
       18,
       "create table t (a int, b int generated always as (a * 2) stored, c int generated always as "
       "(a * 3) virtual, check (b + c < 20))",
       {kInts}},
      {"relchecks too large",
       14,
       "create table t (a int check (a < 10)); update pg_class set relchecks = 2 where oid = "
       "'t'::regclass",
       {kInts}},
      {"relchecks too small",
       14,
       "create table t (a int, constraint b check (a < 5), constraint a check (a < 10)); update "
       "pg_class set relchecks = 1 where oid = 't'::regclass",
       {kInts}},
      {"relchecks 0",
       14,
       "create table t (a int check (a < 10)); update pg_class set relchecks = 0 where oid = "
       "'t'::regclass",
       {kInts}},
      {"NOT NULL before what preparing a check raises",
       12,
       "create table t (a int not null, b int check (b > 1/0))",
       {kInts, kInts}},
      {"relchecks too large, NOT NULL",
       14,
       "create table t (a int not null check (a < 10), b int check (b > 1/0)); update pg_class set "
       "relchecks = 5 where oid = 't'::regclass",
       {kInts, kInts}},
      {"relchecks too small, NOT NULL",
       14,
       "create table t (a int not null, constraint z check (a < 5), constraint y check (a < 10), "
       "constraint x check (a > -1)); update pg_class set relchecks = 2 where oid = 't'::regclass",
       {kInts}},
      {"relchecks 0, NOT NULL",
       14,
       "create table t (a int not null, check (a < 5)); update pg_class set relchecks = 0 where "
       "oid "
       "= 't'::regclass",
       {kInts}},
      {"relchecks too small, conenforced f",
       18,
       "create table t (a int, constraint a check (a < 5) not enforced, constraint b check (a < "
       "10), constraint c check (a > -1)); update pg_class set relchecks = 2 where oid = "
       "'t'::regclass",
       {kInts}},
      {"relchecks too large, a partition",
       14,
       "create table p (a int check (a < 10)) partition by list (a); create table t partition of p "
       "default; update pg_class set relchecks = 2 where oid = 't'::regclass",
       {kInts}},
      {"relhasindex f, relhasrules t, relhastriggers t",
       12,
       "create table t (a int not null check (a < 10)); create index on t (a); update pg_class set "
       "relhasindex = false, relhasrules = true, relhastriggers = true where oid = 't'::regclass",
       {kInts}},
      {"reltuples, relpages, relallvisible, relhassubclass t, relreplident, relispopulated f",
       12,
       "create table t (a int not null check (a < 10)); update pg_class set reltuples = 1e9, "
       "relpages = 0, relhassubclass = true, relreplident = 'n', relispopulated = false where oid "
       "= "
       "'t'::regclass",
       {kInts}},
      {"attgenerated v, text",
       18,
       "create table t (s text, v text generated always as (s || 'x') virtual check (v <> 'ax'), w "
       "int generated always as (length(s)) virtual not null check (w > 0))",
       {kTexts}},
      {"attgenerated v, atttypmod of numeric",
       18,
       "create table t (a int, v numeric(4,1) generated always as (a / 3.0) virtual check (v <> "
       "1.7), w numeric(2,1) generated always as (a) virtual check (w is not null or a is null))",
       {kInts}},
      {"attgenerated v, atttypmod of varchar",
       18,
       "create table t (s text, v varchar(2) generated always as (s) virtual, u varchar(2) "
       "generated always as (s || s) virtual check (u <> 'AA'))",
       {{"a", "A", "ab", "\\N"}}},
      {"attgenerated v, not named by any constraint",
       18,
       "create table t (a int check (a < 10), v int generated always as (1 / a) virtual)",
       {kInts}},
      {"attgenerated v, twice in one check, and two of them",
       18,
       "create table t (a int, b int, v int generated always as (a + b) virtual, w int generated "
       "always as (a * b) virtual, check (v + v > w - 20), check (v <> w or a = 0))",
       {kInts, kInts}},
      {"attgenerated v, inside CASE, COALESCE, IN, ANY, ROW and LEAST",
       18,
       "create table t (a int, v int generated always as (nullif(a, 0)) virtual, check (case v "
       "when "
       "5 then a = 5 when 10 then false else true end), check (coalesce(v, -5) > -2), check (v in "
       "(-1, 5, 10)), check (v <> all (array[a + 1, 7])), check ((v, a) < (10, 10)), check "
       "(least(v, a) < 9))",
       {kInts}},
      {"attgenerated v, CASE over CASE",
       18,
       "create table t (a int, v text generated always as (case a when 5 then 'five' when 10 then "
       "'ten' end) virtual check (case v when 'five' then a = 5 when 'ten' then a <> 10 else a <> "
       "0 "
       "end))",
       {kInts}},
      {"attgenerated v, boolean",
       18,
       "create table t (a int, v bool generated always as (a > 3) virtual check (v), w bool "
       "generated always as (a > 6) virtual check (w is not true))",
       {kInts}},
      {"attgenerated v, a constant",
       18,
       "create table t (a int, v int generated always as (7) virtual not null check (a < v), w int "
       "generated always as (null::int) virtual check (w > a))",
       {kInts}},
      {"attgenerated v, NULL always",
       18,
       "create table t (a int not null, w int generated always as (null::int) virtual not null "
       "check (a > 0))",
       {kInts}},
      {"attgenerated v, NOT NULL before what preparing a check raises",
       18,
       "create table t (a int, v int generated always as (10 / a) virtual not null check (v > "
       "1/0), "
       "b int not null)",
       {kInts, kInts}},
      {"attgenerated v, cast to a domain",
       18,
       "create domain d as int check (value > 0); create table t (a int, v int generated always as "
       "(a) virtual check (v::d < 10))",
       {kInts}},
      {"attgenerated v, attisdropped before it",
       18,
       "create table t (x int, a int, y int, v int generated always as (a * 2) virtual not null "
       "check (v < 20), b int); alter table t drop column x, drop column y",
       {kInts, kInts}},
      {"attgenerated v, attisdropped itself",
       18,
       "create table t (a int, v int generated always as (1 / a) virtual not null, b int check (b "
       "< "
       "10)); alter table t drop column v",
       {kInts, kInts}},
      {"attgenerated v, an array",
       18,
       "create table t (a int, v int[] generated always as (array[a, 1]) virtual not null check (5 "
       "<> all (v)))",
       {kInts}},
      {"attgenerated v, tableoid",
       18,
       "create table t (a int, v oid generated always as (tableoid) virtual not null check (v <> 0 "
       "and a < 10))",
       {kInts}},
      {"attgenerated v of a parent",
       18,
       "create table p (a int, v int generated always as (a * 2) virtual not null check (v < 15)); "
       "create table t () inherits (p)",
       {kInts}},
      {"attgenerated v of a parent, the expression its own",
       18,
       "create table p (a int, v int generated always as (a * 2) virtual check (v < 15)); create "
       "table t (v int generated always as (a * 3) virtual) inherits (p)",
       {kInts}},
      {"attgenerated v of a partitioned table, columns in another order",
       18,
       "create table p (a int, v int generated always as (a * 2) virtual not null, constraint c "
       "check "
       "(v < 15)) partition by range (a); create table t (x int, v int generated always as (a + 1) "
       "virtual not null, constraint c check (v < 15), a int); alter table t drop column x; alter "
       "table p attach partition t "
       "default",
       {kInts}},
      {"attgenerated v, SET EXPRESSION",
       18,
       "create table t (a int, v int generated always as (a) virtual, w int generated always as (a "
       "+ 1) virtual not null); alter table t alter v set expression as (a * 3); alter table t add "
       "check (v < 20)",
       {kInts}},
      {"attgenerated v, attnotnull by a constraint that is not valid",
       18,
       "create table t (a int, v int generated always as (nullif(a, 5)) virtual); insert into t "
       "values (5); alter table t add constraint nn not null v not valid",
       {kInts}},
      {"attgenerated v, attnotnull dropped",
       18,
       "create table t (a int, v int generated always as (nullif(a, 5)) virtual not null); alter "
       "table t alter v drop not null",
       {kInts}},
      {"attgenerated v, conenforced f",
       18,
       "create table t (a int, v int generated always as (1 / a) virtual, check (v > 0) not "
       "enforced, check (a < 10))",
       {kInts}},
      {"attgenerated v, attcollation",
       18,
       "create table t (s text, v text collate \"C\" generated always as (s) virtual check (v < "
       "'b'), w text generated always as (s collate \"C\") virtual check (w <> 'A'))",
       {kTexts}},
      {"attgenerated v, dates",
       18,
       "create table t (d date, v int generated always as (d - date '2000-01-01') virtual not null "
       "check (v > 10))",
       {{"2000-01-01", "2000-02-01", "infinity", "\\N"}}},
      {"attgenerated v, attidentity",
       18,
       "create table t (a int, i int generated always as identity, v int generated always as (a * "
       "2) virtual check (v < 15))",
       {kInts}},
      {"attgenerated v, AND and OR that end early",
       18,
       "create table t (a int, v int generated always as (10 / a) virtual, check (a = 0 or v > 0), "
       "check (a <> 5 and v < 3 or a = 0 or a is null))",
       {kInts}},
      {"attgenerated v, the only column",
       18,
       "create table t (a int, b int, v int generated always as (5) virtual check (v = 5)); alter "
       "table t drop column b",
       {kInts}},
      {"attgenerated s and v, NOT NULL of both",
       18,
       "create table t (a int, v int generated always as (nullif(a, 5)) virtual not null, s int "
       "generated always as (a * 2) stored not null)",
       {kInts}},
      {"attidentity a",
       12,
       "create table t (a int check (a < 10), b int generated always as identity)",
       {kInts}},
      {"attidentity d",
       12,
       "create table t (a int generated by default as identity check (a < 10))",
       {kInts}},
      {"atthasmissing",
       12,
       "create table t (a int); alter table t add column b int not null default 7 check (b < 10)",
       {kInts, kInts}},
      {"attislocal f",
       12,
       "create table p (a int not null check (a < 10)); create table t (b int) inherits (p)",
       {kInts, kInts}},
      {"attinhcount 2, coninhcount 2",
       12,
       "create table p (a int not null, constraint c check (a < 10));"
       "create table q (a int, constraint c check (a < 10));"
       "create table t (a int check (a > 0)) inherits (p, q)",
       {kInts}},
      {"atttypmod",
       12,
       "create table t (a numeric(4,1) check (a <> 1.2), b varchar(2), c char(3) "
       "check (c <> 'x'))",
       {{"1.24", "1.25", "1000", "\\N"}, {"a", "ab", "ab ", "abc"}, {"x", "x  ", "y"}}},
      {"attndims",
       12,
       "create table t (a int[3][3] check (a[1] is null or a <> '{1}'))",
       {{"{1}", "{2}", "{{1,2},{3,4}}", "\\N"}}},
      {"attcollation C", 12, "create table t (a text collate \"C\" check (a < 'b'))", {kTexts}},
      {"attcollation nondeterministic",
       12,
       "create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
       "create table t (a text collate ci check (a <> 'a'))",
       {kTexts}},
      {"convalidated f",
       12,
       "create table t (a int); insert into t values (100);"
       "alter table t add check (a < 10) not valid",
       {kInts}},
      {"connoinherit t",
       12,
       "create table t (a int, check (a < 10) no inherit); create table child () inherits (t)",
       {kInts}},
      {"connoinherit t of a parent",
       12,
       "create table p (a int, check (a < 5) no inherit); create table t (check (a < 10)) "
       "inherits (p)",
       {kInts}},
      {"conislocal f",
       12,
       "create table p (a int, check (a < 10)); create table t () inherits (p)",
       {kInts}},
      {"conenforced f",
       18,
       "create table t (a int, check (a < 10) not enforced, check (a > 0))",
       {kInts}},
      {"conenforced f, then t",
       18,
       "create table p (a int, constraint c check (a < 10) not enforced);"
       "create table t (a int, constraint c check (a < 10)) inherits (p)",
       {kInts}},
      {"contype n", 18, "create table t (a int constraint nn not null)", {kInts}},
      {"contype n, convalidated f",
       18,
       "create table t (a int); insert into t values (null);"
       "alter table t add constraint nn not null a not valid",
       {kInts}},
      {"contype n, connoinherit t",
       18,
       "create table t (a int, constraint nn not null a no inherit)",
       {kInts}},
      {"contype n of a parent, connoinherit t",
       18,
       "create table p (a int, constraint nn not null a no inherit); create table t () inherits "
       "(p)",
       {kInts}},
      {"contype n dropped",
       18,
       "create table t (a int constraint nn not null, b int not null); alter table t drop "
       "constraint nn",
       {kInts, kInts}},
      {"contype p",
       12,
       "create table t (a int, b int, primary key (a) deferrable initially deferred)",
       {{"1", "\\N"}, {"1", "\\N"}}},
      {"order of constraints",
       12,
       "create table t (a int, constraint b check (a < 5), constraint \"A\" check (a < 10), "
       "constraint a check (a <> 10), constraint \"\xC3\xA9\" check (a > 0))",
       {kInts}},
      {"typtype d",
       12,
       "create domain d as int check (value < 10); create table t (a d check (a > 0))",
       {kInts}},
      {"typnotnull", 12, "create domain d as int not null; create table t (a d)", {kInts}},
      {"typnotnull of a base",
       12,
       "create domain b as int not null check (value <> 5); create domain d as b check (value < "
       "10);"
       "create table t (a d)",
       {kInts}},
      {"typnotnull dropped",
       12,
       "create domain d as int not null; alter domain d drop not null; create table t (a d)",
       {kInts}},
      {"typbasetype, three levels",
       12,
       "create domain b as int check (value < 10); create domain c as b constraint z check "
       "(value > -1); create domain d as c constraint a check (value <> 5); create table t (a d)",
       {kInts}},
      {"contype c of a domain, convalidated f",
       12,
       "create domain d as int; create table t (a d); alter domain d add check (value < 10) not "
       "valid",
       {kInts}},
      {"typtypmod",
       12,
       "create domain b as varchar(2); create domain d as b check (value <> 'A');"
       "create table t (a d)",
       {{"a", "A", "ab", "abc", "ab  ", "\\N"}}},
      {"typtypmod of numeric",
       12,
       "create domain d as numeric(3,1) check (value < 10); create table t (a d)",
       {{"1.25", "9.94", "9.95", "100", "NaN", "\\N"}}},
      {"typtypmod of char",
       12,
       "create domain d as char(2) check (value <> 'a'); create table t (a d)",
       {{"a", "a ", "ab", "abc", "\\N"}}},
      {"typcollation of a domain",
       12,
       "create domain d as text collate \"C\" check (value < 'b'); create table t (a d)",
       {kTexts}},
      {"typcollation nondeterministic of a domain",
       12,
       "create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
       "create domain d as text collate ci check (value <> 'a'); create table t (a d)",
       {kTexts}},
      {"typndims",
       12,
       "create domain d as int[][] check (value[1] is null or value <> '{1}'); create table t (a "
       "d)",
       {{"{1}", "{2}", "{{1}}", "\\N"}}},
      {"typelem, an array of a domain",
       12,
       "create domain d as int check (value < 10); create table t (a d[] check (a <> '{1}'))",
       {{"{1}", "{2}", "{20}", "{NULL}", "\\N"}}},
      {"typtype e",
       12,
       "create type e as enum ('a', 'c'); create table t (a e check (a <> 'a'), b e check (b in "
       "('a', 'c')))",
       {{"a", "c", "x", "\\N"}, {"a", "c"}}},
      {"enumsortorder",
       12,
       "create type e as enum ('a', 'c'); alter type e add value 'b' before 'c';"
       "create table t (a e check (a < 'c'))",
       {{"a", "b", "c"}}},
      {"enumsortorder by GREATEST",
       12,
       "create type e as enum ('a', 'c'); alter type e add value 'b' before 'c';"
       "create table t (a e check (greatest(a, 'c') = 'c'))",
       {{"a", "b", "c"}}},
      {"enumlabel renamed",
       12,
       "create type e as enum ('a', 'c'); create table t (a e check (a <> 'a'));"
       "alter type e rename value 'a' to 'z'",
       {{"a", "z", "c"}}},
      {"enumlabel as text",
       12,
       "create type e as enum ('a', 'c'); create table t (a e check (a::text <> 'a'))",
       {{"a", "c"}}},
      {"typtype d over e",
       12,
       "create type e as enum ('a', 'c'); create domain d as e check (value <> 'a');"
       "create table t (a d)",
       {{"a", "c", "\\N"}}},
      {"typtype c",
       12,
       "create type c as (x int, y int); create table t (a c check ((a).x > 0))",
       {{"(1,2)", "(0,1)", "\\N"}}},
      {"typtype c, IS NULL",
       12,
       "create type c as (x int, y int); create table t (a c check (a is not null))",
       {{"(1,2)", "(1,)", "\\N"}}},
      {"typtype r", 12, "create table t (a int4range check (a @> 5))", {{"[1,10)", "[1,2)"}}},
      {"typtype m", 14, "create table t (a int4multirange check (a @> 5))", {{"{[1,10)}", "{}"}}},
      {"prolang sql",
       12,
       "create function f(int) returns bool language sql immutable as 'select $1 < 10';"
       "create table t (a int check (f(a)))",
       {kInts}},
      {"prolang internal",
       12,
       "create function plus(int, int) returns int language internal strict immutable as 'int4pl';"
       "create table t (a int check (plus(a, 1) < 10))",
       {kInts}},
      {"proisstrict f of prolang internal",
       12,
       "create function less(int, int) returns bool language internal immutable as 'int4lt';"
       "create table t (a int check (less(a, 1)))",
       {{"0", "1"}}},
      {"prosrc of a name that is built in",
       12,
       "create function lower(int) returns int language sql immutable as 'select $1 + 1';"
       "create table t (a int check (lower(a) < 10))",
       {kInts}},
      {"proretset, proargdefaults",
       12,
       "create function f(int, int default 3) returns int language sql immutable as 'select $1 + "
       "$2'; create table t (a int check (f(a) < 10))",
       {kInts}},
      {"provariadic of a built-in function",
       12,
       "create table t (a int, b int check (num_nulls(a, b) < 2), c int[] check "
       "(num_nulls(variadic c) = 0))",
       {{"1", "\\N"}, {"1", "\\N"}, {"{1}", "{NULL}", "\\N"}}},
      {"oprcode built in",
       12,
       "create operator === (leftarg = int, rightarg = int, procedure = int4eq);"
       "create table t (a int check (a === 5))",
       {kInts}},
      {"oprcode built in, oprname of another",
       12,
       "create operator < (leftarg = int, rightarg = int, procedure = int4gt);"
       "create table t (a int check (a operator(%.<) 5))",
       {kInts}},
      {"oprkind l",
       12,
       "create operator !!! (rightarg = int, procedure = int4um);"
       "create table t (a int check (!!! a > 0))",
       {kInts}},
      {"oprcode of one's own",
       12,
       "create function eq(int, int) returns bool language sql immutable as 'select $1 <> $2';"
       "create operator = (leftarg = int, rightarg = int, procedure = eq);"
       "create table t (a int check (a operator(%.=) 5))",
       {kInts}},
      {"oprcode of one's own, IN",
       12,
       "create function eq(int, int) returns bool language sql immutable as 'select $1 <> $2';"
       "create operator = (leftarg = int, rightarg = int, procedure = eq);"
       "create table t (a int check (a operator(%.=) any (array[5, 6])))",
       {kInts}},
      {"castmethod b, strings",
       12,
       "create table t (a varchar(3) check (a::text <> 'a'), b text check (b::bpchar <> 'a'), c "
       "char(2) check (c::varchar <> 'a'))",
       {{"a", "b"}, {"a", "a ", "b"}, {"a", "ab", "\\N"}}},
      {"castmethod b, addresses",
       12,
       "create table t (a cidr check ((a::inet, 1) > ('10.0.0.0/8'::inet, 0)), b cidr check "
       "((b::inet, 1) <= ('10.1.0.0/16', 1)), check (('10.0.0.0/8'::cidr)::inet is not null))",
       {{"10.0.0.0/8", "10.0.0.0/9", "\\N"}, {"10.0.0.0/8", "10.1.0.0/16", "11.0.0.0/8"}}},
      {"castmethod b, integers and oids",
       12,
       "create table t (a int check (a::oid <> 4294967295), b oid check (b::int < 0), check "
       "(a::regclass <> 5 and b::regproc::oid <> 4294967290 and (b::int, a) < (0, 10)))",
       {kInts, {"0", "4294967295", "4294967290", "2147483648", "2147483647", "\\N"}}},
      {"castmethod b, bits",
       12,
       "create table t (a varbit check (a::bit(3) <> '101'), b bit(3) check (b::varbit <> '101'))",
       {{"101", "1", "\\N"}, {"101", "111"}}},
      {"contype n of a domain",
       17,
       "create domain d as int constraint nn not null; create domain f as int constraint nn not "
       "null; alter domain f drop constraint nn; create table t (a d, b f)",
       {kInts, kInts}},
      {"collprovider c",
       12,
       "create collation k (provider = libc, locale = 'C'); create table t (a text collate k check "
       "(a < 'b'))",
       {kTexts}},
      {"collprovider i",
       12,
       "create collation k (provider = icu, locale = 'en'); create table t (a text collate k check "
       "(a < 'b'))",
       {kTexts}},
      {"collprovider i, equality",
       12,
       "create collation k (provider = icu, locale = 'en'); create table t (a text collate k check "
       "(a <> 'b' and length(a) < 2))",
       {kTexts}},
      {"collprovider b",
       17,
       "create collation k (provider = builtin, locale = 'C.UTF-8'); create table t (a text "
       "collate "
       "k check (a < 'b'))",
       {kTexts}},
      {"collprovider d",
       12,
       "create table t (a text collate \"default\" check (a <> 'b'))",
       {kTexts}},
      {"collicurules",
       16,
       "create collation k (provider = icu, locale = 'en', rules = '&a < b'); create table t (a "
       "text collate k check (a < 'b'))",
       {kTexts}},
      {"collisdeterministic f, length alone",
       12,
       "create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
       "create table t (a text collate ci check (char_length(a) < 1))",
       {kTexts}},
  };
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
    std::string command = std::string(RELCACHE_TEST_DATA) + "/../../scripts/snapshot \"" +
                          std::getenv("RELCACHE_TEST_POSTGRES") + "\"";
    for (std::size_t i = 0; i < Cases().size(); ++i)
      if (Cases()[i].since <= version_) command += " --schema " + SchemaOf(i);
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text;
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe.get()))
      text.append(buffer, n);
    auto catalog = JsonCatalog::Parse(text, "snapshot");
    EXPECT_TRUE(catalog) << catalog.error().ToString();
    return catalog ? std::move(*catalog) : nullptr;
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
  const std::vector<Case>& cases = Cases();
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
    const auto checks = ChecksOf(*pin, *catalog);
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
          RowText text;
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
