#!/usr/bin/env bash
# Tests campaign.sh with two small targets, one with a fault. The campaign must find the fault and continue. It must
# count every round once, also after kill -9 of itself or of all its processes. A new campaign must continue from the
# totals in the tree.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    tail -n 30 "$work"/*.log >&2
    exit 1
}

# Makes a private tree with a corpus of one input.
fuzz=$work/tree/tests/fuzz
mkdir -p "$fuzz" "$work/programs"
cp -r "$here/campaign.sh" "$here/campaign" "$here/corpus.sh" "$fuzz"
printf '%s\n' '# NAME CORPUS LONGEST DICTIONARY LIBRARIES' 'sound small 16 - none' 'faulty small 16 - none' >"$fuzz/targets.txt"
printf 'seed' >"$work/seed"
bash "$fuzz/corpus.sh" add small "$work/seed"
for fault in 0 1; do
    name=$([ $fault = 0 ] && echo sound || echo faulty)
    clang -O1 -fsanitize=fuzzer -DFAULT=$fault "-DSCRATCHES=\"$work/scratches\"" -x c -o "$work/programs/fuzz_$name" - 2>"$work/clang.log" <<'C' || {
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *scratch = getenv("IMGTOOL_FUZZ_SCRATCH"); /* set by each round */
    char path[4096];
    FILE *list = scratch != NULL ? fopen(SCRATCHES, "a") : NULL;
    if (list == NULL)
        return 0;
    snprintf(path, sizeof path, "%s/left", scratch);
    fprintf(list, "%s\n", path);
    FILE *left = fopen(path, "w");
    if (fclose(list) != 0 || left == NULL || fclose(left) != 0)
        abort();
    return 0;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 2 && data[0] == 'B' && data[1] == 'U' && data[2] == 'G' && FAULT)
        abort();
    return 0;
}
C
        echo "skipped: clang with libFuzzer is not available: $(tail -n 1 "$work/clang.log")"
        exit 77
    }
done
campaign() {
    bash "$fuzz/campaign.sh" "$@" --dir "$work/state" --programs "$work/programs" --cores 2 --nice 0 --round 1
}

executions() {
    awk -F '\t' '{ sum += $8 } END { printf "%d\n", sum }' "$work/state/rounds.tsv"
}

nothing_runs() {
    ! pgrep -f "^$work/state/bin/" >/dev/null
}

# nothing_is_left: each round must have given its fuzzer a directory, and removed that directory afterwards.
nothing_is_left() {
    [ -s "$work/scratches" ] || fail "no round sets IMGTOOL_FUZZ_SCRATCH"
    while read -r path; do [ ! -e "$(dirname "$path")" ] || fail "not removed: $path"; done <"$work/scratches"
}

wait_for() {
    local _
    for _ in {1..1200}; do
        "$@" && return
        sleep 0.1
    done
    fail "still false after two minutes: $*"
}

echo "== a fault is found, and the campaign continues"
code=0
campaign 0.0008 >"$work/first.log" 2>&1 || code=$?
[ $code -eq 3 ] || fail "exit code $code"
for name in sound faulty; do
    awk -F '\t' -v name=$name '$4 == name && $8 > 0 { n++ } END { exit !n }' "$work/state/rounds.tsv" || fail "$name has no round"
done
[ "$(awk -F '\t' '$3 == "faulty" && $6 == "yes"' "$work/state/finds.tsv" | wc -l)" -gt 0 ] || fail "the fault was not found"
grep -q '^BUG' "$work"/state/finds/faulty-*/crash-* || fail "the find was not kept"
! grep -lr '^BUG' "$work/state/corpus" || fail "the corpus has an input that crashes"
find_line=$(wc -l <"$work/state/rounds.tsv")
[ "$find_line" -gt 2 ] || fail "the campaign ended after $find_line rounds"
[ -z "$(ls "$work/state/rounds")" ] || fail "a directory of a round was not removed"
nothing_is_left

all_begun() {
    [ "$(cat "$work"/state/rounds/*/log 2>/dev/null | grep -c INITED)" -ge 1 ]
}

