# shellcheck shell=bash disable=SC2034,SC2154 # variables are those of campaign.sh and the parts beside this
# What the corpora reach: a build that counts lines and regions, over the corpora of all targets.

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
        # Kernels in the emulator are C++ and not counted: they would take longest to build.
        [[ ${libraries_of[$name]} == emulated* ]] || counted+=("$name")
    done
    programs=(imgtool "${counted[@]/#/replay_}")
    nice -n "$nice" cmake --build "$build" --parallel "$cores" --target "${programs[@]}" >>"$log" 2>&1 ||
        { tail "$log" >&2 && exit 1; }
    rm -rf "$work"
    mkdir -p "$work"
    for name in "${counted[@]}"; do
        replay_for_coverage "$name" "$build/tests/fuzz/replay_$name" "$work"
        objects+=(-object "$build/tests/fuzz/replay_$name")
    done
    "llvm-profdata$suffix" merge -sparse -o "$work/all.profdata" "$work"/*.profraw
    # imgtool itself did not run: it has the functions that no target is linked with.
    "llvm-cov$suffix" export -instr-profile "$work/all.profdata" "$build/app/imgtool" "${objects[@]}" >"$work/all.json"
    python3 "$here/campaign/coverage.py" "$tree" "$work/all.json" "$dir/COVERAGE.md" "$dir/unreached.txt"
    sed -n 1,/^Never/p "$dir/COVERAGE.md"
    echo "campaign: this table in $dir/COVERAGE.md, functions that were not reached in $dir/unreached.txt"
}

# One input that fails ends a replay: the directories are replayed apart.
replay_for_coverage() {
    local name=$1 program=$2 work=$3 from number=0
    for from in "$here/corpus/${group_of[$name]}" "$dir/corpus/$name"; do
        number=$((number + 1))
        [ -n "$(find "$from" -type f -print -quit 2>/dev/null)" ] || continue
        LLVM_PROFILE_FILE=$work/$name-$number.profraw nice -n "$nice" "$program" "$from" >"$work/$name-$number.log" 2>&1 ||
            echo "campaign: replay_$name failed at $(tail -n 1 "$work/$name-$number.log")" >&2
    done
}
