#!/usr/bin/env bash
# Kills `imgtool batch` with SIGKILL at random moments and resumes it. The directory must equal that of a run without
# kills, byte by byte, and no further files may be left.
#
#     kill_and_resume.sh IMGTOOL [TRIALS [SEED]]
#
# Each of TRIALS trials (default: 20) kills one to three runs, all with --resume except the first. Then a last run
# continues to its end. The trials use three ways in turn: an output directory; --in-place, where each file must be
# rotated exactly once; and --in-place after a completed run, where each file must be rotated exactly once more.
# If strace is available, runs are also killed at system calls: at a rename of a temporary file to its final name, and
# at a write to the record. Kills at random moments would rarely hit these calls. SEED repeats a run as far as possible.
# Exit code 1 if a check fails.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 3 ]; then
    echo "usage: $0 IMGTOOL [TRIALS [SEED]]" >&2
    exit 2
fi
imgtool=$(realpath "$1")
trials=${2:-20}
seed=${3:-$((SRANDOM % 32768))}
RANDOM=$seed
work=$(mktemp -d "${TMPDIR:-/tmp}/imgtool-kill.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/batch/checks.sh
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
echo "seed $seed"

options=(--level 8) # a slow level, so that there is time to kill the run
pictures=50
moments="1 2 3 5 6"
if [ "$trials" -lt 5 ]; then # few trials, as in ordinary test runs, are also made small
    options=(--level 6)
    pictures=12
    moments="1 4"
fi
middle=0 # number of kills after some files were finished, but not all

# arguments WAY: prints the operands and options of a run: to a directory, in place, or in place once more.
arguments() {
    if [ "$1" = directory ]; then
        echo "$work/in"
        echo "$work/found"
    else
        echo --in-place
        echo "$work/found"
    fi
}

# before WAY: prints the directory that holds the files as they are before the first run in place.
# after WAY: prints the directory that holds the expected files.
before() {
    [ "$1" = once-more ] && echo "$work/once" || echo "$work/in"
}
after() {
    [ "$1" = once-more ] && echo "$work/twice" || echo "$work/want"
}

# fresh WAY: makes the input files for a first run.
fresh() {
    rm -rf "$work/found"
    if [ "$1" != directory ]; then
        cp -a "$(before "$1")" "$work/found"
    fi
}

# killed_after SECONDS ARGUMENTS...: kills a run after SECONDS. The exit code is 137 unless the run ended earlier.
killed_after() {
    local process
    "$imgtool" batch rotate --angle 90 --recursive "${options[@]}" "${@:2}" >"$work/said" 2>&1 \
        </dev/null &
    process=$!
    sleep "$1"
    kill -9 "$process" 2>/dev/null || true
    code=0
    { wait "$process" || code=$?; } 2>/dev/null
    [ "$code" -eq 137 ] || [ "$code" -eq 0 ] || problem "exit code $code of a run that was to be killed"
}

# Prints the number of files that have their expected content.
finished_files() {
    local file count=0 want
    want=$(after "$1")
    while IFS= read -r -d '' file; do
        cmp -s "$want/$file" "$work/found/$file" && count=$((count + 1))
    done < <(cd "$want" && find . -name '*.png' -print0)
    echo "$count"
}

# Checks that no file is partly written. In place, each file must have its old or its expected
# content.
expect_whole() {
    local file
    [ -d "$work/found" ] || return 0
    while IFS= read -r -d '' file; do
        if ! cmp -s "$(after "$1")/$file" "$work/found/$file" &&
            { [ "$1" = directory ] || ! cmp -s "$(before "$1")/$file" "$work/found/$file"; }; then
            problem "after a kill, neither the old nor the new content: $file"
        fi
    done < <(cd "$work/found" && find . -name '*.png' ! -name '.*' -print0)
}

# resume_to_the_end WAY: resumes the killed run and lets it end. A further run must not process any file.
# If WAY is once-more and the run was killed before it began, --resume continues the earlier, completed run: then no
# file may have been rotated again.
resume_to_the_end() {
    local before operands
    mapfile -t operands < <(arguments "$1")
    batch "${options[@]}" --resume "${operands[@]}"
    expect_code 0
    if [ "$1" != once-more ] ||
        ! diff -rq --exclude=.imgtool-batch "$(before "$1")" "$work/found" >/dev/null; then
        expect_same "$(after "$1")" "$work/found"
    fi
    expect_none_left "$work"
    before=$(states "$work/found")
    batch "${options[@]}" --resume "${operands[@]}"
    expect_code 0
    [ "$before" = "$(states "$work/found")" ] || problem "--resume processed finished files again"
}

# trial WAY: kills and resumes a batch, and checks its files.
trial() {
    local kills=$((1 + RANDOM % 3)) number resume=() operands moment there
    mapfile -t operands < <(arguments "$1")
    fresh "$1"
    for ((number = 0; number < kills; number++)); do
        moment=$(awk "BEGIN { printf \"%.4f\", $whole_seconds * $RANDOM / 32768 / ($number + 1) }")
        killed_after "$moment" "${resume[@]}" "${operands[@]}"
        expect_whole "$1"
        there=0
        [ ! -d "$work/found" ] || there=$(finished_files "$1")
        if [ "$there" -gt 0 ] && [ "$there" -lt "$files" ]; then
            middle=$((middle + 1))
        fi
        resume=(--resume)
    done
    resume_to_the_end "$1"
}

# killed_at WAY CALLS WHEN [FILE]: kills a run at the system call number WHEN among CALLS (a list of names). With FILE,
# only calls about this file count. The run has one thread, because strace counts the calls of each thread separately.
killed_at() {
    local way=$1 calls=$2 when=$3 only=() operands
    [ -z "${4-}" ] || only=(-P "$4")
    mapfile -t operands < <(arguments "$way")
    fresh "$way"
    {
        strace -f -qq -o /dev/null "${only[@]}" -e trace="$calls" \
            -e inject="$calls:signal=SIGKILL:when=$when" "$imgtool" batch rotate --angle 90 --recursive \
            --jobs 1 "${options[@]}" "${operands[@]}" >"$work/said" 2>&1 </dev/null
    } 2>/dev/null && code=0 || code=$?
    [ "$code" -eq 137 ] || problem "$calls number $when${4:+ of $4}: was never reached (exit code $code)"
    expect_whole "$way"
    resume_to_the_end "$way"
}

# record_of WAY: prints the path of the record. In place, each directory has its own record; the record of the directory
# with the most pictures is printed.
record_of() {
    local directory
    directory=$(cd "$work/in" && find . -name '*.png' -printf '%h\n' | sort | uniq -c | sort -rn |
        sed -n '1s/^ *[0-9]* //p')
    [ "$1" != directory ] || directory=.
    realpath -m "$work/found/$directory/.imgtool-batch"
}

naming=rename,renameat,renameat2
killed_at_steps() {
    local when record
    record=$(record_of "$1")
    if ! strace -o /dev/null true 2>/dev/null; then
        skip_reason="there is no strace, or it is not permitted"
        return
    fi
    for when in $moments; do
        killed_at "$1" "$naming" "$when"
    done
    # Kills the run before the line is written, and between the line and the rename of its file.
    for when in $moments; do
        killed_at "$1" write,writev,pwrite64 "$when" "$record"
    done
}

# A power failure can lose data that are not synchronised to disk. If it kept a result of --in-place but lost its line in
# the record, the next run would process the file twice. So the call before each rename must be an fdatasync.
synced_before_names() {
    if ! strace -o /dev/null true 2>/dev/null; then
        skip_reason="there is no strace, or it is not permitted"
        return
    fi
    fresh in-place
    traced -o "$work/calls" -e trace="fdatasync,$naming" "$imgtool" batch rotate --angle 90 --recursive \
        --jobs 1 "${options[@]}" --in-place "$work/found" >"$work/said" 2>&1 </dev/null && code=0 || code=$?
    expect_code 0
    [ "$(grep -c 'rename.*\.tmp' "$work/calls")" -eq "$files" ] || problem "the number of renames is not that of the files"
    [ "$(awk '/rename.*\.tmp/ && before !~ /fdatasync/ { n++ } { before = $0 } END { print n + 0 }' "$work/calls")" -eq 0 ] ||
        problem "a file got its name before the record was synchronised"
}

without_kills() {
    local start=${EPOCHREALTIME/./}
    batch "${options[@]}" "$work/in" "$work/want"
    whole_seconds=$(awk "BEGIN { print (${EPOCHREALTIME/./} - $start) / 1e6 }")
    expect_code 0
    [ "$(find "$work/want" -name '*.png' | wc -l)" -eq "$files" ] || problem "files are missing"
    expect_none_left "$work"
    echo "without kills: $files files, $whole_seconds s"
}

in_place_without_kills() {
    fresh in-place
    batch "${options[@]}" --in-place "$work/found"
    expect_code 0
    expect_same "$work/want" "$work/found"
    cp -a "$work/found" "$work/once"
    batch "${options[@]}" --in-place "$work/found"
    expect_code 0
    cp -a "$work/found" "$work/twice"
}

to_directory() {
    trial directory
}
in_place() {
    trial in-place
}
once_more() {
    trial once-more
}
steps_to_directory() {
    killed_at_steps directory
}
steps_in_place() {
    killed_at_steps in-place
}
steps_once_more() {
    killed_at_steps once-more
}

make_pictures "$work/in" "$pictures"
cp -a "$work/in" "$work/pristine"
files=$(find "$work/in" -name '*.png' | wc -l)
check "without kills" without_kills
check "in place, without kills" in_place_without_kills
[ "$failed" -eq 0 ] || finish # without a reference run no check is possible
check "in place, the record is synchronised before names" synced_before_names
for ((number = 1; number <= trials; number++)); do
    check "seed $seed, trial $number, to a directory" to_directory
    check "seed $seed, trial $number, in place" in_place
    check "seed $seed, trial $number, in place a second time" once_more
done
check "killed at the steps of a file, to a directory" steps_to_directory
check "killed at the steps of a file, in place" steps_in_place
check "killed at the steps of a file, in place a second time" steps_once_more
inputs_untouched() {
    expect_same "$work/pristine" "$work/in"
    [ "$trials" -lt 5 ] || [ "$middle" -gt 0 ] || problem "no kill came while a run had some files done"
}
check "the inputs are as they were; $middle kills came while a run had some files done" inputs_untouched
finish
