#!/bin/bash -eu
# Builds the fuzz targets for OSS-Fuzz, with its compilers, flags and engine. Copies them to $OUT with dictionaries, options,
# corpora, and shared libraries that the fuzzing machines lack. Run it at the root of the repository.
build=$WORK/imgtool
tests=$PWD/tests/fuzz

# Emulated targets are left out, because the emulator has its own sanitizers and coverage.
mapfile -t names < <(awk '/^[a-z]/ && $5 !~ /^emulated/ { print $1 }' "$tests/targets.txt")

# There is no build type, so that only OSS-Fuzz's flags apply.
cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=None -DIMGTOOL_TESTS=ON -DIMGTOOL_FUZZ=ON \
    -DIMGTOOL_CUDA=OFF -DIMGTOOL_MODEL=OFF -DIMGTOOL_HARDENED=OFF "-DIMGTOOL_FUZZ_ENGINE=$LIB_FUZZING_ENGINE" \
    "-DCMAKE_BUILD_RPATH=\$ORIGIN/lib"
cmake --build "$build" --parallel "$(nproc)" --target fuzz_corpora "${names[@]/#/fuzz_}"

mkdir -p "$OUT/lib"
for name in "${names[@]}"; do
    program=$build/tests/fuzz/fuzz_$name
    read -r _ group longest dictionary _ < <(grep "^$name " "$tests/targets.txt")
    cp "$program" "$OUT/"
    ldd "$program" | awk '/lib(png|z|deflate|cjson)[0-9a-z]*\.so/ { print $3 }' | sort -u | xargs -r cp -L -t "$OUT/lib"
    printf '[libfuzzer]\nmax_len = %s\n' "$longest" >"$OUT/fuzz_$name.options"
    [ "$dictionary" = - ] || cp "$build/tests/fuzz/dictionaries/$dictionary.dict" "$OUT/fuzz_$name.dict"
    rm -f "$OUT/fuzz_${name}_seed_corpus.zip"
    zip -q -j "$OUT/fuzz_${name}_seed_corpus.zip" "$build/tests/fuzz/corpus/$group"/*
done
