#!/usr/bin/env bash
# ports.sh [PORT...]: tests imgtool on other processors in QEMU (user mode): aarch64, s390x (big-endian) and no-avx2
# (x86-64 up to SSE 4.2). Runs the unit tests, round trips and checkkernels on each. Also runs commands.txt and compares
# the files with those of native x86-64. Runs one in ROUNDTRIPS (default: 4) of the round trips, and CASES (default: 60)
# cases of each operation in checkkernels; SEED (default: 1) selects them. $JOBS processes run at a time (default: all
# cores). CHECKS (units roundtrips kernels files) selects parts. The last line counts what passed, failed and was
# skipped. Builds in build-tests/ports.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=tests/lib/packages.sh
. tests/lib/packages.sh
# shellcheck source=tests/ports/run_command.sh
. tests/ports/run_command.sh

seed=${SEED:-1} roundtrips=${ROUNDTRIPS:-4} cases=${CASES:-60} jobs=${JOBS:-$(nproc)}
checks=${CHECKS:-units roundtrips kernels files}
builds=$PWD/build-tests/ports
export IMGTOOL_SYSROOTS=${IMGTOOL_SYSROOTS:-$builds/sysroots}
passed=0 failed=0 skipped=0
table=()

# record PORT WHAT SECONDS PASSED FAILED SKIPPED [REMARK]: adds the counts of a part to the table and to the totals.
record() {
    passed=$((passed + $4)) failed=$((failed + $5)) skipped=$((skipped + $6))
    table+=("$(printf '%-8s %-12s %5d s  %4d passed  %3d failed  %3d skipped  %s' "$1" "$2" "$3" "$4" "$5" "$6" "${7-}")")
}

finish() {
    echo
    printf '%s\n' "${table[@]}"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
}

# skip PORT REASON: records a port that cannot be tested.
skip() {
    echo "skipped: $1: $2"
    record "$1" all 0 0 0 1 "$2"
}

# make_port PORT TARGET...: builds in the directory of the port. The output goes to a log.
make_port() {
    local build=$builds/$1 port=$1 log=$builds/$1.log
    shift
    { [ -e "$build/build.ninja" ] || cmake --preset "$port" -B "$build"; } >"$log" 2>&1 &&
        cmake --build "$build" --parallel "$jobs" --target "$@" >>"$log" 2>&1 && return
    tail -n 40 "$log"
    return 1
}

