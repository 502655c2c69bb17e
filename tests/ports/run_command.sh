# shellcheck shell=bash
# ports.sh and no_avx2.sh source this file and run the lines of commands.txt in the root of the repository.

# list_commands: prints the lines that are commands.
list_commands() {
    grep -vE '^(#|$)' tests/ports/commands.txt
}

# run_command PROGRAM DIRECTORY COMMAND: runs a line. Leaves the files OUT.*, the printed text with the exit code, and
# the messages in DIRECTORY. Dates of modification are always the same, because QEMU takes longer than a second.
run_command() {
    local words=${3//@/$PWD/samples/}
    mkdir -p "$2"
    eval "set -- \"\$1\" \"\$2\" ${words//OUT/\"\$2\"\/OUT}"
    (
        export SOURCE_DATE_EPOCH=1
        program=$1
        cd "$2" && shift 2 && "$program" "$@" </dev/null >text 2>messages
        echo "exit code $?" >>text
    )
}

# compare_command HERE THERE COMMAND WORK: runs a line with both programs. Prints `same` if they give the same bytes,
# otherwise the differences.
compare_command() {
    rm -rf "$4"
    run_command "$1" "$4/here" "$3"
    run_command "$2" "$4/there" "$3"
    if grep -qvE '^exit code [05]$' <(tail -qn 1 "$4"/*/text); then
        cat "$4"/*/messages
    elif diff -rq -x messages "$4/here" "$4/there" >"$4/difference"; then
        echo same
    else
        cat "$4/difference"
    fi
}
