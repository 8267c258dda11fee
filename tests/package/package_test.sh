#!/bin/bash
# Installs the build to a folder of its own, then builds and runs the README's example against it: by find_package, and by
# pkg-config. What it prints must be what the README says it prints.
#   package_test.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The first ```cpp block of the README is the example, the first ```text block behind it is its output.
awk '/^```cpp$/ {on = 1; next} /^```$/ {if (on) exit} on' "$source/README.md" >"$work/example.cc"
awk '/^```cpp$/ {seen = 1} /^```text$/ {if (seen) {on = 1; next}} /^```$/ {if (on) exit} on' "$source/README.md" >"$work/expected"
[ -s "$work/example.cc" ] && [ -s "$work/expected" ] || { echo "README.md has no example with its output"; exit 1; }

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
cmake -S "$source/tests/package" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DEXAMPLE="$work/example.cc" >"$work/configure.log" 2>&1 ||
  { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
cd "$source"
"$work/build/embedder" | diff - "$work/expected"

export PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name relcache.pc)")
read -ra flags <<<"$(pkg-config --define-prefix --cflags relcache)"
read -ra libraries <<<"$(pkg-config --define-prefix --libs relcache)"
c++ "${flags[@]}" "$work/example.cc" "${libraries[@]}" -o "$work/by_pkg_config"
"$work/by_pkg_config" | diff - "$work/expected"
echo "the README's example runs as the README says"
