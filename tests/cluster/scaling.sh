#!/usr/bin/env bash
# How a batch scales with 1, 2, 4 and 8 parts, each a process of 2 threads: for a machine of 16 cores.
#
#     scaling.sh IMGTOOL [FILES [PARTS...]]
#
# FILES: 800 unless given. Prints a table: seconds, and how much of what N times the speed of one part would be is reached,
# for equal files, and for files of which one share holds all the large ones, without and with --steal. On tmpfs, where
# there is one. Exit code 1 where equal files reach less than 90 %, or --steal less than 85 %.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: $0 IMGTOOL [FILES [PARTS...]]" >&2
    exit 2
fi
imgtool=$(realpath "$1")
files=${2:-800}
parts=(1 2 4 8)
[ $# -lt 3 ] || parts=("${@:3}")
most=${parts[-1]}
place=/dev/shm
[ -w $place ] || place=${TMPDIR:-/tmp}
work=$(mktemp -d "$place/imgtool-scaling.XXXXXX")
trap 'rm -rf "$work"' EXIT
samples=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../samples")
cd "$work"
failed=0

# make_picture SIZE FILE
make_picture() {
    "$imgtool" resize "$1" --only any --fit fill -q "$samples/landscape.png" "$2"
}

# Equal files, and the same with those of one share, of as many as there are, large.
make_inputs() {
    local number name
    mkdir equal skewed
    make_picture 1200x900 small.png
    make_picture 2800x2100 large.png
    for ((number = 0; number < files; number++)); do
        ln small.png equal/$number.png
        ln small.png skewed/$number.png
    done
    "$imgtool" batch --dry-run rotate --shard "1/$most" skewed out | sed -n 's/ -> .*//p' >large-ones
    while read -r name; do
        ln -f large.png "$name"
    done <large-ones
}

# run PARTS INPUT OPTIONS...: the seconds in `took`.
run() {
    local part start=${EPOCHREALTIME/./} running=()
    rm -rf out
    for ((part = 1; part <= $1; part++)); do
        "$imgtool" batch rotate --angle 90 -q --jobs 2 --backend cpu --shard "$part/$1" "${@:3}" "$2" out &
        running+=($!)
    done
    wait "${running[@]}"
    took=$(awk "BEGIN { printf \"%.3f\", (${EPOCHREALTIME/./} - $start) / 1e6 }")
}

# row NAME LEAST INPUT OPTIONS...: LEAST percent are to be reached, with as many parts as have cores.
row() {
    local count alone='' share
    for count in "${parts[@]}"; do
        run "$count" "${@:3}"
        alone=${alone:-$(awk "BEGIN { print $took * $count }")}
        share=$(awk "BEGIN { printf \"%.1f\", 100 * $alone / ($took * $count) }")
        printf '| %s | %d | %s | %s %% |\n' "$1" "$count" "$took" "$share"
        if [ $((2 * count)) -le "$(nproc)" ] && awk "BEGIN { exit !($share < $2) }"; then
            echo "    less than $2 %" >&2
            failed=1
        fi
    done
}

make_inputs
echo "$files files, $(wc -l <large-ones) of them large in the skewed ones; $(nproc) cores"
echo '| files | parts of 2 threads | seconds | of N times one part |'
echo '| --- | ---: | ---: | ---: |'
run 1 equal # the files are in memory from here on
row 'equal' 90 equal --balance size
row 'one share has the large ones' 0 skewed
row 'the same, --steal' 85 skewed --steal
exit $failed
