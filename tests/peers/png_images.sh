#!/usr/bin/env bash
# Makes the six images of 4000 x 3000 pixels for timing PNG codecs, each written with libpng's defaults:
#
#     png_images.sh BUILD_DIR OUT_DIR
#
# photo, gray and rgba are one reduced photograph. rgb16 is the same photograph with samples of 16 bits; because the
# photograph is reduced, all 16 bits have information. painting is a second photograph, rich in detail. screens is drawn
# by png_screens. The photographs come from two packages, which are downloaded but not installed. Existing images are
# kept. Needs imagemagick, fonts-dejavu-core and the programs of tests/peers in BUILD_DIR.
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: $0 BUILD_DIR OUT_DIR" >&2
    exit 2
fi
tools=$(realpath "$1")/tests/peers
mkdir -p "$2"
out=$(realpath "$2")

complete=yes
for name in photo painting screens gray rgba rgb16; do
    [ -s "$out/$name.png" ] || complete=no
done
[ $complete = no ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q mate-backgrounds lomiri-wallpapers-20.04 >/dev/null 2>&1
for package in ./*.deb; do
    dpkg -x "$package" unpacked
done

# small NAME JPEG FORMAT OPTIONS...: makes a reduced part of a photograph, with an aspect ratio of 4:3.
small() {
    local name=$1 jpeg=$2
    shift 2
    convert "$(find unpacked -name "$jpeg")" -gravity center -crop "${crops[$jpeg]}+0+0" +repage \
        -filter Lanczos -resize '4000x3000!' "$@" "$name"
}
declare -A crops=([Kleiber_by_Lukas_Baubkus.jpg]=4520x3390 [Elephants_5640x3172.jpg]=4228x3171)

small photo.ppm Kleiber_by_Lukas_Baubkus.jpg -depth 8
small gray.pgm Kleiber_by_Lukas_Baubkus.jpg -colorspace Gray -depth 8
small rgb16.ppm Kleiber_by_Lukas_Baubkus.jpg -depth 16
small painting.ppm Elephants_5640x3172.jpg -depth 8
"$tools/png_screens" photo.ppm /usr/include/libpng16/png.h screens.ppm

# put NAME IN OPTIONS...: writes a picture. The picture gets its name only when it is complete.
put() {
    "$tools/png_by_default" "${@:3}" "$2" "$1.png"
    mv "$1.png" "$out/"
}
put photo photo.ppm
put painting painting.ppm
put screens screens.ppm
put gray gray.pgm
put rgb16 rgb16.ppm
put rgba photo.ppm --alpha
ls -l "$out"
