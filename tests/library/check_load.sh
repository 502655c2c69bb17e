#!/usr/bin/env bash
# check_load.sh PROGRAM LIBRARY MOST: checks that the library loads within MOST milliseconds (0: any time) and
# starts no thread. The minimum of some starts counts, because other programs are running.
set -eu
least=
for _ in 1 2 3 4 5 6 7; do
    took=$("$1" "$2")
    if [ -z "$least" ] || awk "BEGIN { exit !($took < $least) }"; then
        least=$took
    fi
done
echo "dlopen: $least ms"
[ "$3" = 0 ] || awk "BEGIN { exit !($least < $3) }" || { echo "more than $3 ms" && exit 1; }
