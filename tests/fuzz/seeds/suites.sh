#!/usr/bin/env bash
# The pictures that other PNG libraries are tested with, judged as libpng judges them (judge_files): PngSuite, and libpng's
# and libspng's own, from Debian's source packages, which apt verifies.
#
#     suites.sh JUDGE_FILES [DIRECTORY]
#     suites.sh --files TO [DIRECTORY]
#
# DIRECTORY: where the packages are kept, or are already; else they are fetched for this run. Prints a row for each
# package. With --files the pictures are not judged but copied to the directory TO, one of each content, those of at most
# 4096 bytes: what a campaign of fuzzing starts from. Exit code 1 where a file is judged otherwise, 77 where packages
# cannot be had.
set -euo pipefail

copy_to=''
if [ "${1:-}" = --files ] && [ $# -gt 1 ]; then
    copy_to=$(realpath -m "$2")
    mkdir -p "$copy_to"
    shift
fi
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: $0 JUDGE_FILES|--files TO [DIRECTORY]" >&2
    exit 2
fi
# shellcheck source=tests/lib/debian_sources.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/debian_sources.sh"
judge=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kept=${2:-$work}
mkdir -p "$kept"
cd "$kept"
packages=(libpng1.6 libspng libstb)
failed=0

# judge_package PACKAGE: each of its pictures by a process of its own, so that all are seen.
judge_package() {
    local file count=0 refused=0 other=0
    while IFS= read -r file; do
        count=$((count + 1))
        if ! "$judge" "$file" >"$work/said" 2>&1; then
            tail -n 3 "$work/said"
            other=$((other + 1))
        elif grep -q ': refused$' "$work/said"; then
            refused=$((refused + 1))
        fi
    done < <(find "$work/$1" -name '*.png' | LC_ALL=C sort)
    echo "$1: $count pictures, $refused refused by both, $other judged otherwise"
    [ "$count" -gt 0 ] && [ "$other" -eq 0 ]
}

# copy_package PACKAGE: by their content's sums, as libFuzzer names files.
copy_package() {
    local file count=0
    while IFS= read -r file; do
        cp "$file" "$copy_to/$(sha1sum <"$file" | cut -c 1-40)"
        count=$((count + 1))
    done < <(find "$work/$1" -name '*.png' -size -4097c)
    echo "$1: $count pictures copied"
    [ "$count" -gt 0 ]
}

for package in "${packages[@]}"; do
    if ! compgen -G "${package}_*.orig.tar.*" >/dev/null && ! fetch_source "$package" "$work" >"$work/log" 2>&1; then
        echo "skipped: the pictures of $package: its source package cannot be fetched: $(tail -n 1 "$work/log")"
        exit 77
    fi
    mkdir "$work/$package"
    tar xf "$package"_*.orig.tar.* -C "$work/$package"
    if [ -n "$copy_to" ]; then
        copy_package "$package" || failed=1
    else
        judge_package "$package" || failed=1
    fi
done
exit $failed
