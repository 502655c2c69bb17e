#!/usr/bin/env bash
# Makes the generated inputs again, and writes them to the archives of tests/fuzz/corpus:
#
#     make_corpus.sh MAKE_SEEDS
#
# MAKE_SEEDS is the program make_seeds of a build. Inputs that were added by hand (found-*) or by a campaign (kept-*)
# stay as they are.
set -euo pipefail
seeds=$(dirname "$(realpath "$0")")
corpora=$(mktemp -d)
trap 'rm -rf "$corpora"' EXIT
bash "$seeds/../corpus.sh" unpack "$corpora"
mkdir -p "$corpora/png" "$corpora/roundtrip" "$corpora/request" "$corpora/file"
rm -f "$corpora"/png/{file,rows,stream,odd}-* "$corpora"/roundtrip/picture-* "$corpora"/file/file-*
"$1" "$corpora"
python3 "$seeds/odd_streams.py" "$corpora/png"
python3 "$seeds/text_seeds.py" "$corpora"
# The corpus `file` has the same PNG files, but without the head of 8 bytes that build_png.c reads.
for file in "$corpora"/png/file-*; do
    tail -c +9 "$file" >"$corpora/file/$(basename "$file")"
done
printf 'h\22\0\0\0\1\0\0\0imgtool\0' >"$corpora/request/one-argument"
printf 'h\77\0\0\0\4\0\0\0imgtool\0flip\0\0out.png\0' >"$corpora/request/an-empty-one"
printf 'h\22\0\0\0\3\0\0\0imgtool\0flip\0' >"$corpora/request/one-too-few"
printf 's' >"$corpora/request/status"
printf 'ximgserve\1\0\0\0\3\0\0\0' >"$corpora/request/too-short"
bash "$seeds/../corpus.sh" pack "$corpora"
