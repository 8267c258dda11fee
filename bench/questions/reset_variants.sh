#!/bin/bash
# The table of docs/memory_contexts.md about resets: builds reset_variants.cc with g++ and clang++, runs each pinned to a core, counts the
# instructions of allocate and free in the object code.
#   reset_variants.sh          CPU=1 chooses the core, ROUNDS=5 how often (the fastest counts)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for compiler in g++ clang++; do
  command -v "$compiler" >/dev/null || continue
  "$compiler" -std=c++20 -O2 -o "$work/variants" "$here/reset_variants.cc"
  echo "--- $compiler"
  for ((i = 0; i < ${ROUNDS:-5}; i++)); do taskset -c "${CPU:-1}" "$work/variants" >"$work/run$i"; done
  python3 - "$work"/run* <<'PYTHON'
import sys
runs = [open(f).read().splitlines() for f in sys.argv[1:]]
print(runs[0][0])
for lines in zip(*(r[1:] for r in runs)):
    columns = [[float(x) for x in line[28:].split()] for line in lines]
    print(lines[0][:28] + "".join(f"{min(c):{w}.2f}" for c, w in zip(zip(*columns), (13, 13, 13, 15))))
PYTHON
  echo "instructions in the code of        allocate  free"
  for letter in none a b d e; do
    count() { objdump -d --no-show-raw-insn "$work/variants" | awk -v f="<$1>:" '$2 == f {on = 1; next} on && NF == 0 {exit} on && !/nop|xchg +%ax,%ax|data16/ {n++} END {print n}'; }
    printf '  %-30s %10s %5s\n' "$letter" "$(count "Allocate_$letter")" "$(count "Free_$letter")"
  done
done
