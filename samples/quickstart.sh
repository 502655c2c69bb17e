#!/usr/bin/env bash
# From a fresh checkout to a rotated picture: installs what is missing, builds imgtool in build/ and
# turns samples/landscape.png. Safe to run again; once everything is installed it needs no network.
set -eu

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/lib/packages.sh
. tests/lib/packages.sh

echo "== 1. What a build needs"
install_packages "$build_packages"

echo "== 2. Build"
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=AUTO
cmake --build build --parallel "$(nproc)"

echo "== 3. A quarter turn"
imgtool=$PWD/build/app/imgtool
mkdir -p build/quickstart
rotated=$PWD/build/quickstart/landscape-rotated.png
"$imgtool" rotate --angle 90 samples/landscape.png "$rotated"
"$imgtool" info "$rotated"
echo
echo "The rotated picture: $rotated"
echo "The program:         $imgtool"
echo "Next:                $imgtool help"
