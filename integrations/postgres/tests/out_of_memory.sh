#!/bin/bash
# Let every single malloc fail that a statement makes while the extension works for it, and raise an error at each of the
# places between two of its steps: the statement fails with that error or not at all, what comes after it is right, and
# nothing is left behind.
. "$(dirname "$0")/server.sh"
. "$here/sql_functions.sh"
need_test_modules

make_tree
install_extension
cp "$failmalloc" "$work/failmalloc.so"
chmod a+r "$work/failmalloc.so"
export LD_PRELOAD="$work/failmalloc.so"
start_server
unset LD_PRELOAD
create_functions
export PGOPTIONS="-c session_preload_libraries=relcache_checks,relcache_checks_test"

psql -q -v ON_ERROR_STOP=1 -At <<'SQL'
set client_min_messages = warning;
create table one (a int, t text, constraint c check (a > 0 and t <> 'bad'));
create table many (a int, t text);
do $$ begin for i in 1..30 loop execute format('alter table many add constraint c%s check (a <> %s and length(t) < 100 and t not like %L)', i, -i, repeat('x', 20 * i)); end loop; end $$;
create function f(int) returns bool immutable language plpgsql as 'begin return $1 > 0; end';
create table mixed (a int, t text, constraint c check (f(a)), constraint d check (t <> 'bad'), constraint e check (a in (1,2,3,4,5,6,7,8,9,10,11)));
create table cond (a int, t text, constraint c check (a > 0));
create function nop() returns trigger language plpgsql as 'begin return new; end';
create trigger w before insert on cond for each row when (new.a > 5 and new.t ~ '^x') execute function nop();
create table parts (a int, t text) partition by range (a);
create table parts1 partition of parts (constraint c check (t <> 'bad' and a > 0)) for values from (minvalue) to (10);
create table parts2 partition of parts for values from (10) to (maxvalue) partition by list (a);
create table parts20 partition of parts2 (constraint c2 check (t <> 'bad')) default;
create table nest (a int, t text, constraint c check (a >= 0));
create function again() returns trigger language plpgsql as 'begin if new.a between 1 and 8 then insert into nest values (new.a - 1, new.t); end if; return new; end';
create trigger n before insert on nest for each row execute function again();
-- deeper than stubs are kept ready, and each set of them larger than what a context shares out
create table deep (a int, t text, constraint c0 check (a >= 0));
do $$ begin for i in 1..39 loop execute format('alter table deep add constraint c%s check (a <> %s)', i, 1000 + i); end loop; end $$;
create function deeper() returns trigger language plpgsql as 'begin if new.a between 1 and 6 then insert into deep values (new.a - 1, new.t); end if; return new; end';
create trigger n before insert on deep for each row execute function deeper();
create table wide (a int, t text);
do $$ begin for i in 1..70 loop execute format('alter table wide add constraint c%s check (a <> %s)', i, 1000 + i); end loop; end $$;

create function attempt(place text, good text, bad text, warm bool) returns text language plpgsql as $f$
declare n int := 0; failed int := 0; refused int := 0; counted bigint; expected bigint;
begin
  if relcache_checks_test_failed_mallocs() is null then raise exception 'failmalloc is not preloaded'; end if;
  loop
    n := n + 1;
    perform relcache_checks_reset();
    if warm then execute good; else alter table parts alter a set statistics -1; end if;
    perform relcache_checks_test_hoard();
    counted := relcache_checks_test_failed_mallocs();
    perform set_config('relcache_checks_test.fail_at', place || ':' || n, false);
    begin execute good; exception when out_of_memory then refused := refused + 1; end;
    perform set_config('relcache_checks_test.fail_at', '', false);
    if place = 'error' then
      exit when refused < n;
    else
      exit when relcache_checks_test_failed_mallocs() = counted or n > 400;
    end if;
    failed := failed + 1;
    for i in 1..2 loop
      execute good;
      begin execute bad; raise exception 'let through after failure %: %', n, bad;
      exception when check_violation then null; end;
      select bytes into expected from relcache_checks_stats;
      if expected <> relcache_checks_test_entry_bytes() then
        raise exception 'after failure %, % bytes counted, % there', n, expected, relcache_checks_test_entry_bytes();
      end if;
    end loop;
  end loop;
  return format('%s, %s at "%s": %s failures, %s statements refused', good, case when warm then 'warm' else 'cold' end, place, failed, refused);
end $f$;

create temp table result as
select attempt(place, good, bad, warm) as line
from (values
  ($$insert into one values (1, 'a')$$, $$insert into one values (1, 'bad')$$),
  ($$insert into many values (1, 'a')$$, $$insert into many values (-3, 'a')$$),
  ($$insert into mixed values (1, 'a')$$, $$insert into mixed values (1, 'bad')$$),
  ($$insert into mixed values (2, 'a')$$, $$insert into mixed values (0, 'a')$$),
  ($$insert into cond values (6, 'x')$$, $$insert into cond values (0, 'a')$$),
  ($$insert into parts values (1, 'a'), (20, 'b')$$, $$insert into parts values (20, 'bad')$$),
  ($$insert into nest values (9, 'a')$$, $$insert into nest values (-1, 'a')$$),
  ($$insert into deep values (7, 'a')$$, $$insert into deep values (1039, 'a')$$),
  ($$insert into wide values (7, 'a')$$, $$insert into wide values (1070, 'a')$$)
) s(good, bad), (values ('serve'), ('routing'), ('statement'), ('error')) p(place), (values (false), (true)) w(warm);
select line from result;
do $$ declare n int; begin
  select sum(substring(line from ': (\d+) failures')::int) into n from result;
  if n < 100 then raise exception 'only % failures: this test tests nothing', n; end if;
end $$;
SQL
status=$?
grep "PANIC\|terminated by signal" "$work/server.log" && fail "the server went down"
[ $status = 0 ] || fail "see above"
echo "no harm done"
