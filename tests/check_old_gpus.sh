#!/usr/bin/env bash
# check_old_gpus.sh NVCC SOURCE_DIR: checks that all CUDA code compiles for the oldest GPUs of the default build. The
# tests build for one architecture only, so a function that only newer GPUs have would not be noticed there.
set -u
nvcc=$1
cd "$2" || exit 1
oldest=$(sed -nE 's/.*set\(CMAKE_CUDA_ARCHITECTURES ([0-9]+).*/\1/p' CMakeLists.txt | head -n 1)
[ -n "$oldest" ] || { echo "CMakeLists.txt names no architectures"; exit 1; }
quick=()
if "$nvcc" --help | grep -q -e --Ofast-compile; then
    quick=(--Ofast-compile=max)
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# ccache, if it is installed, provides earlier results for these GPUs.
launcher=()
[ -n "${CCACHE_DISABLE-}" ] || ! command -v ccache >/dev/null || launcher=(ccache)

# Compiles a file to PTX and discards the result. Prints the output of nvcc if it fails.
compile() {
    local file=$1 log
    shift
    log=$(mktemp -p "$work") || return 1
    "$@" -c "$file" -o "$log.o" >"$log" 2>&1 && return 0
    echo "$file:"
    head -n 5 "$log"
    return 1
}
export -f compile
export work

count=$(find kernels io app -name '*.cu' | wc -l)
echo "$count files for compute_$oldest"
[ "$count" -gt 0 ] || exit 1
find kernels io app -name '*.cu' -print0 |
    xargs -0 -P 2 -I '{}' bash -c 'compile "$@"' compile '{}' \
        "${launcher[@]}" "$nvcc" -std=c++17 -I. -DIMGTOOL_CUDA=1 \
        -gencode "arch=compute_$oldest,code=compute_$oldest" "${quick[@]}"
