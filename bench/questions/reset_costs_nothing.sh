#!/bin/bash
# That a reset of an unused context costs next to nothing is paid for by no request: compiles memory/ as it is and without the tests that
# tell "unused since the last reset", and compares the object code, instruction by instruction. Exit status 1 if allocation differs.
#   reset_costs_nothing.sh          CXX=g++ chooses the compiler, CXXFLAGS=-O2 how it compiles
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Names of one length: they stand in the messages of checks.
for form in whole short; do
  mkdir -p "$work/$form/relcache"
  cp -r "$root/memory" "$root/base" "$work/$form/relcache"
done
# The two places that test: the first step of Reset, and of the reset in a deletion.
cut() {
  grep -qF "$2" "$work/short/relcache/memory/$1" || { echo "memory/$1 has no line '$2' any more"; exit 1; }
  python3 - "$work/short/relcache/memory/$1" "$2" "$3" <<'PYTHON'
import sys
path, line, instead = sys.argv[1:]
text = open(path).read()
open(path, "w").write(text.replace(line, instead, 1))
PYTHON
}
cut memory_context.h 'if (!IsUnused()) ResetUsed();' 'ResetUsed();'
cut lifecycle.cc 'if (set.free_ == set.first_byte()) return;' ''
# Each function in a section of its own: addresses count from its start and are the same if the code is.
compile() {
  "${CXX:-g++}" -std=c++20 ${CXXFLAGS:--O2} -DNDEBUG -ffunction-sections -I"$work/$1" -c "$2" -o "$work/$1/$3.o"
  objdump -dr --no-show-raw-insn "$work/$1/$3.o" | sed 1,3d >"$work/$1/$3"
}
# Instructions of the function $3 in the listing $2 of form $1; all of them without $3.
count() {
  awk -v name="${3:-}" '/^[0-9a-f]+ <.*>:$/ {on = name == "" || $2 == "<" name ">:"} on && /^ +[0-9a-f]+:\t/ && !/\t(nop|data16|xchg +%ax,%ax|cs nop)/ && !/R_X86/ {n++} END {print n + 0}' "$work/$1/$2"
}
for form in whole short; do
  compile $form "$root/bench/questions/reset_probe.cc" probe
  for source in blocks lifecycle; do compile $form "$work/$form/relcache/memory/$source.cc" $source; done
done
# The probe without Reset, and all that allocation does beyond its first step.
without_reset() { awk '/^Disassembly of section/ {on = !/\.text\.Reset:/} on' "$1"; }
status=0
cmp -s <(without_reset "$work/whole/probe") <(without_reset "$work/short/probe") || status=1
cmp -s "$work/whole/blocks" "$work/short/blocks" || status=1
cmp -s "$work/whole/lifecycle" "$work/short/lifecycle" && { echo "nothing was cut out"; exit 1; }
printf '%-44s %10s %12s\n' "instructions" "with test" "without"
for function in Allocate Allocate32 Free Reset; do
  printf '%-44s %10s %12s\n' "$function" "$(count whole probe $function)" "$(count short probe $function)"
done
printf '%-44s %10s %12s\n' "blocks.cc: all further steps of both" "$(count whole blocks)" "$(count short blocks)"
[ $status = 0 ] && echo "allocate and free: identical, instruction by instruction" || echo "allocate or free differ"
exit $status
