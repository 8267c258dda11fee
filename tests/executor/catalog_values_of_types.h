// Tables about values of columns of the catalogs that expressions ask: pg_type, pg_enum, pg_proc,
// pg_operator, pg_cast and pg_collation.
#pragma once

#include "relcache/tests/executor/catalog_values_of_relations.h"

namespace relcache::test {

inline const std::vector<ValueCase>& TypeValueCases() {
  static const std::vector<ValueCase> kCases = {
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

}  // namespace relcache::test
