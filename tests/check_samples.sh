#!/usr/bin/env bash
# check_samples.sh MAKE_SAMPLES PNG_SAME DIRECTORY: checks that the generator still makes the samples in the directory.
# Compares pixels and chunks but not the compressed bytes, which depend on the version of zlib.
set -eu

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$1" "$made"

same=0
for file in "$made"/*.png; do
    "$2" "$file" "$3/${file##*/}"
    same=$((same + 1))
done
committed=("$3"/*.png)
if [ "$same" -ne "${#committed[@]}" ]; then
    echo "the generator makes $same files, ${#committed[@]} are committed" >&2
    exit 1
fi
echo "$same samples are as committed"
