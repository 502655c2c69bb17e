#!/usr/bin/env bash
# check_symbols.sh HEADER LIBRARY: checks that the shared library exports exactly the functions that imgtool.h
# declares.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tr '\n' ' ' <"$1" | grep -oE 'IMGTOOL_API [^;({]*\(' | grep -oE 'imgtool_[a-z0-9_]+ *\($' | tr -d ' (' |
    sort >"$work/declared"
nm -D --defined-only "$2" | awk '$2 != "A" { sub("@.*", "", $3); print $3 }' | sort >"$work/exported"
[ -s "$work/declared" ] || { echo "no function is found in $1" && exit 1; }
if ! diff "$work/declared" "$work/exported"; then
    echo "< declared but not exported, > exported but not declared"
    exit 1
fi
echo "$(wc -l <"$work/exported") functions"
