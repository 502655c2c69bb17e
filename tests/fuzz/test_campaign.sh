#!/usr/bin/env bash
# test_campaign.sh: campaign.sh with two small targets, one of which has a fault: it finds the fault and goes on, counts
# every round once, also after kill -9 of itself or of all its processes, and its totals pass through the tree.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    tail -n 30 "$work"/*.log >&2
    exit 1
}

# A tree of its own.
fuzz=$work/tree/tests/fuzz
mkdir -p "$fuzz/corpus/small" "$work/programs"
cp -r "$here/campaign.sh" "$here/campaign" "$fuzz"
printf '%s\n' '# NAME CORPUS LONGEST DICTIONARY LIBRARIES' 'sound small 16 - none' 'faulty small 16 - none' >"$fuzz/targets.txt"
printf 'seed' >"$fuzz/corpus/small/seed"
for fault in 0 1; do
    name=$([ $fault = 0 ] && echo sound || echo faulty)
    clang -O1 -fsanitize=fuzzer -DFAULT=$fault "-DSCRATCHES=\"$work/scratches\"" -x c -o "$work/programs/fuzz_$name" - 2>"$work/clang.log" <<'C' || {
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *scratch = getenv("IMGTOOL_FUZZ_SCRATCH"); /* of a round */
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
        echo "skipped: clang with libFuzzer is not here: $(tail -n 1 "$work/clang.log")"
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

# What fuzzers have written to the directories that rounds gave them, if they gave any.
nothing_is_left() {
    [ -s "$work/scratches" ] || fail "no round gives a directory"
    while read -r path; do [ ! -e "$(dirname "$path")" ] || fail "left: $path"; done <"$work/scratches"
}

wait_for() {
    local _
    for _ in {1..1200}; do
        "$@" && return
        sleep 0.1
    done
    fail "after two minutes, not: $*"
}

echo "== a fault is found, and the campaign goes on"
code=0
campaign 0.0008 >"$work/first.log" 2>&1 || code=$?
[ $code -eq 3 ] || fail "exit code $code"
for name in sound faulty; do
    awk -F '\t' -v name=$name '$4 == name && $8 > 0 { n++ } END { exit !n }' "$work/state/rounds.tsv" || fail "no round of $name"
done
[ "$(awk -F '\t' '$3 == "faulty" && $6 == "yes"' "$work/state/finds.tsv" | wc -l)" -gt 0 ] || fail "the fault is not found"
grep -q '^BUG' "$work"/state/finds/faulty-*/crash-* || fail "the find is not kept"
! grep -lr '^BUG' "$work/state/corpus" || fail "what crashes is in the corpus"
find_line=$(wc -l <"$work/state/rounds.tsv")
[ "$find_line" -gt 2 ] || fail "only $find_line rounds"
[ -z "$(ls "$work/state/rounds")" ] || fail "rounds are left"
nothing_is_left

all_begun() {
    [ "$(cat "$work"/state/rounds/*/log 2>/dev/null | grep -c INITED)" -ge 1 ]
}

for whom in main all; do
    echo "== kill -9 of $whom"
    before=$(executions)
    setsid bash "$fuzz/campaign.sh" 1 --dir "$work/state" --programs "$work/programs" --cores 2 --nice 0 --round 30 \
        --targets sound >"$work/killed.log" 2>&1 &
    main=$!
    wait_for all_begun
    ! campaign 1 >"$work/second.log" 2>&1 || fail "two campaigns in one directory"
    if [ $whom = main ]; then kill -9 $main; else kill -9 -- -$main; fi
    wait $main 2>/dev/null || true
    wait_for nothing_runs
    code=0
    campaign 0.0003 >"$work/again.log" 2>&1 || code=$?
    [ $code -eq 3 ] || fail "exit code $code after a kill"
    [ "$(executions)" -gt "$before" ] || fail "no executions counted"
    [ "$(cut -f 1 "$work/state/rounds.tsv" | sort | uniq -d | wc -l)" -eq 0 ] || fail "a round is counted twice"
    [ "$(awk -F '\t' 'NF != 11' "$work/state/rounds.tsv" | wc -l)" -eq 0 ] || fail "a line is torn"
    [ "$(cut -f 2 "$work/state/rounds.tsv" | sort -u | wc -l)" -ge 3 ] || [ $whom = main ] || fail "what was killed is not counted"
    [ -z "$(ls "$work/state/rounds")" ] || fail "rounds are left"
    nothing_is_left
done

echo "== what an earlier code has run counts where the program is the same"
mkdir "$work/state/bin/earlier"
cp "$work/programs/fuzz_sound" "$work/state/bin/earlier/fuzz_sound"
cp "$work/programs/fuzz_sound" "$work/state/bin/earlier/fuzz_faulty"
for name in sound faulty; do
    printf 'of-%s\t1-1\tearlier\t%s\t1\t1\t1\t1000000\t9\t9\t1\n' $name $name >>"$work/state/rounds.tsv"
done
echo '| 20200101-0001 | earlier | sound | 500 | 1 | 1 | 1 | 0 |' >"$fuzz/CAMPAIGN.md" # of another campaign
campaign 0.0003 >"$work/same.log" 2>&1 || [ $? -eq 3 ] || fail "exit code $?"
campaign 0.0001 --targets faulty >"$work/without.log" 2>&1 || [ $? -eq 3 ] || fail "exit code $?"
campaign --status | tr -d ',' | awk -F ' *[|] *' '
    $2 == "sound" && $3 == $5 { sound = 1 }
    $2 == "faulty" && $3 == $5 + 1000000 { faulty = 1 }
    END { exit !(sound && faulty) }' || fail "not counted as it should be: $(campaign --status)"

echo "== totals and corpus in the tree"
campaign --export >"$work/export.log" 2>&1 || fail "exit code $?"
all=$(echo $(($(executions) + 500)) | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')
grep -q "^| all | $all |" "$fuzz/CAMPAIGN.md" || fail "not $all executions in CAMPAIGN.md"
compgen -G "$fuzz/corpus/small/kept-*" >/dev/null || fail "no input is exported"
rm -rf "$work/state"
campaign --status >"$work/status.log"
grep -q "^| all | $all |" "$work/status.log" || fail "a new campaign does not go on from the totals"
echo "passed"
