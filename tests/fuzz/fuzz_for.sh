#!/usr/bin/env bash
# fuzz_for.sh PROGRAM SECONDS CORPUS_DIR FOUND_DIR LONGEST [DICTIONARY]: runs a fuzzer for SECONDS, with inputs of at
# most LONGEST bytes. New inputs and failures go to FOUND_DIR. Fails if the fuzzer finds a failure or runs no input.
# The fuzzer starts from at most 40 inputs, evenly chosen from the corpus, because the whole of a slow corpus takes a
# minute to load. replay_NAME runs all inputs.
set -eu
program=$1 seconds=$2 corpus=$3 found=$4 longest=$5 dictionary=${6:-}
few=40
rm -rf "$found/begin"
mkdir -p "$found/new" "$found/begin"
inputs=("$corpus"/*)
for ((number = 0; number < ${#inputs[@]}; number += (${#inputs[@]} + few - 1) / few)); do
    cp "${inputs[number]}" "$found/begin"
done
"$program" -max_total_time="$seconds" -verbosity=0 -print_final_stats=1 -max_len="$longest" \
    ${dictionary:+-dict="$dictionary"} -artifact_prefix="$found/find-" "$found/new" "$found/begin" 2>"$found/log" || {
    code=$?
    tail -n 60 "$found/log"
    exit $code
}
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$found/log")
echo "${runs:-0} inputs"
[ "${runs:-0}" -gt 0 ]
