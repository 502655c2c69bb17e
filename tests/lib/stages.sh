# shellcheck shell=bash
# Stages of a long test run, for scripts that include this file. Each stage builds or runs something, and passes or
# fails. A table and one line at the end give the totals. Must run in the root of the sources.
#   keep_compiled                               use ccache for all following builds
#   single STAGE COMMAND...                     one command that passes or fails; 77 means skipped
#   build_and_test STAGE SELECTION OPTIONS...   a build in build-tests/STAGE, and its tests
#   finish                                      repeats failures, prints the table and the totals; its exit code
#                                               is that of the run

passed=0 failed=0 skipped=0
table=()
failing=() # build directories in which a test failed
jobs=$(nproc)

# record STAGE SECONDS PASSED FAILED SKIPPED [REMARK]: adds the counts of a stage to the table and to the totals.
record() {
    passed=$((passed + $3)) failed=$((failed + $4)) skipped=$((skipped + $5))
    table+=("$(printf '%-12s %4d s  %4d passed  %3d failed  %3d skipped  %s' "$1" "$2" "$3" "$4" "$5" "${6-}")")
}

# show_failures: runs the failed tests again, alone and at the end of the log, to show whether they always fail. They
# count as failed even if they pass now.
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

# keep_compiled: makes CMake use ccache if it works. ccache then provides earlier results, from this directory or from
# another clone. Paths are therefore relative to the sources, and a debugger may show those of another clone. A launcher
# that is already set, or CCACHE_DISABLE, has priority.
# With CCACHE_DEPEND, ccache compares sources and headers instead of the preprocessor's output. Running the preprocessor
# took a sixth of the time of a build with an empty cache; and for nvcc its output has the code for only one of several
# GPUs, so ccache could miss changes of the code for the others.
keep_compiled() {
    local language directory
    directory=$(ccache --get-config cache_dir 2>/dev/null) && mkdir -p "$directory" 2>/dev/null &&
        [ -w "$directory" ] || return 0
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    for language in C CXX CUDA; do
        export "CMAKE_${language}_COMPILER_LAUNCHER=$(printenv "CMAKE_${language}_COMPILER_LAUNCHER" || echo ccache)"
    done
}

# single STAGE COMMAND...: runs one command as a stage.
single() {
    local stage=$1 start=$SECONDS code=0
    shift
    echo "== $stage"
    "$@" || code=$?
    case $code in
    0) record "$stage" $((SECONDS - start)) 1 0 0 ;;
    77) record "$stage" $((SECONDS - start)) 0 0 1 ;;
    *) record "$stage" $((SECONDS - start)) 0 1 0 ;;
    esac
}

# attribute NAME FILE: prints a number from the first tag of FILE that has the attribute NAME.
attribute() {
    grep -oE "\b$1=\"[0-9]+\"" "$2" | head -n 1 | tr -dc 0-9
}

# count_tests STAGE START CTEST_CODE RESULTS LOG REMARK: records the counts of a run of ctest. A run without readable
# results counts as one failure. Unit tests that a program skipped count as skipped, even if the program passed.
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

# build_and_test STAGE SELECTION CMAKE_OPTIONS...: builds and tests a stage. SELECTION is a list of options for ctest.
build_and_test() {
    local stage=$1 start=$SECONDS build=$PWD/build-tests/$1 code selection built generator=()
    read -r -a selection <<<"$2"
    shift 2
    echo "== $stage"
    # Ninja keeps all cores busy across targets. An existing build directory keeps its generator.
    [ -e "$build/CMakeCache.txt" ] || generator=(-G Ninja)
    if ! cmake "${generator[@]}" -S . -B "$build" -DIMGTOOL_TESTS=ON -DIMGTOOL_WERROR=ON "$@" ||
        ! cmake --build "$build" --parallel "$jobs"; then
        record "$stage" $((SECONDS - start)) 0 1 0 "does not build"
        return
    fi
    built=$((SECONDS - start))
    [ "${selection[0]}" != -N ] || return 0
    rm -f "$build/results.xml"
    # Runs two more tests than there are cores, because some tests wait for servers and interrupted programs. Without
    # --timeout a test that hangs would end only with the machine, and its name would not be printed.
    ctest --test-dir "$build" --parallel $((jobs + 2)) --no-tests=error --output-on-failure --timeout 600 \
        --output-junit "$build/results.xml" "${selection[@]}"
    code=$?
    [ "$code" -eq 0 ] || failing+=("$build")
    count_tests "$stage" "$start" "$code" "$build/results.xml" \
        "$build/Testing/Temporary/LastTest.log" "built in $built s"
}
