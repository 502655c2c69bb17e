# shellcheck shell=bash
# Stages of a long test run, for scripts that include this. Each stage builds or runs something, and passes or
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

# record STAGE SECONDS PASSED FAILED SKIPPED [REMARK]
record() {
    passed=$((passed + $3)) failed=$((failed + $4)) skipped=$((skipped + $5))
    table+=("$(printf '%-12s %4d s  %4d passed  %3d failed  %3d skipped  %s' "$1" "$2" "$3" "$4" "$5" "${6-}")")
}

# Repeats the failed tests at the end of a long log, alone, to show whether they always fail. They count as failed
# in any case.
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

# ccache, if it works, provides what was compiled before, in this directory or in another clone. For that, paths
# are relative to the sources; debuggers may be shown those of another clone. A given launcher or CCACHE_DISABLE
# has priority. Only sources and headers decide whether a file is known. An additional preprocessor run took a
# sixth of the time in an empty cache, and nvcc's shows only the code of one of several GPUs.
keep_compiled() {
    local language directory
    directory=$(ccache --get-config cache_dir 2>/dev/null) && mkdir -p "$directory" 2>/dev/null &&
        [ -w "$directory" ] || return 0
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    for language in C CXX CUDA; do
        export "CMAKE_${language}_COMPILER_LAUNCHER=$(printenv "CMAKE_${language}_COMPILER_LAUNCHER" || echo ccache)"
    done
}

# single STAGE COMMAND...
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

# attribute NAME FILE: prints a number from the first tag that has it.
attribute() {
    grep -oE "\b$1=\"[0-9]+\"" "$2" | head -n 1 | tr -dc 0-9
}

# count_tests STAGE START CTEST_CODE RESULTS LOG REMARK: a run without readable results counts as a failure.
# Skipped unit tests inside a program that passed are counted too.
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

# build_and_test STAGE SELECTION CMAKE_OPTIONS...: SELECTION is a list of options for ctest.
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
    # One more than there are cores, because some tests wait for servers and interrupted programs.
    ctest --test-dir "$build" --parallel $((jobs + 1)) --no-tests=error --output-on-failure \
        --output-junit "$build/results.xml" "${selection[@]}"
    code=$?
    [ "$code" -eq 0 ] || failing+=("$build")
    count_tests "$stage" "$start" "$code" "$build/results.xml" \
        "$build/Testing/Temporary/LastTest.log" "built in $built s"
}
