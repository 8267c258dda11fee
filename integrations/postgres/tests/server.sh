# Sourced by the tests and the bench: a private PostgreSQL 15 with the freshly built extension, and nothing installed.
#
#   . server.sh            finds the server; exits 77 ("skipped") with a message where there is none
#   start_server [-c name=value ...]
#                          makes a copy of the server's tree in a temporary directory (links, but for the programs that
#                          find their files relative to themselves), puts the extension into it, and starts it on a
#                          socket there; sets PGHOST, PGUSER and PGDATABASE. Everything goes when the script ends.
#
# RELCACHE_CHECKS_SO             the library to test (default: where make or CMake, in build/, put it)
# RELCACHE_CHECKS_TEST_SO        the test module, module.c (default: in tests/ beside the library)
# RELCACHE_CHECKS_FAILMALLOC_SO  failmalloc.c, likewise
# PG_CONFIG                      pg_config of the server to use

set -uo pipefail
export LC_ALL=C PGCLIENTENCODING=UTF8
TMPDIR=${TMPDIR:-/tmp}
[ ${#TMPDIR} -le 60 ] || TMPDIR=/tmp		# a socket's path must be short
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
extension=$(dirname "$here")

skip() { echo "SKIPPED: $*"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }

if [ -z "${PG_CONFIG:-}" ]; then
  PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config
  [ -x "$PG_CONFIG" ] || PG_CONFIG=$(command -v pg_config || true)
fi
[ -x "${PG_CONFIG:-}" ] || skip "no PostgreSQL here (pg_config not found)"
case $("$PG_CONFIG" --version) in
  "PostgreSQL 15"*) ;;
  *) skip "needs PostgreSQL 15, found $("$PG_CONFIG" --version)" ;;
esac
bindir=$("$PG_CONFIG" --bindir)
pkglibdir=$("$PG_CONFIG" --pkglibdir)
sharedir=$("$PG_CONFIG" --sharedir)
for program in postgres initdb pg_ctl psql; do
  [ -x "$bindir/$program" ] || skip "no server here ($bindir/$program is missing)"
done
library=${RELCACHE_CHECKS_SO:-}
for candidate in "$extension/relcache_checks.so" "$extension"/../../build/{,release/}integrations/postgres/relcache_checks.so; do
  [ -n "$library" ] || { [ -f "$candidate" ] && library=$candidate; }
done
[ -f "${library:-}" ] || skip "relcache_checks.so is not built; name it in RELCACHE_CHECKS_SO, or build the project in build/"
test_module=${RELCACHE_CHECKS_TEST_SO:-$(dirname "$library")/tests/relcache_checks_test.so}
failmalloc=${RELCACHE_CHECKS_FAILMALLOC_SO:-$(dirname "$library")/tests/relcache_checks_failmalloc.so}
need_test_modules() { [ -f "$test_module" ] && [ -f "$failmalloc" ] || skip "the test modules are not built (CMake builds them)"; }

# The server refuses to run as root.
if [ "$(id -u)" = 0 ]; then
  server_user=postgres
  getent passwd postgres >/dev/null || server_user=nobody
  server_group=$(id -gn "$server_user")
  as_server() { setpriv --reuid "$server_user" --regid "$server_group" --clear-groups "$@"; }
else
  server_user=$(id -un)
  as_server() { "$@"; }
fi

work=
server_is_up=
cleanup() {
  if [ -n "$server_is_up" ]; then
    as_server "$work/root$bindir/pg_ctl" -D "$work/data" -m immediate -w stop >/dev/null 2>&1
  fi
  [ -n "$work" ] && rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

make_work() {
  [ -n "$work" ] && return
  work=$(mktemp -d "$TMPDIR/relcache_checks.XXXXXX")
  [ "$(id -u)" = 0 ] && chown "$server_user" "$work"
  chmod 755 "$work"
}

# A tree that only links to the installed one: the programs find their files relative to where they lie.
make_tree() {
  make_work
  mkdir -p "$work/root$bindir" "$work/root$pkglibdir" "$work/root$(dirname "$sharedir")"
  cp "$bindir/postgres" "$bindir/initdb" "$bindir/pg_ctl" "$work/root$bindir/"
  ln -s "$pkglibdir"/* "$work/root$pkglibdir/"
  cp -as "$sharedir" "$work/root$(dirname "$sharedir")/"
}

install_extension() {
  rm -f "$work/root$pkglibdir"/relcache_checks*.so "$work/root$sharedir/extension"/relcache_checks*
  cp "$library" "$work/root$pkglibdir/relcache_checks.so"
  cp "$extension/relcache_checks.control" "$extension"/sql/relcache_checks--*.sql "$work/root$sharedir/extension/"
  [ ! -f "$test_module" ] || cp "$test_module" "$work/root$pkglibdir/relcache_checks_test.so"
  chmod -R go+rX "$work/root"
}

start_server() {
  local options
  make_work
  [ -d "$work/root" ] || { make_tree; install_extension; }
  options="-c listen_addresses='' -c unix_socket_directories='$work' -c fsync=off -c full_page_writes=off -c jit=off"
  options="$options -c autovacuum=off -c shared_buffers=256MB -c max_wal_size=4GB $*"
  if [ ! -d "$work/data" ]; then
    as_server "$work/root$bindir/initdb" -D "$work/data" -A trust -U postgres -E UTF8 --locale=C.UTF-8 -N \
      >"$work/initdb.log" 2>&1 || { cat "$work/initdb.log"; fail "initdb"; }
  fi
  as_server "$work/root$bindir/pg_ctl" -D "$work/data" -l "$work/server.log" -w -o "$options" start >/dev/null ||
    { cat "$work/server.log"; fail "the server does not start"; }
  server_is_up=1
  export PGHOST=$work PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
  unset PGOPTIONS PGSERVICE PGPASSWORD PGAPPNAME
}

psql() { "$bindir/psql" -X "$@"; }
