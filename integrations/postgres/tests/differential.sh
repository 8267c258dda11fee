#!/bin/bash
# Run SQL files with the extension and without it, each in a fresh database, and compare all output.
#
#   differential.sh [--discard] [--set NAME=VALUE]... [FILE.sql...]     (default: all files of tests/sql)
#
# --discard     accept every invalidation at each ExecutorStart and between rows in both runs (what is rebuilt may make
#               itself heard), and in the extension's own loads (test module)
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
[ -z "$discard" ] || need_test_modules

make_work
pristine_roles() { psql -qAt -c "select 'drop role ' || quote_ident(rolname) from pg_roles where rolname !~ '^pg_' and rolname <> 'postgres'" | psql -q; }

run() { # file, how, output
  local file=$1 how=$2 out=$3 options= preload=
  psql -q -c "set client_min_messages = error" -c "drop database if exists d" -c "create database d" ||
    fail "cannot make a database"
  pristine_roles
  if [ "$how" = on ]; then
    preload=relcache_checks
    for setting in "${settings[@]}"; do options="$options -c relcache_checks.$setting"; done
  fi
  if [ -n "$discard" ]; then
    preload=${preload:+$preload,}relcache_checks_test
    options="$options -c relcache_checks_test.discard=on"
  fi
  (cd "$here/sql" && PGOPTIONS="-c session_preload_libraries=$preload $options" \
    "$bindir/psql" -Xa -d d -v VERBOSITY=default -v SHOW_CONTEXT=always -f "$file") >"$out" 2>&1
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
