#!/usr/bin/env bash
# Installs what the tests need, builds imgtool in the configurations below and runs all tests:
#   format, scripts  clang-format and shellcheck
#   release          gcc, optimised, with CUDA if there is an nvcc: all tests
#   checked          clang with address and undefined-behaviour sanitizers and fuzzers, CPU only: unit tests,
#                    kernels, command line, a few seconds of each fuzzer, and the CUDA kernels in the emulator,
#                    unless tests/emulator.sum records that this code has passed there
#   tidy             clang-tidy over the files that have changed since tests/tidy.sums was written
#   cases            counts the checked cases of each operation and compares with MEASUREMENTS.md
# --fast      format, scripts, and a release build without CUDA with the tests that are not slow.
#             Tests with the label "long" run only with --full.
# --full      clang-tidy over all files, all of UBSan's checks, the GPU model also built by clang, Criterion with
#             sanitizers, and optimised device code if there is no GPU.
# --tidy      only clang-tidy; records the files that it finds clean.
# --emulator  only the tests of the emulator; records in tests/emulator.sum that they have passed.
# --ports     only other processors in QEMU (tests/ports): aarch64, s390x, x86-64 without AVX2.
# The last line has the totals of passed, failed and skipped tests.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=tests/lib/packages.sh
. tests/lib/packages.sh
# shellcheck source=tests/lib/stages.sh
. tests/lib/stages.sh
# shellcheck source=tests/lib/emulator_sum.sh
. tests/lib/emulator_sum.sh

case ${1-} in
'') mode=all ;;
--fast | --full | --tidy | --emulator) mode=${1#--} ;;
--ports) exec bash tests/ports/ports.sh ;;
*)
    echo "usage: tests/run.sh [--fast | --full | --tidy | --emulator | --ports]" >&2
    exit 2
    ;;
esac

# The Python of the system, for which Debian's packages are made. With sanitizers the module is built for clang-tidy but
# not tested.
python=(-DIMGTOOL_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3)
# With the option -asan-instrumentation-with-call-threshold, AddressSanitizer inserts calls instead of code for its
# checks in functions with hundreds of memory accesses, which otherwise compile slowly.
checked=(-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DIMGTOOL_CUDA=OFF
    "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -gline-tables-only -mllvm -asan-instrumentation-with-call-threshold=500"
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only"
    "-DIMGTOOL_SANITIZE=address,undefined" -DIMGTOOL_FUZZ=ON "${python[@]}")
# lld links the 200 test programs in half the time of the default linker.
for kind in EXE SHARED MODULE; do
    checked+=("-DCMAKE_${kind}_LINKER_FLAGS=-fuse-ld=lld")
done
# If a pointer wraps around or leaves its object, AddressSanitizer reports the access. UBSan's checks of pointers would
# multiply the compile time. The GPU model is tested in the release build with g++. This build tests the emulator.
if [ "$mode" = full ]; then
    checked+=(-DIMGTOOL_NO_SANITIZE= -DIMGTOOL_MODEL=ON)
else
    # Criterion starts the program again for each test, which takes longer than most tests. The
    # stand-in for Criterion (tests/criterion) forks instead.
    checked+=("-DIMGTOOL_NO_SANITIZE=pointer-overflow,object-size" -DIMGTOOL_MODEL=OFF -DIMGTOOL_CRITERION=OFF)
fi

emulator_unchanged=
if [ "$mode" = all ] && [ "$(emulator_sum)" = "$(cat tests/emulator.sum)" ]; then
    emulator_unchanged=yes
    checked+=(-DIMGTOOL_EMULATOR=OFF)
else
    checked+=(-DIMGTOOL_EMULATOR=ON)
fi

[ "$mode" != emulator ] || emulator_code=$(emulator_sum)

note_emulator() {
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] && echo "$emulator_code" >tests/emulator.sum
}

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
if ! install_packages "$build_packages" "$plot_packages" "$test_packages"; then
    record packages "$SECONDS" 0 1 0 "cannot be installed"
    finish
    exit 1
fi
keep_compiled

if [ "$mode" != tidy ] && [ "$mode" != emulator ]; then
    single format check_format
    single scripts check_scripts
fi
seed=-DIMGTOOL_TEST_SEED=1
[ "$mode" != full ] || seed=-DIMGTOOL_TEST_SEED=0 # different cases in each run
# The tests compile device code only for the GPU in this machine. Without a GPU they compile it to
# PTX for the oldest GPUs, which cannot run. The test cuda_of_new_gpus compiles the code that
# differs for the newest GPUs.
cuda=(-DIMGTOOL_CUDA=AUTO -DCMAKE_CUDA_ARCHITECTURES=75-virtual -DCMAKE_CUDA_FLAGS= "-DCMAKE_CUDA_FLAGS_RELEASE=-O3 -DNDEBUG")
if nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    cuda[1]=-DCMAKE_CUDA_ARCHITECTURES=native
elif [ "$mode" = full ]; then
    cuda[1]="-DCMAKE_CUDA_ARCHITECTURES=75-virtual;90"
elif nvcc --help 2>/dev/null | grep -q -e --Ofast-compile; then
    cuda[2]=-DCMAKE_CUDA_FLAGS=--Ofast-compile=max
    cuda[3]="-DCMAKE_CUDA_FLAGS_RELEASE=-O1 -DNDEBUG"
fi
case $mode in
fast) build_and_test release '-LE slow' -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=OFF "${python[@]}" ;;
all | full)
    # Leaves tests with the label "checked" to the build with sanitizers, which finds more with them. Tests with the
    # label "long" run only with --full.
    long='|long'
    [ "$mode" != full ] || long=
    build_and_test release "-LE ^(fast|checked$long)$" -DCMAKE_BUILD_TYPE=Release "${cuda[@]}" "${python[@]}" "$seed"
    build_and_test checked "-LE ^(fast$long)$ -R ^(unit_|checkkernels|emulator_|samples|roundtrip|fuzz|inject_|cli/|batch_|json)" \
        "${checked[@]}" "$seed"
    ;;
emulator) build_and_test checked "-LE ^long$ -R ^(emulator_|fuzz.*emulated)" "${checked[@]}" "$seed" ;;
tidy) build_and_test checked '-N' "${checked[@]}" ;;
esac
[ -z "$emulator_unchanged" ] || record emulator 0 0 0 1 "this code has passed there (tests/emulator.sum)"
case $mode in
all) single tidy bash tests/tidy.sh build-tests/checked changed ;;
full) single tidy bash tests/tidy.sh build-tests/checked all ;;
tidy) single tidy bash tests/tidy.sh build-tests/checked note ;;
emulator) note_emulator ;;
esac
if [ "$mode" = all ] || [ "$mode" = full ]; then
    single cases bash tests/count_cases.sh build-tests/release build-tests/checked $emulator_unchanged
fi
finish
