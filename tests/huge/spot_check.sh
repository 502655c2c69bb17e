#!/usr/bin/env bash
# Compares some rectangles of a huge result with the same operation on a part of the picture.
#
#     spot_check.sh BUILD_DIR CASE PICTURE RESULT CACHE
#
# CASE is a case of measure.sh. CACHE is a directory that keeps the parts of PICTURE for the next case. Each part has a
# margin of 256 pixels, which is not compared. At an edge of the picture there is no margin, because the part has the
# same edge. Parts begin at multiples of 64 pixels, because blur first reduces blocks of pixels. Cases whose pixels
# depend on the whole picture cannot be checked in this way: exit code 77. Exit code 1 if pixels differ.
set -euo pipefail

if [ $# -ne 5 ]; then
    echo "usage: $0 BUILD_DIR CASE PICTURE RESULT CACHE" >&2
    exit 2
fi
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/huge/cases.sh
. "$here/cases.sh"
build=$1 case=$2 picture=$3 result=$4 cache=$5
cut=$build/tests/huge/cut_rectangles same=$build/tests/tools/bin/png_same
side=1024 margin=256

case $case in
rotate-90 | flip-* | crop | resize-50 | blur-* | median | sharpen | three-filters | tiles) ;;
*) exit 77 ;;
esac
read -r width height < <(picture_size "$picture")
if [ "$width" -lt $((side + 64)) ] || [ "$height" -lt $((side + 64)) ]; then
    echo "spot_check.sh: $picture: sides of less than $((side + 64)) pixels" >&2
    exit 2
fi

# Sets x, y, w and h to the rectangle of part `$1`: two corners, the centre, then random ones.
part_rectangle() {
    local right=$(((width - side) / 64)) bottom=$(((height - side) / 64))
    RANDOM=$(($1 + 1))
    case $1 in
    0) x=0 y=0 ;;
    1) x=$((right * 64)) y=$((bottom * 64)) ;;
    2) x=$((right * 32 - right * 32 % 64)) y=$((bottom * 32 - bottom * 32 % 64)) ;;
    *) x=$((RANDOM % right * 64)) y=$((RANDOM % bottom * 64)) ;;
    esac
    w=$side h=$side
    if [ "$1" -eq 1 ]; then
        w=$((width - x)) h=$((height - y))
    fi
}
parts=5

# Sets left, top, right and bottom to the pixels of the part that do not depend on pixels outside it.
interior() {
    left=$((x == 0 ? 0 : x + margin)) top=$((y == 0 ? 0 : y + margin))
    right=$((x + w == width ? width : x + w - margin)) bottom=$((y + h == height ? height : y + h - margin))
}

# Sets `there` to the rectangle of RESULT that is compared, and `own` to the same rectangle in the result of the part
# alone. Both are empty if the result has no pixels of this part.
locate() {
    interior
    case $case in
    rotate-90) there=$((height - y - h)),$x,${h}x$w own=0,0,${h}x$w ;;
    flip-horizontal) there=$((width - x - w)),$y,${w}x$h own=0,0,${w}x$h ;;
    flip-vertical) there=$x,$((height - y - h)),${w}x$h own=0,0,${w}x$h ;;
    resize-50)
        local size=$(((right - left) / 2))x$(((bottom - top) / 2))
        there=$((left / 2)),$((top / 2)),$size own=$(((left - x) / 2)),$(((top - y) / 2)),$size
        ;;
    crop) locate_crop ;;
    *)
        local size=$((right - left))x$((bottom - top))
        there=$left,$top,$size own=$((left - x)),$((top - y)),$size
        ;;
    esac
}

locate_crop() {
    local cx cy cw ch
    read -r cx cy cw ch < <(crop_rectangle "$width" "$height")
    left=$((x > cx ? x : cx)) top=$((y > cy ? y : cy))
    right=$((x + w < cx + cw ? x + w : cx + cw)) bottom=$((y + h < cy + ch ? y + h : cy + ch))
    there='' own=''
    if [ "$left" -lt "$right" ] && [ "$top" -lt "$bottom" ]; then
        local size=$((right - left))x$((bottom - top))
        there=$((left - cx)),$((top - cy)),$size own=$((left - x)),$((top - y)),$size
    fi
}

# Cuts the parts out of the picture, unless an earlier case did.
fill_cache() {
    local i wanted=()
    mkdir -p "$cache"
    [ -e "$cache/complete" ] && return
    for ((i = 0; i < parts; i++)); do
        part_rectangle "$i"
        wanted+=("$x,$y,${w}x$h=$cache/part-$i.png")
    done
    "$cut" "$picture" "${wanted[@]}"
    touch "$cache/complete"
}

# Runs the case on part `$1` alone, and cuts `own` out of its result.
expect() {
    local part=$cache/part-$1.png
    if [ "$case" = crop ]; then
        cp "$part" "$cache/whole.png"
    else
        case_command "$case" "$part" "$cache/whole.png"
        "$build/app/imgtool" "${case_command[@]}" >/dev/null
    fi
    "$cut" "$cache/whole.png" "$own=$cache/expected-$1.png"
}

# Compares one tile of the largest level inside each part. A tile is 254 pixels wide and high, plus an overlap of 1
# pixel on each side: imgtool's defaults.
check_tiles() {
    local i level column row
    level=$(find "${result%.dzi}_files" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -n 1)
    for ((i = 0; i < parts; i++)); do
        part_rectangle "$i"
        column=$(((x + side / 2) / 254)) row=$(((y + side / 2) / 254))
        "$cut" "$cache/part-$i.png" $((column * 254 - 1 - x)),$((row * 254 - 1 - y)),256x256="$cache/expected-$i.png"
        "$same" --pixels "$cache/expected-$i.png" "${result%.dzi}_files/$level/${column}_$row.png"
    done
}

check_rectangles() {
    local i wanted=()
    rm -f "$cache"/result-*.png
    for ((i = 0; i < parts; i++)); do
        part_rectangle "$i"
        locate
        [ -n "$there" ] || continue
        wanted+=("$there=$cache/result-$i.png")
        expect "$i"
    done
    "$cut" "$result" "${wanted[@]}"
    for ((i = 0; i < parts; i++)); do
        [ ! -e "$cache/result-$i.png" ] || "$same" --pixels "$cache/expected-$i.png" "$cache/result-$i.png"
    done
}

fill_cache
if [ "$case" = tiles ]; then
    check_tiles
else
    check_rectangles
fi
