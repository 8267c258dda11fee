-- What must be the same with and without the extension; run both ways and compared by differential.sh.
set client_min_messages = warning;
-- 1 names, order of evaluation, NULL passes, several checks, warm cache
create table a1 (x int, y text, constraint zz check (x > 0), constraint aa check (y <> 'bad'), check (x < 100 or y is null));
insert into a1 values (1, 'ok'); insert into a1 values (-1, 'bad'); insert into a1 values (-1, 'ok'); insert into a1 values (null, null);
insert into a1 values (200, 'ok'); insert into a1 values (200, null); insert into a1 values (1,'ok'),(2,'ok'),(-3,'ok');
select * from a1 order by 1,2;
-- 2 an expression that cannot even be planned must fail only when a row reaches the check
create table a2 (x int, constraint boom check (x > 1/0), constraint ok check (x > 0));
delete from a2; update a2 set x = 1; insert into a2 select 1 where false; explain (costs off) insert into a2 values (1);
insert into a2 values (1); insert into a2 values (-1);
create function null_trig() returns trigger language plpgsql as $$begin return null; end$$;
create trigger t before insert on a2 for each row execute function null_trig();
insert into a2 values (1);
-- 3 an immutable function with constant arguments is folded: a replacement must be seen by the next statement
create function lim(int) returns int immutable language plpgsql as $$begin return 10 * $1; end$$;
create table a3 (x int check (x < lim(1)));
insert into a3 values (5); insert into a3 values (15);
create or replace function lim(int) returns int immutable language plpgsql as $$begin return 20 * $1; end$$;
insert into a3 values (15); insert into a3 values (25);
begin; create or replace function lim(int) returns int immutable language plpgsql as $$begin return 30 * $1; end$$;
insert into a3 values (25); rollback; insert into a3 values (25);
-- 4 one called by the folded function is replaced; the folded function reads a table (falsely immutable)
create function inner_f() returns int immutable language sql as 'select 10';
create function outer_f() returns int immutable language plpgsql as $$begin return inner_f(); end$$;
create table a4 (x int check (x < outer_f())); insert into a4 values (5); insert into a4 values (15);
create or replace function inner_f() returns int immutable language sql as 'select 20';
insert into a4 values (15);
create table conf (v int); insert into conf values (10);
create function conf_v() returns int immutable language plpgsql as $$begin return (select v from conf); end$$;
create table a4b (x int check (x < conf_v())); insert into a4b values (5); insert into a4b values (15);
update conf set v = 20; insert into a4b values (15); update conf set v = 3; insert into a4b values (15);
-- 5 inlined SQL function: replaced; body that depends on search_path; default arguments changed
create schema s1; create schema s2;
create function s1.g(int) returns bool immutable language sql as 'select $1 > 0';
create function s2.g(int) returns bool immutable language sql as 'select $1 > 100';
set search_path = s1, public;
create function public.pathy(int) returns bool immutable language sql as 'select g($1)';
create table public.a5 (x int check (public.pathy(x)));
insert into a5 values (5); set search_path = s2, public; insert into a5 values (5); set search_path = s1, public; insert into a5 values (5);
reset search_path;
create function sqlf(int, int default 0) returns bool immutable language sql as 'select $1 > $2';
create table a5b (x int check (sqlf(x))); insert into a5b values (1); insert into a5b values (0);
create or replace function sqlf(int, int default 5) returns bool immutable language sql as 'select $1 > $2';
insert into a5b values (1); insert into a5b values (6);
alter function sqlf(int,int) set work_mem = '1MB'; insert into a5b values (7); insert into a5b values (1);
-- 6 privileges: EXECUTE is asked of the current role in each statement, inlined or folded
create role ck_r1; create function priv(int) returns bool immutable language sql as 'select $1 > 0';
revoke execute on function priv(int) from public;
create table a6 (x int check (priv(x))); grant insert on a6 to ck_r1; insert into a6 values (1);
set role ck_r1; insert into a6 values (1); reset role; grant execute on function priv(int) to ck_r1; set role ck_r1; insert into a6 values (1);
reset role; revoke execute on function priv(int) from ck_r1; set role ck_r1; insert into a6 values (1); reset role;
create function priv0() returns int immutable language sql as 'select 0'; revoke execute on function priv0() from public;
create table a6b (x int check (x > priv0())); grant insert on a6b to ck_r1; insert into a6b values (1); set role ck_r1; insert into a6b values (1); reset role;
-- built-in function with a revoked EXECUTE (super rare, still decides)
create table a6c (x int check (x > 1 + 1)); grant insert on a6c to ck_r1; insert into a6c values (3);
begin; revoke execute on function int4pl(int,int) from public; set local role ck_r1; insert into a6c values (3); rollback;
begin; set local role ck_r1; insert into a6c values (3); rollback;
-- 7 domains
create domain dpos as int; create table a7 (x int check (x::dpos is not null)); insert into a7 values (-1);
alter domain dpos add constraint pos check (value > 0); insert into a7 values (-1); insert into a7 values (1);
alter domain dpos drop constraint pos; insert into a7 values (-1);
create domain dnn as int not null; create table a7b (x int, check ((x + 1)::dnn > 0)); insert into a7b values (null); insert into a7b values (1);
-- 8 a BEFORE STATEMENT trigger changes what the check means; then a function dropped with CASCADE takes a check away
create function m(int) returns bool immutable language plpgsql as $$begin return $1 > 0; end$$;
create table a8 (x int, constraint c1 check (m(x)), constraint c2 check (x < 1000));
create function swap8() returns trigger language plpgsql as $f$begin execute 'create or replace function m(int) returns bool immutable language plpgsql as $$begin return $1 > 50; end$$'; return null; end$f$;
insert into a8 values (1); create trigger s before insert on a8 for each statement execute function swap8();
insert into a8 values (1); insert into a8 values (60);
create or replace function swap8() returns trigger language plpgsql as $f$begin if to_regprocedure('m(int)') is not null then execute 'drop function m(int) cascade'; end if; return null; end$f$;
insert into a8 values (1); insert into a8 values (1000); select conname from pg_constraint where conrelid = 'a8'::regclass;
-- 9 BEFORE ROW trigger replaces a function in the middle and inserts into the same table (entry replaced while in use)
create function lit() returns text immutable language sql as $$select 'constant-one-long-enough-to-be-visible'$$;
create table a9 (x int, t text, constraint c check (t <> lit() and t <> 'another long constant kept in the tree'));
create function mid() returns trigger language plpgsql as $f$begin
 if new.x = 2 then execute 'create or replace function lit() returns text immutable language sql as $$select ''zzz''$$'; insert into a9 values (100 + new.x, 'nested'); perform repeat('x', 100000); end if; return new; end$f$;
