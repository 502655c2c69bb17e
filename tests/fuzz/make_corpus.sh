#!/usr/bin/env bash
# Makes tests/fuzz/corpus anew, save for what was added to it by hand (names that start with found-):
#
#     make_corpus.sh MAKE_SEEDS
set -euo pipefail
corpus=$(dirname "$(realpath "$0")")/corpus
mkdir -p "$corpus/png" "$corpus/roundtrip" "$corpus/request"
find "$corpus" -type f ! -name 'found-*' -delete
"$1" "$corpus"
python3 "$(dirname "$(realpath "$0")")/odd_streams.py" "$corpus/png"
python3 "$(dirname "$(realpath "$0")")/text/make_seeds.py" "$corpus"
printf 'h\22\0\0\0\1\0\0\0imgtool\0' >"$corpus/request/one-argument"
printf 'h\77\0\0\0\4\0\0\0imgtool\0flip\0\0out.png\0' >"$corpus/request/an-empty-one"
printf 'h\22\0\0\0\3\0\0\0imgtool\0flip\0' >"$corpus/request/one-too-few"
printf 's' >"$corpus/request/status"
printf 'ximgserve\1\0\0\0\3\0\0\0' >"$corpus/request/too-short"
du -sb "$corpus"
