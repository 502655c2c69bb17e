#!/usr/bin/env bash
# Runs imgtool under --max-memory on one large picture, and libvips on the same picture, in turns. Prints a Markdown
# table: seconds, peak resident memory, peak space of temporary files, size of the result.
#
#     measure.sh [options] BUILD_DIR PICTURE
#
#     --cases LIST       names of cases, separated by commas or spaces (default: all; cases.sh lists them)
#     --runs N           runs of each program; the run with the median time is printed (default: 1)
#     --max-memory SIZE  limit for imgtool, with K, M or G (default: 512M)
#     --threads N        threads of both programs (default: the number of processors)
#     --only NAME        runs only imgtool, or only vips
#     --check            compare rectangles of imgtool's results with those of parts of the picture (spot_check.sh)
#     --timeout SECONDS  ends a run that takes longer (default: 3600)
#     --work DIR         directory for results and temporary files, removed at the end (default: one in $TMPDIR)
#
# $PYTHON names a Python with pyvips (pip install pyvips-binary pyvips). Without pyvips, imgtool runs alone. The space
# of temporary files is the sum of the open files in $TMPDIR, sampled five times a second. Both programs write PNG at
# zlib's level 1. Exit code 1 if imgtool fails, exceeds the limit by more than 16 MiB, or a check finds a difference.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/huge/cases.sh
. "$here/cases.sh"
usage() {
    sed -n '2,19s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

cases=$all_cases runs=1 memory=512M threads=$(nproc) only='' check='' timeout=3600 work=''
while [[ ${1:-} == --* ]]; do
    case $1 in
    --cases) cases=${2//,/ } ;;
    --runs) runs=$2 ;;
    --max-memory) memory=$2 ;;
    --threads) threads=$2 ;;
    --only) only=$2 ;;
    --timeout) timeout=$2 ;;
    --work) work=$2 ;;
    --check)
        check=yes
        shift
        continue
        ;;
    *) usage ;;
    esac
    shift 2
done
[ $# -eq 2 ] || usage
build=$(realpath "$1") picture=$(realpath "$2")
python=${PYTHON:-python3}
mkdir -p "${work:=${TMPDIR:-/tmp}}"
work=$(mktemp -d "$work/huge.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/temporary"
export TMPDIR=$work/temporary VIPS_CONCURRENCY=$threads
failed=0

# Prints the name of the case's result.
result_of() {
    case $1 in
    tiles) echo "$work/result.dzi" ;;
    *) echo "$work/result.png" ;;
    esac
}

# one_run PROGRAM CASE: runs the case once. Appends the line of run_measured, and the size of the result in bytes, to
# $work/PROGRAM.runs.
one_run() {
    local result command
    result=$(result_of "$2")
    rm -rf "$work"/result*
    if [ "$1" = imgtool ]; then
        case_command "$2" "$picture" "$result"
        command=("$build/app/imgtool" "${case_command[@]}" --max-memory "$memory" --max-pixels 100G --threads "$threads")
    else
        command=("$python" "$here/vips_case.py" "$2" "$picture" "${result%.dzi}")
    fi
    "$build/tests/huge/run_measured" "$timeout" "$TMPDIR" "$work/report" "${command[@]}" \
        >"$work/$1.out" 2>"$work/$1.err"
    echo "$(cat "$work/report") $(find "$work"/result* -type f -printf '%s\n' 2>/dev/null | awk '{n += $1} END {print n + 0}')" \
        >>"$work/$1.runs"
}

# median_run PROGRAM: prints the line of $work/PROGRAM.runs with the median time. A line has seconds, processor seconds,
# KiB of memory, KiB of temporary files, the exit code, and the size of the result in bytes.
median_run() {
    sort -n "$work/$1.runs" | awk '{run[NR] = $0} END {print run[int((NR + 1) / 2)]}'
}

# cells PROGRAM: prints the cells of the program in a row of the table.
cells() {
    if [ ! -e "$work/$1.runs" ]; then
        echo ' | | | |'
        return
    fi
    median_run "$1" | awk '{
        if ($5 != 0) printf "%.1f | %.1f | %.0f | |", $1, $2, $3 / 1024
        else printf "%.1f | %.1f | %.0f | %.0f | %.0f", $1, $2, $3 / 1024, $4 / 1024, $6 / 1048576 }'
}

# Prints the last cell of a row: how imgtool ended.
verdict() {
    local resident status limit text
    [ -e "$work/imgtool.runs" ] || return 0
    read -r _ _ resident _ status _ < <(median_run imgtool)
    limit=$(($(numfmt --from=iec "$memory") / 1024 + 16384))
    if [ "$status" -ne 0 ]; then
        failed=1
        echo "exit code $status: $(tail -n 1 "$work/imgtool.err")"
        return
    fi
    text=ok
    if [ "$resident" -gt "$limit" ]; then
        failed=1 text="memory exceeds the limit"
    fi
    echo "$text$checked"
}

# check_case CASE: compares rectangles of the result, and sets `checked` to the text about them for the last cell.
check_case() {
    local status=0
    checked=''
    [ -n "$check" ] && [ "$only" != vips ] || return 0
    [ "$(awk '{print $5}' "$work/report")" -eq 0 ] || return 0
    "$here/spot_check.sh" "$build" "$1" "$picture" "$(result_of "$1")" "$work/parts" >"$work/check" 2>&1 || status=$?
    case $status in
    0) checked=', rectangles equal' ;;
    77) ;;
    *) failed=1 checked=", rectangles DIFFER: $(tail -n 1 "$work/check")" ;;
    esac
}

# row CASE: measures the case and prints its line. In each turn imgtool runs last, so that its result can be checked.
row() {
    local turn
    rm -f "$work"/*.runs
    for ((turn = 0; turn < runs; turn++)); do
        if [ -n "$vips" ] && [[ " $vips_cases " == *" $1 "* ]]; then
            one_run vips "$1"
        fi
        if [ "$only" != vips ]; then
            one_run imgtool "$1"
        fi
    done
    check_case "$1"
    verdict >"$work/verdict"
    echo "| $1 | $(cells imgtool) | $(cells vips) | $(cat "$work/verdict") |"
    rm -rf "$work"/result*
}

cmake --build "$build" --target imgtool huge_tools >/dev/null
vips='' vips_cases=''
if [ "$only" != imgtool ] && vips=$("$python" "$here/vips_case.py" 2>/dev/null); then
    vips_cases=$("$python" "$here/vips_case.py" --cases)
fi
read -r width height < <(picture_size "$picture")
echo "$(basename "$picture"): $width x $height, $(stat -c %s "$picture") bytes. $("$build/app/imgtool" --version | head -n 1)," \
    "--max-memory $memory; vips ${vips:-not measured}. $threads threads, $runs runs, load $(cut -d' ' -f1 /proc/loadavg)."
echo
echo "| case | s | CPU s | MiB | temporary MiB | result MiB | vips s | CPU s | MiB | temporary MiB | result MiB | imgtool |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for name in $cases; do
    row "$name"
done
exit "$failed"
