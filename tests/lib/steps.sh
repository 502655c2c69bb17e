#!/usr/bin/env bash
# Steps of a long check, for scripts that include this file. A step is a command with a time limit and a log. $jobs
# steps run at a time, and their output is printed in the order in which they were queued. Needs $work, a private
# directory. Counts failures in $failures.
#   queue LIMIT NAME COMMAND...      adds a step with a limit of LIMIT seconds; COMMAND may be an exported function
#   run_steps                        runs the queued steps and waits for all of them
# A step that exceeds its limit fails, and so does one that has no result at the end.

: "${work:?a directory of the script that includes this}"
failures=0
step_limits=() step_names=() step_commands=()
reported=0 # number of reported steps

queue() {
    step_limits+=("$1") step_names+=("$2")
    shift 2
    step_commands+=("$(printf '%q ' "$@")")
}

# Prints the time in microseconds.
now() {
    echo "${EPOCHREALTIME//[!0-9]/}"
}

# run_step NUMBER: runs a step and writes down its result. Each step runs in its own process.
run_step() {
    local start code=0
    start=$(now)
    timeout -k 5 "${step_limits[$1]}" bash -c "set -euo pipefail; ${step_commands[$1]}" >"$work/$1.log" 2>&1 || code=$?
    echo "$code $((($(now) - start) / 100000))" >"$work/$1.part"
    mv "$work/$1.part" "$work/$1.end"
}

# report_step NUMBER: prints the result of a step, and the last line of its log that is not from compute-sanitizer.
report_step() {
    local code=lost tenths=0 name=${step_names[$1]} log=$work/$1.log
    [ ! -e "$work/$1.end" ] || read -r code tenths <"$work/$1.end"
    touch "$log"
    if [ "$code" = 0 ]; then
        printf 'ok   %4d.%d s  %-32s %s\n' $((tenths / 10)) $((tenths % 10)) "$name" \
            "$(grep -v '^=========' "$log" | tail -n 1)"
        return
    fi
    case $code in
    124) code="its limit is ${step_limits[$1]} s" ;;
    137) code="killed; its limit is ${step_limits[$1]} s" ;;
    lost) code='it was ended from outside' ;;
    *) code="exit code $code" ;;
    esac
    printf 'FAIL %4d.%d s  %s (%s)\n' $((tenths / 10)) $((tenths % 10)) "$name" "$code"
    tail -n 40 "$log"
    failures=$((failures + 1))
}

report_ended() {
    while [ "$reported" -lt "$1" ] && [ -e "$work/$reported.end" ]; do
        report_step "$reported"
        reported=$((reported + 1))
    done
}

run_steps() {
    local number count=${#step_names[@]}
    for ((number = reported; number < count; number++)); do
        while [ "$(jobs -rp | wc -l)" -ge "${jobs:-1}" ]; do
            wait -n || true
            report_ended "$number"
        done
        run_step "$number" &
    done
    while [ "$(jobs -rp | wc -l)" -gt 0 ]; do
        wait -n || true
        report_ended "$count"
    done
    for (( ; reported < count; reported++)); do
        report_step "$reported"
    done
}
