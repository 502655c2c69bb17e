#!/usr/bin/env bash
# From a fresh checkout to a rotated picture: installs missing packages, builds imgtool in build/ and turns
# samples/landscape.png. Safe to run again. Once everything is installed it needs no network.
set -eu

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/lib/packages.sh
. tests/lib/packages.sh

echo "== 1. What a build needs"
install_packages "$build_packages"

# For the GPU of this machine; without one, code that the driver of a later GPU compiles. (Packages have code for
# all GPUs, which is the default of cmake.)
cuda_architecture=75-virtual
if nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    cuda_architecture=native
fi

echo "== 2. Build"
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=AUTO \
    -DCMAKE_CUDA_ARCHITECTURES="$cuda_architecture"
cmake --build build --parallel "$(nproc)" --target imgtool

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
echo "With bench, --plot:  cmake --build build --parallel $(nproc)"
