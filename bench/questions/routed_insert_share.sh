#!/bin/bash
# The last column of the table of docs/memory_contexts.md about the routed insert: which share of the instructions of an INSERT that a trigger
# routes is spent in memory/, and what of it in making, resetting and deleting contexts. Counted by callgrind, the same in every run.
#   routed_insert_share.sh RELCACHE      e.g. build/release/tools/relcache; built with line numbers (-g1), as Release is
set -euo pipefail
relcache=$(realpath "${1:?path of relcache}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for mode in reparse copy cached compiled; do
  for rows in 1000 3000; do
    valgrind -q --tool=callgrind --toggle-collect='relcache::InsertSession::Insert(*' --callgrind-out-file="$work/$mode.$rows" \
      "$relcache" simulate partition-insert --rows "$rows" --partitions 3 --expressions "$mode" --json >"$work/out" 2>"$work/err" ||
      { cat "$work/err" >&2; exit 1; }
  done
  # The difference of two lengths: without what is done once.
  python3 - "$mode" "$work/$mode.1000" "$work/$mode.3000" <<'PYTHON'
import collections, re, sys
def costs(path):
    """Own instructions by file, and by function of the files of memory/."""
    names, by_file, by_function = {}, collections.Counter(), collections.Counter()
    file = function = None
    calls = False
    def name(kind, text):
        number, rest = re.match(r"\((\d+)\)\s*(.*)", text).groups()
        if rest: names[kind, number] = rest
        return names[kind, number]
    for line in open(path):
        key, _, value = line.rstrip("\n").partition("=")
        if key in ("fl", "fi", "fe"): file = name("file", value)
        elif key == "fn": function = name("function", value)
        elif key in ("cfi", "cfl"): name("file", value)
        elif key == "cfn": name("function", value)
        elif key in ("ob", "cob"): name("object", value)
        elif key == "calls": calls = True
        elif re.match(r"[+\-*\d]", line):
            if not calls:
                cost = int(line.split()[1])
                by_file[file] += cost
                if "/memory/" in file and "/relcache/tests" not in file: by_function[function] += cost
            calls = False
    return by_file, by_function
(f1, g1), (f3, g3) = costs(sys.argv[2]), costs(sys.argv[3])
f3.subtract(f1), g3.subtract(g1)
total, memory = sum(f3.values()), sum(g3.values())
life = sum(n for name, n in g3.items() if re.search(r"internal::(Create|Delete)|Reset|ContextAccess::(Link|Create|Delete|Free)", name))
print(f"{sys.argv[1]:10} in memory/ {100 * memory / total:4.1f} % of the instructions; of contexts' lives {100 * life / total:4.1f} %")
PYTHON
done
