#!/usr/bin/env bash
# Measures how a batch scales with 1, 2, 4 and 8 shares, each a process of 2 threads, on a machine with 16 cores.
#
#     scaling.sh IMGTOOL [FILES [PARTS...]]
#
# FILES: default 480. Prints a table with the seconds, and with the speed in percent of the ideal N-fold speed. It has
# rows for equal files, and for files where one share has all the large ones, without and with --steal. The first rows
# show how the machine itself scales, with independent processes.
# From 4 shares on, the best of three runs counts. Uses tmpfs if there is one. Exit code 1 if equal files reach less
# than 90 %, or --steal less than 85 %. The script takes 60 s on 16 cores.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: $0 IMGTOOL [FILES [PARTS...]]" >&2
    exit 2
fi
imgtool=$(realpath "$1")
files=${2:-480}
parts=(1 2 4 8)
[ $# -lt 3 ] || parts=("${@:3}")
most=${parts[-1]}
place=/dev/shm
[ -w $place ] || place=${TMPDIR:-/tmp}
work=$(mktemp -d "$place/imgtool-scaling.XXXXXX")
trap 'rm -rf "$work"' EXIT
sample=${IMGTOOL_SAMPLE:-$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../samples/landscape.png}
sample=$(realpath "$sample")
cd "$work"
failed=0
options=(--angle 90 -q --jobs 2 --backend cpu)

# make_picture SIZE FILE: makes a picture of SIZE, such as 1200x900.
make_picture() {
    "$imgtool" resize "$1" --fit fill -q "$sample" "$2"
}

# Makes three directories of files with the same names. In `equal` all files are small. In `skewed` the files of the
# first of `most` shares are large. `alone` has a sixth of the files, all small.
make_inputs() {
    local number name
    mkdir equal skewed alone
    make_picture 1200x900 small.png
    make_picture 2800x2100 large.png
    for ((number = 0; number < files; number++)); do
        ln small.png equal/$number.png
        ln small.png skewed/$number.png
        [ "$number" -ge $((files / 6)) ] || ln small.png alone/$number.png
    done
    "$imgtool" batch --dry-run rotate -q --shard "1/$most" skewed out | sed -n 's/ -> .*//p' >large-ones
    while read -r name; do
        ln -f large.png "$name"
    done <large-ones
}

# time_of COUNT FUNCTION ARGUMENTS...: runs COUNT processes `FUNCTION NUMBER ARGUMENTS...` in parallel. Sets `took` to
# the seconds until the last one ends.
time_of() {
    local part start running=()
    rm -rf out out-*
    start=${EPOCHREALTIME/./}
    for ((part = 1; part <= $1; part++)); do
        "$2" "$part" "${@:3}" &
        running+=($!)
    done
    wait "${running[@]}"
    took=$(awk "BEGIN { printf \"%.3f\", (${EPOCHREALTIME/./} - $start) / 1e6 }")
}

# best_of COUNT FUNCTION ARGUMENTS...: calls time_of once, or three times from 4 processes on. Sets `took` to the minimum.
best_of() {
    local best='' try tries=1
    [ "$1" -lt 4 ] || tries=3
    for ((try = 0; try < tries; try++)); do
        time_of "$@"
        best=$(awk "BEGIN { print \"$best\" == \"\" || $took < \"$best\" + 0 ? $took : \"$best\" }")
    done
    took=$best
}

# a_part NUMBER COUNT INPUT OPTIONS...: runs share NUMBER of COUNT.
# shellcheck disable=SC2317 # called by name
a_part() {
    "$imgtool" batch rotate "${options[@]}" --shard "$1/$2" "${@:4}" "$3" out
}

# shellcheck disable=SC2317 # called by name
one_alone() {
    "$imgtool" batch rotate "${options[@]}" alone "out-$1"
}

# print_row NAME COUNT PERCENT LEAST: prints a row of the table. Marks the test as failed if PERCENT is less than LEAST
# and the machine has at least 2 * COUNT cores.
print_row() {
    printf '| %s | %d | %s | %s %% |\n' "$1" "$2" "$took" "$3"
    if [ $((2 * $2)) -le "$(nproc)" ] && awk "BEGIN { exit !($3 < $4) }"; then
        echo "    less than $4 %" >&2
        failed=1
    fi
}

# rows NAME LEAST INPUT OPTIONS...: measures the batch in directory INPUT with each number of shares, and prints a row
# for each. LEAST: as in print_row.
rows() {
    local count one=''
    for count in "${parts[@]}"; do
        best_of "$count" a_part "$count" "${@:3}"
        one=${one:-$(awk "BEGIN { print $took * $count }")}
        print_row "$1" "$count" "$(awk "BEGIN { printf \"%.1f\", 100 * $one / ($took * $count) }")" "$2"
    done
}

# Measures independent processes with equal work. On an ideal machine, many of them take as long as one.
rows_alone() {
    local count one=''
    for count in "${parts[@]}"; do
        best_of "$count" one_alone
        one=${one:-$took}
        print_row 'processes that share nothing' "$count" "$(awk "BEGIN { printf \"%.1f\", 100 * $one / $took }")" 0
    done
}

make_inputs
echo "$files files, $(wc -l <large-ones) of them large in the skewed ones; $(nproc) cores"
echo '| files | parts of 2 threads | seconds | of N times one part |'
echo '| --- | ---: | ---: | ---: |'
time_of "$most" a_part "$most" equal # after this run the files are in the page cache
rows_alone
rows 'equal' 90 equal --balance size
time_of "$most" a_part "$most" skewed
printf '| one share has the large ones | %d | %s | |\n' "$most" "$took"
rows 'the same, --steal' 85 skewed --steal
exit $failed
