#!/usr/bin/env bash
# Times the PNG decoder and encoder of imgtool and of libpng with six images of 12 megapixels. Prints medians of one
# run:
#
#     png_codec.sh BUILD_DIR [THREADS [ROUNDS [IMAGES_DIR]]]
#
# THREADS (default: all processors) is also the number of processors that the program may use. Images are made in
# IMAGES_DIR (default: BUILD_DIR/png-images) by png_images.sh if they are missing. Files are read before timing,
# and output is not kept. With 7 rounds this takes a quarter of an hour.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: $0 BUILD_DIR [THREADS [ROUNDS [IMAGES_DIR]]]" >&2
    exit 2
fi
here=$(dirname "$(realpath "$0")")
build=$(realpath "$1")
threads=${2:-$(nproc)}
rounds=${3:-7}
images=${4:-$build/png-images}

# shellcheck source=tests/lib/packages.sh
. "$here/../lib/packages.sh"
install_packages "$peer_packages"
"$here/png_images.sh" "$build" "$images"
cd "$images"
exec taskset -c "0-$((threads - 1))" "$build/tests/peers/png_codec" --threads "$threads" \
    --rounds "$rounds" photo.png painting.png screens.png gray.png rgba.png rgb16.png
