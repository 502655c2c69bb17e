#!/usr/bin/env bash
# check_not_run.sh [FILE]: checks that each test or program of not_run.txt exists. After a test is renamed, ports.sh
# would otherwise run it again, and it would fail in QEMU.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
missing=0 count=0
while read -r name _; do
    case $name in
    '' | '#'*) continue ;;
    */*) grep -qE "^Test\(${name%/*}, ${name#*/}[,)]" tests/unit/*.c ;;
    *) [ -e "tests/unit/test_$name.c" ] ;;
    esac || {
        echo "tests/ports/not_run.txt: there is no test $name"
        missing=$((missing + 1))
    }
    count=$((count + 1))
done <"${1:-tests/ports/not_run.txt}"
echo "$((count - missing)) of $count tests exist"
[ "$missing" -eq 0 ]
