#!/bin/bash
# What an administrator sees: CREATE EXTENSION, the views, the settings, and that anything is served at all.
. "$(dirname "$0")/server.sh"
start_server
psql -q -c "create extension relcache_checks" || fail "create extension"
export PGOPTIONS="-c session_preload_libraries=relcache_checks -c client_min_messages=error"

expect() { # what, query or statements (the last one's output counts), expected output
  local got
  got=$(psql -qAt -v ON_ERROR_STOP=1 -c "$2" 2>&1 | tail -n "$(printf '%s\n' "$3" | wc -l)")
  [ "$got" = "$3" ] || { echo "expected: $3"; echo "got: $got"; fail "$1"; }
  echo "ok: $1"
}

psql -q -v ON_ERROR_STOP=1 <<'SQL' || fail "setup"
create function mine(int) returns bool immutable language plpgsql as 'begin return $1 > 0; end';
create function nop() returns trigger language plpgsql as 'begin return new; end';
create domain amount as numeric;
create type mood as enum ('a', 'b');
create table t (a int, b text, m mood, d amount, g int generated always as (a + 1) stored,
  constraint c1 check (a > 0 and length(b) < 10),
  constraint c2 check (mine(a)),
  constraint c3 check (a in (1,2,3,4,5,6,7,8,9,10)),
  constraint c4 check (b <> (1.5::float8 / 3)::text),
  constraint c5 check (m <> 'b'),
  constraint c6 check (d > 0),
  constraint c7 check (a > 1/0),
  constraint c8 check (b <> lpad('x', 3)),
  constraint c9 check (t is not null));
create trigger w before insert on t for each row when (new.a > 10) execute function nop();
create table s (a int, constraint one check (a > 0), constraint two check (mine(a)));
create trigger w before insert on s for each row when (new.a > 10) execute function nop();
revoke execute on function upper(text) from public;
create table r (b text, constraint acl check (upper(b) <> 'X'));
SQL

expect "every constraint's level and its reason" \
  "select relation, kind, name, served, reason from relcache_checks_served where relation in ('t'::regclass, 'r'::regclass) order by 1, 2, 3" \
"t|check|c1|compiled|
t|check|c2|parsed|calls mine(integer), which is not one of the server's own functions in C
t|check|c3|compiled|
t|check|c4|parsed|planning computes float8out(double precision), which may depend on settings
t|check|c5|parsed|computes with type mood, which is not built in
t|check|c6|compiled|
t|check|c7|parsed|cannot be planned: division by zero
t|check|c8|parsed|calls lpad(text,integer), which is not one of the server's own functions in C
t|check|c9|parsed|computes with type t, which is not built in
t|generated|g|not served|the server compiles it before any extension is asked
t|when|w|compiled|
r|check|acl|parsed|calls upper(text), which has an access list"

many_inserts="do \$\$ begin for i in 1..3 loop insert into s values (i); end loop; end \$\$"
expect "hits and builds" "$many_inserts; select hits, builds, blocks, states_built, states_reused from relcache_checks_stats" "4|2|2|2|4"
expect "the cache's contents" \
  "$many_inserts; select relation, kind, name, served, reason is null, hits, users, states, states_idle, block_bytes > 1000 from relcache_checks_cache order by 2, 3" \
"s|check|one|compiled|t|2|0|1|1|t
s|check|two|parsed|f|2|0|1|1|t
s|when|w|compiled|t|2|0|1|1|t"
expect "a changed table leaves the cache" "$many_inserts; alter table s rename constraint two to zwei; select count(*) from relcache_checks_cache" "0"
expect "an analyzed one too, and comes back" "$many_inserts; analyze s; $many_inserts; select builds, stale from relcache_checks_stats" "4|2"
expect "reset" "$many_inserts; select relcache_checks_reset(); select hits, builds, blocks, bytes from relcache_checks_stats" "0|0|0|0"
expect "the limit, as bytes" "set relcache_checks.cache_limit = '1MB'; select byte_limit from relcache_checks_stats" "1048576"
expect "a limit of nothing keeps nothing" "set relcache_checks.cache_limit = 0; $many_inserts; select blocks, bytes, hits, evictions from relcache_checks_stats" "0|0|0|6"
expect "a smaller limit is felt at once" "$many_inserts; set relcache_checks.cache_limit = 0; select blocks, bytes from relcache_checks_stats" "0|0"
expect "off" "set relcache_checks.enabled = off; $many_inserts; select hits, builds from relcache_checks_stats" "0|0"
expect "off for constraints" "set relcache_checks.check_constraints = off; $many_inserts; select string_agg(kind, ' ') from relcache_checks_cache" "when"
expect "off for conditions" "set relcache_checks.trigger_conditions = off; $many_inserts; select string_agg(kind, ' ') from relcache_checks_cache" "check check"
expect "parsed trees only" "set relcache_checks.planned_trees = off; $many_inserts; select string_agg(distinct served || ': ' || reason, ' ') from relcache_checks_cache" "parsed: relcache_checks.planned_trees was off when it was made"
expect "no pool" "set relcache_checks.state_pool = off; $many_inserts; select hits, states_built, states_reused from relcache_checks_stats" "4|0|0"
expect "nested statements have states of their own, and some stay" "create function deep() returns trigger language plpgsql as 'begin if new.a < 9 then insert into s values (new.a + 1); end if; return new; end'; create trigger deep after insert on s for each row execute function deep(); insert into s values (1); select distinct states, states_idle, users from relcache_checks_cache where kind = 'check'; drop trigger deep on s" "4|4|0"
expect "rows are routed early, within bounds" \
  "create table p (a int) partition by range (a); create table p1 partition of p (constraint c check (a >= 0)) for values from (0) to (100000); insert into p select generate_series(1, 10000); select rows_routed_early between 64 and 128 from relcache_checks_stats" "t"
expect "unknown settings are refused" "set relcache_checks.nonsense = 1" 'ERROR:  invalid configuration parameter name "relcache_checks.nonsense"
DETAIL:  "relcache_checks" is a reserved prefix.'
expect "a user without privileges may look" "create role nobody_special; set role nobody_special; select count(*) > 10 from relcache_checks_served" "t"
expect "a tree that is no expression is only refused" "select distinct j.served from pg_rewrite, relcache_checks_judge(ev_action, false) j" "parsed"
expect "other trees of the catalog" "select count(*) > 0 from pg_index, relcache_checks_judge(coalesce(indexprs, indpred), true) j where coalesce(indexprs, indpred) is not null" "f"
expect "drop extension" "drop extension relcache_checks; $many_inserts; select 1" "1"
unset PGOPTIONS
expect "LOAD" "load 'relcache_checks'; create extension relcache_checks; $many_inserts; select hits > 0 from relcache_checks_stats" "t"
echo "all as expected"
