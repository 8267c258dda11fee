#!/bin/bash
# Concurrent DDL against rows, every outcome compared with the stock server's.
#
#   stress.sh [--seconds N]        (default 20)
#
# Writers run each statement three times in one transaction and undo it each time: without the extension, with it, and
# without it again. Other sessions change constraints, functions, privileges, triggers and partitions meanwhile, and say
# when they begin and when they are done. Where no change was under way from before the first run until after the last,
# the three outcomes (rows, or the error with its text) must be equal; elsewhere they are only counted. One writer takes
# all invalidations all the time. In the end nothing crashed, and what the caches hold is what they say and within bounds.
. "$(dirname "$0")/server.sh"
. "$here/sql_functions.sh"
seconds=20
[ "${1:-}" = --seconds ] && seconds=$2
need_test_modules

start_server -c max_connections=40 -c deadlock_timeout=100ms
create_functions
psql -q -v ON_ERROR_STOP=1 -v seconds="$seconds" <<'SQL' || fail "setup"
set client_min_messages = warning;
create role st_user;
create table stamp (id int primary key, begun bigint default 0, done bigint default 0, what text);
create table writer (id int, compared bigint, unsure bigint, errors bigint, bytes bigint, most bigint, hits bigint, builds bigint, evictions bigint, difference text);
create sequence version;
create table sample (id int, at_second int, bytes bigint);

create table plain (a int, b text, c numeric, constraint k1 check (a > 0), constraint k2 check (length(b) < 10), constraint k3 check (c between 0 and 100 or c is null));
create function lim() returns int immutable language plpgsql as 'begin return 50; end';
create function ok(int) returns bool immutable language sql as 'select $1 > 0';
create table func (a int, b text, constraint f1 check (a < lim()), constraint f2 check (ok(a)), constraint f3 check (b <> 'x'));
create table parent (a int, b text, c numeric);
create table child (constraint ch check (a >= 0 and a < 1000), constraint ch2 check (c > 0)) inherits (parent);
create function route() returns trigger language plpgsql as 'begin insert into child values (new.*); return null; end';
create trigger route before insert on parent for each row execute function route();
create table part (a int, b text, c numeric) partition by range (a);
create table part0 partition of part (constraint p0 check (length(b) < 10)) for values from (0) to (50);
create table part1 partition of part (constraint p1 check (c > 5)) for values from (50) to (100);
create table cond (a int, b text, c numeric, constraint cc check (a <> 13));
create function mark() returns trigger language plpgsql as 'begin new.b := new.b || ''!''; return new; end';
create trigger w1 before insert or update on cond for each row when (new.a > 50) execute function mark();
create trigger w2 before insert on cond for each row when (ok(new.a) and new.b is not null) execute function mark();
insert into cond select g, 'r' || g, g from generate_series(1, 30) g where g <> 13;
grant all on all tables in schema public to st_user;

-- one statement's outcome, undone
create function outcome(role text, off bool, statement text) returns text language plpgsql as $f$
declare state text; message text; detail text; result text;
begin
  begin
    perform set_config('relcache_checks.enabled', case when off then 'off' else 'on' end, true);
    if role is not null then execute format('set local role %I', role); end if;
    execute statement into result;
    raise exception using errcode = 'RC000', message = coalesce(result, 'nothing');
  exception when others then
    get stacked diagnostics state = returned_sqlstate, message = message_text, detail = pg_exception_detail;
    return state || ' ' || message || ' ' || detail;
  end;
end $f$;

create function statement() returns text language plpgsql as $f$
declare a int := random() * 120 - 10; b text := repeat('y', (random() * 12)::int); c numeric := random() * 110 - 5;
  t text := (array['plain', 'func', 'parent', 'part', 'cond', 'plain', 'part', 'gone'])[1 + random() * 7];
