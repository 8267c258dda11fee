#!/bin/bash
# The server's own regression scripts, with the extension and without it, all output compared.
#
#   regression.sh [SOURCE]       (default: RELCACHE_PG_SOURCE; skipped where there is no source tree)
#
# SOURCE is the source tree of the server's version. The scripts are run by plain psql in the order of their schedule, in
# one database for each way, so scripts that need regress.so fail alike in both. Scripts whose output is never twice the
# same are left out; what looks like an oid, a time or a size is masked.
. "$(dirname "$0")/server.sh"
source=${1:-${RELCACHE_PG_SOURCE:-}}
regress=$source/src/test/regress
[ -n "$source" ] && [ -f "$regress/parallel_schedule" ] ||
  skip "no source tree of PostgreSQL (name it in RELCACHE_PG_SOURCE); its regression scripts were not run"

never_the_same="sysviews stats vacuum_parallel random brin_bloom compression"
scripts=$(sed -n 's/^test: //p' "$regress/parallel_schedule" | tr ' ' '\n' | grep -vxF "$(tr ' ' '\n' <<<"$never_the_same")")

make_work
mkdir "$work/tablespace" && chmod 700 "$work/tablespace" && chown "$server_user" "$work/tablespace"
start_server -c max_prepared_transactions=2 -c client_connection_check_interval=0

run_all() { # off or on
  local preload=
  [ "$1" = on ] && preload=relcache_checks
  psql -q -c "set client_min_messages = error" -c "drop database if exists regression" -c "create database regression template template0" \
    -c "alter database regression set lc_messages = 'C'" -c "alter database regression set timezone_abbreviations = 'Default'"
  psql -qAt -c "select format('drop owned by %I; drop role %I', rolname, rolname) from pg_roles where rolname !~ '^pg_' and rolname <> 'postgres'" | psql -q >/dev/null 2>&1
  mkdir -p "$work/run/results"
  for script in $scripts; do
    (cd "$regress/sql" &&
      PG_ABS_SRCDIR=$regress PG_ABS_BUILDDIR=$work/run PG_LIBDIR=$regress PG_DLSUFFIX=.so PGTZ=PST8PDT PGDATESTYLE="Postgres, MDY" \
        PGOPTIONS="-c intervalstyle=postgres_verbose -c session_preload_libraries=$preload" \
        timeout 300 "$bindir/psql" -Xaq -d regression -f "$regress/sql/$script.sql" </dev/null 2>&1) |
      sed -E "s/^psql:[^ ]*:[0-9]+: /psql: /; s/ at line [0-9]+//; s/[0-9]{5,}/N/g; s/[0-9]+(\.[0-9]+)? (ms|kB|bytes)/N \2/g; s/[0-9]{2}:[0-9]{2}:[0-9.]+/TIME/g" >"$work/run/$script.out"
  done
  rm -rf "$work/run/results"
  mv "$work/run" "$work/$1"
}
run_all off
run_all on
if diff -ru "$work/off" "$work/on" >"$work/difference"; then
  echo "$(wc -w <<<"$scripts") scripts, $(cat "$work"/on/*.out | wc -l) lines ($(cat "$work"/on/*.out | grep -c 'violates check constraint') check violations), no difference"
else
  head -200 "$work/difference"
  fail "different output"
fi
