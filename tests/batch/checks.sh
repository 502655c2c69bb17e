# shellcheck shell=bash
# What the scripts of this directory share: checks that are counted, directories that are compared, and the
# pictures they work on. Sourced after `imgtool` (the program) and `work` (a fresh directory) are set.

: "${imgtool:?}" "${work:?}"
samples=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../samples")
passed=0 failed=0 skipped=0
export SOURCE_DATE_EPOCH=1767225600 # tIME, so that two runs give the same bytes

# outcome passed|failed|skipped NAME [WHY]
outcome() {
    printf '%s: %s%s\n' "$1" "$2" "${3:+: $3}"
    case $1 in
    passed) passed=$((passed + 1)) ;;
    failed) failed=$((failed + 1)) ;;
    *) skipped=$((skipped + 1)) ;;
    esac
}

# problem TEXT: of the check that is at work; the first words it says are shown with it.
problem() {
    printf '    %s\n' "$*"
    if [ -s "$work/said" ]; then
        head -n 5 "$work/said" | sed 's/^/        said: /'
        : >"$work/said"
    fi
    troubles=$((troubles + 1))
}

# check NAME FUNCTION: it passes unless it finds a problem. `skip_reason` set by it skips it.
check() {
    troubles=0 skip_reason=
    : >"$work/said"
    "$2" || problem "$2 ended early"
    if [ -n "$skip_reason" ]; then
        outcome skipped "$1" "$skip_reason"
    elif [ "$troubles" -eq 0 ]; then
        outcome passed "$1"
    else
        outcome failed "$1"
    fi
}

# The last line of a script; 77 where nothing but skipped.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] || exit 1
    [ "$passed" -gt 0 ] || exit 77
}

# batch ARGUMENTS...: a quarter turn. What it says is in $work/said, its exit code in `code`.
batch() {
    code=0
    "$imgtool" batch rotate --angle 90 --recursive "$@" >"$work/said" 2>&1 </dev/null || code=$?
}

# traced ARGUMENTS OF STRACE...: leaks cannot be looked for in a process that is traced.
traced() {
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -f -qq "$@"
}

# expect_code NUMBER
expect_code() {
    [ "$code" -eq "$1" ] || problem "exit code $code, expected $1"
}

# expect_said TEXT: it is to be in what was said. Case does not matter.
expect_said() {
    grep -qaiF -e "$1" "$work/said" || problem "nothing was said of: $1"
}

# expect_same WANTED FOUND: the same files with the same bytes, but for the record, and nothing else.
expect_same() {
    local difference
    if ! difference=$(diff -r --exclude=.imgtool-batch "$1" "$2" 2>&1); then
        problem "$(head -n 5 <<<"$difference")"
    fi
}

# expect_part WANTED FOUND: what is there, temporary files aside, is whole.
expect_part() {
    local file
    while IFS= read -r -d '' file; do
        cmp -s "$1/$file" "$2/$file" || problem "not as it is to be: $file"
    done < <(cd "$2" && find . -type f ! -name '.*.tmp' ! -name .imgtool-batch -print0)
}

# expect_none_left DIRECTORY: no temporary files.
expect_none_left() {
    local left
    left=$(find "$1" -name '.*.tmp' -print)
    [ -z "$left" ] || problem "left over: $left"
}

# Each file with what changes when it is written or replaced.
states() {
    (cd "$1" && find . -type f ! -name .imgtool-batch -printf '%i %s %T@ %p\0' | sort -z | sha256sum)
}

# make_pictures DIRECTORY COUNT: small and middle ones in a tree, no two the same, beside the samples.
make_pictures() {
    local number part
    mkdir -p "$1/small/odd sizes" "$1/middle/one" "$1/middle/two"
    cp "$samples"/*-*.png "$1/small"
    mv "$1"/small/size-*.png "$1/small/odd sizes"
    for ((number = 0; number < $2; number++)); do
        part=one
        ((number % 3)) || part=two
        "$imgtool" crop -q --x $((number * 3)) --y $((number * 2)) --width $((500 - number)) \
            --height $((300 - number)) "$samples/landscape.png" "$1/middle/$part/$number.png"
    done
}