# check_units PORT: runs every unit test except those of not_run.txt. Prints the reasons for the exceptions.
check_units() {
    local start=$SECONDS build=$builds/$1 log=$builds/$1/checks/units.log programs=none tests='' name ports reason
    local left_out=0 total bad
    while read -r name ports reason; do
        case $name in '' | '#'*) continue ;; esac
        if [ "$ports" = all ] || [[ ,$ports, == *,$1,* ]]; then
            echo "skipped: $1: $name: $reason"
            left_out=$((left_out + 1))
            case $name in
            */*) tests="$tests $name" ;;
            *) programs="$programs|$name" ;;
            esac
        fi
    done <tests/ports/not_run.txt
    rm -f "$build/results.xml"
    IMGTOOL_LEFT_OUT=${tests# } ctest --test-dir "$build" --parallel "$jobs" --timeout 3000 --output-on-failure -R '^unit_' \
        -E "^unit_($programs)\$" --output-junit "$build/results.xml" >"$log" 2>&1
    total=$(grep -oE '\btests="[0-9]+"' "$build/results.xml" | head -n 1 | tr -dc 0-9)
    bad=$(grep -oE '\bfailures="[0-9]+"' "$build/results.xml" | head -n 1 | tr -dc 0-9)
    [ "${bad:-1}" -eq 0 ] || grep -E '^(\[FAIL\]|\[----\]|The following tests FAILED|	)|\*\*\*' "$log"
    record "$1" units $((SECONDS - start)) $((${total:-0} - ${bad:-0})) $((${bad:-1} + (${total:-0} == 0))) \
        "$left_out" "programs, and single tests left out"
}

# check_roundtrips PORT: runs `roundtrip` natively. The programs that `roundtrip` starts run in QEMU.
check_roundtrips() {
    local start=$SECONDS log=$builds/$1/checks/roundtrips.log good=0 all=0 a b code=0
    "$builds/no-avx2/tests/roundtrip/roundtrip" --every "$roundtrips" "$seed" "$builds/$1/run/imgtool" "$jobs" \
        >"$log" 2>&1 || code=$?
    while read -r a b; do
        good=$((good + a)) all=$((all + b))
    done < <(sed -nE 's/^([0-9]+) of ([0-9]+) equal$/\1 \2/p' "$log")
    [ "$code" -eq 0 ] || grep -v ' equal$' "$log"
    record "$1" 'round trips' $((SECONDS - start)) "$good" $((all - good + (all == 0) + (all == good && code != 0))) 0 \
        "one in $roundtrips, seed $seed"
}

# check_kernels PORT: runs one process per operation, $jobs at a time.
check_kernels() {
    local start=$SECONDS logs=$builds/$1/checks/kernels op ops bad=0
    mkdir -p "$logs"
    rm -f "$logs"/*
    mapfile -t ops < <(sed -nE 's/^IMG_(OP|MEASURE)\(([a-z0-9]+)\)$/\2/p' kernels/op_list.h)
    for op in "${ops[@]}"; do
        [ "$(jobs -rp | wc -l)" -lt "$jobs" ] || wait -n
        { "$builds/$1/run/checkkernels" --backend cpu --small --most "$cases" --seed "$seed" --op "$op" >"$logs/$op" 2>&1 ||
            echo "failed with exit code $?" >>"$logs/$op"; } &
    done
    wait
    for op in "${ops[@]}"; do
        if grep -q '^failed with' "$logs/$op" || ! grep -qE '^[1-9][0-9]* passed, 0 failed' "$logs/$op"; then
            echo "$1: checkkernels $op:" && tail -n 20 "$logs/$op"
            bad=$((bad + 1))
        fi
    done
    record "$1" checkkernels $((SECONDS - start)) $((${#ops[@]} - bad)) $bad 0 "operations, up to $cases cases each, seed $seed"
}

check_files() {
    local start=$SECONDS same=0 bad=0 line result
    while read -r line; do
        result=$(compare_command "$builds/no-avx2/app/imgtool" "$builds/$1/run/imgtool" "$line" "$builds/$1/checks/files")
        if [ "$result" = same ]; then
            same=$((same + 1))
        else
            echo "$1: not what x86-64 makes: imgtool $line: $result"
            bad=$((bad + 1))
        fi
    done < <(list_commands)
    record "$1" files $((SECONDS - start)) "$same" $bad 0 "equal by bytes"
}

check_port() {
    local sysroot check
    case $1 in
    aarch64 | s390x)
        sysroot=$(bash tests/ports/sysroot.sh "$1" 2>&1) || {
            skip "$1" "${sysroot##*skipped: }"
            return
        }
        ;;
    esac
    echo "== $1"
    local start=$SECONDS targets=(imgtool imgtool-plot checkkernels)
    [[ " $checks " != *" units "* ]] || targets+=(unit_programs)
    if ! make_port "$1" "${targets[@]}"; then
        record "$1" build $((SECONDS - start)) 0 1 0 "does not build"
        return
    fi
    record "$1" build $((SECONDS - start)) 1 0 0
    mkdir -p "$builds/$1/checks"
    mkdir -p "$builds/$1/checks"
    for check in $checks; do
        "check_$check" "$1"
    done
}

[ $# -gt 0 ] || set -- no-avx2 aarch64 s390x
for port in "$@"; do
    if [ ! -e "tests/ports/toolchains/$port.cmake" ] || [ "$port" = foreign ]; then
        echo "usage: ports.sh [aarch64] [s390x] [no-avx2]" >&2
        exit 2
    fi
done
mkdir -p "$builds/tmp"
export TMPDIR=$builds/tmp
if [ "$(uname -m)" != x86_64 ]; then
    for port in "$@"; do skip "$port" "this machine is no x86-64, whose files are what is compared with"; done
elif ! install_packages "$build_packages" "$plot_packages" "$ports_packages"; then
    for port in "$@"; do skip "$port" "compilers and QEMU cannot be installed"; done
elif ! make_port no-avx2 imgtool roundtrip; then
    record x86-64 build 0 0 1 0 "does not build"
else
    for port in "$@"; do
        check_port "$port"
    done
fi
rm -rf "$TMPDIR"
finish
