#!/usr/bin/env bash
# check_failing.sh PROGRAM FILE...: runs failing_batch while one call of the CUDA runtime after another fails: once, it
# and all later calls of its class, or all calls from it on. The batch must have the same numbers, or say that pictures or
# all of it failed; no resource may be left. EVERY=5 tries every fifth failure. Exit code 77 without a real or an emulated GPU.
set -euo pipefail
program=$(realpath "$1")
shift
every=${EVERY:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=exitcode=99:${ASAN_OPTIONS-} LSAN_OPTIONS=exitcode=98:${LSAN_OPTIONS-}

DEVICE_TELLS=$work/told "$program" "$@" >"$work/expected" || exit $?
read -r told <"$work/told"

# value_of NAME: prints the value of NAME=VALUE in the line that the program wrote.
value_of() {
    local value=${told##* "$1"=}
    echo "${value%% *}"
}

# failed FILE: prints how many pictures failed, as the program says in FILE.
failed() {
    sed 's/.*, \(.*\) failed/\1/' "$1"
}

[ "$(failed "$work/expected")" -eq 0 ] || { cat "$work/expected" && exit 1; }
failures=0 runs=0 ends=0
for class in set-up ask allocate copy launch synchronise event release any; do
    calls=$(value_of "$class")
    for ((number = 1 + RANDOM % every; number <= calls; number += every)); do
        for mode in once on broken; do
            code=0
            DEVICE_FAILS=$class:$mode:$number DEVICE_TELLS=$work/told timeout 60 "$program" "$@" >"$work/said" \
                2>"$work/err" || code=$?
            read -r told <"$work/told" || told=
            runs=$((runs + 1))
            wrong=
            case $code in
            0) cmp -s "$work/said" "$work/expected" || [ "$(failed "$work/said")" -gt 0 ] || wrong='other numbers' ;;
            1 | 77) ends=$((ends + 1)) && grep -q '^failing_batch: .' "$work/err" || wrong='no message' ;;
            *) wrong="exit code $code" ;;
            esac
            for thing in memory host-memory events streams; do
                [ -n "$wrong" ] || [ "$(value_of $thing)" = 0 ] || wrong="$thing is left"
            done
            if [ -n "$wrong" ]; then
                echo "FAILED: $class:$mode:$number: $wrong: $(head -n 3 "$work/err")"
                failures=$((failures + 1))
            fi
        done
    done
done
echo "$runs failures of calls, after $ends of which the batch failed; $failures wrong"
[ "$failures" -eq 0 ] && [ "$runs" -gt 0 ]
