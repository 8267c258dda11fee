#!/bin/bash
# Our contexts against PostgreSQL 15's own, in turn on one core: the medians of several rounds and of their ratios.
#   contextbench.sh MEMORY_BENCH CONNECTION      e.g. build/release/bench/memory_bench "$(bench/postgres/server.sh start /tmp/pg)"
# CPU=1 chooses the core, ROUNDS=7 how often. Needs the right to pin the server's process (root). Each side's figure of a round is the
# fastest of several short runs, since a neighbour on the core shows in wall time.
set -euo pipefail
bench=${1:?path of memory_bench} connection=${2:?connection string}
exec python3 - "$bench" "$connection" "${CPU:-1}" "${ROUNDS:-7}" <<'PYTHON'
import json, os, statistics, subprocess, sys

bench, connection, cpu, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
OPS = [("StatementAlloc/bump", "alloc"), ("StatementAlloc/allocset", "alloc"), ("AllocFree/allocset", "allocfree"),
       ("ResetUnused/allocset", "reset_unused"), ("ResetOne/allocset", "reset_one"), ("CreateDelete/allocset", "create")]

# One session for all, pinned.
psql = subprocess.Popen(["psql", "-X", "-q", "-t", "-A", connection], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(sql):
    psql.stdin.write(sql + ";\n")
    psql.stdin.flush()
    return psql.stdout.readline().strip()
subprocess.run(["taskset", "-pc", cpu, ask("select pg_backend_pid()")], check=True, stdout=subprocess.DEVNULL)

def theirs(op):
    n = 1000 if op in ("alloc", "allocfree") else 50000
    return float(ask(f"select min(contextbench('{op}', {n})) from generate_series(1, 50)"))

def ours(names):
    out = subprocess.run(["taskset", "-c", cpu, bench, "--benchmark_filter=^(" + "|".join(names) + ")$", "--benchmark_min_time=0.005",
                          "--benchmark_repetitions=30", "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
    best = {}
    for b in json.loads(out)["benchmarks"]:
        if b["run_type"] == "iteration":
            name = b["name"].split("/repeats")[0]
            best[name] = min(best.get(name, 1e9), 1e9 / b["items_per_second"])
    return best

figures = {name: ([], [], []) for name, _ in OPS}
for _ in range(rounds):
    mine = ours([name for name, _ in OPS])
    for name, op in OPS:
        a, b = mine[name], theirs(op)
        for column, value in zip(figures[name], (a, b, a / b)):
            column.append(value)
print(f"{'':26}{'ours ns':>9}{'PG ns':>9}{'ratio':>8}   of {rounds} rounds: ratio from .. to")
for name, _ in OPS:
    a, b, r = figures[name]
    print(f"{name:26}{statistics.median(a):9.2f}{statistics.median(b):9.2f}{statistics.median(r):8.2f}   {min(r):.2f} .. {max(r):.2f}")
PYTHON
