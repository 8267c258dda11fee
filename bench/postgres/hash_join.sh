#!/bin/bash
# A hash join and an aggregate over a join, in a running PostgreSQL and in relcache, in turns on one core.
#   hash_join.sh CONNECTION RELCACHE [ROUNDS]
# CONNECTION as server.sh prints it (the server must run on this machine, and this script as a user who
# may pin its backends), RELCACHE the built command. Prints for each round the processor time in
# milliseconds (user and kernel, so that other work on the machine does not count) and the ratio.
set -euo pipefail
connection=${1:?connection string} relcache=${2:?the relcache command} rounds=${3:-5}
core=${CPU:-1}
export PGOPTIONS="-c max_parallel_workers_per_gather=0 -c hash_mem_multiplier=1 -c enable_mergejoin=off -c enable_nestloop=off -c jit=off"
psql -X -q "$connection" <<'SQL'
set client_min_messages = error;
create unlogged table if not exists hj_build as
  select i as k, rpad('b' || i, 32, 'b') as t from generate_series(0, 999999) i;
create unlogged table if not exists hj_probe as
  select ((hashint8extended(i, 0) & 9223372036854775807) % 1000000)::int as k, rpad('p' || i, 32, 'p') as t
  from generate_series(0::int8, 9999999) i;
create unlogged table if not exists hj_branches as
  select g as bid, 0 as bbalance from generate_series(1, 5) g;
create unlogged table if not exists hj_accounts as
  select g as aid, g % 5 + 1 as bid, g * 7 % 1000 as abalance from generate_series(1, 500000) g;
analyze hj_build; analyze hj_probe; analyze hj_branches; analyze hj_accounts;
SQL
join='select count(*), sum(length(b.t) + length(p.t)) from hj_probe p join hj_build b on p.k = b.k'
aggregate='select b.bid, sum(a.abalance), avg(a.abalance) from hj_accounts a, hj_branches b where a.bid = b.bid group by b.bid'

# The processor time of a query's backend, in milliseconds.
postgres_ms() {  # work_mem query
  {
    echo "\\o /dev/null"
    echo "set work_mem = '$1';"
    echo "\\o"
    echo "select pg_backend_pid() as pid \\gset"
    echo "\\setenv RELCACHE_PID :pid"
    echo "\\! taskset -pc $core \$RELCACHE_PID > /dev/null; cut -d' ' -f14,15 /proc/\$RELCACHE_PID/stat"
    echo "\\o /dev/null"
    echo "$2;"
    echo "\\o"
    echo "\\! cut -d' ' -f14,15 /proc/\$RELCACHE_PID/stat"
  } | psql -X -q -At "$connection" 2>/dev/null | awk -v hz="$(getconf CLK_TCK)" '
    { t[NR] = $1 + $2 } END { print (t[2] - t[1]) * 1000 / hz }'
}
field() { sed "s/.*\"$1\":\([0-9.]*\).*/\1/"; }

for ((round = 1; round <= rounds; round++)); do
  for limit in 128 8; do
    theirs=$(postgres_ms "${limit}MB" "$join")
    ours=$(taskset -c "$core" "$relcache" simulate hash-join --build 1000000 --probe 10000000 --work-mem $limit \
      --strategy deferred-nobatch --json | field cpu_milliseconds)
    awk -v n="join at $limit MB" -v a="$theirs" -v b="$ours" 'BEGIN { printf "%-14s postgres %8.0f  relcache %8.1f  ratio %5.1f\n", n, a, b, a / b }'
  done
  theirs=$(postgres_ms 4MB "$aggregate")
  ours=$(taskset -c "$core" "$relcache" simulate aggregate-join --json | grep per-batch | field milliseconds)
  awk -v n="aggregate" -v a="$theirs" -v b="$ours" 'BEGIN { printf "%-14s postgres %8.0f  relcache %8.1f  ratio %5.1f\n", n, a, b, a / b }'
done
