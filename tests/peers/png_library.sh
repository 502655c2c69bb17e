#!/usr/bin/env bash
# Times the decoders of libimgtool and of other libraries with the six images of png_images.sh. Prints medians of one
# run:
#
#     png_library.sh BUILD_DIR [OPTIONS]
#
# OPTIONS are those of the program png_library, which includes the libraries that CMake found: install the packages,
# then configure. The program may use two processors. Images are made in BUILD_DIR/png-images if they are missing.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: $0 BUILD_DIR [OPTIONS]" >&2
    exit 2
fi
here=$(dirname "$(realpath "$0")")
build=$(realpath "$1")
shift

# shellcheck source=tests/lib/packages.sh
. "$here/../lib/packages.sh"
install_packages "$peer_packages"
"$here/png_images.sh" "$build" "$build/png-images"
cd "$build/png-images"
exec taskset -c 0-1 "$build/tests/peers/png_library" "$@" \
    photo.png painting.png screens.png gray.png rgba.png rgb16.png
