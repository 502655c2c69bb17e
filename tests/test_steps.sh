#!/usr/bin/env bash
# test_steps.sh: tests that lib/steps.sh runs every step, prints them in order, and counts failures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=3
# shellcheck source=tests/lib/steps.sh
. lib/steps.sh

fails_in_the_middle() {
    echo "with $1"
    false
    echo 'and goes on'
}
# vanishes: kills its grandparent, the process that would have recorded the
# result of this step.
vanishes() {
    local parent
    read -r _ _ _ parent _ <"/proc/$PPID/stat"
    kill -9 "$parent"
}
export -f fails_in_the_middle vanishes
queue 1 'too long' sleep 30
queue 20 first bash -c 'echo said; echo "========= of a tool"'
queue 20 function fails_in_the_middle 'two words'
queue 20 vanished vanishes
queue 20 missing "$work/nothing"
for i in 1 2 3 4 5 6 7 8; do
    queue 20 "step $i" bash -c "sleep 0.0$((9 - i)); echo 'is $i'"
done
run_steps >"$work/out" 2>"$work/err"
queue 20 later echo 'is later'
run_steps >>"$work/out"

sed -E 's/ +[0-9]+\.[0-9] s +/ /; s/ +/ /g' "$work/out" >"$work/plain"
{
    printf '%s\n' 'FAIL too long (its limit is 1 s)' 'ok first said' 'FAIL function (exit code 1)' 'with two words' \
        'FAIL vanished (it was ended from outside)' 'FAIL missing (exit code 127)'
    printf 'ok step %d is %d\n' 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8
    echo 'ok later is later'
} >"$work/wanted"
grep -v '^bash: ' "$work/plain" | diff "$work/wanted" -
[ "$failures" -eq 4 ]
echo 'steps in order, failures counted'
