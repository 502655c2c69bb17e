#!/usr/bin/env bash
# check_abi.sh CC HEADER SOVERSION [--update]: compares the ABI of imgtool.h on a 64-bit machine with the file
# libimgtool.SOVERSION.txt. Removed or changed lines break existing programs, and need a new soname. New lines must be
# added to the file; --update rewrites it.
set -eu
here=$(dirname "${BASH_SOURCE[0]}")
compiler=$1 header=$2 list=$here/libimgtool.$3.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -f "$here/describe.awk" "$header" >"$work/describe.c"
"$compiler" -I"$(dirname "$header")" "$work/describe.c" -o "$work/describe"
"$work/describe" >"$work/now"
[ "$(wc -l <"$work/now")" -gt 50 ] || { echo "imgtool.h is not understood" && exit 1; }
if ! grep -q '^struct imgtool_error' "$work/now" || grep -q '^    .*\.size: at [1-9]' "$work/now"; then
    echo "a struct does not begin with its size"
    exit 1
fi
if [ "$(getconf LONG_BIT)" -ne 64 ]; then
    echo "skipped: the list is that of machines with 64 bits"
    exit 77
fi
if [ "${4-}" = --update ]; then
    cp "$work/now" "$list"
    exit 0
fi
if [ ! -e "$list" ]; then
    echo "a new soname: write down what it has by $0 $* --update"
    exit 1
fi
sort "$list" >"$work/before.sorted"
sort "$work/now" >"$work/now.sorted"
gone=$(comm -23 "$work/before.sorted" "$work/now.sorted")
new=$(comm -13 "$work/before.sorted" "$work/now.sorted")
if [ -n "$gone" ]; then
    printf 'programs that are built rely on this, which is not so any more:\n%s\n' "$gone"
    printf 'now:\n%s\n' "$new"
    echo "Take it back, or give the library a new soname (IMGTOOL_VERSION_MAJOR)."
    exit 1
fi
if [ -n "$new" ]; then
    printf 'new, and not in %s:\n%s\n' "$list" "$new"
    echo "Add it by $0 $* --update."
    exit 1
fi
echo "$(wc -l <"$work/now") facts as before"
