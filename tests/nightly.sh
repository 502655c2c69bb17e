#!/usr/bin/env bash
# Tests that take too long for every change, in stages. Runs all stages, or those that are named:
#   full      run.sh --full
#   msan      MemorySanitizer: the CPU tests, with all libraries that can be built with it (lib/msan_libraries.sh)
#   tsan      ThreadSanitizer: the tests with threads: units, the engine, the codec, batches, servers, the library
#   valgrind  memcheck over short unit tests and commands, with the AVX2 code, which is the most that Valgrind has
#   ports     other processors (ports/ports.sh)
#   inject    every call that can fail, once, in a release build and with AddressSanitizer (inject/README.md)
#   memory    10,000 random jobs within --max-memory (memory/README.md)
#   pipelines 10,000 random pipelines in every way to run them (pipelines/README.md)
#   campaign  fuzzing for IMGTOOL_FUZZ_HOURS hours, by default 1 (fuzz/campaign.sh)
#   soak      batches for an hour (batch/soak.sh)
# A stage whose script is missing is skipped with a message. The last line has the totals.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=tests/lib/packages.sh
. tests/lib/packages.sh
# shellcheck source=tests/lib/stages.sh
. tests/lib/stages.sh

stages=(full msan tsan valgrind ports inject memory pipelines campaign soak)
wanted=("$@")
[ $# -gt 0 ] || wanted=("${stages[@]}")
for stage in "${wanted[@]}"; do
    case " ${stages[*]} " in
    *" $stage "*) ;;
    *)
        echo "usage: tests/nightly.sh [${stages[*]}]" >&2
        exit 2
        ;;
    esac
done
logs=$PWD/build-tests/nightly
mkdir -p "$logs"

# counted STAGE SCRIPT ARGUMENTS...: runs a script as a stage. Reads the counts in its last line, which has the form of
# run.sh. Without counts the stage passes or fails as a whole.
counted() {
    local stage=$1 script=$2 start=$SECONDS code last
    shift 2
    if [ ! -e "$script" ]; then
        record "$stage" 0 0 0 1 "there is no $script"
        return
    fi
    echo "== $stage"
    bash "$script" "$@" 2>&1 | tee "$logs/$stage.log"
    code=${PIPESTATUS[0]}
    last=$(tail -n 1 "$logs/$stage.log")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped ]]; then
        record "$stage" $((SECONDS - start)) "${BASH_REMATCH[1]}" \
            $((BASH_REMATCH[2] == 0 && code != 0 ? 1 : BASH_REMATCH[2])) "${BASH_REMATCH[3]}"
    elif [ "$code" -eq 77 ]; then
        record "$stage" $((SECONDS - start)) 0 0 1 "$last"
    else
        record "$stage" $((SECONDS - start)) $((code == 0)) $((code != 0)) 0
    fi
}

sanitized=(-DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1" -DIMGTOOL_CUDA=OFF
    -DIMGTOOL_MODEL=OFF)

# Finds clang 16 or later: MemorySanitizer of clang 14 and 15 does not support fstat of newer C libraries, and supports
# few vector instructions.
find_msan_clang() {
    local version
    for version in 20 19 18 17 16; do
        command -v "clang-$version" && return
    done
    install_packages "$msan_packages" >&2 && command -v clang-19
}

stage_msan() {
    local options clang
    if ! clang=$(find_msan_clang) ||
        ! options=$(CLANG=$clang bash tests/lib/msan_libraries.sh build-tests/msan-libraries); then
        record msan 0 0 0 1 "${options:-no clang of version 16 or later}"
        return
    fi
    mapfile -t options <<<"$options"
    # Cairo is not instrumented, so tests that draw are left out.
    PKG_CONFIG_PATH=$PWD/build-tests/msan-libraries/lib MSAN_OPTIONS=$msan_options build_and_test msan \
        "-LE fast -R $msan_tests -E $drawing_tests" -DCMAKE_C_COMPILER="$clang" "${sanitized[@]}" -DIMGTOOL_SANITIZE=memory "${options[@]}"
}
msan_options=halt_on_error=1
drawing_tests='^cli/(histogram:.(a.plot.is.drawn|with.*font|what.is.drawn)|bench:.(an.earlier.run|a.plot,.whole))'
msan_tests='^(checkkernels|roundtrip|fuzz_|cli/|batch_|library_)'

