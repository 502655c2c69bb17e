#!/usr/bin/env bash
# Times a quarter turn of PNGs of 12 megapixels from file to file. Compares `imgtool rotate` with vips, OpenCV,
# GraphicsMagick and ImageMagick, each with its defaults and with the settings that make it fastest. Whole processes run
# in turns. Prints minimum and median milliseconds, sizes, and the time relative to imgtool. Every output is compared
# with imgtool's, pixel by pixel.
#
#     png_end_to_end.sh BUILD_DIR [THREADS [ROUNDS [IMAGES_DIR [IMAGE...]]]]
#
# THREADS (default: all processors) is the number of processors for each program. IMAGES_DIR (default:
# BUILD_DIR/png-images) is filled by png_images.sh if needed. IMAGE is photo, painting, screens, gray, rgba or rgb16
# (default: all). Needs imagemagick, graphicsmagick, libvips-tools and python3-opencv; missing programs are left out.
# OpenCV has two lines: the time of its own work, and the time with the start of Python.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: $0 BUILD_DIR [THREADS [ROUNDS [IMAGES_DIR [IMAGE...]]]]" >&2
    exit 2
fi
here=$(dirname "$(realpath "$0")")
build=$(realpath "$1")
threads=${2:-$(nproc)}
rounds=${3:-5}
images=${4:-$build/png-images}
# shellcheck source=tests/lib/packages.sh
. "$here/../lib/packages.sh"
install_packages "$peer_packages"
"$here/png_images.sh" "$build" "$images"
images=$(realpath "$images")
names=("${@:5}")
[ ${#names[@]} -gt 0 ] || names=(photo painting screens gray rgba rgb16)
export VIPS_CONCURRENCY=$threads OMP_NUM_THREADS=$threads MAGICK_THREAD_LIMIT=$threads
imgtool=$build/app/imgtool
python=/usr/bin/python3 # Debian's Python, which has Debian's OpenCV

# The directory is in memory, so that the time of a disk does not count.
work=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)")
trap 'rm -rf "$work"' EXIT
cd "$work"

# microseconds FILE COMMAND...: runs the command and appends its time to FILE.
microseconds() {
    local times=$1 start
    shift
    rm -f out.png
    start=${EPOCHREALTIME/./}
    taskset -c "0-$((threads - 1))" "$@" >inside 2>/dev/null || return 1
    echo $((${EPOCHREALTIME/./} - start)) >>"$times"
}

labels=() commands=()
# contender LABEL COMMAND...: adds a command that turns in.png to out.png.
contender() {
    labels+=("$1")
    commands+=("$(printf '%s\n' "${@:2}")")
}
contender "imgtool" "$imgtool" rotate in.png out.png
contender "imgtool --level 1" "$imgtool" rotate --level 1 in.png out.png
if command -v vips >/dev/null; then
    contender "vips" vips rot in.png out.png d90
    for setting in compression=1,filter=sub compression=1,filter=none compression=1,filter=all \
        compression=0; do
        contender "vips $setting" vips rot in.png "out.png[$setting]" d90
    done
fi
if "$python" -c 'import cv2' 2>/dev/null; then
    contender "OpenCV with Python" "$python" "$here/cv2_files.py" turn in.png out.png
fi
if command -v gm >/dev/null; then
    contender "GraphicsMagick" gm convert in.png -rotate 90 out.png
    contender "GraphicsMagick -quality 11" gm convert in.png -rotate 90 -quality 11 out.png
fi
if command -v convert >/dev/null; then
    contender "ImageMagick" convert in.png -rotate 90 out.png
    contender "ImageMagick -quality 11" convert in.png -rotate 90 -quality 11 out.png
fi

# run NUMBER: runs one program once.
run() {
    local command
    mapfile -t command <<<"${commands[$1]}"
    microseconds "times.$1" "${command[@]}" || return 1
    case ${labels[$1]} in
    OpenCV*) cat inside >>times.opencv ;;
    esac
}

median() {
    sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.1f", v[int((NR + 1) / 2)] / 1000 }'
}

least() {
    sort -n "$1" | awk 'NR == 1 { printf "%.1f", $1 / 1000 }'
}

# line LABEL TIMES SIZE REMARK: prints a line of the table.
line() {
    printf '    %-30s %10s %10s %8s %8s  %s\n' "$1" "$(least "$2")" "$(median "$2")" \
        "$(awk "BEGIN { printf \"%.2f\", $(median "$2") / $(median times.0) }")" "$3" "$4"
}

# fastest WORDS [BUT]: prints how many times as fast imgtool is as the fastest other program, except
# programs whose label contains BUT. WORDS ends the printed line. For OpenCV the time without Python
# counts, because a C++ program would take about as long.
fastest() {
    local words=$1 but=${2-no such label} ours
    ours=$(median times.0)
    for i in "${!labels[@]}"; do
        case ${labels[$i]} in
        imgtool* | *"$but"*) ;;
        OpenCV*) echo "$(median times.opencv) OpenCV, without Python" ;;
        *) echo "$(median "times.$i") ${labels[$i]}" ;;
        esac
    done | sort -n | head -n 1 | while read -r time label; do
        awk -v peer="$time" -v ours="$ours" -v words="$words" -v label="$label" 'BEGIN {
            printf "    imgtool is %.2f times as fast as %s, %s\n", peer / ours, words, label }'
    done
}

echo "a quarter turn, least and median; rounds: $rounds, processors: $threads"
for name in "${names[@]}"; do
    ln -sf "$images/$name.png" in.png
    rm -f times.* size.* remark.*
    for i in "${!labels[@]}"; do # The first run of each program is a warm-up, and its result is compared.
        if ! run "$i"; then
            echo "failed: ${labels[$i]} of $name" >&2
            exit 1
        fi
        stat -c %s out.png | awk '{ printf "%.3f", $1 / 1e6 }' >"size.$i"
        [ "$i" -gt 0 ] || cp out.png ours.png
        : >"remark.$i"
        if ! "$build/tests/tools/bin/png_same" --pixels ours.png out.png 2>why; then
            head -n 1 why >"remark.$i"
        fi
    done
    rm -f times.*
    for ((round = 0; round < rounds; round++)); do
        for i in "${!labels[@]}"; do
            run "$i"
        done
    done
    printf '%-34s %10s %10s %8s %8s\n' "$name" "least ms" "median ms" "of ours" MB
    for i in "${!labels[@]}"; do
        line "${labels[$i]}" "times.$i" "$(cat "size.$i")" "$(cat "remark.$i")"
        case ${labels[$i]} in
        OpenCV*) line "OpenCV, without Python" times.opencv "$(cat "size.$i")" "" ;;
        esac
    done
    fastest "the fastest"
    fastest "the fastest that compresses" compression=0
done
