#!/bin/bash
# Hash joins and an aggregate over a join, in a running PostgreSQL and in relcache, in turns on one core.
#   hash_join.sh CONNECTION RELCACHE [ROUNDS]
# CONNECTION as server.sh prints it (the server must run on this machine, and this script as a user who may pin its
# backends), RELCACHE the built command. Processor time in milliseconds (user and kernel, so that other work on the
# machine does not count); of the rounds the median, and the median of the rounds' ratios. The aggregate is short: the mean
# of 20 against the least of 5. Then a join ten times as
# large, in relcache alone: in memory, and with limits ten times those of the small one beside it; nanoseconds of
# processor time a probe row. Expected: at 128MB a ratio of 8 and more, at 8MB of 6, the aggregate of 10; the large
# join below 1.5 of the small one a row.
#   CPU=1           the core
#   BUILD=1000000   rows of the build side; the probe side has ten times as many
#   LARGE=3         runs of the large join, of which the least counts, as of the small one; 0: leave it out
set -euo pipefail
connection=${1:?connection string} relcache=${2:?the relcache command} rounds=${3:-5}
core=${CPU:-1} build=${BUILD:-1000000} large=${LARGE:-3}
probe=$((10 * build))
export PGOPTIONS="-c max_parallel_workers_per_gather=0 -c hash_mem_multiplier=1 -c enable_mergejoin=off -c enable_nestloop=off -c jit=off"
psql -X -q "$connection" <<SQL
set client_min_messages = error;
create unlogged table if not exists hj_build_$build as
  select i as k, rpad('b' || i, 32, 'b') as t from generate_series(0, $build - 1) i;
create unlogged table if not exists hj_probe_$build as
  select ((hashint8extended(i, 0) & 9223372036854775807) % $build)::int as k, rpad('p' || i, 32, 'p') as t
  from generate_series(0::int8, $probe - 1) i;
create unlogged table if not exists hj_branches as
  select g as bid, 0 as bbalance from generate_series(1, 5) g;
create unlogged table if not exists hj_accounts as
  select g as aid, g % 5 + 1 as bid, g * 7 % 1000 as abalance from generate_series(1, 500000) g;
analyze hj_build_$build; analyze hj_probe_$build; analyze hj_branches; analyze hj_accounts;
SQL
join="select count(*), sum(length(b.t) + length(p.t)) from hj_probe_$build p join hj_build_$build b on p.k = b.k"
aggregate='select b.bid, sum(a.abalance), avg(a.abalance) from hj_accounts a, hj_branches b where a.bid = b.bid group by b.bid'

# The processor time of a query's backend, in milliseconds; of several runs in a row, each one's share.
postgres_ms() {  # work_mem query [runs]
  {
    echo "\\o /dev/null"
    echo "set work_mem = '$1';"
    echo "\\o"
    echo "select pg_backend_pid() as pid \\gset"
    echo "\\setenv RELCACHE_PID :pid"
    echo "\\! taskset -pc $core \$RELCACHE_PID > /dev/null; cut -d' ' -f14,15 /proc/\$RELCACHE_PID/stat"
    echo "\\o /dev/null"
    for ((run = 0; run < ${3:-1}; run++)); do echo "$2;"; done
    echo "\\o"
    echo "\\! cut -d' ' -f14,15 /proc/\$RELCACHE_PID/stat"
  } | psql -X -q -At "$connection" 2>/dev/null | awk -v hz="$(getconf CLK_TCK)" -v runs="${3:-1}" '
    { t[NR] = $1 + $2 } END { print (t[2] - t[1]) * 1000 / hz / runs }'
}
field() { sed "s/.*\"$1\":\([0-9.]*\).*/\1/"; }
join_ms() {  # rows of the build side, megabytes, options
  local rows=$1 mb=$2
  shift 2
  taskset -c "$core" "$relcache" simulate hash-join --build "$rows" --probe $((10 * rows)) --work-mem "$mb" \
    --strategy deferred-nobatch --json "$@" | field cpu_milliseconds
}

line() { printf '%-16s %s %s\n' "$1" "$2" "$3"; }
for ((round = 1; round <= rounds; round++)); do
  for limit in 128 8; do
    theirs=$(postgres_ms "${limit}MB" "$join")
    line "join_at_${limit}MB" "$theirs" "$(join_ms "$build" "$limit")"
  done
  theirs=$(postgres_ms 4MB "$aggregate" 20)
  line aggregate "$theirs" \
    "$(taskset -c "$core" "$relcache" simulate aggregate-join --json | grep per-batch | field cpu_milliseconds)"
done | awk '
  function median(list, n,   parts, i, j, t) {
    split(list, parts, " ")
    for (i = 2; i <= n; i++) for (j = i; j > 1 && parts[j] + 0 < parts[j - 1] + 0; j--) {
      t = parts[j]; parts[j] = parts[j - 1]; parts[j - 1] = t
    }
    return (parts[int((n + 1) / 2)] + parts[int(n / 2) + 1]) / 2
  }
  { if (!($1 in n)) order[++cases] = $1
    n[$1]++; a[$1] = a[$1] " " $2; b[$1] = b[$1] " " $3; r[$1] = r[$1] " " $2 / $3
    printf "%-16s postgres %8.0f ms   relcache %8.1f ms   ratio %5.1f\n", $1, $2, $3, $2 / $3; fflush() }
  END {
    printf "\n%-16s %12s %12s %8s   medians of %d\n", "", "postgres ms", "relcache ms", "ratio", n[order[1]]
    for (i = 1; i <= cases; i++) { c = order[i]
      printf "%-16s %12.0f %12.1f %8.1f\n", c, median(a[c], n[c]), median(b[c], n[c]), median(r[c], n[c]) }
  }'

((large > 0)) || exit 0
printf '\n%-16s %12s %12s %8s   ns a probe row\n' "" "$build x 10" "$((10 * build)) x 10" ratio
for limits in "4096 40960" "25.6 256" "6.4 64"; do
  read -r small_mb large_mb <<<"$limits"
  [ "$small_mb" = 4096 ] && name="in memory" || name="$small_mb, $large_mb MB"
  small_ms=$(join_ms "$build" "$small_mb" --probe-on-the-fly --repeat 3)
  large_ms=$(join_ms $((10 * build)) "$large_mb" --probe-on-the-fly --repeat "$large")
  awk -v n="$name" -v s="$small_ms" -v l="$large_ms" -v rows="$probe" \
    'BEGIN { s = s * 1e6 / rows; l = l * 1e6 / rows / 10; printf "%-16s %12.1f %12.1f %8.2f\n", n, s, l, l / s }'
done
