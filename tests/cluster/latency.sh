#!/usr/bin/env bash
# Runs a batch on a simulated file system where every call about names and attributes takes 5 ms longer. Counts, lists
# and limits the calls per file. The batch must not become slower by more than the time that these calls wait, divided
# among its threads.
#
#     latency.sh IMGTOOL SLOW_METADATA_LIBRARY [FILES]
#
# FILES: default 2,000. Exit code 1 if a check fails.
set -euo pipefail

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: $0 IMGTOOL SLOW_METADATA_LIBRARY [FILES]" >&2
    exit 2
fi
imgtool=$(realpath "$1")
library=$(realpath "$2")
count=${3:-2000}
jobs=32
microseconds=5000
work=$(mktemp -d "${TMPDIR:-/tmp}/imgtool-latency.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/batch/checks.sh
. "$(dirname "${BASH_SOURCE[0]}")/../batch/checks.sh"
cd "$work"

# The calls for each file, made by parallel threads:
#     input   stat for the list and its size, stat for the record, open
#     output  stat for a directory; stat and lstat for an existing file and the target of a link; create; flock;
#             lstat to see if a file is replaced; stat of the new and of the replaced file, for the record;
#             lstat of both, so that a file that another program saves meanwhile stays; rename
# For finished files: stat of the input and lstat of the output for the list, stat of both for the record.
# The limits allow slightly more, for calls that are made once for many files.
most_of_a_part=13.2    # --shard 1/1
most_of_stealing=13.5  # --shard 1/1 --steal: each chunk of 62 files needs a claim, its removal and two syncs
most_when_finished=4.2 # with --resume

now() {
    echo "${EPOCHREALTIME/./}"
}

# run SLOWNESS OUTPUT OPTIONS...: runs a batch whose calls take SLOWNESS microseconds longer. Sets `took` to its time in
# microseconds; the calls are in `counts`.
run() {
    local start
    rm -f counts
    start=$(now)
    SLOW_BELOW=$work SLOW_MICROSECONDS=$1 SLOW_COUNTS=$work/counts LD_PRELOAD=$library \
        "$imgtool" batch rotate --angle 90 --jobs $jobs --level 1 -q in "$2" "${@:3}" >said 2>&1 ||
        problem "code $?"
    took=$(($(now) - start))
    calls=$(awk '{ sum += $2 } END { print sum + 0 }' counts)
}

# judge NAME MOST: lists the calls, and checks that there are at most MOST per file. Also checks how much longer the
# batch takes than a batch without latency.
judge() {
    local per_file slower allowed
    per_file=$(awk "BEGIN { printf \"%.2f\", $calls / $count }")
    awk -v files="$count" '{ sum[$1] += $2 }
        END { for (name in sum) printf "        %-10s %8d  %6.2f per file\n", name, sum[name], sum[name] / files }' counts |
        sort -k2 -rn
    slower=$((took - quick))
    # The time of all calls, divided by the threads, plus a quarter and one second for other work on the machine.
    allowed=$((calls * microseconds * 125 / 100 / jobs + 1000000))
    awk "BEGIN { printf \"    %s: %s calls per file; %.2f s, without latency %.2f s; %.2f s more are allowed\\n\",
        \"$1\", \"$per_file\", $took / 1e6, $quick / 1e6, $allowed / 1e6 }"
    [ "$slower" -le "$allowed" ] || problem "$slower us slower, more than $allowed"
    awk "BEGIN { exit !($per_file <= $2) }" || problem "$per_file calls per file, more than $2"
}

a_part() {
    run 0 out0 --shard 1/1
    quick=$took
    run $microseconds out1 --shard 1/1
    diff -r -x '.imgtool-batch*' out0 out1 >said || problem "not the same files"
    judge "a part" $most_of_a_part
}

a_part_that_steals() {
    run 0 out2 --shard 1/1 --steal
    quick=$took
    run $microseconds out3 --shard 1/1 --steal
    judge "a part with --steal" $most_of_stealing
}

finished() {
    run 0 out1 --shard 1/1 --resume
    quick=$took
    run $microseconds out1 --shard 1/1 --resume
    judge "all finished" $most_when_finished
}

mkdir in
for ((number = 0; number < count; number++)); do
    cp "$samples/rgb-8.png" in/$number.png
done
check "$count files, $microseconds us a call, $jobs threads" a_part
check "the same with --steal" a_part_that_steals
check "the same with --resume, all files finished" finished
finish