stage_tsan() {
    TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1" build_and_test tsan "-R $tsan_tests" \
        -DCMAKE_C_COMPILER=clang "${sanitized[@]}" -DIMGTOOL_SANITIZE=thread -DIMGTOOL_CRITERION=OFF
}
# Tests that use threads. Criterion does not run under ThreadSanitizer, but its stand-in does. ThreadSanitizer does not
# support threads in a forked process, which library_fork needs.
tsan_tests='^(unit_|fuzz_|library_(threads|rows)|roundtrip_ways|pipelines|batch_'
tsan_tests+='|cli/(batch|serve|shards|montage|tiles|stats|compare|pipeline|by_rows|originals|bad_input))'

stage_valgrind() {
    if ! install_packages "$valgrind_packages"; then
        record valgrind 0 0 0 1 "valgrind cannot be installed"
        return
    fi
    build_and_test valgrind -N -DCMAKE_BUILD_TYPE=RelWithDebInfo -DIMGTOOL_CUDA=OFF -DIMGTOOL_MODEL=OFF
    counted valgrind tests/lib/valgrind.sh build-tests/valgrind samples
}

# inject_into BUILD OPTIONS...: makes each call fail once, in all groups except `draw`. That group mostly runs
# fontconfig and Cairo, so ctest makes only a sample of its calls fail.
inject_into() {
    local build=$1
    shift
    "$build/tests/inject/inject" --full --jobs "$jobs" --group turn,store,measure,plot,batch,in_place "$@" \
        "$build/app/imgtool" "$build/tests/inject/inject_shim.so" samples
}

# The build with AddressSanitizer uses gcc, whose AddressSanitizer is a shared library: so inject can replace malloc and
# make allocations fail.
stage_inject() {
    build_and_test inject -N -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=OFF -DIMGTOOL_MODEL=OFF
    single inject inject_into build-tests/inject
    single inject-signals bash tests/inject/signals.sh build-tests/inject/app/imgtool samples
    build_and_test inject-asan -N -DCMAKE_C_COMPILER=gcc "${sanitized[@]}" -DIMGTOOL_SANITIZE=address,undefined
    single inject-asan inject_into build-tests/inject-asan --sanitizer
}

stage_memory() {
    local seed=${IMGTOOL_SEED:-$((SRANDOM % 1000000))}
    build_and_test memory -N -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=OFF -DIMGTOOL_MODEL=OFF
    single memory-steps build-tests/memory/tests/memory/memory_steps --seed "$seed" --cases 12000
    single memory-codec build-tests/memory/tests/memory/memory_codec --seed "$seed" --cases 1500
    counted memory tests/memory/memory.sh build-tests/memory --seed "$seed" --jobs 10000
}

stage_pipelines() {
    build_and_test pipelines -N -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=OFF -DIMGTOOL_MODEL=OFF \
        -DIMGTOOL_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3
    single pipelines-run python3 tests/pipelines/pipelines.py build-tests/pipelines/tests/pipelines/pipelines_worker \
        samples --modules build-tests/pipelines/app/python --cases 10000 --seed "${IMGTOOL_SEED:-$((SRANDOM % 1000000))}"
}

stage_soak() {
    build_and_test soak -N -DCMAKE_BUILD_TYPE=Release -DIMGTOOL_CUDA=OFF -DIMGTOOL_MODEL=OFF
    counted soak tests/batch/soak.sh build-tests/soak/app/imgtool 3600 100000
}

if ! install_packages "$build_packages" "$plot_packages" "$test_packages"; then
    record packages "$SECONDS" 0 1 0 "cannot be installed"
    finish
    exit 1
fi
for stage in "${wanted[@]}"; do
    case $stage in
    full) counted full tests/run.sh --full ;;
    ports) counted ports tests/ports/ports.sh ;;
    campaign) counted campaign tests/fuzz/campaign.sh "${IMGTOOL_FUZZ_HOURS:-1}" ;;
    *) "stage_$stage" ;;
    esac
done
finish
