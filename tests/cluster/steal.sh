#!/usr/bin/env bash
# Tests --steal under its intended conditions. Shares are killed at random moments and restarted; one of them is not
# restarted. Others are stopped until the rest consider them crashed, and then continue. Some rounds have locks that
# exclude no other process, as on file systems whose locks are local.
# The files must always equal those of one machine, and no further files may be left. The merged report must have every
# file exactly once, without a failure. Files that a share had taken from others may be missing if it was started again
# when the batch was over.
#
#     steal.sh IMGTOOL SLOW_METADATA_LIBRARY|none [ROUNDS [SEED]]
#
# ROUNDS: default 1. The seed is printed. Exit code 1 if a check fails.
set -euo pipefail

if [ $# -lt 2 ] || [ $# -gt 4 ]; then
    echo "usage: $0 IMGTOOL SLOW_METADATA_LIBRARY|none [ROUNDS [SEED]]" >&2
    exit 2
fi
imgtool=$(realpath "$1")
library=
[ "$2" = none ] || library=$(realpath "$2")
rounds=${3:-1}
seed=${4:-$((EPOCHSECONDS % 32768))}
parts=5
files=60
dead_after=1 # seconds without a heartbeat until a share counts as crashed
options=(--angle 90 --recursive --level 7 "--steal=${dead_after}s")
work=$(mktemp -d "${TMPDIR:-/tmp}/imgtool-steal.XXXXXX")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=tests/batch/checks.sh
. "$here/../batch/checks.sh"
declare -A process # for each share, its process if that was started and may still run

clean_up() {
    local part
    for part in "${!process[@]}"; do
        kill -9 "${process[$part]}" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap clean_up EXIT
cd "$work"

# Makes pictures of eight widths, a third of them in a subdirectory, and the expected results in `want`.
make_inputs() {
    local number
    mkdir in in/deep
    for ((number = 0; number < 8; number++)); do
        "$imgtool" crop -q --x $((number * 7)) --width $((400 + number * 20)) --height 400 "$samples/landscape.png" \
            "$number.png"
    done
    for ((number = 0; number < files; number++)); do
        cp "$((number % 8)).png" "in/$([ $((number % 3)) -ne 0 ] || echo deep/)$number.png"
    done
    "$imgtool" batch rotate --angle 90 --recursive --level 7 -q in want
}

# begin SHARE: starts the process of a share.
begin() {
    LD_PRELOAD=$preload SLOW_NO_LOCKS=1 nice "$imgtool" batch rotate "${options[@]}" --jobs 2 \
        --shard "$1/$parts" --report "report-$1" in out >>"said-$1" 2>&1 &
    process[$1]=$!
}

lives() {
    [ -n "${process[$1]-}" ] && kill -0 "${process[$1]}" 2>/dev/null
}

# forget SHARE: waits for the process of a share that was killed or may have been killed.
forget() {
    wait "${process[$1]}" 2>/dev/null || true
    unset "process[$1]"
}

# pause MILLISECONDS: sleeps.
pause() {
    sleep "$(($1 / 1000)).$(printf '%03d' $(($1 % 1000)))"
}

# Chooses a random share and kills it, stops it for some time, or does nothing. If the share has ended, restarts it.
# Does nothing to the share that must stay killed.
happen() {
    local part=$((RANDOM % parts + 1))
    [ "$part" -ne "$dead" ] || return 0
    if ! lives "$part"; then
        [ -z "${process[$part]-}" ] || forget "$part"
        begin "$part"
        return 0
    fi
    case $((RANDOM % 3)) in
    0)
        kill -9 "${process[$part]}" && kills=$((kills + 1))
        forget "$part"
        ;;
    1)
        kill -STOP "${process[$part]}" && stops=$((stops + 1))
        pause $((dead_after * 1500 + RANDOM % 1000))
        kill -CONT "${process[$part]}"
        ;;
    *) ;;
    esac
}

# was_over: succeeds if a share was started again when the batch was over. It then knows no claims of the first batch, and
# replaces its report by one of its own share (app/batch/README.md).
was_over() {
    grep -q 'for parts that have not started' said-*
}

expect_whole_batch() {
    local difference listed
    if ! difference=$(diff -r --exclude='.imgtool-batch*' want out 2>&1); then
        problem "$(head -n 5 <<<"$difference")"
    fi
    expect_none_left out
    "$imgtool" batch merge-report report-* >merged 2>>said || problem "merge-report: code $?"
    listed=$(jq -r 'select(.type == "file").file' merged | sort -u | wc -l)
    [ "$listed" -eq $files ] || was_over || problem "$listed of $files files are in the report"
    [ "$(jq -c 'select(.type == "summary") | [.file_count, .failed]' merged)" = "[$listed,0]" ] ||
        problem "the merged report says $(tail -n 1 merged)"
}

a_round() {
    local part code turn kills=0 stops=0 dead=0 chosen=$((RANDOM % parts + 1))
    rm -rf out report-* said-* merged
    for ((part = 1; part <= parts; part++)); do
        begin "$part"
    done
    pause $((300 + RANDOM % 500))
    if [ -e out/.imgtool-claims ] && compgen -G "out/.imgtool-claims/*/start-$((chosen - 1))" >/dev/null; then
        dead=$chosen
        ! lives "$dead" || kill -9 "${process[$dead]}"
        forget "$dead"
    fi
    for ((turn = 0; turn < 8; turn++)); do
        happen
        pause $((RANDOM % 400))
    done
    for ((part = 1; part <= parts; part++)); do
        [ "$part" -ne "$dead" ] || continue
        lives "$part" || { [ -n "${process[$part]-}" ] && [ -e "report-$part" ] && grep -q '"summary"' "report-$part"; } ||
            begin "$part"
    done
    for part in "${!process[@]}"; do
        code=0
        wait "${process[$part]}" || code=$?
        unset "process[$part]"
        [ $code -eq 0 ] || problem "part $part ended with $code: $(tail -n 2 "said-$part" | xargs)"
    done
    echo "    part $dead killed for good; $kills killed and started again, $stops stopped for longer than ${dead_after} s;" \
        "$(jq -s '[.[] | select(.type == "file" and .status == "done")] | length' report-*) files done," \
        "$(cat said-* | grep -c 'taken over from other processes' || true) times taken over$(! was_over || echo ', started again when all was over')"
    expect_whole_batch
    expect_no_claims
}

# Checks that no claim files are left. A process that was killed while it removed them leaves some, which the next batch
# removes.
expect_no_claims() {
    [ -e out/.imgtool-claims ] || return 0
    echo "    left for the next batch: $(find out/.imgtool-claims | wc -l) of the claims"
    pause $((dead_after * 1000 + 300))
    "$imgtool" batch rotate "${options[@]}" -q --shard 1/1 in out
    [ ! -e out/.imgtool-claims ] || problem "claims are left over: $(find out/.imgtool-claims | head -n 5 | xargs)"
}

with_locks() {
    preload=
    a_round
}

without_locks() {
    [ -n "$library" ] || {
        skip_reason="no library that makes locks do nothing"
        return 0
    }
    preload=$library
    a_round
}

make_inputs
RANDOM=$seed
echo "seed $seed"
for ((round = 0; round < rounds; round++)); do
    check "parts are killed and stopped" with_locks
    check "parts are killed and stopped, without working locks" without_locks
done
finish
