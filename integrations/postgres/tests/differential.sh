#!/bin/bash
# Run SQL files with the extension and without it, each in a fresh database, and compare all output.
#
#   differential.sh [--discard] [--set NAME=VALUE]... [FILE.sql...]     (default: all files of tests/sql)
#
# --discard     with the extension on, accept every invalidation at each ExecutorStart, amid its own loads and between
#               rows (test module)
# --set         a setting of the extension for the run with it
#
# A file is read by psql as superuser; what it prints, errors with their context included, is what is compared. Roles it
# makes are dropped with the server. Exit status 0: no difference.
. "$(dirname "$0")/server.sh"

discard= settings=()
while [ $# -gt 0 ]; do
  case $1 in
    --discard) discard=1; shift ;;
    --set) settings+=("$2"); shift 2 ;;
    *) break ;;
  esac
done
files=("$@")
[ ${#files[@]} -gt 0 ] || files=("$here"/sql/*.sql)
[ -z "$discard" ] || [ -f "${RELCACHE_CHECKS_TEST_SO:-}" ] || skip "the test module is not built"

make_work
pristine_roles() { psql -qAt -c "select 'drop role ' || quote_ident(rolname) from pg_roles where rolname !~ '^pg_' and rolname <> 'postgres'" | psql -q; }

run() { # file, how, output
  local file=$1 how=$2 out=$3 options=
  psql -q -c "drop database if exists d" -c "create database d" || fail "cannot make a database"
  pristine_roles
  if [ "$how" = on ]; then
    options="-c session_preload_libraries=relcache_checks${discard:+,relcache_checks_test}"
    for setting in "${settings[@]}"; do options="$options -c relcache_checks.$setting"; done
    [ -z "$discard" ] || options="$options -c relcache_checks_test.discard=on"
  fi
  (cd "$here/sql" && PGOPTIONS=$options "$bindir/psql" -Xa -d d -v VERBOSITY=default -v SHOW_CONTEXT=always -f "$file") >"$out" 2>&1
}

start_server
status=0
for file in "${files[@]}"; do
  file=$(realpath "$file")
  name=$(basename "$file" .sql)
  run "$file" off "$work/$name.off"
  run "$file" on "$work/$name.on"
  grep -q "server closed the connection\|connection to server" "$work/$name.off" "$work/$name.on" && { echo "$name: the server went away"; tail -5 "$work/server.log"; status=1; }
  if diff -u "$work/$name.off" "$work/$name.on" >"$work/$name.diff"; then
    echo "$name: $(wc -l <"$work/$name.off") lines, no difference"
  else
    echo "$name: DIFFERENT"; head -100 "$work/$name.diff"; status=1
  fi
done
exit $status
