#!/usr/bin/env bash
# Runs one batch after another for a given time: many mixed small pictures, a tenth of them damaged, within 256 MiB.
# Undisturbed and interrupted batches alternate. During an undisturbed batch, its memory and descriptors are sampled.
# Another batch, to a directory or in place, is interrupted at random moments by SIGINT, SIGTERM and SIGKILL, and
# resumed until it is done. At the end every picture must equal the result of a single command. The last run must report
# every damaged file once. No finished file may be processed again, and no temporary file may be left.
#
#     soak.sh IMGTOOL [SECONDS [FILES [SEED]]]
#
# Default: rounds of 100,000 files each for 3600 seconds; the last round is completed. There is at least one round. The
# pictures are 2,000 different ones under many names: hard links, or copies if they will be replaced. SEED repeats a run
# as far as possible.
# Memory at the end may be at most 5 % larger than after 1,000 files (50 % for fewer than 20,000 files). The number of
# descriptors must not grow either. The program runs without the per-thread caches of the C library (tcache). These
# caches keep freed memory, so batches of pictures of many sizes grow by up to 10 MB. Exit code 1 if a check fails.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 4 ]; then
    echo "usage: $0 IMGTOOL [SECONDS [FILES [SEED]]]" >&2
    exit 2
fi
imgtool=$(realpath "$1")
duration=${2:-3600} files=${3:-100000} seed=${4:-$((SRANDOM % 32768))}
RANDOM=$seed
distinct=2000
[ "$files" -ge 20000 ] || distinct=$((files / 10))
copies=$((files / distinct))
files=$((copies * distinct))
limit=256M
work=$(mktemp -d "${TMPDIR:-/tmp}/imgtool-soak.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/batch/checks.sh
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
echo "seed $seed"

pipelines=(rotate 'flip axis=horizontal | autolevel' 'transpose | rotate angle=180' clahe 'rotate angle=7'
    'resize size=150%' 'blur sigma=1.5' 'sharpen | equalize' 'median radius=1' 'pad left=3 bottom=5 | rotate')
in_place=(rotate 'transpose | flip axis=vertical' 'resize size=90%' 'invert | rotate angle=270') # none is idempotent
kills=0 kills_midway=0

# --- Pictures -------------------------------------------------------------------------------------

# Makes different pictures from parts of all samples: every colour type and depth, interlaced ones, and metadata.
make_distinct() {
    local number sample width height sources=("$samples"/*.png)
    mkdir "$work/distinct"
    for ((number = 0; number < distinct; number++)); do
        sample=${sources[number % ${#sources[@]}]}
        od -An -tu4 --endian=big -j16 -N8 "$sample" >"$work/size"
        read -r width height <"$work/size"
        width=$((1 + RANDOM % (width < 200 ? width : 200))) height=$((1 + RANDOM % (height < 160 ? height : 160)))
        "$imgtool" crop -q --width "$width" --height "$height" "$sample" "$work/distinct/$number.png"
    done
}

# damage FILE KIND: makes the file unreadable in one of several ways.
damage() {
    local size
    size=$(stat -c %s "$1")
    case $2 in
    0) : >"$1" ;;
    1) truncate -s $((size / 2)) "$1" ;;
    2) printf '\x5a\xa5\x5a\xa5' | dd of="$1" bs=1 conv=notrunc status=none seek=$((size - 24)) ;; # in the last IDAT
    3) echo "this is a letter" >"$1" ;;
    4) printf '\0\0\0\0' | dd of="$1" bs=1 conv=notrunc status=none seek=29 ;; # changes the CRC of the header
    5) printf '\xff' | dd of="$1" bs=1 conv=notrunc status=none seek=0 ;;
    6) printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x4e\x20\0\0\x4e\x20\x08\x02\0\0\0\x6c\x12\xd1\x6e' |
        dd of="$1" bs=1 conv=notrunc status=none ;; # a header of 20000 x 20000 pixels, more than the limit
    *) truncate -s 30 "$1" ;;
    esac
}

make_input() {
    local number
    make_distinct
    : >"$work/damaged"
    for ((number = 5; number < distinct; number += 10)); do
        damage "$work/distinct/$number.png" $((number / 10 % 8))
        echo "$number.png" >>"$work/damaged"
    done
    mkdir "$work/in"
    for ((number = 0; number < copies; number++)); do
        cp -al "$work/distinct" "$work/in/$number"
    done
}

# make_wanted STEPS: makes the expected files with single commands. Valid pictures must succeed, damaged ones must
# fail.
make_wanted() {
    local file
    rm -rf "$work/want"
    mkdir "$work/want"
    for file in "$work/distinct"/*.png; do
        "$imgtool" run -q "$1" --max-memory "$limit" "$file" "$work/want/${file##*/}" 2>>"$work/refused" ||
            echo "${file##*/}"
    done | sort >"$work/failed"
    sort "$work/damaged" | cmp -s - "$work/failed" ||
        problem "one by one, $(wc -l <"$work/failed") files fail of $(wc -l <"$work/damaged") damaged ones: $1"
}

# --- Conditions at the end ----------------------------------------------------------------------

# run_batch ARGUMENTS...: runs a batch in the background as $process. Its output goes to $work/said. `env` restores
# SIGINT, which a shell sets to be ignored in background processes.
# After hundreds of thousands of child processes, bash 5.2 twice waited for ever for a child that had already ended.
# This script therefore uses no job control and no process substitution, and runs steps with many children in a
# subshell. The script that starts it (nightly.sh) must not replace itself with this one while it has children: bash
# would inherit them, and could not detect that its own children have ended.
run_batch() {
    env --default-signal=INT,QUIT "$imgtool" batch "$steps" --recursive --max-memory "$limit" \
        --report "$work/report" "$@" >"$work/said" 2>&1 </dev/null &
    process=$!
}

wait_for_batch() {
    code=0
    { wait "$process" || code=$?; } 2>/dev/null
}

# Checks that each copy of each valid picture has the expected content. In place, the damaged pictures must be
# unchanged.
expect_outputs() {
    local number
    for ((number = 0; number < copies; number++)); do
        if ! diff -rq --exclude=.imgtool-batch "$work/want" "$1/$number" >"$work/difference"; then
            problem "$number: $(head -n 2 "$work/difference")"
        fi
    done
}

# Checks that the last run reports all files. Each damaged file must be reported once as failed, and have one message.
expect_reports() {
    local found
    expect_code 1
    found=$(grep -c '"type":"file"' "$work/report")
    [ "$found" -eq "$files" ] || problem "$found lines in the report for $files files"
    grep '"status":"failed"' "$work/report" | grep -oE '"file":"[^"]*/[0-9]+/[0-9]+\.png"' | grep -oE '[0-9]+\.png' |
        sort | uniq -c | awk -v copies="$copies" '{print $2 ($1 == copies ? "" : " " $1 " times")}' >"$work/failed"
    sort "$work/damaged" | cmp -s - "$work/failed" || problem "other files than the damaged ones failed: $(head -n 3 "$work/failed")"
    # Counts only messages about damaged files: valid pictures may have notes about a transparent colour.
    found=$(grep -oE '/[0-9]+/[0-9]+\.png: ' "$work/said" | grep -oE '[0-9]+\.png' | grep -cxFf "$work/damaged" || true)
    [ "$found" -eq $((copies * $(wc -l <"$work/damaged"))) ] || problem "$found messages about damaged files"
}

expect_in_order() {
    expect_reports
    expect_outputs "$1"
    left=$(find "$1" -name '.*' ! -name .imgtool-batch -print -quit)
    [ -z "$left" ] || problem "left over: $left"
}

# --- An undisturbed batch -----------------------------------------------------------------------

# Prints the number of files that a batch has finished, from its record.
finished() {
    { wc -l <"$work/out/.imgtool-batch"; } 2>/dev/null || echo 0
}

# Prints "FILES KILOBYTES DESCRIPTORS" of the process every few hundredths of a second until it ends.
sample() (
    local held open
    while held=$(grep VmRSS "/proc/$process/status" 2>/dev/null) && [ -n "$held" ]; do
        open=("/proc/$process/fd"/*)
        echo "$(finished) $(tr -dc 0-9 <<<"$held") ${#open[@]}"
        sleep 0.03
    done >"$work/samples"
)

# Prints the allowed ratio of the memory at the end to the memory of the first samples: 1.05. It is 1.5 for few files,
# because the caches of the C library still fill. With AddressSanitizer, which keeps freed memory, it is unlimited.
memory_limit() {
    if grep -q __asan_init "$imgtool"; then
        echo 1000
    elif [ "$files" -lt 20000 ]; then
        echo 1.5
    else
        echo 1.05
    fi
}

# Compares the first three samples after 1,000 finished files with the last three samples. With fewer than 10,000 files,
# the first samples are taken after a tenth of the files.
judge_samples() {
    awk -v from=$((files < 10000 ? files / 10 : 1000)) -v jobs="$(nproc)" -v times="$(memory_limit)" '
        $1 >= from && $2 > 0 { kilobytes[n] = $2; open[n++] = $3; if ($3 > most) most = $3 }
        function middle(list, i, a, b, c) {
            a = list[i]; b = list[i + 1]; c = list[i + 2]
            return a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b)
        }
        END {
            if (n < 6) { print "    too quick to be looked at: " n + 0 " samples"; exit 0 }
            first = middle(kilobytes, 0); last = middle(kilobytes, n - 3)
            printf "    %d samples: %d kB after the first %d files, %d at the end (%+.1f %%); open %d, %d, at most %d\n",
                n, first, from, last, 100 * (last - first) / first, middle(open, 0), middle(open, n - 3), most
            exit last > first * times || middle(open, n - 3) > middle(open, 0) + 3 * jobs || most > 16 + 4 * jobs
        }' "$work/samples" || problem "memory or descriptors have grown"
}

left_alone() {
    local start
    rm -rf "$work/out"
    start=$EPOCHREALTIME
    GLIBC_TUNABLES=glibc.malloc.tcache_count=0 run_batch "$work/in" "$work/out"
    sample
    wait_for_batch
    undisturbed=$(awk "BEGIN { print $EPOCHREALTIME - $start }")
    expect_in_order "$work/out"
    judge_samples
    printf '    %s: %d files in %.1f s\n' "$steps" "$files" "$undisturbed"
}

# --- An interrupted batch -----------------------------------------------------------------------

# Lists every file that has its final name, with the attributes that change when a file is replaced.
finished_states() {
    find "$1" -type f -name '*.png' ! -name '.*' -printf '%P %i %T@\n' | LC_ALL=C sort
}

# interrupt SIGNAL SECONDS: sends SIGNAL to the running batch after SECONDS. Returns 0 if the batch was still running
# and ended with the exit code of the signal.
interrupt() {
    local -A codes=([INT]=130 [TERM]=143 [KILL]=137)
    sleep "$2"
    kill "-$1" "$process" 2>/dev/null || true
    wait_for_batch
    [ "$code" -ne "${codes[$1]}" ] || return 0
    [ "$code" -eq 1 ] || problem "exit code $code after SIG$1"
    return 1
}

# Lists the temporary files of a directory. Those of a killed run stay until a later run visits their directory.
temporary_files() {
    [ ! -d "$1" ] || find "$1" -name '.*' ! -name .imgtool-batch -printf '%p %i\n' | LC_ALL=C sort
}

# interrupted DIRECTORY OPERANDS...: interrupts and resumes a batch until a run completes.
interrupted() {
    local directory=$1 resume=() signals=(INT TERM KILL KILL) signal rounds=0 most
    shift
    most=$((4 + RANDOM % 8))
    : >"$work/states"
    while true; do
        temporary_files "$directory" >"$work/before"
        run_batch "${resume[@]}" "$@"
        resume=(--resume)
        if [ $((rounds += 1)) -gt "$most" ]; then
            wait_for_batch
            break
        fi
        signal=${signals[RANDOM % 4]}
        interrupt "$signal" "$(awk "BEGIN { print 0.02 + $undisturbed * $RANDOM / 32768 / 3 }")" || break
        kills=$((kills + 1))
        [ -d "$directory" ] || continue
        if [ "$signal" != KILL ] && temporary_files "$directory" | LC_ALL=C comm -13 "$work/before" - | grep -q .; then
            problem "SIG$signal leaves temporary files"
        fi
        finished_states "$directory" >"$work/states"
        [ -z "$(find "$directory" -name .imgtool-batch -size +4k -print -quit)" ] || kills_midway=$((kills_midway + 1))
    done
    echo "    $steps: $rounds runs"
}

# A file that had its final name at the last interrupt must be the same file at the end. A short batch may end before
# the first interrupt.
to_directory() {
    local before=$kills
    rm -rf "$work/out"
    interrupted "$work/out" "$work/in" "$work/out"
    [ "$files" -lt 20000 ] || [ "$kills" -gt "$before" ] || problem "no interrupt was in time"
    expect_in_order "$work/out"
    finished_states "$work/out" | LC_ALL=C comm -23 "$work/states" - >"$work/again"
    [ ! -s "$work/again" ] || problem "processed again: $(wc -l <"$work/again") files, $(head -n 1 "$work/again")"
}

# In place, no further check is needed: if a file is processed twice, its bytes differ from the expected ones.
to_its_place() {
    local file
    rm -rf "$work/out"
    cp -r "$work/in" "$work/out"
    while IFS= read -r file; do
        cp "$work/distinct/$file" "$work/want/$file"
    done <"$work/damaged"
    interrupted "$work/out" --in-place "$work/out"
    expect_in_order "$work/out"
}

# --- Rounds ---------------------------------------------------------------------------------------

prepare() {
    make_input
    echo "    $distinct different pictures, $(wc -l <"$work/damaged") of them damaged; $files files"
}

wanted() {
    make_wanted "$steps"
}

check "pictures" prepare
start=$SECONDS round=0
while [ "$failed" -eq 0 ] && { [ "$round" -eq 0 ] || [ $((SECONDS - start)) -lt "$duration" ]; }; do
    round=$((round + 1))
    steps=${pipelines[RANDOM % ${#pipelines[@]}]}
    check "round $round: files one by one" wanted
    check "round $round: without interrupts" left_alone
    check "round $round: interrupted and resumed" to_directory
    steps=${in_place[RANDOM % ${#in_place[@]}]}
    check "round $round: files one by one, in place" wanted
    check "round $round: interrupted and resumed, in place" to_its_place
done
midway() {
    [ "$kills_midway" -gt 0 ] || problem "no interrupt came while a batch had some files done"
}
check "$round rounds, $kills interrupts in time, $kills_midway of them with some files done" midway
finish
