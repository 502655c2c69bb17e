#!/usr/bin/env bash
# Installs what the tests need, builds imgtool in every way that matters and runs everything:
#   format, scripts  clang-format and shellcheck
#   release          gcc, optimised, with CUDA where nvcc is found: all tests
#   checked          clang with address and undefined-behaviour sanitizers and what fuzzers need, CPU
#                    only: units, kernels, command line, a few seconds of each fuzzer, and the CUDA
#                    kernels in the emulator
#   tidy             clang-tidy over the files that have changed since tests/tidy.sums was noted
#   cases            how many cases of each operation were checked: none fewer than README.md says
# --fast: format, scripts, and a release build without CUDA with the tests that are not slow.
# --full: clang-tidy over all files, all of UBSan's checks, the model of a GPU as clang builds it too, and device code
# optimised where there is no GPU. --tidy: only clang-tidy, and notes the files that it finds clean.
# --ports: nothing of these, but other processors in QEMU (tests/ports): aarch64, s390x, x86-64 without AVX2.
# The last line counts what passed, failed and was skipped, over all.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=tests/lib/packages.sh
. tests/lib/packages.sh

case ${1-} in
'') mode=all ;;
--fast | --full | --tidy) mode=${1#--} ;;
--ports) exec bash tests/ports/ports.sh ;;
*)
    echo "usage: tests/run.sh [--fast | --full | --tidy | --ports]" >&2
    exit 2
    ;;
esac

passed=0 failed=0 skipped=0
table=()
failing=() # build directories whose tests did not all pass
jobs=$(nproc)

# record STAGE SECONDS PASSED FAILED SKIPPED [REMARK]
record() {
    passed=$((passed + $3)) failed=$((failed + $4)) skipped=$((skipped + $5))
    table+=("$(printf '%-12s %4d s  %4d passed  %3d failed  %3d skipped  %s' "$1" "$2" "$3" "$4" "$5" "${6-}")")
}

# What failed, once more: at the end of a long log, and alone, so that it shows whether it fails always. It
# counts as failed whatever comes of that.
show_failures() {
    local build
    for build in "${failing[@]}"; do
        echo "== failed in ${build##*/}, run again alone"
        ctest --test-dir "$build" --rerun-failed --output-on-failure --timeout 300
    done
}

finish() {
    show_failures
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

# count_tests STAGE START CTEST_CODE RESULTS LOG REMARK: a run without readable results is a failure. Unit
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
    record "$1" $((SECONDS - $2)) $((total - bad - skip)) "$bad" $((skip + inside)) "$6"
}

# build_and_test STAGE SELECTION CMAKE_OPTIONS...: SELECTION is of ctest's options.
build_and_test() {
    local stage=$1 start=$SECONDS build=$PWD/build-tests/$1 code selection built generator=()
    read -r -a selection <<<"$2"
    shift 2
    echo "== $stage"
    # Ninja keeps all cores busy over all targets. A directory that has been built in stays as it is.
    [ -e "$build/CMakeCache.txt" ] || generator=(-G Ninja)
    if ! cmake "${generator[@]}" -S . -B "$build" -DIMGTOOL_TESTS=ON -DIMGTOOL_WERROR=ON "$@" ||
        ! cmake --build "$build" --parallel "$jobs"; then
        record "$stage" $((SECONDS - start)) 0 1 0 "does not build"
        return
    fi
    built=$((SECONDS - start))
    [ "${selection[0]}" != -N ] || return 0
    rm -f "$build/results.xml"
    # One more than there are cores, as servers and interrupted programs are waited for.
    ctest --test-dir "$build" --parallel $((jobs + 1)) --no-tests=error --output-on-failure \
        --output-junit "$build/results.xml" "${selection[@]}"
    code=$?
    [ "$code" -eq 0 ] || failing+=("$build")
    count_tests "$stage" "$start" "$code" "$build/results.xml" \
        "$build/Testing/Temporary/LastTest.log" "built in $built s"
}

# The system's Python, for which packages are made. With sanitizers the module is only built, for clang-tidy.
python=(-DIMGTOOL_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3)
# Functions with hundreds of accesses to memory take long to compile unless each access is a call.
checked=(-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DIMGTOOL_CUDA=OFF
    "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -gline-tables-only -mllvm -asan-instrumentation-with-call-threshold=500"
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only"
    "-DIMGTOOL_SANITIZE=address,undefined" -DIMGTOOL_FUZZ=ON "${python[@]}")
# Where pointers wrap around or leave their object, AddressSanitizer sees the access; UBSan's checks of the same would
# multiply the time that compiling takes. The model of a GPU is checked as g++ builds it, and its emulator here.
if [ "$mode" = full ]; then
    checked+=(-DIMGTOOL_NO_SANITIZE= -DIMGTOOL_MODEL=ON)
else
    checked+=("-DIMGTOOL_NO_SANITIZE=pointer-overflow,object-size" -DIMGTOOL_MODEL=OFF)
fi

find_sources() {
    find app io kernels samples tests -type f \( "$@" \) -print0
}

check_format() {
    find_sources -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' |
        xargs -0 clang-format --dry-run --Werror
}

check_scripts() {
    { find_sources -name "*.sh" && printf "%s\0" .ci/run; } | xargs -0 -n 8 -P "$jobs" shellcheck -x
}

echo "== packages"
if ! install_packages "$build_packages" "$test_packages"; then
    record packages "$SECONDS" 0 1 0 "cannot be installed"
    finish
    exit 1
fi

if [ "$mode" != tidy ]; then
    single format check_format
    single scripts check_scripts
fi
seed=-DIMGTOOL_TEST_SEED=1
[ "$mode" != full ] || seed=-DIMGTOOL_TEST_SEED=0 # other cases in each run
# One architecture is enough for a test: that of the GPU at hand, or any.
cuda=(-DIMGTOOL_CUDA=AUTO -DCMAKE_CUDA_ARCHITECTURES=90 -DCMAKE_CUDA_FLAGS=)
if nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    cuda[1]=-DCMAKE_CUDA_ARCHITECTURES=native
elif [ "$mode" != full ] && nvcc --help 2>/dev/null | grep -q -e --Ofast-compile; then
    # Nothing runs this code: that nvcc takes it is all there is to see.
    cuda[2]=-DCMAKE_CUDA_FLAGS=--Ofast-compile=max
fi
case $mode in
fast) build_and_test release '-LE slow' -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=OFF "${python[@]}" ;;
all | full)
    build_and_test release '-LE fast' -DCMAKE_BUILD_TYPE=Release "${cuda[@]}" "${python[@]}" "$seed"
    build_and_test checked "-LE fast -R ^(unit_|checkkernels|emulator_|samples|roundtrip|fuzz|inject_|cli/|batch_|json)" \
        "${checked[@]}" "$seed"
    ;;
tidy) build_and_test checked '-N' "${checked[@]}" ;;
esac
case $mode in
all) single tidy bash tests/tidy.sh build-tests/checked changed ;;
full) single tidy bash tests/tidy.sh build-tests/checked all ;;
tidy) single tidy bash tests/tidy.sh build-tests/checked note ;;
esac
if [ "$mode" = all ] || [ "$mode" = full ]; then
    single cases bash tests/count_cases.sh build-tests/release build-tests/checked
fi
finish
