// Tables about values of columns of pg_class, pg_attribute and pg_constraint.
#pragma once

#include <string>
#include <vector>

namespace relcache::test {

/// A table `t` of a schema of its own, and what is tried in each of its columns; "\N" is NULL.
struct ValueCase {
  const char* column;  ///< the catalog's column and the value that the case is about
  int since;
  const char* ddl;
  std::vector<std::vector<std::string>> values;
};

inline const std::vector<std::string> kInts = {"-1", "0", "5", "10", "\\N"};
inline const std::vector<std::string> kTexts = {"a", "A", "b", "", "\\N"};

inline const std::vector<ValueCase>& RelationValueCases() {
  static const std::vector<ValueCase> kCases = {
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
  };
  return kCases;
}

}  // namespace relcache::test
