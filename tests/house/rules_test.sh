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
seq 651 | sed 's,^,// ,' >"$broken/cache/long.cc"
expect "a file that is too long" 'cache/long.cc: 651 lines: more than 650'
rm "$broken/cache/long.cc"
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
mkdir -p "$broken"/types/{internal,date_time} "$broken"/catalog "$broken"/{sources/{postgres,etcd},simulate,executor}
planted() { # FILE INCLUDE WHAT PATTERN: an offence of one line, taken away again
  echo "#include \"relcache/$2.h\"" >"$broken/$1"
  expect "$3" "$1:1: $4"
  rm "$broken/$1"
}
planted types/internal/array.cc types/date_time/date "a family of types over dates" 'includes types/date_time/'
planted types/builtin_types.h types/date_time/date "a header of types over dates" 'includes types/date_time/'
planted types/date_time/date.cc types/type_io "dates over what stands on them" 'types/date_time/ includes what'
planted executor/constraints.cc simulate/clock "the executor over the simulations" 'executor/ includes simulate/'
planted simulate/clock.cc tools/json_line "a simulation over the command" 'simulate/ includes tools/'
planted sources/postgres/load.cc cache/relation_cache "a source over the cache" 'sources/ includes cache/'
planted catalog/names.cc sources/etcd/watch "the catalog over a source" 'catalog/ includes sources/'
planted cache/relation_cache.cc sources/etcd/watch "the cache over a source" 'includes a source'
planted sources/postgres/load.cc sources/etcd/watch "a source over another" 'a source includes another'

# Units: a circle by way of a third one, one in the extension, a unit without a test, and lists with
# lines that are not true any more or have no reason.
units=$source/tests/house/units.pl
expect_unit() { # WHAT PATTERN: units.pl alone must fail on $broken and say so
  if said=$(perl "$units" "$broken" nodes); then echo "not seen: $1"; exit 1; fi
  grep -qE "$2" <<<"$said" || { echo "wrong words for $1: $said"; exit 1; }
}
mkdir -p "$broken"/nodes "$broken"/tests/{house,nodes} "$broken"/integrations/postgres/src
for pair in x/y y/z z/x; do echo "#include \"relcache/nodes/${pair#*/}.h\"" >"$broken/nodes/${pair%/*}.h"; done
expect "a circle of units" 'a circle of units: nodes/x nodes/y nodes/z$'
echo 'nodes/x nodes/y nodes/z: to be seen' >"$broken/tests/house/circles.txt"
perl "$units" "$broken" nodes || { echo "a circle that is listed is an offence"; exit 1; }
rm "$broken"/nodes/[xyz].h
expect_unit "a listed circle that is gone" 'circles.txt: no such circle: nodes/x nodes/y nodes/z'
echo 'nodes/x nodes/y' >"$broken/tests/house/circles.txt"
expect_unit "a line without a reason" 'circles.txt: a line without a reason: nodes/x nodes/y'
rm "$broken/tests/house/circles.txt"
printf '/* ---- a.c ---- */\nextern void A(void);\n/* ---- b.c ---- */\nextern int b;\n' >"$broken/integrations/postgres/src/relcache_checks.h"
echo 'void A(void) { b = 1; }' >"$broken/integrations/postgres/src/a.c"
echo 'int b; void B(void) { A(); }' >"$broken/integrations/postgres/src/b.c"
expect_unit "a circle in the extension" 'a circle of units: integrations/postgres/src/a integrations/postgres/src/b$'
rm -r "$broken/integrations"
touch "$broken/nodes/lonely.cc"
expect_unit "a unit without a test" 'nodes/lonely: no tests/nodes/lonely_test.cc, and not in'
printf 'inline int F() {\n  int x = 1;\n  return x;\n}\n' >"$broken/nodes/logic.h"
expect_unit "a header with logic and without a test" 'nodes/logic: no tests/nodes/logic_test.cc, and not in'
echo 'nodes/lonely: gone_test.cc' >"$broken/tests/house/tested_elsewhere.txt"
expect_unit "a list that names a test that there is not" 'nodes/lonely: no such test: gone_test.cc'
touch "$broken/tests/nodes/lonely_test.cc"
expect_unit "a listed unit that has its test" 'tested_elsewhere.txt: tested by its name, or no unit to be tested: nodes/lonely'
expect "a folder without a place" 'executor/odd/: not in the order'
echo "rules hold"
