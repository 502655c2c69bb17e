#!/usr/bin/env bash
# check_samples.sh PROGRAMS SOURCE_DIR IMGTOOL: checks that the programs of samples/c work as described and have fewer
# than 60 lines each. PROGRAMS is their build directory. IMGTOOL is the command, which must write the same bytes.
set -eu
programs=$1 samples=$2/samples imgtool=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect PATTERN PROGRAM [ARGUMENT...]: the program must succeed, and its output must match PATTERN.
expect() {
    local pattern=$1 said code=0
    shift
    said=$("$programs/sample-$1" "${@:2}" 2>"$work/stderr") || code=$?
    if [ "$code" -ne 0 ] || ! grep -qE "$pattern" <<<"$said"; then
        echo "$*: exit code $code, says: $said"
        cat "$work/stderr"
        exit 1
    fi
}

for file in "$samples"/c/*.c; do
    if [ "$(wc -l <"$file")" -ge 60 ]; then
        echo "$file: 60 lines or more"
        exit 1
    fi
done
expect '^[0-9]+ x [0-9]+ pixels, [0-9]+ chunks' recompress "$samples/metadata.png" "$work/out.png"
expect '^[0-9]+ x [0-9]+ pixels, a PNG of' pipeline
for steps in 'rotate angle=7.5 | sharpen' 'resize 50% | equalize' 'thumbnail 64' 'pad left=3'; do
    for picture in landscape metadata palette-4 interlaced-rgb-8 trns-gray-2 orientation-6; do
        SOURCE_DATE_EPOCH=0 "$imgtool" run -q "$steps" "$samples/$picture.png" "$work/ours.png"
        SOURCE_DATE_EPOCH=0 "$programs/sample-file_to_file" "$steps" "$samples/$picture.png" "$work/theirs.png" \
            2>/dev/null
        cmp "$work/ours.png" "$work/theirs.png" || { echo "$steps, $picture: other bytes than the command" && exit 1; }
    done
done
expect '^luma ' statistics "$work/out.png"
expect 'landscape.png: 128 x [0-9]+, [0-9]+ bytes' thumbnails "$samples"/*.png
# The thumbnails of all orientations are the same upright picture, so all sizes must be equal.
sizes=$("$programs/sample-thumbnails" "$samples"/orientation-*.png | sed 's/.*: \(.*\), .*/\1/' | sort -u)
[ "$(wc -l <<<"$sizes")" -eq 1 ] || { echo "orientations are not followed: $sizes" && exit 1; }
if "$programs/sample-statistics" "$samples/README.md" 2>"$work/stderr"; then
    echo "a text has statistics"
    exit 1
fi
grep -q 'is not a PNG file' "$work/stderr"
# The mean of a white picture is 1. A file that fails does not end the batch.
"$imgtool" run -q 'linear multiply=0 add=1' "$samples/rgb-8.png" "$work/white.png"
expect 'white.png: mean 1.0000$' tensor "$samples/landscape.png" "$samples/README.md" "$work/white.png"
grep -q 'README.md: is not a PNG file' "$work/stderr"
if [ -e "$programs/sample-device" ]; then
    code=0
    "$programs/sample-device" "$samples/landscape.png" || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 77 ]
else
    echo "skipped: device: no CUDA in this build"
fi