for killed in main all; do
    echo "== kill -9 of $killed"
    before=$(executions)
    setsid bash "$fuzz/campaign.sh" 1 --dir "$work/state" --programs "$work/programs" --cores 2 --nice 0 --round 30 \
        --targets sound >"$work/killed.log" 2>&1 &
    main=$!
    wait_for all_begun
    ! campaign 1 >"$work/second.log" 2>&1 || fail "two campaigns run in one directory"
    if [ $killed = main ]; then kill -9 $main; else kill -9 -- -$main; fi
    wait $main 2>/dev/null || true
    wait_for nothing_runs
    code=0
    campaign 0.0003 >"$work/again.log" 2>&1 || code=$?
    [ $code -eq 3 ] || fail "exit code $code after a kill"
    [ "$(executions)" -gt "$before" ] || fail "the killed round counts no executions"
    [ "$(cut -f 1 "$work/state/rounds.tsv" | sort | uniq -d | wc -l)" -eq 0 ] || fail "a round is counted twice"
    [ "$(awk -F '\t' 'NF != 11' "$work/state/rounds.tsv" | wc -l)" -eq 0 ] || fail "a line is incomplete"
    [ "$(cut -f 2 "$work/state/rounds.tsv" | sort -u | wc -l)" -ge 3 ] || [ $killed = main ] || fail "the killed campaign was not counted"
    [ -z "$(ls "$work/state/rounds")" ] || fail "a directory of a round was not removed"
    nothing_is_left
done

echo "== hours of an earlier code count if the program is the same"
mkdir "$work/state/bin/earlier"
cp "$work/programs/fuzz_sound" "$work/state/bin/earlier/fuzz_sound"
cp "$work/programs/fuzz_sound" "$work/state/bin/earlier/fuzz_faulty"
for name in sound faulty; do
    printf 'of-%s\t1-1\tearlier\t%s\t1\t1\t1\t1000000\t9\t9\t1\n' $name $name >>"$work/state/rounds.tsv"
done
printf '%s\n' 'text before' '<!-- begin: campaign.sh --export -->' \
    '| 20200101-0001 | first | sound | 300 | 1 | 1 | 1 | 0 |' \
    '| 20200101-0001 | second | sound | 200 | 1 | 1 | 1 | 0 |' \
    '| 20200101-0001 | earlier | sound | 500 | 1 | 1 | 1 | 0 |' \
    '<!-- end: campaign.sh --export -->' 'text after' >"$fuzz/MEASUREMENTS.md" # totals of another campaign
campaign 0.0003 >"$work/same.log" 2>&1 || [ $? -eq 3 ] || fail "exit code $?"
campaign 0.0001 --targets faulty >"$work/without.log" 2>&1 || [ $? -eq 3 ] || fail "exit code $?"
campaign --status | tr -d ',' | awk -F ' *[|] *' '
    $2 == "sound" && $3 == $5 + 500 { sound = 1 }
    $2 == "faulty" && $3 == $5 + 1000000 { faulty = 1 }
    END { exit !(sound && faulty) }' || fail "the table is wrong: $(campaign --status)"

echo "== the totals and the corpus are exported to the tree"
campaign --export >"$work/export.log" 2>&1 || fail "exit code $?"
all=$(echo $(($(executions) + 1000)) | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')
grep -q "^| all | $all |" "$fuzz/MEASUREMENTS.md" || fail "MEASUREMENTS.md has not $all executions"
grep -q "^| 20200101-0001 | older | sound | 500 |" "$fuzz/MEASUREMENTS.md" || fail "older codes are not added up"
[ "$(grep '^text ' "$fuzz/MEASUREMENTS.md" | tr '\n' ' ')" = 'text before text after ' ] || fail "other text has changed"
bash "$fuzz/corpus.sh" list small | grep ' small/kept-' >/dev/null || fail "no input was exported"
rm -rf "$work/state"
campaign --status >"$work/status.log"
grep -q "^| all | $all |" "$work/status.log" || fail "a new campaign does not continue from the totals"
echo "passed"
