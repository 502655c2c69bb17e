# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with campaign.sh, which sources it
# Builds the fuzzers with clang, AddressSanitizer, UBSan and libFuzzer's counters in all C code, kernels included.

# Sets `code` to the last commit that changed fuzzed code, with a + if the work tree has changes. A commit that changes
# only tests or Markdown keeps the results valid.
code_id() {
    local changed what=(app io kernels ':(exclude)*.md')
    code=$(git -C "$tree" log -1 --format=%h -- "${what[@]}" 2>/dev/null || true)
    changed=$(git -C "$tree" status --porcelain -- "${what[@]}" 2>/dev/null || true)
    code=${code:-unknown}${changed:++}
}

configure_and_build() {
    local build=$1 generator=()
    shift
    [ -e "$build/CMakeCache.txt" ] || ! command -v ninja >/dev/null || generator=(-G Ninja)
    cmake "${generator[@]}" -S "$tree" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DIMGTOOL_CUDA=OFF -DIMGTOOL_MODEL=OFF -DIMGTOOL_TESTS=ON "$@"
}

# Builds the targets, unless --programs names a build, and copies them to bin/CODE. Two settings limit the compile time
# of functions with hundreds of memory accesses: AddressSanitizer calls a function for each check instead of inserting
# code, and UBSan does not check pointers, because AddressSanitizer finds bad accesses anyway.
build_programs() {
    local build=$dir/build log=$dir/build.log name kept=()
    code_id
    if [ -z "$programs" ]; then
        echo "campaign: building code $code (log: $log)"
        if ! { configure_and_build "$build" -DIMGTOOL_FUZZ=ON -DIMGTOOL_SANITIZE=address,undefined \
            -DIMGTOOL_NO_SANITIZE=pointer-overflow,object-size -DIMGTOOL_FUZZ_KERNELS=ON \
            "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -gline-tables-only -mllvm -asan-instrumentation-with-call-threshold=500" \
            "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only" &&
            nice -n "$nice" cmake --build "$build" --parallel "$cores" --target fuzz; } >"$log" 2>&1; then
            tail -n 20 "$log" >&2
            exit 1
        fi
        programs=$build/tests/fuzz
    fi
    # Copies the programs, so that a later build cannot disturb running fuzzers.
    bin=$dir/bin/$code
    mkdir -p "$bin"
    for name in "${targets[@]}"; do
        if [ -e "$programs/fuzz_$name" ]; then
            replace_file "$programs/fuzz_$name" "$bin/fuzz_$name"
            kept+=("$name")
        else
            echo "campaign: no program fuzz_$name in this build: skipped"
        fi
    done
    for name in "$programs"/dictionaries/*.dict; do
        [ ! -e "$name" ] || replace_file "$name" "$bin/$(basename "$name")"
    done
    targets=("${kept[@]}")
    [ ${#targets[@]} -gt 0 ] || exit 1
    note_same_programs
}

# Writes to same.tsv which earlier commits gave the same program for a target as `code`, byte for byte. Hours that were
# spent on these commits count for `code` too. Lines that earlier calls wrote about `code` stay, because this call may
# leave out some targets.
note_same_programs() {
    local name other
    {
        [[ $code == *+ ]] || awk -F '\t' -v code="$code" '$3 == code' "$dir/same.tsv"
        for name in "${targets[@]}"; do
            for other in "$dir"/bin/*/; do
                other=$(basename "$other")
                if [[ $other != "$code" && $other != *+ ]] && cmp -s "$dir/bin/$other/fuzz_$name" "$bin/fuzz_$name"; then
                    printf '%s\t%s\t%s\n' "$name" "$other" "$code"
                fi
            done
        done
    } | sort -u >"$dir/same.new"
    mv "$dir/same.new" "$dir/same.tsv"
}

# replace_file FROM TO: copies FROM to TO atomically. Does nothing if the contents are equal.
replace_file() {
    cmp -s "$1" "$2" || { cp "$1" "$2.new" && mv "$2.new" "$2"; }
}
