#!/bin/bash
# Run SQL files with the extension and without it, each in a fresh database, and compare all output.
#
#   differential.sh [--discard | --hear-calls | --server-discard] [--variants | --set NAME=VALUE ...] [FILE.sql...]
#
#   --discard          accept every invalidation at each ExecutorStart and between rows in both runs (what is rebuilt may
#                      make itself heard), and in the extension's own loads (test module)
#   --hear-calls       a hook on the execution of functions, as pgaudit sets, that tells of each (test module): the same
#                      calls in the same order
#   --server-discard   debug_discard_caches = 1 in both runs; skipped where the server was not built with it (Debian's
#                      is not); takes long
#   --variants         once for every setting of the extension, each changed alone
#   --set              a setting of the extension; each is a run of its own against the run without the extension
#   FILE.sql           default: all files of tests/sql
#
# A file is read by psql as superuser; what it prints, errors with their context included, is what is compared. Exit
# status 0: no difference.
. "$(dirname "$0")/server.sh"

module_option= server_discard= settings=()
while [ $# -gt 0 ]; do
  case $1 in
    --discard) module_option=discard; shift ;;
    --hear-calls) module_option=hear_calls; shift ;;
    --server-discard) server_discard=1; shift ;;
    --variants)
      settings+=(check_constraints=off trigger_conditions=off partition_routing=off planned_trees=off state_pool=off
                 cache_limit=0 cache_limit=24kB)
      shift ;;
    --set) settings+=("$2"); shift 2 ;;
    -*) sed -n '2,18p' "$0"; exit 2 ;;
    *) break ;;
  esac
done
[ ${#settings[@]} -gt 0 ] || settings=(enabled=on)
files=("$@")
[ ${#files[@]} -gt 0 ] || files=("$here"/sql/*.sql)
[ -z "$module_option" ] || need_test_modules
# sessions.sql waits for other sessions in a loop: how many calls there are to hear is chance.
[ "$module_option" != hear_calls ] || files=($(printf '%s\n' "${files[@]}" | grep -v '/sessions\.sql$'))

# Roles belong to the server, not to the database that a run makes anew.
drop_roles() {
  psql -qAt -c "select format('drop role %I;', rolname) from pg_roles where rolname !~ '^pg_' and rolname <> 'postgres'" | psql -q
}

run() { # file, preloaded library, its setting, output
  local file=$1 preload=$2 options=$3 out=$4
  psql -q -c "set client_min_messages = error" -c "drop database if exists d" -c "create database d" ||
    fail "cannot make a database"
  drop_roles
  if [ -n "$module_option" ]; then
    preload=${preload:+$preload,}relcache_checks_test
    options="$options -c relcache_checks_test.$module_option=on"
  fi
  # In which order workers tell of calls is chance.
  [ "$module_option" != hear_calls ] || options="$options -c max_parallel_workers=0"
  [ -z "$server_discard" ] || options="$options -c debug_discard_caches=1"
  (cd "$here/sql" && PGOPTIONS="-c session_preload_libraries=$preload $options" \
    "$bindir/psql" -Xa -d d -v VERBOSITY=default -v SHOW_CONTEXT=always -f "$file") 2>&1 |
    sed -E 's/^psql:[^ ]*:[0-9]+: /psql: /' >"$out"		# notices amid COPY come at a line of chance
}

start_server
if [ -n "$server_discard" ]; then
  [ "$(psql -qAt -c "select max_val > '0' from pg_settings where name = 'debug_discard_caches'")" = t ] ||
    skip "this server was built without debug_discard_caches"
fi
status=0
for file in "${files[@]}"; do
  file=$(realpath "$file")
  name=$(basename "$file" .sql)
  run "$file" "" "" "$work/$name.off"
  for setting in "${settings[@]}"; do
    run "$file" relcache_checks "-c relcache_checks.$setting" "$work/$name.on"
    if grep -q "server closed the connection" "$work/$name.off" "$work/$name.on"; then
      echo "$name, $setting: the server went away"; tail -5 "$work/server.log"; status=1
    fi
    if diff -u "$work/$name.off" "$work/$name.on" >"$work/$name.diff"; then
      echo "$name, $setting: $(wc -l <"$work/$name.off") lines, no difference"
    else
      echo "$name, $setting: DIFFERENT"; head -100 "$work/$name.diff"; status=1
    fi
  done
done
exit $status
