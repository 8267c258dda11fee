#!/bin/bash
# printers_test.sh PROGRAM PRINTERS: does gdb show trees as nodes/gdb/ says? Exit 77 (skipped) where gdb is missing, has no Python or
# may not trace.
set -u
program=${1:?program} printers=${2:?relcache_nodes.py}
command -v gdb >/dev/null || { echo "no gdb"; exit 77; }
gdb -nx -q -batch -ex 'python print("python")' 2>/dev/null | grep -q python || { echo "gdb without Python"; exit 77; }
out=$(gdb -nx -q -batch -ex "source $printers" -ex 'set print pretty off' -ex 'break Stop' -ex run \
  -ex 'print *node' -ex 'print alias' -ex 'print list' -ex 'print entry.selectedCols' -ex 'print *entry.selectedCols.child_' -ex 'tree node' \
  "$program" 2>&1)
if grep -qiE "ptrace|operation not permitted|during startup program exited" <<<"$out"; then echo "gdb may not trace: $out"; exit 77; fi

failed=0
expect() {
  [[ $out == *"$1"* ]] || { echo "missing: $1"; failed=1; }
}
grep -q 'Python Exception' <<<"$out" && failed=1
expect '$1 = relcache::OpExpr = {'
expect ' opno = 97,'
expect 'relcache::Alias = {aliasname = "orders", colnames = relcache::List 0x'
expect 'List of 2 = {relcache::Var 0x'
expect '$4 = relcache::Bitmapset 0x'
expect '$5 = Bitmapset of 2 = {8, 11}'
expect $'\nOpExpr opretset=false opno=97 '
expect $'\n  args: List'
expect $'\n    Var varattno=3 '
expect $'\n    Const '
[ $failed = 0 ] || echo "$out"
exit $failed
