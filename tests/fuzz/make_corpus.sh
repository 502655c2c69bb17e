#!/usr/bin/env bash
# Makes tests/fuzz/corpus anew, save for what was added to it by hand (names that start with found-):
#
#     make_corpus.sh MAKE_SEEDS
set -euo pipefail
corpus=$(dirname "$(realpath "$0")")/corpus
mkdir -p "$corpus/png" "$corpus/roundtrip"
find "$corpus" -type f ! -name 'found-*' -delete
"$1" "$corpus"
python3 "$(dirname "$(realpath "$0")")/odd_streams.py" "$corpus/png"
du -sb "$corpus"
