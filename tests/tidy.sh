#!/usr/bin/env bash
# tidy.sh BUILD_DIR [changed|all|note]: clang-tidy over every file that the build of BUILD_DIR compiles.
#   changed  only files that tests/tidy.sums does not know to be clean (this is what run.sh does)
#   all      every file
#   note     like changed, and what is clean is written to tests/tidy.sums
# A sum is of what clang-tidy judges: its version and settings, the definitions of the command line, the
# file, and every header of the project that it includes, each without comments, blank space at the ends
# of lines and `#include "..."` lines, but with its NOLINT marks. So headers of the system, where files
# lie and what comments say make no difference. The last line says how many files were judged.
# shellcheck disable=SC2016,SC2317 # functions and text for inner shells
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
build=$(realpath "${1:?usage: tests/tidy.sh BUILD_DIR [changed|all|note]}")
what=${2-changed}
sums=tests/tidy.sums
jobs=$(nproc)
commands=$build/compile_commands.json
[ -s "$commands" ] || {
    echo "$commands is missing: build first"
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/headers" "$work/settings" "$work/stripped" "$work/judged"

# look_at NUMBER FILE DIRECTORY COMMAND: notes the headers of the project that the compiler finds, the
# file first, and what of the command matters.
look_at() {
    local -a command
    eval "command=($4)" # as a shell would read it
    [ "${command[0]##*/}" != ccache ] || command=("${command[@]:1}")
    (cd "$3" && "${command[@]}" -w -MM -MT x -MF - -o /dev/null) | sed 's/^x://; s/\\$//' |
        xargs realpath | grep -vF "$build/" >"$work/headers/$1"
    printf '%s\n' "${command[@]//$PWD/}" | grep -E '^-(D|std=|f(no-)?openmp)' | LC_ALL=C sort >"$work/settings/$1"
}

# strip_file FILE: without comments, but with NOLINT marks.
strip_file() {
    local stripped=$work/stripped/${1//\//@}
    { gcc -x c -std=c17 -w -fpreprocessed -E -P -dD "$1" 2>/dev/null || cat "$1"; } |
        sed 's/[[:space:]]*$//; /^#[[:space:]]*include "/d; /^$/d' >"$stripped"
    grep -o 'NOLINT.*' "$1" >>"$stripped" || true
}

judge() {
    local report
    if report=$(clang-tidy --quiet -p "$build" "$1" 2>&1); then
        echo "$1" >>"$work/clean"
        return 0
    fi
    printf '%s\n' "$report"
    return 1
}
export -f look_at strip_file judge
export work build

# One line per file; of files that are compiled twice the first.
jq -r --arg root "$PWD/" --arg build "$build/" '[unique_by(.file)[]
    | select((.file | startswith($root)) and (.file | startswith($build) | not))]
    | to_entries[] | "\(.key + 1)\n\(.value.file)\n\(.value.directory)\n\(.value.command)"' \
    "$commands" >"$work/files"
tr '\n' '\0' <"$work/files" | xargs -0 -P "$jobs" -n 4 bash -c 'look_at "$@"' - || exit 1
sort -u "$work"/headers/* | tr '\n' '\0' | xargs -0 -P "$jobs" -n 1 bash -c 'strip_file "$0"' || exit 1

# The sum of a file is that of its settings and the sums of what it consists of.
tool=$(clang-tidy --version | grep -o 'LLVM version.*'; sed 's/#.*//' .clang-tidy)
(cd "$work/stripped" && sha256sum -- *) >"$work/stripped.sums"
for number in $(seq $(($(wc -l <"$work/files") / 4))); do
    {
        printf '%s\n' "$tool"
        cat "$work/settings/$number"
        awk 'NR == FNR { sum[$2] = $1; next } { gsub("/", "@"); print sum[$0] }' \
            "$work/stripped.sums" "$work/headers/$number"
    } >"$work/judged/$number"
done
(cd "$work/judged" && sha256sum -- *) | awk 'NR == FNR { if (FNR % 4 == 2) name[++n] = $0; next }
    { print substr($1, 1, 32), name[$2] }' "$work/files" - | sed "s|$PWD/||" | LC_ALL=C sort >"$work/now"
if [ ! -s "$work/now" ]; then
    echo "the sums could not be worked out"
    exit 1
fi

touch "$work/clean"
if [ "$what" = all ] || [ ! -s "$sums" ]; then
    cp "$work/now" "$work/changed"
else
    # A sum alone counts, wherever its file lies.
    awk 'NR == FNR { known[$1] = 1; next } !($1 in known)' "$sums" "$work/now" >"$work/changed"
fi
code=0
cut -d ' ' -f 2- "$work/changed" | tr '\n' '\0' |
    xargs -0 -r -P "$jobs" -n 1 bash -c 'judge "$0"' || code=1
if [ "$what" = note ]; then
    # Files that it knew already, and those that are clean now.
    awk -v clean="$work/clean" -v changed="$work/changed" '
        BEGIN {
            while ((getline line < clean) > 0) ok[line] = 1
            while ((getline line < changed) > 0) { sub(/^[^ ]* /, "", line); new[line] = 1 }
        }
        !($2 in new) || $2 in ok' "$work/now" | LC_ALL=C sort -k 2 >"$work/sums" && cp "$work/sums" "$sums"
fi
echo "$(wc -l <"$work/changed") of $(wc -l <"$work/now") files judged by clang-tidy"
[ "$what" = note ] || [ "$(wc -l <"$work/changed")" -eq 0 ] ||
    echo "\`tests/run.sh --tidy\` notes clean ones in $sums"
exit $code
