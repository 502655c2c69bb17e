#!/usr/bin/env bash
# run_case.sh FILE [NAME]: runs the cases of a file, or only the case NAME. README.md explains the format. Each case
# runs in a new directory.
# Exit code 0: passed; 1: failed, or there is no such case; 77: all were skipped. Needs the environment variables
# IMGTOOL (the program), TOOLS (the directory of the programs in tests/tools) and SOURCE (the repository).
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
file=$1
wanted=${2-}
: "${IMGTOOL:?}" "${TOOLS:?}" "${SOURCE:?}"
export IMGTOOL TOOLS SOURCE SAMPLES=$SOURCE/samples
export SOURCE_DATE_EPOCH=1767225600 # a fixed tIME, so that two runs give the same bytes
export BASH_ENV=$here/functions.sh # makes these functions available to the commands of a case
# shellcheck source=tests/cli/functions.sh
. "$here/functions.sh"

passed=0 failed=0 skipped=0
home=

cleanup() {
    [ -z "$home" ] || rm -rf "$home"
}
trap cleanup EXIT

problem() { # notes a fault of the latest command
    if [ "$ok" = yes ]; then
        printf '  $ %s\n' "$command"
        sed 's/^/    stdout: /' "$home/stdout" | head -n 20
        sed 's/^/    stderr: /' "$home/stderr" | head -n 20
    fi
    printf '    -> %s\n' "$*"
    ok=no
}

run_command() {
    (cd "$home/work" && exec bash -c "$command") >"$home/stdout" 2>"$home/stderr" </dev/null
    code=$?
    # LeakSanitizer prints this message if a thread ends while it searches. The message does not come from imgtool.
    sed -i '/^==[0-9]*==Unable to get registers from thread [0-9]*\.$/d' "$home/stderr"
    exit_wanted=0
    ran=yes
}

# Checks the exit code of a command after all lines about the command are read.
finish_command() {
    if [ "$ran" = yes ] && [ "$code" -ne "$exit_wanted" ]; then
        problem "exit code $code, expected $exit_wanted"
    fi
    ran=no
}

# expect_output STREAM RELATION TEXT: checks the output of the latest command.
expect_output() {
    local stream=$home/$1 text=$3
    case $2 in
    '~') grep -qE -e "$text" "$stream" || problem "$1 does not match: $text" ;;
    '!~') ! grep -qE -e "$text" "$stream" || problem "$1 matches: $text" ;;
    '=') [ "$(cat "$stream")" = "$text" ] || problem "$1 is not exactly: $text" ;;
    empty) [ ! -s "$stream" ] || problem "$1 is not empty" ;;
    lines) [ "$(wc -l <"$stream")" -eq "$text" ] || problem "$1 does not have $text lines" ;;
    *) problem "unknown expectation: $*" ;;
    esac
}

expect_files() {
    local found
    found=$(find "$home/work" -mindepth 1 -maxdepth 1 -printf '%f\n' | LC_ALL=C sort | xargs)
    [ "$found" = "$*" ] || problem "files in the directory: $found; expected: $*"
}

start_case() {
    name=$1 ok=yes ran=no reason='' commands=0
    cleanup
    home=$(mktemp -d "${TMPDIR:-/tmp}/imgtool-case.XXXXXX")
    chmod 755 "$home" # cases may run imgtool as another user
    mkdir "$home/bin" "$home/work"
    ln -s "$IMGTOOL" "$home/bin/imgtool"
    PATH=$home/bin:$TOOLS:$original_path
}

finish_case() {
    [ -n "$name" ] || return 0
    [ -n "$reason" ] || finish_command
    if [ -n "$reason" ]; then
        echo "skipped: $name: $reason"
        skipped=$((skipped + 1))
    elif [ "$ok" = yes ] && [ "$commands" -gt 0 ]; then
        echo "passed:  $name"
        passed=$((passed + 1))
    else
        echo "FAILED:  $name"
        failed=$((failed + 1))
    fi
    name=
}

original_path=$PATH
name=
while IFS= read -r line <&3; do
    case $line in
    '' | '#'*) continue ;;
    '== '*)
        finish_case
        if [ -z "$wanted" ] || [ "${line#== }" = "$wanted" ]; then
            start_case "${line#== }"
        fi
        continue
        ;;
    esac
    if [ -z "$name" ] || [ -n "$reason" ]; then
        continue
    fi
    case $line in
    'needs '*)
        read -r -a conditions <<<"${line#needs }"
        for condition in "${conditions[@]}"; do
            reason=${reason:-$(lacks "$condition")}
        done
        ;;
    '$ '*)
        finish_command
        command=${line#'$ '}
        commands=$((commands + 1))
        run_command
        ;;
    'exit '*) exit_wanted=${line#exit } ;;
    'stdout '* | 'stderr '*)
        read -r stream relation text <<<"$line"
        expect_output "$stream" "$relation" "$text"
        ;;
    'files '*)
        read -r -a names <<<"${line#files }"
        expect_files "${names[@]}"
        ;;
    'files') expect_files ;;
    slow) ;; # "slow" is for ctest, which makes a label of it
    *) problem "this line is not understood: $line" ;;
    esac
done 3<"$file"
finish_case

if [ $((passed + failed + skipped)) -eq 0 ]; then
    echo "FAILED: no case in $file${wanted:+ by the name: $wanted}"
    exit 1
fi
[ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 77
