#!/usr/bin/env bash
# Times thumbnails from file to file, with whole processes in turns. With one photograph, compares `imgtool thumbnail`
# to 400 x 300 with vipsthumbnail. With many photographs, compares `imgtool batch thumbnail` to 1024 x 1024 with
# vipsthumbnail under xargs and with OpenCV in a pool of processes. Prints medians of elapsed seconds and of processor
# seconds, the time relative to imgtool, and the bytes written.
#
#     thumbnail.sh BUILD_DIR PHOTO [COUNT [ROUNDS [JOBS]]]
#
# PHOTO is a PNG. The COUNT (default: 500) photographs are links to 20 parts of it, each with three quarters of its
# width and height.
# PYTHON names a Python with OpenCV (default: python3). Missing programs are left out.
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: $0 BUILD_DIR PHOTO [COUNT [ROUNDS [JOBS]]]" >&2
    exit 2
fi
here=$(dirname "$(realpath "$0")")
imgtool=$(realpath "$1")/app/imgtool
photo=$(realpath "$2")
count=${3:-500} rounds=${4:-5} jobs=${5:-$(nproc)}
python=${PYTHON:-python3}
export VIPS_CONCURRENCY=$jobs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# timed FILE COMMAND...: runs the command. Appends the elapsed seconds and the processor seconds to FILE.
timed() {
    local file=$1 TIMEFORMAT='%R %U %S'
    shift
    rm -rf out
    mkdir out
    { time "$@" >/dev/null 2>&1; } 2>line
    awk '{print $1, $2 + $3}' line >>"$file"
    du -sb --apparent-size out | cut -f1 >"$file.bytes"
}

median() {
    cut -d' ' -f"$2" "$1" | sort -n | awk '{at[NR] = $1} END {print at[int((NR + 1) / 2)]}'
}

# report NAME...: prints one line per name. Times are relative to the first name.
report() {
    local clock processors first_clock first_processors name
    first_clock=$(median "$1" 1) first_processors=$(median "$1" 2)
    for name in "$@"; do
        clock=$(median "$name" 1) processors=$(median "$name" 2)
        awk -v n="$name" -v c="$clock" -v p="$processors" -v fc="$first_clock" -v fp="$first_processors" \
            -v b="$(cat "$name.bytes")" \
            'BEGIN {printf "%-24s %8.3f s %6.2f x %8.3f s of processors %6.2f x %12d bytes\n", n, c, c / fc, p, p / fp, b}'
    done
}

echo "$photo to 400 x 300, $rounds rounds, $jobs processors"
single=(imgtool imgtool-threads-1)
command -v vipsthumbnail >/dev/null && single+=(vips vips-level-1)
for ((round = 0; round < rounds; round++)); do
    for name in "${single[@]}"; do
        case $name in
        imgtool) timed "$name" "$imgtool" thumbnail 400x300 "$photo" out/a.png ;;
        imgtool-threads-1) timed "$name" "$imgtool" thumbnail --threads 1 400x300 "$photo" out/a.png ;;
        vips) timed "$name" vipsthumbnail -s '400x300>' -o "$PWD/out/a.png" "$photo" ;;
        vips-level-1) timed "$name" vipsthumbnail -s '400x300>' -o "$PWD/out/a.png[compression=1]" "$photo" ;;
        esac
    done
done
report "${single[@]}"

read -r width height < <("$imgtool" info "$photo" | awk '$1 == "size" {print $2, $4}')
mkdir crops in
for ((i = 0; i < 20; i++)); do
    "$imgtool" crop --x $((width * i / 80)) --y $((height * i / 80)) --width $((width * 3 / 4)) \
        --height $((height * 3 / 4)) "$photo" "crops/$i.png"
done
for ((i = 0; i < count; i++)); do
    ln "crops/$((i % 20)).png" "in/$(printf %04d "$i").png"
done
rounds=$(((rounds + 2) / 3))
echo "$count photographs of $((width * 3 / 4)) x $((height * 3 / 4)) to 1024 x 1024, $rounds rounds"
many=(imgtool-batch)
command -v vipsthumbnail >/dev/null && many+=(vips-xargs)
"$python" -c 'import cv2' 2>/dev/null && many+=(opencv-pool)
for ((round = 0; round < rounds; round++)); do
    for name in "${many[@]}"; do
        case $name in
        imgtool-batch) timed "$name" "$imgtool" batch thumbnail 1024x1024 --jobs "$jobs" --no-record in out ;;
        vips-xargs)
            timed "$name" bash -c "find '$PWD/in' -name '*.png' -print0 | VIPS_CONCURRENCY=1 xargs -0 -n 8 -P $jobs \
                vipsthumbnail -s '1024x1024>' -o '$PWD/out/%s.png'"
            ;;
        opencv-pool) timed "$name" "$python" "$here/cv2_files.py" thumbnails "$jobs" 1024 out in/*.png ;;
        esac
    done
done
report "${many[@]}"
