#!/usr/bin/env bash
# tidy.sh BUILD_DIR [changed|all|note]: runs clang-tidy on the files that the build in BUILD_DIR compiles.
#   changed  only files whose sum is not in tests/tidy.sums (run.sh does this)
#   all      every file
#   note     like changed, then writes the sums of clean files to tests/tidy.sums
# The sum of a file covers clang-tidy's version and settings, the definitions of its command line, the file, and every
# header of the project that it includes. It ignores comments except NOLINT marks, blank space at the ends of lines, and
# `#include "..."` lines. So system headers, paths and comments make no difference. tests/tidy.sums has 12 hexadecimal
# digits of each sum, one per line: enough, because equal sums of different files have a chance of 1 in 10^9. The last
# line printed counts the files that clang-tidy judged.
# shellcheck disable=SC2016,SC2317 # functions and text for inner shells
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
build=$(realpath "${1:?usage: tests/tidy.sh BUILD_DIR [changed|all|note]}")
what=${2-changed}
sums=tests/tidy.sums
jobs=$(nproc)
commands=$build/compile_commands.json
[ -s "$commands" ] || {
    echo "tidy.sh: $commands is missing; configure the build first"
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/headers" "$work/settings" "$work/stripped" "$work/judged"

# look_at NUMBER FILE DIRECTORY COMMAND: notes the file, the project's headers that the compiler includes, and those
# options of the command that affect clang-tidy.
look_at() {
    local -a command
    eval "command=($4)" # splits as a shell does
    [ "${command[0]##*/}" != ccache ] || command=("${command[@]:1}")
    (cd "$3" && "${command[@]}" -w -MM -MT x -MF - -o /dev/null) | sed 's/^x://; s/\\$//' |
        xargs realpath | grep -vF "$build/" >"$work/headers/$1"
    printf '%s\n' "${command[@]//$PWD/}" | grep -E '^-(D|std=|f(no-)?openmp)' | LC_ALL=C sort >"$work/settings/$1"
}

# strip_file FILE: writes the file without comments, then its NOLINT marks.
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

# Writes four lines per file: number, file, directory, command. A file that is compiled twice counts once, unless it is
# compiled for several instruction sets (kernels/core/parallel/cpu.h), for which it includes different headers.
jq -r --arg root "$PWD/" --arg build "$build/" '[unique_by([.file, (.command | [scan("-DIMG_VARIANT_[A-Z0-9]+")])])[]
    | select((.file | startswith($root)) and (.file | startswith($build) | not))]
    | to_entries[] | "\(.key + 1)\n\(.value.file)\n\(.value.directory)\n\(.value.command)"' \
    "$commands" >"$work/files"
tr '\n' '\0' <"$work/files" | xargs -0 -P "$jobs" -n 4 bash -c 'look_at "$@"' - || exit 1
sort -u "$work"/headers/* | tr '\n' '\0' | xargs -0 -P "$jobs" -n 1 bash -c 'strip_file "$0"' || exit 1

# The sum of a file covers clang-tidy's version and settings, its options, and the sums of the stripped sources that
# it consists of.
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
    { print substr($1, 1, 12), name[$2] }' "$work/files" - | sed "s|$PWD/||" | LC_ALL=C sort >"$work/now"
if [ ! -s "$work/now" ]; then
    echo "tidy.sh: no sums could be computed"
    exit 1
fi

touch "$work/clean"
if [ "$what" = all ] || [ ! -s "$sums" ]; then
    cp "$work/now" "$work/changed"
else
    awk 'NR == FNR { known[$1] = 1; next } !($1 in known)' "$sums" "$work/now" >"$work/changed"
fi
code=0
cut -d ' ' -f 2- "$work/changed" | sort -u | tr '\n' '\0' |
    xargs -0 -r -P "$jobs" -n 1 bash -c 'judge "$0"' || code=1
if [ "$what" = note ]; then
    # Writes the sums of files that are clean now, or were clean before and have not changed.
    awk -v clean="$work/clean" -v changed="$work/changed" '
        BEGIN {
            while ((getline line < clean) > 0) ok[line] = 1
            while ((getline line < changed) > 0) { sub(/^[^ ]* /, "", line); new[line] = 1 }
        }
        !($2 in new) || $2 in ok { print $1 }' "$work/now" | LC_ALL=C sort -u >"$work/sums" && cp "$work/sums" "$sums"
fi
count_files() { cut -d ' ' -f 2- "$1" | sort -u | wc -l; }
echo "$(count_files "$work/changed") of $(count_files "$work/now") files judged by clang-tidy"
[ "$what" = note ] || [ "$(wc -l <"$work/changed")" -eq 0 ] ||
    echo "\`tests/run.sh --tidy\` notes clean ones in $sums"
exit $code
