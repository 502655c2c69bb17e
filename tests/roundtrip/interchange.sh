#!/usr/bin/env bash
# Exchanges PNGs with other programs:
#
#     interchange.sh IMGTOOL WAYS STB_HASH SAMPLES_DIR [others|ours]
#
# others: files of ImageMagick, GraphicsMagick, vips, OpenCV, optipng and zopflipng must decode to the same pixels with
# libpng and with each decoding strategy of imgtool (WAYS). ours: imgtool writes files at every level, with several
# strips, and without an index. pngcheck must accept these files. libpng, ImageMagick, GraphicsMagick, stb_image, vips
# and OpenCV must read the same pixels from them as from the original file. Without the last argument, both halves run.
# Programs that are not installed are left out, with a message. Exit code 1 if anything differs. KEEP=DIR copies the
# files to DIR, for tests/gpu.sh on a machine without these programs.
set -u
imgtool=$(realpath "$1") ways=$(realpath "$2") stb_hash=$(realpath "$3") samples=$(realpath "$4")
here=$(dirname "$(realpath "$0")")
python=/usr/bin/python3 # Debian's Python, which has Debian's OpenCV
part=${5-}
keep=$(realpath -m "${KEEP:-/}")
failures=0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir others made written

fail() {
    echo "failed: $*"
    failures=$((failures + 1))
}

# has NAME COMMAND...: succeeds if the command works. Otherwise prints once that NAME is left out.
has() {
    local name=$1
    shift
    "$@" >/dev/null 2>&1 && return 0
    case $missing in
    *"|$name|"*) ;;
    *) echo "skipped: $name is not installed" ;;
    esac
    missing+="|$name|"
    return 1
}
missing=
magick=$(command -v convert-im6.q16 || command -v magick || command -v convert)
magick_identify=$(command -v identify-im6.q16 || command -v identify)

# Makes the pictures from which all files are made. Each format has a picture of 200 x 150 pixels, and one of 640 x 480
# for files with several strips.
landscape=$samples/landscape.png
"$magick" "$landscape" -resize '200x150!' -depth 8 PNG24:rgb.png
"$magick" "$landscape" -resize '200x150!' -depth 16 PNG48:rgb16.png
"$magick" "$landscape" -resize '200x150!' -colorspace Gray -depth 8 gray.png
"$magick" "$landscape" -resize '200x150!' -colors 200 PNG8:palette.png
"$magick" rgb.png -alpha set -channel A -fx 'i/w' -depth 8 PNG32:rgba.png
make_pictures() {
    local kind
    for kind in rgb rgb16 gray rgba; do
        "$magick" $kind.png -resize '640x480!' made/large-$kind.png
    done
    "$magick" made/large-rgb.png -seed 1 +noise Gaussian made/large-noise.png
    "$magick" palette.png -scale '640x480!' made/large-palette.png
    cp "$samples"/*.png made/
    rm made/orientation-* made/metadata.png # other programs would turn these
}

files_of_magick() {
    local program=$1 label=$2 kind quality
    shift 2
    for kind in rgb rgb16 gray rgba palette; do
        for quality in 0 11 12 23 34 55 75 91 95; do
            "$program" "$@" $kind.png -quality $quality "others/$label-$kind-$quality.png"
        done
    done
    "$program" "$@" rgb.png -interlace Line "others/$label-interlaced.png"
}

files_of_vips() {
    local kind filter level=0
    for kind in rgb rgb16 gray rgba; do
        for filter in none sub up avg paeth all; do
            vips copy $kind.png "others/vips-$kind-$filter.png[compression=$level,filter=$filter]"
            level=$(((level + 3) % 10))
        done
    done
    vips copy rgb.png 'others/vips-palette.png[palette]'
    vips copy gray.png 'others/vips-1.png[bitdepth=1]'
    vips copy rgb.png 'others/vips-interlaced.png[interlace]'
}

files_of_optimizers() {
    local kind
    for kind in rgb gray palette; do
        if has optipng command -v optipng; then
            optipng -quiet -force -zc9 -zm8 -zs0-3 -f0,5 -out others/optipng-$kind.png $kind.png
        fi
        if has zopflipng command -v zopflipng; then
            "$magick" $kind.png -crop 60x40+9+7 +repage small.png
            zopflipng -y --iterations=2 small.png others/zopflipng-$kind.png >/dev/null
        fi
    done
}

check_files_of_others() {
    echo "$SECONDS s == files of others"
    has ImageMagick test -n "$magick" && files_of_magick "$magick" imagemagick
    has GraphicsMagick command -v gm && files_of_magick gm graphicsmagick convert
    has vips command -v vips && files_of_vips
    if has OpenCV "$python" -c 'import cv2'; then
        "$python" "$here/cv2_files.py" write rgb.png others
        mkdir others/gray && "$python" "$here/cv2_files.py" write gray.png others/gray
        for file in others/gray/*; do mv "$file" "others/gray-${file##*/}"; done
        rmdir others/gray
    fi
    files_of_optimizers
    if ! "$ways" others/*.png >log 2>&1; then
        tail -n 3 log
        fail "a file of others is not decoded like by libpng"
    fi
    tail -n 1 log
}

# write NAME OPTIONS...: writes every picture, or those that match ONLY.
write() {
    local name=$1 file
    shift
    for file in made/${ONLY-*}.png; do
        "$imgtool" autorotate --backend cpu --quiet "$@" "$file" "written/$name@${file##*/}" ||
            fail "imgtool $* $file"
    done
}