create trigger b before insert on a9 for each row execute function mid();
insert into a9 select i, 'v' || i from generate_series(1, 5) i;
insert into a9 values (7, 'zzz'); insert into a9 values (8, 'constant-one-long-enough-to-be-visible'), (9, 'another long constant kept in the tree');
select * from a9 order by 1;
-- 10 DDL between statements and in subtransactions; prepared statements across DDL
create table a10 (x int constraint p check (x > 0)); prepare q as insert into a10 values ($1);
execute q(1); execute q(1); execute q(1); execute q(1); execute q(1); execute q(1); execute q(-1);
alter table a10 drop constraint p; execute q(-1); delete from a10 where x < 0; alter table a10 add constraint p2 check (x > 10) not valid; execute q(1); execute q(11);
alter table a10 rename constraint p2 to p3; execute q(1); alter table a10 rename column x to y; execute q(1);
begin; savepoint s; alter table a10 drop constraint p3; execute q(1); rollback to s; execute q(1); rollback;
begin; savepoint s; alter table a10 add check (y > 100) not valid; execute q(50); rollback to s; execute q(50); commit;
alter table a10 alter y type bigint; execute q(1); execute q(12); alter table a10 add z int default 3, add check (z < 3) not valid; execute q(12);
insert into a10 values (12, 1); alter table a10 drop column y; insert into a10 values (1); insert into a10 values (5);
do $$ begin for i in 1..5 loop begin insert into a10 values (i); exception when check_violation then raise warning 'caught % %', i, sqlerrm; end; end loop; end $$;
-- 11 same name, other table; temporary; truncate; vacuum full; discard
create temp table a11 (x int check (x > 0)); insert into a11 values (1); drop table a11; create temp table a11 (x int check (x < 0)); insert into a11 values (1); insert into a11 values (-1);
vacuum full a11; insert into a11 values (1); discard all; 
create temp table a11 (x int check (x <> 7)); insert into a11 values (7);
begin; create table a11c (x int check (x > 0)); insert into a11c values (1); rollback; create table a11c (x int check (x < 0)); insert into a11c values (1);
-- 12 UPDATE, ON CONFLICT, MERGE, data-modifying CTEs, inheritance
create table a12 (id int primary key, v int constraint vpos check (v > 0));
insert into a12 values (1, 1), (2, 2); update a12 set v = v - 1; update a12 set v = v + 1;
insert into a12 values (1, 5) on conflict (id) do update set v = excluded.v - 10; insert into a12 values (1, 5) on conflict (id) do update set v = excluded.v; insert into a12 values (1, -5) on conflict do nothing;
merge into a12 t using (values (1, -1), (3, 3)) s(id, v) on t.id = s.id when matched then update set v = s.v when not matched then insert values (s.id, s.v);
merge into a12 t using (values (1, 9), (3, 3)) s(id, v) on t.id = s.id when matched then update set v = s.v when not matched then insert values (s.id, s.v);
with i as (insert into a12 values (4, 4) returning *), u as (update a12 set v = -1 where id = 2 returning *) select * from i, u;
with i as (insert into a12 values (4, 4) returning *), u as (update a12 set v = 20 where id = 2 returning *) select * from i, u; select * from a12 order by 1;
create table inh (x int check (x > 0)); create table inh_a (check (x < 100)) inherits (inh); create table inh_b (y text check (y <> '')) inherits (inh);
insert into inh_a values (1); insert into inh_b values (1, 'q'); update inh set x = x + 100; update inh set x = x - 5; update inh_b set y = ''; insert into inh_a values (101); select tableoid::regclass, * from inh order by 1;
-- 13 declarative partitions: several levels, other column order, default, no partition, leaf triggers, transition tables, RETURNING, key moved
create table p (k int, v text, w int) partition by range (k);
create table p1 partition of p (constraint p1v check (v <> 'bad')) for values from (0) to (10);
create table p2 (w int, junk int, v text, k int not null, constraint p2w check (w > 0)); alter table p2 drop column junk; alter table p attach partition p2 for values from (10) to (20);
create table p3 partition of p for values from (20) to (100) partition by list (w);
create table p3a (v text, w int, k int, constraint p3k check (k <> 25)); alter table p3 attach partition p3a for values in (1, 2);
create table p3d partition of p3 (constraint p3dv check (v is not null)) default;
insert into p values (1, 'a', 1), (11, 'b', 1), (21, 'c', 1), (22, 'd', 9); insert into p values (1, 'bad', 1); insert into p values (11, 'b', -1); insert into p values (25, 'x', 2); insert into p values (26, null, 8); insert into p values (500, 'x', 1);
insert into p3 values (5, 'x', 1); insert into p3 values (30, 'x', 1); insert into p (w, v, k) values (1, 'n', 2) returning tableoid::regclass, *, p; insert into p select g, 'g', g % 3 from generate_series(0, 99) g where g <> 25; 
insert into p select g, case when g = 70 then null else 'g' end, g % 5 from generate_series(0, 99) g where g <> 25 and g not between 10 and 20;
update p set k = k + 10 where k = 1; update p set k = 11, w = -1 where k = 2; update p set w = 7, v = null where k = 21;
create function leaf_b() returns trigger language plpgsql as $$begin new.v := case when new.v = 'fix' then 'bad' when new.v = 'bad' then 'fixed' else new.v end; if new.v = 'move' then new.k := 15; end if; return new; end$$;
create trigger lb before insert on p1 for each row execute function leaf_b();
insert into p values (3, 'fix', 1); insert into p values (3, 'bad', 1) returning *; insert into p values (3, 'move', 1);
create function tt() returns trigger language plpgsql as $$begin raise warning 'new table %', (select string_agg(n::text, ' ' order by n::text) from newt n); return null; end$$;
create trigger tt after insert on p referencing new table as newt for each statement execute function tt();
insert into p values (4, 'q', 1), (12, 'r', 2), (23, 's', 2); insert into p values (12, 'r', 0);
with w as (insert into p values (5, 'q', 1), (13, 'q', 1) returning *) select * from w order by 1; with w as (insert into p values (5, 'bad2', 1), (13, 'q', -1) returning *) select * from w;
create unique index on p (k, v, w); insert into p values (4, 'q', 1) on conflict do nothing; insert into p values (4, 'q', 1) on conflict (k, v, w) do update set v = 'bad'; insert into p values (77, 'z', 1) on conflict (k, v, w) do update set v = 'y' returning *;
merge into p using (values (4, 'q', 1), (14, 'm', -3)) s(k, v, w) on p.k = s.k and p.v = s.v when matched then update set w = 55 when not matched then insert values (s.k, s.v, s.w);
prepare pp as insert into p values ($1, $2, $3); execute pp(6, 'x', 1); execute pp(6, 'y', 1); execute pp(6, 'z', 1); execute pp(6, 'u', 1); execute pp(6, 'v', 1); execute pp(6, 'w', 1); execute pp(16, 'w', -1);
alter table p detach partition p2; execute pp(16, 'w', 1); alter table p attach partition p2 for values from (10) to (20); execute pp(16, 'w', -1); alter table p add column extra int default 1 check (extra < 5); execute pp(16, 'w2', 1); insert into p values (16, 'w3', 1, 9);
create view pv as select * from p where k < 50 with check option; insert into pv values (60, 'x', 1); insert into pv values (7, 'pvv', 1); insert into pv values (16, 'pvv', -1);
create table pe (k int, v int) partition by hash ((k % 7)); create table pe0 partition of pe (check (v > 0)) for values with (modulus 2, remainder 0); create table pe1 partition of pe (check (v > 10)) for values with (modulus 2, remainder 1);
insert into pe select g, 11 from generate_series(1, 20) g; insert into pe select g, 5 from generate_series(1, 20) g;
-- 14 trigger WHEN: OLD and NEW, AFTER, DELETE, functions replaced, a WHEN that cannot be planned, UPDATE OF
create table a14 (x int, y text); create function say() returns trigger language plpgsql as $$begin raise warning '% % % old=% new=%', tg_name, tg_when, tg_op, old, new; return coalesce(new, old); end$$;
create function wf(int) returns bool immutable language sql as 'select $1 > 5';
create trigger t1 before insert on a14 for each row when (new.x > 3) execute function say(); create trigger t2 after update on a14 for each row when (old.* is distinct from new.*) execute function say();
create trigger t3 before delete on a14 for each row when (old.x between 2 and 4 or old.y = 'del') execute function say(); create trigger t4 after insert on a14 for each row when (wf(new.x)) execute function say(); create constraint trigger t5 after insert on a14 deferrable initially deferred for each row when (new.y is null) execute function say();
insert into a14 values (1, 'a'), (4, 'b'), (6, null); update a14 set x = x; update a14 set y = 'del' where x = 4; create or replace function wf(int) returns bool immutable language sql as 'select $1 > 50'; insert into a14 values (6, 'c'), (60, 'd'); delete from a14;
begin; insert into a14 values (7, null); drop trigger t5 on a14; insert into a14 values (8, null); commit;
create trigger t6 before update on a14 for each row when (new.x > 1/0) execute function say(); update a14 set x = 1 where false; update a14 set x = 1;
-- 15 system columns, whole row, collations, arrays, composite, row comparison, regex, current_user, current_setting, now
create type comp as (a int, b text);
create table a15 (x int, c comp, a int[], t text collate "C", j jsonb, check (tableoid = 'a15'::regclass), check (a15 is not null), check ((c).a < 10), check (a <@ array[1,2,3]), check (t ~ '^[a-z]+$'), check (j ? 'k'), check (x < current_setting('my.lim')::int), check (current_user <> 'ck_r1'));
grant insert on a15 to ck_r1; set my.lim = 5; insert into a15 values (1, (1, 'b'), '{1}', 'abc', '{"k":1}'); insert into a15 values (1, null, '{1}', 'abc', '{"k":1}'); insert into a15 values (1, (11, 'b'), '{1}', 'abc', '{"k":1}'); insert into a15 values (1, (1, 'b'), '{9}', 'abc', '{"k":1}'); insert into a15 values (1, (1, 'b'), '{1}', 'ABC', '{"k":1}'); insert into a15 values (1, (1, 'b'), '{1}', 'abc', '{}'); insert into a15 values (6, (1, 'b'), '{1}', 'abc', '{"k":1}'); set my.lim = 10; insert into a15 values (6, (1, 'b'), '{1}', 'abc', '{"k":1}'); set role ck_r1; insert into a15 values (1, (1, 'b'), '{1}', 'abc', '{"k":1}'); reset role;
-- 16 trigger routing with nested statements, SECURITY DEFINER, recursion, errors caught in the middle, many tables
create table r (x int, lvl int); create table rc (check (x > 0 and x < 100), check (lvl < 4)) inherits (r);
create function rr() returns trigger language plpgsql security definer as $$begin insert into rc values (new.*); if new.lvl < 3 then insert into r values (new.x + 1, new.lvl + 1); end if; return null; exception when check_violation then raise warning 'lost %: %', new, sqlerrm; return null; end$$;
create trigger rt before insert on r for each row execute function rr(); insert into r select g, 0 from generate_series(-1, 3) g; insert into r values (99, 1), (98, 3); select x, lvl, count(*) from r group by 1, 2 order by 1, 2;
do $$ begin for i in 1..40 loop execute format('create table many%s (x int check (x > %s))', i, i); end loop; for k in 1..3 loop for i in 1..40 loop execute format('insert into many%s values (%s)', i, i + 1); begin execute format('insert into many%s values (%s)', i, i); exception when check_violation then null; end; end loop; end loop; end $$;
-- 17 foreign keys with actions that reach a check, generated columns, COPY, identity
create table fk1 (id int primary key); create table fk2 (id int references fk1 on update cascade on delete set default default 0 check (id < 10), g int generated always as (id * 2) stored check (g <> 6)); insert into fk1 values (1), (2); insert into fk2 values (1); update fk1 set id = 3 where id = 1; update fk1 set id = 11 where id = 1; update fk1 set id = 4 where id = 1; select * from fk2; delete from fk1 where id = 4;
copy a12 from stdin;
50	-1
\.
copy p from stdin;
1	bad	1	1
\.
-- 18 operators and casts of the user's, replaced; enum; function dropped and made again
create function myop(int, int) returns bool immutable language sql as 'select $1 > $2'; create operator >>>> (leftarg = int, rightarg = int, function = myop);
create table a18 (x int check (x >>>> 5)); insert into a18 values (6); insert into a18 values (5); create or replace function myop(int, int) returns bool immutable language sql as 'select $1 < $2'; insert into a18 values (6); insert into a18 values (4);
create type en as enum ('a', 'b'); create table a18b (e en check (e < 'b')); insert into a18b values ('a'); insert into a18b values ('b'); alter type en rename value 'b' to 'bb'; insert into a18b values ('bb'); alter type en add value 'aa' before 'bb'; insert into a18b values ('aa');
create function conv(int) returns comp immutable language sql as 'select row($1, ''t'')::comp'; create cast (int as comp) with function conv(int); create table a18c (x int check ((x::comp).a > 1)); insert into a18c values (2); create or replace function conv(int) returns comp immutable language sql as 'select row(-$1, ''t'')::comp'; insert into a18c values (2);
