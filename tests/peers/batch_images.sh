#!/usr/bin/env bash
# Makes the photographs for timing batches, as PNG files in a tree of directories:
#
#     batch_images.sh BUILD_DIR OUT_DIR [COUNT]
#
# 500 of them (or COUNT) take about 3 GB. They are parts of the 47 real photographs in the packages below; some are
# reduced. They have 0.3 to 24 megapixels, most of them 2 to 8, and all the colour types of photographs. Every fifth is
# written with ImageMagick's defaults, most others at level 1. Existing files are kept. Picture number N does not depend
# on COUNT, and each file name is unique in the tree. The packages are downloaded to BUILD_DIR/batch-packages, but not
# installed. Needs imagemagick.
set -euo pipefail

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: $0 BUILD_DIR OUT_DIR [COUNT]" >&2
    exit 2
fi
mkdir -p "$1/batch-packages" "$2"
packages=$(realpath "$1/batch-packages")
out=$(realpath "$2")
count=${3:-500}

# Each line: PACKAGE PHOTOGRAPH... The other pictures of the packages are drawings.
photographs="
mate-backgrounds Aqua Blinds Dune FreshFlower Garden GreenMeadow LadyBird RainDrops Storm TwoWings
    Wood YellowFlower
lomiri-wallpapers-16.04 Bridge_by_Sander_Klootwijk Dragonfly_by_Bolly Picture_0B_by_freespace
    Picture_1A_by_freespace Wine_by_Jakkub_Mede aitzgorri_by_Aitzol_Berasategi free_by_Peter_Nerlich
    friends_by_Aitzol_Berasategi greentock_by_Peter_Nerlich life_by_Aitzol_Berasategi
    picosdeeuropa_by_Aitzol_Berasategi seeding_by_Clements_Engelhardt sunset_by_Aitzol_Berasategi
lomiri-wallpapers-20.04 Kleiber_by_Lukas_Baubkus
plasma-workspace-wallpapers BytheWater ColdRipple ColorfulCups DarkestHour EveningGlow FallenLeaf
    Grey Kite OneStandsOut Path summer_1am
lxqt-themes Valendas after-the-rain appleflower beam butterfly cloud drop flowers fog
    this-is-not-windows
"

# file NUMBER: prints the name of picture NUMBER, relative to OUT_DIR.
directories=("holiday 2019" "holiday 2019/first day" "holiday 2019/second day" garden garden/close
    archive/2007/05 archive/2007/06 .)
file() {
    local directory=${directories[$(($1 * 5 % 8))]}
    if (($1 % 9 == 4)); then
        printf '%s/IMG %04d (copy).png' "$directory" "$1"
    else
        printf '%s/img_%04d.png' "$directory" "$1"
    fi
}

wanted=()
for ((number = 0; number < count; number++)); do
    [ -s "$out/$(file "$number")" ] || wanted+=("$number")
done
[ ${#wanted[@]} -gt 0 ] || exit 0
for directory in "${directories[@]}"; do
    mkdir -p "$out/$directory"
done

# unpack: unpacks the packages, and lists one photograph per line: WIDTH HEIGHT PATH.
unpack() {
    local word package=
    for word in $photographs; do
        case $word in
        *-backgrounds | *-wallpapers* | lxqt-themes)
            package=$word
            if [ ! -d "$packages/$package" ]; then
                (cd "$packages" && apt-get download -q "$package" >/dev/null 2>&1 &&
                    dpkg -x "$package"_*.deb "$package.part" && mv "$package.part" "$package") || {
                    echo "$package cannot be downloaded; try 'apt-get update'" >&2
                    return 1
                }
            fi
            ;;
        *) # some photographs are in a directory with their name, and their own file name is the size
            find "$packages/$package" -type f \( -name "$word.jpg" -o -name "$word.png" -o \
                -path "*/$word/contents/images/*" \) -exec identify -quiet -ping -format '%w %h %i\n' {} +
            ;;
        esac
    done
}

