# shellcheck shell=bash disable=SC2034
# The cases of measure.sh and spot_check.sh, which include this file.

all_cases="rotate-90 rotate-7.5 flip-horizontal flip-vertical crop resize-1 resize-50 blur-2 blur-20 median sharpen clahe
    equalize autolevel stats compare tiles three-filters"

# Prints the width and height of a PNG file.
picture_size() {
    od -An -tu1 -j16 -N8 "$1" | awk '{print (($1 * 256 + $2) * 256 + $3) * 256 + $4, (($5 * 256 + $6) * 256 + $7) * 256 + $8}'
}

# crop_rectangle WIDTH HEIGHT: prints x, y, width and height of the rectangle that the case crop keeps.
crop_rectangle() {
    echo $(($1 / 4)) $(($2 / 4)) $(($1 / 2)) $(($2 / 2))
}

# case_command CASE PICTURE RESULT: sets the array case_command to the arguments of imgtool. RESULT is the path of the
# output; for the case tiles it ends in .dzi. The cases stats and compare ignore RESULT, because they write no file.
case_command() {
    local x y width height
    case $1 in
    rotate-90) case_command=(rotate --angle 90) ;;
    rotate-7.5) case_command=(rotate --angle 7.5) ;;
    flip-horizontal) case_command=(flip --axis horizontal) ;;
    flip-vertical) case_command=(flip --axis vertical) ;;
    crop)
        # shellcheck disable=SC2046 # two numbers
        read -r x y width height < <(crop_rectangle $(picture_size "$2"))
        case_command=(crop --x "$x" --y "$y" --width "$width" --height "$height")
        ;;
    resize-1) case_command=(resize 1%) ;;
    resize-50) case_command=(resize 50%) ;;
    blur-2) case_command=(blur --sigma 2) ;;
    blur-20) case_command=(blur --sigma 20) ;;
    three-filters) case_command=(run 'blur sigma=2 | sharpen | median') ;;
    stats) case_command=(stats) ;;
    compare) case_command=(compare "$2") ;;
    tiles) case_command=(tiles --layout dzi --max-tiles 10M) ;;
    *) case_command=("$1") ;;
    esac
    case $1 in
    stats | compare) case_command+=("$2") ;;
    tiles) case_command+=(--level 1 "$2" "${3%.dzi}") ;;
    *) case_command+=(--level 1 "$2" "$3") ;;
    esac
}
