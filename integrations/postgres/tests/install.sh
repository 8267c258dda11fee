#!/bin/bash
# Build with plain make and the server's own rules (PGXS), install into a private tree, and use what is there.
. "$(dirname "$0")/server.sh"
command -v make >/dev/null && command -v "${CC:-gcc}" >/dev/null || skip "no make or no compiler"
[ -f "$("$PG_CONFIG" --pgxs)" ] || skip "no PGXS here (postgresql-server-dev-15 is missing)"

make_tree
cp -r "$extension" "$work/source"
rm -f "$work/source"/*.so "$work/source"/src/*.o "$work/source"/src/*.bc
make -s -C "$work/source" PG_CONFIG="$PG_CONFIG" with_llvm=no CC="${CC:-gcc}" >"$work/make.log" 2>&1 &&
  make -s -C "$work/source" PG_CONFIG="$PG_CONFIG" with_llvm=no DESTDIR="$work/root" install >>"$work/make.log" 2>&1 ||
  { cat "$work/make.log"; fail "make"; }
grep -i warning "$work/make.log" && fail "the compiler warns"
chmod -R go+rX "$work/root"
served() { psql -qAt -c "insert into t values (1)" -c "insert into t values (1)" -c "select builds, hits from relcache_checks_stats"; }

# As the README says: for new sessions, from a reload on.
start_server
psql -q -v ON_ERROR_STOP=1 -c "alter system set session_preload_libraries = 'relcache_checks'" -c "select pg_reload_conf()" \
  -c "create extension relcache_checks" -c "create table t (a int check (a > 0))" >/dev/null || fail "create extension"
for try in 1 2 3 4 5; do [ "$(served)" = "1|1" ] && break; sleep 1; done
[ "$(served)" = "1|1" ] || fail "session_preload_libraries: $(served)"

# For the whole server, from a restart on.
psql -q -c "alter system reset session_preload_libraries"
as_server "$work/root$bindir/pg_ctl" -D "$work/data" -m fast -w stop >/dev/null && server_is_up=
start_server -c shared_preload_libraries=relcache_checks
[ "$(served)" = "1|1" ] || fail "shared_preload_libraries: $(served)"

make -s -C "$work/source" PG_CONFIG="$PG_CONFIG" with_llvm=no DESTDIR="$work/root" uninstall >/dev/null
[ -z "$(find "$work/root" -name 'relcache_checks*')" ] || fail "make uninstall leaves files behind"
echo "built, installed, used and removed"
