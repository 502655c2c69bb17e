#!/usr/bin/env bash
# check_memory.sh PROGRAM FAIL_MALLOC SAMPLES: memory ends, for good or for one allocation, at each of
# the first allocations of a command and at some of the later ones; then under limits of its address
# space. Each time the command succeeds, or ends with an exit code and a message of its own and leaves
# no temporary file; it neither crashes nor hangs.
set -u

program=$1 fail_malloc=$2 samples=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 runs=0

# check WHAT COMMAND...: one run, whose environment is set.
check() {
    local what=$1 code left
    shift
    rm -rf "$work/run" && mkdir "$work/run"
    (cd "$work/run" && timeout 90 "$@" >"$work/out" 2>"$work/err" </dev/null)
    code=$?
    runs=$((runs + 1))
    left=$(find "$work/run" -name '.*' -type f ! -name .imgtool-batch)
    if grep -Eq 'error while loading shared libraries|cannot allocate TLS data' "$work/err"; then
        return # that is the system, before the program begins
    elif [ "$code" -gt 5 ]; then
        echo "$what: exit code $code"
    elif [ "$code" -ne 0 ] && ! grep -q '^imgtool: ' "$work/err" &&
        ! grep -q 'FAIL: ' "$work/out"; then # a row of a benchmark has its own message
        echo "$what: exit code $code without a message"
    elif [ -n "$left" ]; then
        echo "$what: exit code $code leaves $left"
    else
        return
    fi
    head -n 5 "$work/err"
    failed=$((failed + 1))
}

# sweep MOST COMMAND...: allocation MOST is the last that fails.
sweep() {
    local most=$1 n=0
    shift
    while [ "$n" -le "$most" ]; do
        check "$1: no memory from allocation $n on" \
            env LD_PRELOAD="$fail_malloc" FAIL_FROM=$n "$program" "$@"
        check "$1: no memory for allocation $n" \
            env LD_PRELOAD="$fail_malloc" FAIL_FROM=$n FAIL_COUNT=1 "$program" "$@"
        n=$((n < 10 ? n + 1 : n + 1 + most / 12))
    done
}

# starts KILOBYTES: does the program get as far as to main with as much address space?
starts() {
    # shellcheck disable=SC2016 # for the inner shell
    bash -c 'ulimit -v "$1" && exec "$2" --version' - "$1" "$program" >/dev/null 2>&1
    [ $? -ne 139 ]
}

# limit COMMAND...: below 8 MB the system itself cannot start a program.
limit() {
    local kilobytes
    for kilobytes in 10000 12000 16000 24000 40000 60000 90000; do
        if [ -n "${FAIL_IN_MAIN-}" ] && ! starts "$kilobytes"; then
            continue # see below: that is the CUDA runtime
        fi
        # shellcheck disable=SC2016 # for the inner shell
        check "$1: $kilobytes KB" bash -c 'ulimit -v "$1" && shift && exec "$@"' - \
            "$kilobytes" "$program" "$@"
    done
}

# The CUDA runtime registers kernels before main, and crashes there without memory; nothing of imgtool
# has begun by then.
if "$program" --version | grep -q 'CUDA backend: in this build'; then
    export FAIL_IN_MAIN=1
    echo "a build with CUDA: allocations are counted from main on"
fi
picture=$samples/rgb-8.png
sweep 4 --version
sweep 50 rotate "$picture" out.png
sweep 60 run 'rotate | equalize' "$picture" out.png
sweep 12 info "$picture"
sweep 320 stats --json "$picture"
sweep 45 compare "$picture" "$picture"
sweep 130 batch flip "$picture" "$samples/gray-8.png" out
sweep 20 bench --list
sweep 50 histogram --plot out.png "$picture" # later it is fontconfig that hangs, for a minute
limit rotate "$picture" out.png
limit histogram --plot out.png "$picture"
limit bench lab square
echo "$runs runs, $failed of them wrong"
[ "$failed" -eq 0 ] && [ "$runs" -gt 100 ]
