#!/bin/bash
# A private PostgreSQL 15 for measurements and differential tests.
#   server.sh start DIR   make a cluster in DIR (if there is none), start it on a unix socket there, build the timing
#                         functions of nodebench.c and create them; prints the connection string
#   server.sh stop DIR    stop it
# Needs the Debian packages postgresql-15, postgresql-server-dev-15 and gcc. As root the server runs as user postgres,
# else as who calls. Nothing is installed outside DIR.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=/usr/lib/postgresql/15/bin
what=${1:?start or stop} dir=${2:?a directory}
user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid postgres --regid postgres --clear-groups)
case $what in
start)
  mkdir -p "$dir"
  dir=$(cd "$dir" && pwd)
  [ "$(id -u)" != 0 ] || chown postgres "$dir"
  chmod 755 "$dir"
  cd "$dir"
  if [ ! -d "$dir/data" ]; then
    "${user[@]}" "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 >"$dir/initdb.log"
  fi
  "${user[@]}" "$bin/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w start -o "-c listen_addresses='' \
    -c unix_socket_directories='$dir' -c port=5432 -c fsync=off -c jit=off -c autovacuum=off -c shared_buffers=512MB \
    -c max_wal_size=8GB" >/dev/null
  gcc -O2 -fPIC -shared -Wno-declaration-after-statement -I"$("$bin/pg_config" --includedir-server)" \
    -o "$dir/nodebench.so" "$here/nodebench.c"
  psql -X -q -h "$dir" -U postgres -d postgres <<SQL
set client_min_messages = warning;
create or replace function nodebench(text, text, int) returns float8 language c strict as '$dir/nodebench.so';
create or replace function contextbench(text, int) returns float8 language c strict as '$dir/nodebench.so';
create or replace function relbench(oid, text, int) returns float8 language c strict as '$dir/nodebench.so';
SQL
  echo "host=$dir user=postgres dbname=postgres"
  ;;
stop)
  cd "$dir"
  "${user[@]}" "$bin/pg_ctl" -D "$dir/data" -m fast -w stop >/dev/null
  ;;
*)
  echo "server.sh: start or stop" >&2
  exit 2
  ;;
esac
