#!/bin/bash
# The rules of the house that no compiler checks. Prints each offence with its place; exit 1 if there is any.
#   rules.sh SOURCE_DIR
set -euo pipefail
house=$(cd "$(dirname "$0")" && pwd)
cd "${1:?the source folder}"
offences=0
offence() { echo "$1"; offences=$((offences + 1)); }

# From the ground up: a room includes rooms before it in this list, and none behind it.
rooms=(base memory types nodes catalog sources cache executor copy sql simulate tools)
# Within executor/: the folders that a folder, or the face above them (.), may include.
declare -A folders=(
  [batch]="batch"
  [functions]="batch functions"
  [expressions]="batch functions expressions"
  [.]="batch functions expressions internal"
  [internal]="batch functions expressions internal"
  [rows]="batch rows"
  [plan]="batch expressions rows plan"
  [join]="batch rows plan join"
  [aggregate]="batch rows plan aggregate"
)
for ((i = 0; i < ${#rooms[@]}; i++)); do
  room=${rooms[i]}
  [ -d "$room" ] || continue
  for ((j = i + 1; j < ${#rooms[@]}; j++)); do
    while IFS= read -r line; do offence "$line: $room/ includes ${rooms[j]}/, which stands on it"; done \
      < <(grep -rnE --include='*.h' --include='*.cc' "#include \"relcache/${rooms[j]}/" "$room" | cut -d: -f1,2)
  done
  # Includes read alike in the tree and installed.
  while IFS= read -r line; do offence "$line: include by \"relcache/<room>/<file>.h\""; done \
    < <(grep -rnE --include='*.h' --include='*.cc' '#include "' "$room" | grep -vE '#include "relcache/[a-z]+/([a-z_]+/){0,2}[a-z0-9_]+\.(h|inc)"' | cut -d: -f1,2)
  # A room's README names each of its headers.
  if [ ! -f "$room/README.md" ]; then
    [ -z "$(find "$room" -name '*.cc' -print -quit)" ] || offence "$room: no README.md"
  else
    for header in "$room"/*.h "$room"/*/*.h "$room"/*/*/*.h; do
      [ -e "$header" ] || continue
      name=$(basename "$header" .h)
      grep -qE "\b$name(\.h|\.cc|\.\{h,cc\}|\b)" "$room/README.md" || offence "$room/README.md: does not name $name.h"
    done
  fi
done

for folder in executor/*/ executor/; do
  [ -d "$folder" ] || continue
  name=$(basename "$folder")
  [ "$name" != internal ] || continue  # of the face: looked at with it
  [ "$name" != executor ] || name=.
  [ -n "${folders[$name]:-}" ] || { offence "$folder: not in the order of executor's folders"; continue; }
  allowed=${folders[$name]// /|}
  while IFS= read -r line; do offence "$line: ${folder%/} includes a folder that stands on it"; done \
    < <(grep -nE '#include "relcache/executor/[a-z_]+/' "$folder"{,internal/}*.{h,cc} /dev/null 2>/dev/null | grep -vE "relcache/executor/($allowed)/" | cut -d: -f1,2)
done

# Within types/: the families of types and the settings stand on dates and times or below them. These
# stand on them; everything else in types/ knows nothing of date_time/, and date_time/ nothing of these.
over_date_time='type_io|type_ops|session_settings|internal/input_versions'
while IFS= read -r line; do offence "$line: includes types/date_time/, which stands on it"; done \
  < <(grep -nE '#include "relcache/types/date_time/' types/{,internal/}*.{h,cc} /dev/null 2>/dev/null |
      grep -vE "^types/($over_date_time)\.(h|cc):" | cut -d: -f1,2)
while IFS= read -r line; do offence "$line: types/date_time/ includes what stands on it"; done \
  < <(grep -nE '#include "relcache/types/(type_io|type_ops|internal/input_versions)\.h"' types/date_time/*.{h,cc} /dev/null 2>/dev/null |
      cut -d: -f1,2)

# A source is a target of its own (libpq, libcurl): the library does without any, and none knows another.
while IFS= read -r line; do offence "$line: includes a source, which only the command and the simulations may"; done \
  < <(grep -rnE --include='*.h' --include='*.cc' '#include "relcache/sources/' cache executor sql 2>/dev/null | cut -d: -f1,2)
for folder in sources/*/; do
  [ -d "$folder" ] || continue
  while IFS= read -r line; do offence "$line: a source includes another"; done \
    < <(grep -rnE '#include "relcache/sources/[a-z_]+/' "$folder" | grep -v "relcache/$folder" | cut -d: -f1,2)
done

# Units do not include each other in a circle, and each has a test of its name.
while IFS= read -r line; do offence "$line"; done < <(perl "$house/units.pl" . "${rooms[@]}" || [ $? = 1 ] || echo "units.pl failed")

# What a user includes stands on nothing internal (and only that is installed: cmake/RelcacheInstall.cmake).
internal='(internal|types/date_time|types/regex|executor/functions)/'
while IFS= read -r line; do offence "$line: a public header includes an internal one"; done \
  < <(find "${rooms[@]}" -name '*.h' 2>/dev/null | grep -vE "$internal" | grep -vE '^(simulate|tools)/' |
      xargs -r grep -nE "#include \"relcache/([a-z]+/)*$internal" /dev/null | cut -d: -f1,2)

# docs/embedding.md lists each public header in the row of its room, and none that does not exist.
if [ -f docs/embedding.md ]; then
  listed=$(perl -ne 'if (m{^\| `(\w+)/` \|}) { my $room = $1; print "$room/$1\n" while m{`([\w/]+\.h)`}g }' docs/embedding.md | LC_ALL=C sort)
  public=$({ find "${rooms[@]}" -name '*.h' 2>/dev/null || true; } | { grep -vE "$internal" || true; } |
    { grep -vE '^(simulate|tools)/' || true; } | LC_ALL=C sort)
  while IFS= read -r header; do [ -z "$header" ] || offence "docs/embedding.md: does not list $header"; done < <(LC_ALL=C comm -13 <(echo "$listed") <(echo "$public"))
  while IFS= read -r header; do [ -z "$header" ] || offence "docs/embedding.md: $header is not a public header"; done < <(LC_ALL=C comm -23 <(echo "$listed") <(echo "$public"))
fi

# A file that nobody can keep in mind is two files.
while IFS= read -r line; do offence "$line lines: more than 650"; done \
  < <(find "${rooms[@]}" tests bench fuzz examples integrations \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) 2>/dev/null |
      grep -vE '^catalog/internal/builtin_(operators|procs|others)\.cc$' |  # generated
      while IFS= read -r file; do n=$(wc -l <"$file"); [ "$n" -le 650 ] || echo "$file: $n"; done)

# A mutex says what it guards, in words that clang checks.
while IFS= read -r line; do offence "$line: a mutex that clang knows nothing of; base/mutex.h has others"; done \
  < <(grep -rnE --include='*.h' --include='*.cc' '\bstd::(recursive_|shared_|timed_)*(mutex|lock_guard|unique_lock|scoped_lock|shared_lock|condition_variable)' "${rooms[@]}" 2>/dev/null |
      grep -v '^base/mutex\.h:' | cut -d: -f1,2)

# Cached means const: nothing takes the const away.
while IFS= read -r line; do offence "$line: const_cast"; done \
  < <(grep -rnE --include='*.h' --include='*.cc' '\bconst_cast<' "${rooms[@]}" 2>/dev/null | cut -d: -f1,2)

# Every context that the product makes stands by its name in the table of memory/README.md.
if [ -f memory/README.md ]; then
  while IFS=: read -r file name; do
    grep -qF "\`$name\`" memory/README.md || offence "$file: context \"$name\" is not in memory/README.md"
  done < <(find "${rooms[@]}" \( -name '*.h' -o -name '*.cc' \) 2>/dev/null | xargs -r perl -0777 -ne '
      s{^\s*//.*$}{}mg;
      while (/(?:(?:AllocSet|Bump)::Create(?:Root)?|SealableContext\s+\w*)\(\s*"([^"]+)"/g) { print "$ARGV:$1\n" }')
fi

[ $offences = 0 ] || { echo "$offences offences"; exit 1; }
