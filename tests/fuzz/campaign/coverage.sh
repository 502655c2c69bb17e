# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with campaign.sh, which sources it
# Measures which lines, regions and functions the corpora of all targets reach.

report_coverage() {
    local build=$dir/coverage-build work=$dir/coverage log=$dir/coverage.log name objects=() programs counted=() suffix
    suffix=$(clang --version | sed -n 's/.*version \([0-9]*\).*/-\1/p')
    for name in llvm-profdata llvm-cov; do
        command -v "$name$suffix" >/dev/null ||
            { echo "campaign: $name$suffix is missing; install llvm${suffix}" >&2 && exit 3; }
    done
    configure_and_build "$build" -DIMGTOOL_FUZZ=OFF "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0" \
        "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O0" -DIMGTOOL_HARDENED=OFF \
        "-DCMAKE_C_FLAGS=-fprofile-instr-generate -fcoverage-mapping" >"$log" 2>&1 || { tail "$log" >&2 && exit 1; }
    for name in "${targets[@]}"; do
        # Targets with emulated kernels are C++, take longest to build, and are not counted.
        [[ ${libraries_of[$name]} == emulated* ]] || counted+=("$name")
    done
    programs=(imgtool "${counted[@]/#/replay_}")
    nice -n "$nice" cmake --build "$build" --parallel "$cores" --target "${programs[@]}" >>"$log" 2>&1 ||
        { tail "$log" >&2 && exit 1; }
    rm -rf "$work"
    mkdir -p "$work"
    unpack_tree_corpora "$work/tree"
    for name in "${counted[@]}"; do
        replay_for_coverage "$name" "$build/tests/fuzz/replay_$name" "$work"
        objects+=(-object "$build/tests/fuzz/replay_$name")
    done
    "llvm-profdata$suffix" merge -sparse -o "$work/all.profdata" "$work"/*.profraw
    # llvm-cov gets the program imgtool, which does not run, to list the functions that no target links.
    "llvm-cov$suffix" export -instr-profile "$work/all.profdata" "$build/app/imgtool" "${objects[@]}" >"$work/all.json"
    python3 "$here/campaign/coverage.py" "$tree" "$work/all.json" "$dir/COVERAGE.md" "$dir/unreached.txt"
    sed -n 1,/^Never/p "$dir/COVERAGE.md"
    echo "campaign: the table is in $dir/COVERAGE.md, the unreached functions are in $dir/unreached.txt"
}

# replay_for_coverage NAME PROGRAM DIR: replays each directory in its own process, because a failing input ends a
# replay.
replay_for_coverage() {
    local name=$1 program=$2 work=$3 from number=0
    for from in "$work/tree/${group_of[$name]}" "$dir/corpus/$name"; do
        number=$((number + 1))
        [ -n "$(find "$from" -type f -print -quit 2>/dev/null)" ] || continue
        LLVM_PROFILE_FILE=$work/$name-$number.profraw nice -n "$nice" "$program" "$from" >"$work/$name-$number.log" 2>&1 ||
            echo "campaign: replay_$name failed at $(tail -n 1 "$work/$name-$number.log")" >&2
    done
}
