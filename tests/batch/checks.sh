# shellcheck shell=bash
# Functions that the scripts of this directory share: counted checks, comparison of directories, and pictures. Source
# this file after `imgtool` (the program) and `work` (an empty directory) are set.

: "${imgtool:?}" "${work:?}"
samples=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../samples")
passed=0 failed=0 skipped=0
export SOURCE_DATE_EPOCH=1767225600 # a fixed tIME, so that two runs give the same bytes

# outcome passed|failed|skipped NAME [WHY]: counts and prints the result of a check.
outcome() {
    printf '%s: %s%s\n' "$1" "$2" "${3:+: $3}"
    case $1 in
    passed) passed=$((passed + 1)) ;;
    failed) failed=$((failed + 1)) ;;
    *) skipped=$((skipped + 1)) ;;
    esac
}

# problem TEXT: notes a problem of the current check, and prints it with the start of the program's output.
problem() {
    printf '    %s\n' "$*"
    if [ -s "$work/said" ]; then
        head -n 5 "$work/said" | sed 's/^/        said: /'
        : >"$work/said"
    fi
    troubles=$((troubles + 1))
}

# check NAME FUNCTION: runs a check. It fails if FUNCTION reports a problem, and is skipped if FUNCTION sets
# `skip_reason`.
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

# Prints how many checks passed, failed and were skipped, and exits: with 1 if a check failed, with 77 if none passed.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] || exit 1
    [ "$passed" -gt 0 ] || exit 77
}

# batch ARGUMENTS...: runs a batch that rotates by 90 degrees. Its output goes to $work/said, its exit code to `code`.
batch() {
    code=0
    "$imgtool" batch rotate --angle 90 --recursive "$@" >"$work/said" 2>&1 </dev/null || code=$?
}

# traced STRACE_ARGUMENTS...: runs strace, whose last arguments are the command to trace. LeakSanitizer is off, because
# it cannot run in a traced process.
traced() {
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -f -qq "$@"
}

# expect_code NUMBER: the last batch must have ended with this exit code.
expect_code() {
    [ "$code" -eq "$1" ] || problem "exit code $code, expected $1"
}

# expect_said TEXT: the output of the last batch must contain TEXT, in upper or lower case.
expect_said() {
    grep -qaiF -e "$1" "$work/said" || problem "no message contains: $1"
}

# expect_same WANTED FOUND: both directories must have the same files with the same bytes, apart from the record.
expect_same() {
    local difference
    if ! difference=$(diff -r --exclude=.imgtool-batch "$1" "$2" 2>&1); then
        problem "$(head -n 5 <<<"$difference")"
    fi
}

# expect_part WANTED FOUND: every file of FOUND, except temporary ones, must equal the file of the same name in WANTED.
# FOUND may lack files.
expect_part() {
    local file
    while IFS= read -r -d '' file; do
        cmp -s "$1/$file" "$2/$file" || problem "not as expected: $file"
    done < <(cd "$2" && find . -type f ! -name '.*.tmp' ! -name .imgtool-batch -print0)
}

# expect_none_left DIRECTORY: there must be no temporary files in or below DIRECTORY.
expect_none_left() {
    local left
    left=$(find "$1" -name '.*.tmp' -print)
    [ -z "$left" ] || problem "left over: $left"
}

# states DIRECTORY: prints a checksum of the names, inodes, sizes and times of all files. It changes if a file is
# written or replaced.
states() {
    (cd "$1" && find . -type f ! -name .imgtool-batch -printf '%i %s %T@ %p\0' | sort -z | sha256sum)
}

# make_pictures DIRECTORY COUNT: fills a tree of directories with the samples and COUNT larger pictures, which are all
# different.
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
