#!/bin/bash
# The table of docs/memory_contexts.md about palloc: as a function or inlined, by g++ and clang++, functions and loops aligned to 16, 32 and
# 64, the objects linked in three orders. What differs between orders and alignments is chance; what does not, effect.
#   run.sh          CPU=1 chooses the core, ROUNDS=3 how often all are run in turn (the fastest counts)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$here/../../.." "$work/relcache"
orders=("trees rows allocator main" "main allocator trees rows" "rows allocator trees main")
programs=()
for compiler in g++ clang++; do
  command -v "$compiler" >/dev/null || continue
  for alignment in 16 32 64; do
    for form in function inline; do
      objects=$work/$compiler-$alignment-$form
      mkdir "$objects"
      flags=(-std=c++20 -O2 -DNDEBUG "-falign-functions=$alignment" "-falign-loops=$alignment" -I"$work" -w)
      [ "$form" = inline ] || flags+=(-DPALLOC_IS_FUNCTION)
      for source in trees rows allocator main; do
        "$compiler" "${flags[@]}" -c "$here/$source.cc" -o "$objects/$source.o"
      done
      for order in 0 1 2; do
        parts=()
        for part in ${orders[order]}; do parts+=("$objects/$part.o"); done
        "$compiler" -o "$objects/order$order" "${parts[@]}"
        programs+=("$compiler $alignment $form $order")
      done
      size "$objects"/{trees,rows}.o | awk 'NR > 1 {text += $1} END {print text}' >"$objects/text"
    done
  done
done
for ((round = 0; round < ${ROUNDS:-3}; round++)); do
  for program in "${programs[@]}"; do
    read -r compiler alignment form order <<<"$program"
    echo "$program $(cat "$work/$compiler-$alignment-$form/text") $(taskset -c "${CPU:-1}" "$work/$compiler-$alignment-$form/order$order")"
  done
done | python3 <(cat <<'PYTHON'
import collections, statistics, sys
best, text = collections.defaultdict(lambda: [1e12, 1e12]), {}
for line in sys.stdin:
    compiler, alignment, form, order, size, trees, rows = line.split()
    key = compiler, int(alignment), form, int(order)
    best[key] = [min(a, b) for a, b in zip(best[key], (float(trees), float(rows)))]
    text[key[:3]] = int(size)
for compiler in sorted({k[0] for k in best}, reverse=True):
    for which, name in enumerate(("trees (allocation only)", "rows (allocation and free)")):
        print(f"--- {compiler}, {name}: microseconds of a round in link order 1, 2, 3")
        ratios = []
        for alignment in (16, 32, 64):
            t = {f: [best[compiler, alignment, f, o][which] / 1000 for o in range(3)] for f in ("function", "inline")}
            r = [i / f for i, f in zip(t["inline"], t["function"])]
            ratios += r
            print(f"  align {alignment}   function " + " ".join(f"{x:6.2f}" for x in t["function"]) + f" ({text[compiler, alignment, 'function']} B)   inline " +
                  " ".join(f"{x:6.2f}" for x in t["inline"]) + f" ({text[compiler, alignment, 'inline']} B)   inline/function " + " ".join(f"{x:.3f}" for x in r))
        for f in ("function", "inline"):
            all = [best[compiler, a, f, o][which] for a in (16, 32, 64) for o in range(3)]
            print(f"  {f}: slowest over fastest of the nine layouts {max(all) / min(all):.3f}")
        print(f"  inline/function: median {statistics.median(ratios):.3f}, from {min(ratios):.3f} to {max(ratios):.3f}")
PYTHON
)
