#!/usr/bin/env bash
# valgrind.sh BUILD SAMPLES: runs short unit tests and commands under memcheck. Valgrind supports AVX2 but not AVX-512,
# so the AVX2 implementations run. The last line has the counts.
set -u
build=$(realpath "$1")
samples=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0 skipped=0
imgtool=$build/app/imgtool
# A unit test may keep memory until its process ends, so leaks do not count for unit tests, only invalid accesses.
checker=(valgrind -q --error-exitcode=99 --num-callers=20)

# check NAME COMMAND...: runs a command under memcheck. Fails if the exit code is 99, which only memcheck uses. Other
# exit codes are accepted: this script tests memory accesses, not results.
check() {
    local name=$1 code=0
    shift
    timeout 600 "$@" >"$work/out" 2>&1 || code=$?
    if [ "$code" -eq 0 ]; then
        passed=$((passed + 1))
        return
    fi
    echo "FAIL: $name: exit code $code"
    tail -n 40 "$work/out"
    failed=$((failed + 1))
}

# The test fixed_math is left out: it compares results with a long double of 80 bits, for which Valgrind computes only
# 64 bits.
units=(core params crop gravity border caret curve quotient points point_rows histogram statistics
    png_filter png_unfilter png_huffman png_deflate png_block_index io_metadata io_orientation io_expand io_input
    app_args text app_pipeline batch_names batch_record_line serve_wire part library_metadata)
for unit in "${units[@]}"; do
    program=$build/tests/unit/test_$unit
    if [ -x "$program" ]; then
        check "unit_$unit" "${checker[@]}" --trace-children=yes "$program"
    else
        echo "skipped: unit_$unit: not built"
        skipped=$((skipped + 1))
    fi
done

command() {
    check "$*" "${checker[@]}" --leak-check=full --errors-for-leak-kinds=definite,indirect "$imgtool" "$@"
}
for kind in gray-1 gray-16 gray-alpha-8 rgb-8 rgba-16 palette-4 interlaced-rgb-8 metadata; do
    picture=$samples/$kind.png
    command rotate "$picture" out.png
    command run 'resize 60% | blur sigma=2 | rotate angle=7' "$picture" out.png
    command run 'equalize | median radius=2 | canny' --level 9 --threads 3 "$picture" out.png
    command info --json "$picture"
    command stats --json "$picture"
done
command convert "$samples/rgb-8.png" out.jpg
command compare --diff out.png "$samples/rgb-8.png" "$samples/rgb-8.png"
command histogram --csv "$samples/rgba-8.png"
command batch flip "$samples/rgb-8.png" "$samples/gray-8.png" "$samples/palette-8.png" results --jobs 3
command montage "$samples/rgb-8.png" "$samples/rgba-8.png" sheet.png
command tiles --size 20 "$samples/rgb-8.png" '{number}.png'
command resize 50 --threads 2 "$samples/landscape.png" out.png
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