# compare NAME COMMAND...: the command prints one line per file. The lines of a picture and of the file that imgtool
# wrote from it must be equal.
compare() {
    local name=$1 file number files=() sources=() unique lines
    local -A line_of=()
    shift
    for file in written/*.png; do
        files+=("$file")
        sources+=("made/${file#*@}")
    done
    # Several files are made from the same picture, so each picture is listed once. `grep .` removes the empty lines
    # that GraphicsMagick prints after each line.
    mapfile -t unique < <(printf '%s\n' "${sources[@]}" | LC_ALL=C sort -u)
    mapfile -t lines < <("$@" "${unique[@]}" 2>why | grep .)
    for number in "${!unique[@]}"; do
        line_of[${unique[number]}]=${lines[number]-}
    done
    for file in "${sources[@]}"; do
        printf '%s\n' "${line_of[$file]}"
    done >wanted
    "$@" "${files[@]}" 2>>why | grep . >got || true
    if [ "$(grep -c . got)" -ne ${#files[@]} ] || ! cmp -s wanted got || grep -q refused got; then
        paste wanted got <(printf '%s\n' "${files[@]}") | awk -F '\t' '$1 != $2' | head -n 3
        head -n 3 why
        fail "$name reads other pixels from what we wrote"
    else
        echo "$name reads ${#files[@]} files of ours as it should"
    fi
}

hash_by_vips() {
    local file
    local -A known=()
    for file in "$@"; do
        [ -n "${known[$file]-}" ] || known[$file]=$(vips rawsave "$file" hashed && md5sum <hashed)
        echo "${known[$file]}"
    done
}

check_files_of_ours() {
    local level kinds
    echo "$SECONDS s == files of ours"
    make_pictures
    write default
    ONLY='large-*' write no-index --no-index
    kinds=(rgb rgb16 gray rgba palette)
    for level in 0 1 2 3 5 6 7 8 9; do # two pictures of every level
        ONLY="large-noise" write "level$level" --level "$level"
        ONLY="large-${kinds[level % 5]}" write "level$level" --level "$level"
    done

    pngcheck -q written/*.png >log 2>&1 || {
        cat log
        fail "pngcheck objects"
    }
    "$ways" written/*.png >log 2>&1 || {
        tail -n 3 log
        fail "our decoder does not read like libpng what we wrote"
    }
    tail -n 1 log
    compare stb_image "$stb_hash"
    has ImageMagick test -n "$magick_identify" && compare ImageMagick "$magick_identify" -format '%wx%h %#\n'
    has GraphicsMagick command -v gm && compare GraphicsMagick gm identify -format '%wx%h %#\n'
    has vips command -v vips && compare vips hash_by_vips
    has OpenCV "$python" -c 'import cv2' && compare OpenCV "$python" "$here/cv2_files.py" hash
}

[ "$part" = ours ] || check_files_of_others
[ "$part" = others ] || check_files_of_ours
if [ -n "${KEEP-}" ]; then
    mkdir -p "$keep" && cp others/*.png written/*.png "$keep/"
fi
echo "$failures failures"
[ $failures -eq 0 ]