# plan NUMBER...: prints one picture per line, separated by tabs: PHOTOGRAPH, PART of it, WIDTH, HEIGHT, KIND of pixels,
# LEVEL and FILE. The random numbers come from a Lehmer generator. Its seed is the number of the picture, so that
# pictures do not depend on each other.
plan() {
    local number
    for number; do
        printf '%d\t%s\n' "$number" "$(file "$number")"
    done | awk -F '\t' -v sources="$packages/list" '
        function random(below) {
            state = state * 48271 % 2147483647
            return state / 2147483647 * below
        }
        BEGIN {
            while ((getline line < sources) > 0) {
                width[n] = line + 0
                sub(/^[0-9]+ /, "", line)
                height[n] = line + 0
                sub(/^[0-9]+ /, "", line)
                path[n++] = line
            }
            split("1.5 1.3333 1.7778 1 0.6667 0.75 1.5 2.4", sides, " ")
        }
        {
            state = ($1 + 1) * 7919
            for (i = 0; i < 5; i++) random(1)
            kind = "rgb"
            if ($1 % 12 == 5) kind = "gray"
            if ($1 % 20 == 7) kind = "rgba"
            if ($1 % 20 == 13) kind = "palette"
            if ($1 % 25 == 11) kind = "rgb16"
            if ($1 % 50 == 33) kind = "gray16"

            p = random(100)
            mega = p < 9 ? 0.3 + random(0.7) : p < 20 ? 1 + random(1) : p < 72 ? 2 + random(1.2) : \
                p < 95 ? 3.2 + random(4.8) : p < 98.8 ? 8 + random(6) : 14 + random(6)
            if ($1 % 250 == 100) mega = 24 # a few pictures are the largest photograph, enlarged slightly
            if (kind == "palette" && mega > 3) mega = 1 + random(2)
            if (kind == "rgb16" && mega > 8) mega = 4 + random(3)

            # Chooses at random a photograph that is large enough, and the aspect ratio `side` of the result. The result
            # is a part of the photograph, in half of the cases reduced.
            do {
                source = int(random(n))
                side = sides[1 + int(random(8))]
                w = width[source]
                h = height[source]
                if (mega > 14) side = w / h
                most_w = w < h * side ? w : int(h * side)
                most_h = int(most_w / side)
            } while (most_w * most_h < mega * 1e6 && !(mega > 14 && w * h > 20e6))
            out_w = int(sqrt(mega * 1e6 * side) + 0.5)
            out_h = int(sqrt(mega * 1e6 / side) + 0.5) + int(random(3))
            zoom = most_w / out_w
            if (zoom > 1 && kind != "rgb16" && kind != "gray16" && random(1) < 0.5) zoom = 1
            part_w = int(out_w * zoom)
            part_h = int(out_h * zoom)
            if (part_w > w) part_w = w
            if (part_h > h) part_h = h
            printf "%s\t%dx%d+%d+%d\t%d\t%d\t%s\t%s\t%s\n", path[source], part_w, part_h, \
                random(w - part_w + 1), random(h - part_h + 1), out_w, out_h, kind, \
                $1 % 5 == 2 ? "default" : "fast", $2
        }'
}

# make PLAN: makes one picture. The picture gets its name only when it is complete.
make() {
    local photograph part width height kind level name options=()
    IFS=$'\t' read -r photograph part width height kind level name <<<"$1"
    case $kind in
    rgb) options=(-depth 8 -define png:color-type=2) ;;
    gray) options=(-colorspace Gray -depth 8 -define png:color-type=0) ;;
    # The alpha is a disc with soft edges, as if the subject had been cut out of the photograph.
    rgba) options=(-depth 8 "(" -size "${width}x$height" "radial-gradient:white-black"
        -level "20%,40%" ")" -alpha off -compose CopyOpacity -composite
        -define png:color-type=6) ;;
    palette) options=(-depth 8 +dither -colors 256 -type Palette -define png:color-type=3) ;;
    rgb16) options=(-depth 16 -define png:color-type=2 -define png:bit-depth=16) ;;
    gray16) options=(-colorspace Gray -depth 16 -define png:color-type=0
        -define png:bit-depth=16) ;;
    esac
    if [ "$level" = fast ]; then
        options+=(-define png:compression-level=1 -define png:compression-filter=1)
    fi
    convert -quiet "${photograph}[$part]" +repage -strip -colorspace sRGB -filter Mitchell \
        -resize "${width}x$height!" "${options[@]}" "png:$out/$name.part"
    mv "$out/$name.part" "$out/$name"
}
export -f make
jobs=$(nproc) # before OMP_NUM_THREADS is set, because nproc obeys it
export out MAGICK_THREAD_LIMIT=1 OMP_NUM_THREADS=1

unpack >"$packages/list"
if [ "$(wc -l <"$packages/list")" -ne 47 ]; then
    echo "the packages hold other photographs than expected; these were found:" >&2
    cat "$packages/list" >&2
    exit 1
fi
# shellcheck disable=SC2016 # the inner shell expands these names
plan "${wanted[@]}" | xargs -d '\n' -n 1 -P "$jobs" bash -euo pipefail -c 'make "$0"'
echo "$count photographs in $out: $(du -sh "$out" | cut -f 1)"