begin
  case (random() * 9)::int
    when 0 then return format('with w as (update %I set a = %s where a %% 5 = 0 returning *) select string_agg(w::text, '' '') from w', t, a);
    when 1 then return format('with w as (insert into cond values (%s, %L, %s) returning *), v as (insert into plain values (%s, %L, %s) returning *) select w::text || v::text from w, v', a, b, c, a, b, c);
    when 2 then return format('with w as (update cond set b = b || ''u'', a = a + %s where a < 20 returning *) select string_agg(w::text, '' '') from w', a % 3);
    when 3 then return format('with w as (insert into %I (a, b) select g, %L from generate_series(%s, %s) g returning *) select string_agg(w::text, '' '') from w', t, b, a, a + 20);
    when 4 then return format('select nested(%L, %s, %L)', t, a, b);
    else if t = 'func' then return format('with w as (insert into func values (%s, %L) returning *) select w::text from w', a, b);
      else return format('with w as (insert into %I values (%s, %L, %s) returning *) select w::text from w', t, a, b, c); end if;
  end case;
end $f$;
create function nested(t text, a int, b text) returns text language plpgsql as $f$
declare n int := 0; m text;
begin
  for i in 1..6 loop
    begin execute format('insert into %I (a, b) values ($1, $2)', t) using a + i * 10, b; n := n + 1;
    exception when check_violation or undefined_table then get stacked diagnostics m = message_text; end;
  end loop;
  return n || coalesce(m, '');
end $f$;

create procedure write_rows(me int, seconds int) language plpgsql as $f$
declare finish timestamptz := clock_timestamp() + seconds * interval '1 second'; next_sample timestamptz := clock_timestamp(); s text; r text; before bigint; one text; two text; three text; calm bool; held bigint; counted bigint; w writer;
begin
  w := row(me, 0, 0, 0, 0, 0, 0, 0, 0, null);
  while clock_timestamp() < finish and w.difference is null loop
    s := statement();
    r := case when random() < 0.2 then 'st_user' end;
    select sum(begun) into before from stamp having sum(begun) = sum(done);
    one := outcome(r, true, s);
    two := outcome(r, false, s);
    three := outcome(r, true, s);
    calm := before is not null and before = (select sum(begun) from stamp);
    if one ~ '^(40P01|57014)' or two ~ '^(40P01|57014)' or three ~ '^(40P01|57014)' then calm := false; end if;
    if not calm then w.unsure := w.unsure + 1;
    elsif one = three and one = two then w.compared := w.compared + 1; if one !~ '^RC000' then w.errors := w.errors + 1; end if;
    else w.difference := format('%s as %s: %s | %s | %s (%s)', s, r, one, two, three, (select string_agg(what, ', ') from stamp)); end if;
    select bytes into counted from relcache_checks_stats; held := relcache_checks_test_entry_bytes();
    if held <> counted then w.difference := format('%s bytes are held, %s counted', held, counted); end if;
    w.most := greatest(w.most, held);
    if clock_timestamp() > next_sample then
      insert into sample select me, extract(epoch from clock_timestamp() - finish) + seconds, sum(total_bytes) from pg_backend_memory_contexts where name like 'relcache_checks%';
      next_sample := clock_timestamp() + interval '2 seconds';
    end if;
    commit;
  end loop;
  select bytes, hits, builds, evictions into w.bytes, w.hits, w.builds, w.evictions from relcache_checks_stats;
  insert into writer select w.*; commit;
end $f$;

