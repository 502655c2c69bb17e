#!/usr/bin/env bash
# check_bands.sh PROGRAM SAMPLES: runs commands with --backend cuda on a device that refuses large allocations
# (DEVICE_LARGEST), so that no picture fits into its memory. PROGRAM is failing_imgtool. Steps that can run in
# bands must give the bytes of the CPU, and --explain must say that they ran in bands on the GPU, and why they did not
# decode or encode there. Other steps must end with exit code 3 and a message, and under --backend auto the CPU must do
# them. Exit code 77 without a real or an emulated GPU.
#   JOBS=2   number of concurrent runs
set -euo pipefail

program=$(realpath "$1") samples=$(realpath "$2")
jobs=${JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export program work LC_ALL=C DEVICE_PAYS=1
export SOURCE_DATE_EPOCH=1767225600 # for tIME, so that two runs give the same bytes
export ASAN_OPTIONS=exitcode=99:${ASAN_OPTIONS-} LSAN_OPTIONS=exitcode=98:${LSAN_OPTIONS-}

if ! "$program" rotate --backend cuda "$samples/gray-8.png" "$work/first.png" 2>"$work/said"; then
    echo "skipped: $(head -n 1 "$work/said")"
    exit 77
fi
"$program" resize 113x179 --fit fill --backend cpu "$samples/rgba-16.png" "$work/deep.png"
"$program" resize 97x151 --fit fill --backend cpu "$samples/rgb-8.png" "$work/color.png"
"$program" run 'resize size=83x401 fit=fill | grayscale' --backend cpu "$samples/rgb-8.png" "$work/gray.png"
"$program" resize 1600x1200 --fit fill --backend cpu "$samples/landscape.png" "$work/large.png"

bands=('rotate' 'rotate angle=180' 'rotate angle=270' 'transpose' 'transverse' 'flip' 'flip axis=vertical'
    'rotate angle=7.5' 'rotate angle=-33 filter=nearest' 'resize size=50%' 'resize size=130%'
    'resize size=20x300 fit=fill'
    'crop x=17 y=33 width=61 height=111' 'pad left=3 top=5 background=red' 'blur sigma=2' 'boxblur radius=9' 'sharpen'
    'median' 'median radius=4' 'erode size=5x3' 'close size=3x7' 'sobel' 'laplacian' 'bilateral' 'denoise'
    'invert | gamma value=2' 'grayscale' 'blur sigma=1 | resize size=70% | sharpen' 'crop x=7 width=70 | median | invert'
    'rotate angle=5 | blur sigma=1')
some=('rotate' 'rotate angle=7.5' 'resize size=130%' 'blur sigma=2' 'median radius=4' 'sobel' 'invert | gamma value=2'
    'crop x=7 width=70 | median | invert')
whole=('equalize' 'clahe' 'canny')

# try PICTURE STEPS KIND: prints a message if a run does not meet the expectations above. KIND is `bands` for steps that
# can run in bands, and `whole` for all other steps.
try() {
    local code=0 directory largest=30000
    [ "$1" != deep ] || largest=140000 # a table for samples of 16 bits takes 131,072 bytes
    [ "$1" != large ] || largest=3000000
    directory=$(mktemp -d "$work/run.XXXXXX")
    cd "$directory"
    "$program" run "$2" --backend cpu "$work/$1.png" wanted.png 2>err || code=$?
    [ $code -eq 0 ] || { echo "$1: $2: exit code $code on the CPU: $(head -n 1 err)" && return; }
    DEVICE_LARGEST=$largest "$program" run "$2" --explain --threads 2 --backend cuda "$work/$1.png" out.png \
        >said 2>err || code=$?
    if [ "$3" = whole ]; then
        [ $code -eq 3 ] || echo "$1: $2: exit code $code instead of 3"
        grep -q 'no [0-9]* MiB left' err || echo "$1: $2: no message that memory is short: $(head -n 1 err)"
        [ ! -e out.png ] || echo "$1: $2: leaves output"
        code=0
        DEVICE_LARGEST=$largest "$program" run "$2" --explain --backend auto "$work/$1.png" out.png >said 2>err || code=$?
        grep -q '^  backend  *cpu: .*GPU' err || echo "$1: $2: auto does not say why the CPU did the work"
    else
        grep -q '^  backend  *cuda: ' err || echo "$1: $2: not on the GPU: $(head -n 1 err)"
        grep -q 'in bands' err || echo "$1: $2: not in bands"
        # only large files are decoded and encoded on a GPU
        [ "$1" != large ] || [ "$(grep -c 'coded .*not on the GPU: there was too little GPU memory' err)" -eq 2 ] ||
            echo "$1: $2: does not say why the GPU did not decode and encode: $(grep coded err)"
    fi
    [ $code -eq 0 ] || echo "$1: $2: exit code $code: $(head -n 1 err)"
    cmp -s wanted.png out.png || echo "$1: $2: other bytes"
}
export -f try

{
    printf 'color\0%s\0bands\0' "${bands[@]}"
    printf 'color\0%s\0whole\0' "${whole[@]}"
    printf 'deep\0%s\0bands\0' "${some[@]}"
    printf 'gray\0%s\0bands\0' "${some[@]}"
    printf 'large\0%s\0bands\0' 'rotate'
} | xargs -0 -n 3 -P "$jobs" bash -c 'try "$@"' try >"$work/faults"
cat "$work/faults"
[ ! -s "$work/faults" ] || exit 1
echo "$((${#bands[@]} + ${#whole[@]} + 2 * ${#some[@]} + 1)) runs with too little device memory"
