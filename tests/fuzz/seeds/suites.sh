#!/usr/bin/env bash
# Checks that imgtool and libpng give the same verdict on the test pictures of other PNG libraries: PngSuite, and those of
# libpng, libspng and libstb. They come from Debian's source packages, which apt verifies.
#
#     suites.sh JUDGE_FILES [DIRECTORY]    runs the program JUDGE_FILES on each picture, prints a line per package
#     suites.sh --files TO [DIRECTORY]     copies the pictures of at most 4096 bytes to the directory TO, without
#                                          duplicates, as inputs for a campaign
#
# DIRECTORY (default: a temporary directory) holds the packages; missing packages are fetched into it. The exit code is
# 1 if a verdict differs, and 77 if a package cannot be fetched.
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

# judge_package PACKAGE: runs one process for all pictures. If it fails, runs one process per picture, so that a failure
# does not hide later pictures.
judge_package() {
    local file files refused=0 other=0
    mapfile -t files < <(find "$work/$1" -name '*.png' | LC_ALL=C sort)
    if [ ${#files[@]} -gt 0 ] && "$judge" "${files[@]}" >"$work/said" 2>&1; then
        refused=$(grep -c ': refused$' "$work/said" || true)
    else
        for file in "${files[@]}"; do
            if ! "$judge" "$file" >"$work/said" 2>&1; then
                tail -n 3 "$work/said"
                other=$((other + 1))
            elif grep -q ': refused$' "$work/said"; then
                refused=$((refused + 1))
            fi
        done
    fi
    echo "$1: ${#files[@]} pictures, $refused rejected by both, $other with different verdicts"
    [ ${#files[@]} -gt 0 ] && [ "$other" -eq 0 ]
}

# copy_package PACKAGE: copies small pictures. The name of a copy is the hash of its content, as libFuzzer names inputs.
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
