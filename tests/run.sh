#!/usr/bin/env bash
# Installs what the tests need, builds imgtool in every way that matters and runs everything:
#   release     gcc, with CUDA where nvcc is found
#   sanitizers  gcc with address and undefined-behaviour sanitizers, CPU only
#   clang       clang, CPU only: its warnings, and the tests that do not repeat the above
#   fuzz        clang, libFuzzer and sanitizers: a few seconds of every target of tests/fuzz
#   sources     clang-format, clang-tidy, shellcheck
# `--fast` stops after release. The last line counts what passed, failed and was skipped, over all.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=tests/lib/packages.sh
. tests/lib/packages.sh

fast=no
case ${1-} in
'') ;;
--fast) fast=yes ;;
*)
    echo "usage: tests/run.sh [--fast]" >&2
    exit 2
    ;;
esac

passed=0 failed=0 skipped=0
table=()
jobs=$(nproc)

# record STAGE SECONDS PASSED FAILED SKIPPED [REMARK]
record() {
    passed=$((passed + $3)) failed=$((failed + $4)) skipped=$((skipped + $5))
    table+=("$(printf '%-12s %4d s  %4d passed  %3d failed  %3d skipped  %s' "$1" "$2" "$3" "$4" "$5" "${6-}")")
}

finish() {
    echo
    printf '%s\n' "${table[@]}"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# single STAGE COMMAND...: one thing that passes or fails.
single() {
    local stage=$1 start=$SECONDS
    shift
    echo "== $stage"
    if "$@"; then
        record "$stage" $((SECONDS - start)) 1 0 0
    else
        record "$stage" $((SECONDS - start)) 0 1 0
    fi
}

# attribute NAME FILE: a number from the first tag that has it.
attribute() {
    grep -oE "\b$1=\"[0-9]+\"" "$2" | head -n 1 | tr -dc 0-9
}

# count_tests STAGE START CTEST_CODE RESULTS LOG: a run without readable results is a failure. Unit
# tests that were skipped inside a program that passed are counted too.
count_tests() {
    local total bad off skip inside
    total=$(attribute tests "$4") bad=$(attribute failures "$4")
    off=$(attribute disabled "$4") skip=$(attribute skipped "$4")
    if [ -z "$total" ] || [ -z "$bad" ] || [ "${total:-0}" -eq 0 ]; then
        record "$1" $((SECONDS - $2)) 0 1 0 "no results from ctest"
        return
    fi
    skip=$((${skip:-0} + ${off:-0}))
    if [ "$3" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
    fi
    inside=$(grep -c '^\[SKIP\]' "$5")
    grep -E '^(skipped:|\[SKIP\]) ' "$5"
    record "$1" $((SECONDS - $2)) $((total - bad - skip)) "$bad" $((skip + inside))
}

# build_and_test STAGE TESTS CMAKE_OPTIONS...: TESTS is a regular expression of ctest's.
build_and_test() {
    local stage=$1 tests=$2 start=$SECONDS build=$PWD/build-tests/$1 code
    shift 2
    echo "== $stage"
    if ! cmake -S . -B "$build" -DIMGTOOL_TESTS=ON -DIMGTOOL_WERROR=ON "$@" ||
        ! cmake --build "$build" --parallel "$jobs"; then
        record "$stage" $((SECONDS - start)) 0 1 0 "does not build"
        return
    fi
    rm -f "$build/results.xml"
    ctest --test-dir "$build" --parallel "$jobs" --no-tests=error --output-on-failure \
        --output-junit "$build/results.xml" --tests-regex "$tests"
    code=$?
    count_tests "$stage" "$start" "$code" "$build/results.xml" \
        "$build/Testing/Temporary/LastTest.log"
}

# What it finds stays in the build folder. Hours of it are for those who change the codec.
check_fuzz() {
    local build=$PWD/build-tests/fuzz corpus=$PWD/tests/fuzz/corpus seconds=7
    cmake -S . -B "$build" -DIMGTOOL_TESTS=ON -DIMGTOOL_WERROR=ON -DIMGTOOL_FUZZ=ON \
        -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DIMGTOOL_CUDA=OFF \
        -DIMGTOOL_SANITIZE=address,undefined &&
        cmake --build "$build" --parallel "$jobs" --target fuzz || return 1
    mkdir -p "$build/new-png" "$build/new-roundtrip"
    local run=("-max_total_time=$seconds" -verbosity=0 -print_final_stats=1
        "-artifact_prefix=$build/find-")
    "$build/tests/fuzz/fuzz_decode" "${run[@]}" -max_len=4096 "$build/new-png" "$corpus/png" &&
        "$build/tests/fuzz/fuzz_guess" "${run[@]}" -max_len=4096 "$build/new-png" "$corpus/png" &&
        "$build/tests/fuzz/fuzz_roundtrip" "${run[@]}" -max_len=256 "$build/new-roundtrip" \
            "$corpus/roundtrip"
}

find_sources() {
    find app io kernels samples tests -type f \( "$@" \) -print0
}

check_format() {
    find_sources -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' |
        xargs -0 clang-format --dry-run --Werror
}

# Of every file that the clang build compiles; what it says is shown for files it objects to.
check_tidy() {
    local commands=build-tests/clang/compile_commands.json
    [ -s "$commands" ] || return 1
    # shellcheck disable=SC2016 # for the inner shell
    jq -r '.[].file' "$commands" | sort -u | tr '\n' '\0' |
        xargs -0 -P "$jobs" -n 1 bash -c '
            report=$(clang-tidy --quiet -p build-tests/clang "$0" 2>&1) && exit 0
            printf "%s\n" "$report"
            exit 1'
}

check_scripts() {
    { find_sources -name '*.sh' && printf '%s\0' .ci/run; } | xargs -0 shellcheck -x
}

echo "== packages"
if ! install_packages "$build_packages" "$test_packages"; then
    record packages "$SECONDS" 0 1 0 "cannot be installed"
    finish
    exit 1
fi

# One architecture is enough for a test: that of the GPU at hand, or any.
cuda_architecture=90
if nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    cuda_architecture=native
fi
build_and_test release . -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=AUTO \
    -DCMAKE_CUDA_ARCHITECTURES="$cuda_architecture"
if [ "$fast" = no ]; then
    build_and_test sanitizers '^(unit_|checkkernels|samples|roundtrip|fuzz_|cli/|batch_)' \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo -DIMGTOOL_CUDA=OFF \
        -DIMGTOOL_SANITIZE=address,undefined
    build_and_test clang '^(unit_|checkkernels|emulator_|samples|roundtrip|fuzz_)' \
        -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=OFF
    single fuzz check_fuzz
    single format check_format
    single tidy check_tidy
    single scripts check_scripts
fi
finish
