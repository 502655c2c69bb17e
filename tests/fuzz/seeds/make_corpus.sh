#!/usr/bin/env bash
# Makes what tests/fuzz/corpus has from programs anew; what was added by hand (found-*) or by a campaign (kept-*) stays:
#
#     make_corpus.sh MAKE_SEEDS
set -euo pipefail
seeds=$(dirname "$(realpath "$0")")
corpus=$(dirname "$seeds")/corpus
mkdir -p "$corpus/png" "$corpus/roundtrip" "$corpus/request" "$corpus/file"
rm -f "$corpus"/png/{file,rows,stream,odd}-* "$corpus"/roundtrip/picture-* "$corpus"/file/file-*
"$1" "$corpus"
python3 "$seeds/odd_streams.py" "$corpus/png"
python3 "$seeds/text_seeds.py" "$corpus"
# As they are, without the head that says how to build them.
for file in "$corpus"/png/file-*; do
    tail -c +9 "$file" >"$corpus/file/$(basename "$file")"
done
printf 'h\22\0\0\0\1\0\0\0imgtool\0' >"$corpus/request/one-argument"
printf 'h\77\0\0\0\4\0\0\0imgtool\0flip\0\0out.png\0' >"$corpus/request/an-empty-one"
printf 'h\22\0\0\0\3\0\0\0imgtool\0flip\0' >"$corpus/request/one-too-few"
printf 's' >"$corpus/request/status"
printf 'ximgserve\1\0\0\0\3\0\0\0' >"$corpus/request/too-short"
du -sb "$corpus"
