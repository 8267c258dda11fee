-- Kinds of expressions, each with rows that pass, rows that do not and NULL, three times over so that what is kept is
-- used; in a loop with errors caught, by a prepared statement, and as an error of the top level.
set client_min_messages = warning;
create type mood as enum ('sad', 'ok', 'happy'); create type pair as (a int, b text); create domain posint as int check (value > 0); create domain label as text;
create function kind(columns text, expression text, variadic rows text[]) returns setof text language plpgsql as $$
declare r text; msg text; begin
 execute format('drop table if exists k; create table k (%s, constraint c check (%s))', columns, expression);
 for i in 1..3 loop
  foreach r in array rows loop
   begin execute format('insert into k values (%s)', r); return next i || ' ' || r || ' passes';
   exception when others then get stacked diagnostics msg = message_text; return next i || ' ' || r || ' ' || sqlstate || ' ' || msg; end;
  end loop;
 end loop; end$$;
select kind('a int, b int', 'a > 0 and b < 10 or a is null', '1,1', '0,1', '1,10', 'null,null');
select kind('a int', 'a in (1,2,3)', '1', '4', 'null');
select kind('a int', 'a in (1,2,3,4,5,6,7,8,9,10,11,12)', '1', '13', 'null');
select kind('a int', 'a not in (1,2,3,4,5,6,7,8,9,10,11,12)', '1', '13', 'null');
select kind('t text', $q$t in ('a','b','c','d','e','f','g','h','i','j')$q$, $q$'a'$q$, $q$'z'$q$, 'null');
select kind('t varchar(10)', $q$t in ('a','b','c')$q$, $q$'a'$q$, $q$'z'$q$, $q$'too long for this'$q$);
select kind('t char(3)', $q$t = 'a' or t ~ '^b'$q$, $q$'a'$q$, $q$'b1'$q$, $q$'c'$q$);
select kind('a int, b int[]', 'a = any (b)', '1,array[1,2]', '3,array[1,2]', '3,null', '1,array[null,2]');
select kind('a int[]', 'a[1] > 0 and array_length(a, 1) = 2', 'array[1,2]', 'array[0,2]', 'array[1]', 'null');
select kind('a int[]', 'a <@ array[1,2,3] and cardinality(a) < 3', 'array[1,2]', 'array[9]', 'array[1,1,1]');
select kind('a int', 'case when a > 10 then a < 20 when a < 0 then null else a <> 5 end', '1', '5', '11', '21', '-1');
select kind('a int', 'case a when 1 then true when 2 then false end', '1', '2', '3');
select kind('a int, b int', 'coalesce(a, b, 0) > 0', '1,null', 'null,1', 'null,null', '0,5');
select kind('a int, b int', 'greatest(a, b) < 10 and least(a, b) > -10', '1,2', '11,2', 'null,-11', 'null,null');
select kind('a int, b int', 'nullif(a, b) > 0', '1,1', '1,2', '-1,2');
select kind('a int, b int', 'a is distinct from b', '1,1', '1,2', 'null,null', 'null,1');
select kind('a bool, b bool', 'a is true and b is not false', 'true,true', 'false,true', 'null,true', 'true,null');
select kind('a int, b int', '(a, b) < (10, 5)', '1,9', '10,4', '10,5', 'null,1');
select kind('a int, b int', '(a, b) = (1, 2) or row(a, b) is null', '1,2', '1,3', 'null,null');
select kind('a int, b int', 'num_nulls(a, b) = 1', '1,2', '1,null', 'null,null');
select kind('a int', '10 / a > 1', '2', '0', '20', '0', '2');
select kind('a int', 'a::text ~ ''^[1-9]+$''', '12', '102', 'null');
select kind('a text', 'a::int > 5', $q$'6'$q$, $q$'4'$q$, $q$'x'$q$, $q$'99999999999'$q$);
select kind('t text', $q$t like 'a%b' and t not ilike '%zz%'$q$, $q$'aXb'$q$, $q$'aZZb'$q$, $q$'b'$q$);
select kind('t text', $q$t similar to '(a|b)+' or t ~* '^q'$q$, $q$'abab'$q$, $q$'Q'$q$, $q$'c'$q$);
select kind('t text', $q$t ~ '('$q$, $q$'a'$q$, $q$'b'$q$);
select kind('t text collate "C"', $q$t < 'a' and upper(t) = t$q$, $q$'Z'$q$, $q$'z'$q$, $q$'b'$q$);
select kind('t text', $q$length(trim(t)) between 1 and 5 and position('x' in t) = 0$q$, $q$'abc'$q$, $q$'  '$q$, $q$'ax'$q$);
select kind('n numeric(10,2)', 'n > 0 and round(n, 1) < 100 and n % 7 <> 0', '1', '0', '99.99', '14', '-1');
select kind('f float8', 'f < ''infinity'' and f = f and sqrt(f) > 1', '4', '1', '-1', '''nan''');
select kind('a int2, b int8', 'a + b < 100 and a * b <> 6', '1,2', '2,3', '99,1', '32767,9223372036854775807');
select kind('d date, e date', 'd < e and extract(year from d) > 2000', $q$'2020-01-01','2021-01-01'$q$, $q$'2020-01-01','2020-01-01'$q$, $q$'1999-01-01','2020-01-01'$q$);
select kind('t timestamp, i interval', $q$t + i < '2030-01-01' and i > interval '1 hour'$q$, $q$'2020-01-01','2 hours'$q$, $q$'2020-01-01','20 years'$q$, $q$'2020-01-01','1 minute'$q$);
select kind('t timestamptz', $q$t > now() - interval '100 years' and t < current_timestamp + interval '1 day'$q$, 'now()', $q$'1900-01-01'$q$);
select kind('r int4range', 'not isempty(r) and r <@ int4range(0, 100) and lower(r) <> 5', $q$'[1,2]'$q$, $q$'[5,6)'$q$, $q$'empty'$q$, $q$'[50,500)'$q$);
select kind('j jsonb', $q$j ? 'a' and (j->>'a')::int > 0 and jsonb_typeof(j) = 'object'$q$, $q$'{"a":1}'$q$, $q$'{"a":0}'$q$, $q$'{"b":1}'$q$, $q$'{"a":"x"}'$q$, $q$'[1]'$q$);
select kind('j jsonb', $q$j['a']['b'] is not null$q$, $q$'{"a":{"b":1}}'$q$, $q$'{"a":1}'$q$);
select kind('u uuid, i inet', $q$u <> '00000000-0000-0000-0000-000000000000' and i << '10.0.0.0/8'$q$, $q$'11111111-0000-0000-0000-000000000000','10.1.1.1'$q$, $q$'00000000-0000-0000-0000-000000000000','10.1.1.1'$q$, $q$'11111111-0000-0000-0000-000000000000','11.1.1.1'$q$);
select kind('m mood', $q$m > 'sad' and m in ('ok', 'happy')$q$, $q$'ok'$q$, $q$'sad'$q$, 'null');
select kind('p posint', 'p < 100 and p + 1 > 5', '5', '100', '0', '3');
select kind('l label', $q$l <> '' and length(l) < 5$q$, $q$'abc'$q$, $q$''$q$, $q$'abcdef'$q$);
select kind('p pair', $q$(p).a > 0 and (p).b is not null$q$, $q$row(1,'x')$q$, $q$row(0,'x')$q$, $q$row(1,null)$q$, 'null');
select kind('p pair', $q$p is not null and p <> row(1,'x')::pair$q$, $q$row(1,'x')$q$, $q$row(2,'x')$q$, $q$row(1,null)$q$);
select kind('a int, b text', 'k is not null', $q$1,'x'$q$, $q$1,null$q$);
select kind('a int, b text', $q$k.*::text <> '(1,x)'$q$, $q$1,'x'$q$, $q$1,'y'$q$);
select kind('a int', $q$a::posint > 3$q$, '4', '2', '-1');
select kind('a int', $q$tableoid > 0 and current_user <> 'nobody' and current_database() = 'd' and current_role is not null and session_user is not null$q$, '1', 'null');
select kind('a xml', $q$a is document and xmlexists('//b' passing a)$q$, $q$'<a><b/></a>'$q$, $q$'<a/>'$q$);
select kind('a bit(4), b varbit', $q$a & b'1000' = b'1000' and bit_length(b) < 5$q$, $q$b'1000',b'1'$q$, $q$b'0000',b'1'$q$, $q$b'1111',b'11111'$q$);
select kind('a money, b bytea', $q$a > 0::money and octet_length(b) < 3$q$, $q$1,'ab'$q$, $q$0,'ab'$q$, $q$1,'abc'$q$);
select kind('a tsvector', $q$a @@ 'cat & !dog'::tsquery$q$, $q$'cat'$q$, $q$'cat dog'$q$);
select kind('a point, b box', $q$a <@ b$q$, $q$'(1,1)','(2,2),(0,0)'$q$, $q$'(3,3)','(2,2),(0,0)'$q$);
select kind('a int, b int generated always as (a * 2) stored', 'b < 10 and a > 0', '4', '5', '0');
select kind('a int default 7', 'a <> 7', 'default', '8');
select kind('a int, b anyarray', 'true', '1,null');
-- the same prepared, and as errors of the top level
create table pr (a int, t text, n numeric, constraint ca check (a > 0), constraint cn check (n between 0 and 1), constraint ct check (t in ('x', 'y')));
prepare p1 as insert into pr values ($1, $2, $3); execute p1(1, 'x', 0.5); execute p1(1, 'x', 0.5); execute p1(1, 'x', 0.5); execute p1(1, 'x', 0.5); execute p1(1, 'x', 0.5); execute p1(1, 'x', 0.5); execute p1(0, 'x', 0.5); execute p1(1, 'z', 0.5); execute p1(1, 'x', 2); execute p1(0, 'z', 2); execute p1(1, 'y', 1);
set plan_cache_mode = force_generic_plan; execute p1(0, 'x', 0.5); execute p1(1, 'x', 0.5); reset plan_cache_mode;
select count(*) from pr;
-- many constraints, and texts longer than a page
do $$ declare s text; begin s := 'create table wide (a int'; for i in 1..120 loop s := s || format(', constraint c%s check (a <> %s)', lpad(i::text, 3, '0'), i); end loop; execute s || ')'; end $$;
insert into wide values (0); insert into wide values (1); insert into wide values (120); insert into wide values (60); insert into wide values (121); insert into wide select g from generate_series(121, 500) g; insert into wide select g from generate_series(500, 119, -1) g;
do $$ begin execute 'create table longest (a int, constraint l check (' || (select string_agg('a <> ' || g, ' and ') from generate_series(1, 400) g) || '))'; end $$;
insert into longest values (0); insert into longest values (400); insert into longest values (401); insert into longest values (200);
-- names in another order than they were made; renamed; comments; not valid; no inherit
create table named (a int, constraint "Zz" check (a <> 1), constraint "aa" check (a <> 1), constraint "Aa" check (a <> 1), constraint "é" check (a <> 1)); insert into named values (1); alter table named rename constraint "Aa" to "zzz"; insert into named values (1); alter table named drop constraint "Zz"; insert into named values (1); alter table named drop constraint aa; insert into named values (1); alter table named add constraint "0" check (a <> 1) no inherit not valid; insert into named values (1);
-- GREATEST with an operator class of a user's, whose function is replaced
create function boxcmp(box, box) returns int immutable language sql as 'select case when area($1) < area($2) then -1 when area($1) > area($2) then 1 else 0 end'; create operator class box_cmp default for type box using btree as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 boxcmp(box, box);
create table gr (a box, b box, constraint g check (greatest(a, b) ~= a)); insert into gr values ('(2,2),(0,0)', '(1,1),(0,0)'); insert into gr values ('(1,1),(0,0)', '(2,2),(0,0)'); create or replace function boxcmp(box, box) returns int immutable language sql as 'select case when area($1) < area($2) then 1 when area($1) > area($2) then -1 else 0 end'; insert into gr values ('(2,2),(0,0)', '(1,1),(0,0)'); insert into gr values ('(1,1),(0,0)', '(2,2),(0,0)'); create or replace function boxcmp(box, box) returns int immutable language sql as 'select 0'; insert into gr values ('(2,2),(0,0)', '(1,1),(0,0)'); insert into gr values ('(2,2),(0,0)', '(1,1),(0,0)'); create or replace function boxcmp(box, box) returns int immutable language sql as 'select case when area($1) < area($2) then 1 when area($1) > area($2) then -1 else 0 end'; insert into gr values ('(2,2),(0,0)', '(1,1),(0,0)'); revoke execute on function boxcmp(box, box) from public; insert into gr values ('(1,1),(0,0)', '(2,2),(0,0)'); drop operator class box_cmp using btree; insert into gr values ('(1,1),(0,0)', '(2,2),(0,0)');
create table gr2 (a point[], b json, constraint c check (a = array[point(1,1)] or b is null)); insert into gr2 values (array[point(1,1)], '1');
