#!/bin/bash
# Installs the build to a folder of its own, then builds and runs the examples of README.md and docs/embedding.md against it: by
# find_package, and by pkg-config. What they print must be what the pages say they print; under ASan and UBSan too, which see what
# the program itself does with the addresses of its objects.
#   package_test.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

quietly cmake --install "$build" --prefix "$work/prefix"
export PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name relcache.pc)")
read -ra flags <<<"$(pkg-config --cflags relcache)"
read -ra libraries <<<"$(pkg-config --libs relcache)"

# The examples of a page are its ```cpp blocks; the first ```text block behind each is its output.
for page in README.md docs/embedding.md; do
  examples=$(grep -c '^```cpp$' "$source/$page") || { echo "$page has no example"; exit 1; }
  for ((n = 1; n <= examples; n++)); do
    awk -v n="$n" '/^```cpp$/ {if (++seen == n) {on = 1; next}} /^```$/ {if (on) exit} on' "$source/$page" >"$work/example.cc"
    awk -v n="$n" '/^```cpp$/ {++seen} /^```text$/ {if (seen == n) {on = 1; next}} /^```$/ {if (on) exit} on' "$source/$page" >"$work/expected"
    [ -s "$work/example.cc" ] && [ -s "$work/expected" ] || { echo "example $n of $page has no output"; exit 1; }
    quietly cmake -S "$source/tests/package" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DEXAMPLE="$work/example.cc"
    quietly cmake --build "$work/build"
    quietly c++ "${flags[@]}" "$work/example.cc" "${libraries[@]}" -o "$work/by_pkg_config"
    # Inlined, as in a release: only then does a frame of the program's own take the place of a temporary.
    quietly c++ -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fsanitize-address-use-after-scope "${flags[@]}" \
      "$work/example.cc" "${libraries[@]}" -o "$work/sanitized"
    cd "$source"
    "$work/build/embedder" | diff - "$work/expected"
    "$work/by_pkg_config" | diff - "$work/expected"
    "$work/sanitized" 2>"$work/log" | diff - "$work/expected" || { cat "$work/log"; exit 1; }
    echo "example $n of $page runs as the page says"
  done
done

# All headers in one program that uses the whole namespace beside names of its own.
{
  cd "$work/prefix/include"
  find relcache -name '*.h' ! -name 'declare_*' | LC_ALL=C sort | sed 's/.*/#include "&"/'
  cat "$source/tests/package/users_names.cc"
} >"$work/users_names.cc"
quietly c++ -Wall -Wextra -Werror "${flags[@]}" "$work/users_names.cc" "${libraries[@]}" -o "$work/users_names"
"$work/users_names"
