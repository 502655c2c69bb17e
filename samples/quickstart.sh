#!/usr/bin/env bash
# quickstart.sh [CMAKE_OPTION...]: from a fresh checkout to a rotated picture. Installs missing packages, builds imgtool
# in build/ and rotates samples/landscape.png. A second run is safe, and needs no network.
# Builds with Ninja if it is installed, because that takes less time than make. Ninja is installed only together with
# packages that are missing anyway.
# Builds for the GPUs of this machine, or without CUDA if nvidia-smi lists no GPU. -DIMGTOOL_CUDA=ON overrides this.
set -eu

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/lib/packages.sh
. tests/lib/packages.sh

echo "== 1. Packages for the build"
packages=("$build_packages")
if [ -n "$(missing_packages "$build_packages")" ]; then
    packages+=("ninja-build command -v ninja")
fi
install_packages "${packages[@]}"

# Prints the architectures of this machine's GPUs in the form that CMake takes, such as "90-real". CUDA 13 supports GPUs
# from compute capability 7.5 on.
gpu_architectures() {
    nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
        awk -F. '$1 * 10 + $2 >= 75 { print $1 $2 "-real" }' | sort -u | paste -sd ';'
}

# Defaults of a new build directory. An existing build directory keeps its options.
options=()
if [ ! -e build/CMakeCache.txt ]; then
    options=(-DCMAKE_BUILD_TYPE=Release -DIMGTOOL_BENCH=OFF -DIMGTOOL_PLOT=OFF)
    if command -v ninja >/dev/null; then
        options+=(-G Ninja)
    fi
    architectures=$(gpu_architectures)
    if [ -n "$architectures" ]; then
        options+=(-DIMGTOOL_CUDA=AUTO "-DCMAKE_CUDA_ARCHITECTURES=$architectures")
    else
        options+=(-DIMGTOOL_CUDA=OFF)
    fi
fi

echo "== 2. Build"
cmake -S . -B build "${options[@]}" "$@"
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
if "$imgtool" --version | grep -q 'CUDA.*not in this build'; then
    echo "For NVIDIA GPUs:     bash samples/quickstart.sh -DIMGTOOL_CUDA=ON"
    echo "                     (needs nvcc, and takes much longer)"
fi
if grep -q '^IMGTOOL_BENCH:BOOL=OFF' build/CMakeCache.txt; then
    echo "bench and --plot:    cmake -S . -B build -DIMGTOOL_BENCH=ON -DIMGTOOL_PLOT=ON && cmake --build build"
    echo "                     (needs g++ and libcairo2-dev)"
fi
