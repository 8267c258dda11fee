#!/bin/bash
# rules.sh must pass on the project and must see each kind of offence in a broken copy.
#   rules_test.sh SOURCE_DIR
set -euo pipefail
source=${1:?the source folder}
rules=$source/tests/house/rules.sh
bash "$rules" "$source"

broken=$(mktemp -d)
trap 'rm -rf "$broken"' EXIT
mkdir -p "$broken"/{base,memory,cache}
expect() { # WHAT PATTERN: rules.sh must fail on $broken and say so
  if said=$(bash "$rules" "$broken"); then echo "not seen: $1"; exit 1; fi
  grep -qE "$2" <<<"$said" || { echo "wrong words for $1: $said"; exit 1; }
}
echo '#include "relcache/cache/internal/entry.h"' >"$broken/memory/a.cc"
expect "an include upwards" 'memory/a.cc:1: memory/ includes cache/'
expect "a room without README" 'memory: no README.md'
echo '#include "a.h"' >"$broken/base/b.cc"
expect "a short include" 'base/b.cc:1: include by'
echo 'auto* p = const_cast<int*>(q);' >"$broken/cache/c.cc"
expect "a const_cast" 'cache/c.cc:1: const_cast'
echo 'std::shared_mutex mutex_;' >"$broken/cache/m.cc"
expect "a mutex without annotations" 'cache/m.cc:1: a mutex that clang knows nothing of'
touch "$broken/base/lonely.h"; echo '# base' >"$broken/base/README.md"
expect "a header that its README forgets" 'does not name lonely.h'
echo '# memory' >"$broken/memory/README.md"
printf 'auto cx = Bump::CreateRoot(\n    "lonely rows");\n' >"$broken/cache/d.cc"
expect "a context that the table forgets" 'cache/d.cc: context "lonely rows" is not in memory/README.md'
mkdir -p "$broken"/executor/{batch,rows,plan,join,aggregate,odd}
for pair in batch/plan rows/plan functions/expressions expressions/rows plan/join join/aggregate aggregate/join; do
  mkdir -p "$broken/executor/${pair%/*}"
  echo "#include \"relcache/executor/${pair#*/}/a.h\"" >"$broken/executor/${pair%/*}/e.cc"
  expect "an include upwards within executor/" "executor/${pair%/*}/e.cc:1: executor/${pair%/*} includes a folder"
  rm "$broken/executor/${pair%/*}/e.cc"
done
mkdir -p "$broken"/cache/internal
for path in cache/internal/a types/date_time/a executor/functions/a executor/rows/internal/a; do
  echo "#include \"relcache/$path.h\"" >"$broken/cache/public.h"
  expect "a public header over an internal one" 'cache/public.h:1: a public header includes'
  rm "$broken/cache/public.h"
done
mkdir "$broken/docs"
printf '| `base/` | `lonely.h`, `gone.h` |\n' >"$broken/docs/embedding.md"
touch "$broken/cache/public.h"
expect "a public header that is not listed" 'docs/embedding.md: does not list cache/public.h'
expect "a listed header that is not there" 'docs/embedding.md: base/gone.h is not a public header'
rm -r "$broken/docs" "$broken/cache/public.h"
expect "a folder without a place" 'executor/odd/: not in the order'
echo "rules hold"
