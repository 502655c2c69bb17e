#!/usr/bin/env bash
# check_memory.sh PROGRAM FAIL_MALLOC SAMPLES: runs commands while memory is short. In most runs allocation number N
# fails, alone or with all later allocations. N takes each value up to 10, and then about a dozen larger values. Other
# runs have a limited address space.
# Each run must succeed, or end with an exit code and a message and leave no temporary file. It must neither crash nor
# hang.
set -u

program=$1 fail_malloc=$2 samples=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 runs=0 reached=0

# check WHAT COMMAND...: makes one run, with the environment that the caller has set. If the file `mark` is missing
# afterwards, the run ended before main. The failure was then in the loader, or in the CUDA runtime. That runtime
# registers kernels before main and crashes there without memory.
check() {
    local what=$1 code left mark=$work/main
    shift
    rm -f "$mark"
    rm -rf "$work/run" && mkdir "$work/run"
    { # redirected as a group, because the shell itself reports a signal
        (cd "$work/run" && FAIL_MARK=$mark timeout 90 "$@" >"$work/out" 2>"$work/err" </dev/null)
        code=$?
    } 2>/dev/null
    runs=$((runs + 1))
    left=$(find "$work/run" -name '.*' -type f ! -name .imgtool-batch)
    [ -e "$mark" ] || return
    reached=$((reached + 1))
    if [ "$code" -gt 5 ] && [ "$code" -ne 75 ]; then # 75: a batch that may succeed later
        echo "$what: exit code $code"
    elif [ "$code" -ne 0 ] && ! grep -q '^imgtool: ' "$work/err" &&
        ! grep -q 'FAIL: ' "$work/out"; then # a benchmark prints the message in its row of the table
        echo "$what: exit code $code without a message"
    elif [ -n "$left" ]; then
        echo "$what: exit code $code leaves $left"
    else
        return
    fi
    head -n 5 "$work/err"
    failed=$((failed + 1))
}

# sweep MOST COMMAND...: makes allocations up to number MOST fail: each of the first ten, and about a dozen later ones.
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

# limit PROGRAM COMMAND...: runs the command with little address space.
limit() {
    local kilobytes
    for kilobytes in 10000 12000 16000 24000 40000 60000 90000; do
        # shellcheck disable=SC2016 # the inner shell expands these names
        check "$2: $kilobytes KB" bash -c 'ulimit -v "$1" && shift && exec env "$@"' - \
            "$kilobytes" LD_PRELOAD="$fail_malloc" "$@"
    done
}

large=$work/large.png # a picture whose rows are processed while they are decoded
"$program" resize 1600x1200 --fit fill --no-index --backend cpu "$samples/rgb-8.png" "$large" || exit
export FAIL_IN_MAIN=1 # fail_malloc then counts only allocations after the start of main
picture=$samples/rgb-8.png
sweep 4 --version
sweep 50 rotate "$picture" out.png
sweep 60 run 'rotate | equalize' "$picture" out.png
sweep 60 resize 100 --threads 1 --backend cpu "$large" out.png
sweep 70 resize 100 --threads 2 --backend cpu "$large" out.png
sweep 60 quantize --threads 2 --backend cpu "$large" out.png
sweep 12 info "$picture"
sweep 320 stats --json "$picture"
sweep 45 compare "$picture" "$picture"
sweep 130 batch flip "$picture" "$samples/gray-8.png" out
if [ -x "$program-bench" ]; then
    sweep 20 bench --list
fi
if [ -x "$program-plot" ]; then
    sweep 50 histogram --plot out.png "$picture" # only 50, because fontconfig hangs for a minute at later ones
    limit "$program" histogram --plot out.png "$picture"
fi
limit "$program" rotate "$picture" out.png
limit "$program" resize 100 --threads 2 --backend cpu "$large" out.png
if [ -x "$program-bench" ]; then
    limit "$program-bench" bench lab square # run directly, so that its own main sets the mark
fi
echo "$runs runs, $((runs - reached)) of them ended before main, $failed wrong"
[ "$failed" -eq 0 ] && [ "$reached" -gt 100 ]