create procedure change_things(me int, seconds int) language plpgsql as $f$
declare finish timestamptz := clock_timestamp() + seconds * interval '1 second'; n int; d text; undo bool;
begin
  insert into stamp values (me); commit;
  while clock_timestamp() < finish loop
    n := nextval('version'); undo := random() < 0.15;
    d := case (random() * 17)::int
      when 0 then format('alter table plain drop constraint if exists k1, add constraint k1 check (a > %s) not valid', n % 20 - 10)
      when 1 then format('alter table plain drop constraint if exists k2; alter table plain add constraint k2 check (length(b) < %s) not valid', n % 12)
      when 2 then format('create or replace function lim() returns int immutable language plpgsql as ''begin return %s; end''', n % 120)
      when 3 then format('create or replace function ok(int) returns bool immutable language sql as ''select $1 > %s''', n % 40 - 5)
      when 4 then format('create or replace trigger w1 before insert or update on cond for each row when (new.a > %s) execute function mark()', n % 100)
      when 5 then format('create or replace trigger w2 before insert on cond for each row when (ok(new.a) and new.b <> %L) execute function mark()', repeat('y', n % 10))
      when 6 then 'revoke execute on function ok(int) from public'
      when 7 then 'grant execute on function ok(int) to public'
      when 8 then 'revoke execute on function ' || case when n % 2 = 0 then 'length(text)' else 'pg_catalog.int4gt(int, int)' end || ' from public'
      when 9 then 'grant execute on function length(text), pg_catalog.int4gt(int, int) to public'
      when 10 then format('alter table part detach partition part1; alter table part1 drop constraint p1, add constraint p1 check (c > %s) not valid; alter table part attach partition part1 for values from (50) to (100)', n % 50)
      when 11 then format('alter table part0 drop constraint if exists p0; alter table part0 add constraint p0 check (length(b) < %s and a <> %s) not valid', n % 12, n % 50)
      when 12 then format('drop table if exists gone; create table gone (a int, b text, c numeric, constraint g check (a %% %s <> 0)); grant all on gone to st_user', n % 5 + 2)
      when 13 then format('alter table child drop constraint if exists ch; alter table child add constraint ch check (a >= %s and a < 1000) not valid', n % 90)
      when 14 then format('alter table plain drop constraint if exists k3, drop constraint if exists x%s, add constraint x%s check (c <> %s) not valid, add constraint k3 check (c between 0 and %s) not valid', n % 3, n % 3, n, n % 100)
      when 15 then 'analyze plain; analyze part; vacuum_free'
      when 16 then format('alter table func drop constraint if exists f3; alter table func add constraint f3 check (b <> %L and a < lim() + %s) not valid', repeat('y', n % 9), n % 30)
      else format('alter table cond drop constraint cc; alter table cond add constraint cc check (a <> %s and ok(a + 30)) not valid', n % 60)
    end;
    d := replace(d, '; vacuum_free', '');
    update stamp set begun = begun + 1, what = d where id = me; commit;
    begin
      execute d;
      if undo then raise exception 'undone'; end if;
    exception when others then null;
    end;
    commit;
    update stamp set done = done + 1 where id = me; commit;
    perform pg_sleep(random() * 0.04); commit;
  end loop;
end $f$;
SQL

run() { PGOPTIONS="-c session_preload_libraries=relcache_checks,relcache_checks_test -c client_min_messages=error $2" psql -q -v ON_ERROR_STOP=1 -c "$1" & }
for i in 1 2; do run "call change_things($i, $((seconds + 2)))" "" ; done
sleep 1
run "call write_rows(1, $seconds)" ""
run "call write_rows(2, $seconds)" "-c relcache_checks.cache_limit=40kB"
run "call write_rows(3, $seconds)" "-c relcache_checks_test.discard=on"
failed=0
for job in $(jobs -p); do wait "$job" || failed=1; done

psql -q -c "select id as writer, compared, unsure, errors as compared_errors, bytes, most as most_bytes, hits, builds, evictions from writer order by 1" \
  -c "select (select sum(done) from stamp) as changes, (select count(*) from writer) as writers"
grep "PANIC\|terminated by signal\|TRAP" "$work/server.log" && fail "the server went down"
[ "$failed" = 0 ] || fail "a session failed"
psql -At -c "select difference from writer where difference is not null" | tee "$work/difference"
[ -s "$work/difference" ] && fail "different outcomes"
[ "$(psql -At -c 'select count(*) from writer where compared > case id when 3 then 0 else 20 end')" = 3 ] ||
  fail "too few outcomes were compared"
# Flat: what is held in the last quarter is no more than a cache may hold.
psql -At -c "select id, max(bytes) filter (where at_second < $seconds / 2), max(bytes) filter (where at_second >= $seconds / 2) from sample group by id order by id" |
  while IFS='|' read -r id first second; do echo "writer $id held at most $first bytes in the first half, $second in the second"; done
[ "$(psql -At -c "select count(*) from writer where most > 8192 * 1024 or (id = 2 and bytes > 60 * 1024)")" = 0 ] || fail "a cache outgrew its limit"
echo "no difference"
