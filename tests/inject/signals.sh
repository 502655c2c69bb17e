#!/usr/bin/env bash
# signals.sh IMGTOOL SAMPLES [SHARE]: interrupts commands whose picture is in temporary files, at every SHARE-th system
# call that concerns files, by SIGINT, SIGTERM and SIGKILL, which strace sends. After SIGINT and SIGTERM there must be
# no new file, and the output must be either the old file or the complete new one. SIGKILL may also leave temporary
# files that have names: the temporary file of the output, and on a file system without O_TMPFILE the one that holds the
# picture. The exit code of the command must be 128 + the signal, or 0. This script exits with 77 if strace does not run
# here.
set -uo pipefail
imgtool=$(realpath "${1:?usage: signals.sh IMGTOOL SAMPLES [SHARE]}") samples=$(realpath "$2") share=${3:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
calls=openat,unlink,unlinkat,fallocate,mmap,munmap,pread64,pwrite64,write,ftruncate,fsync,fdatasync,rename,renameat2,close
runs=0 failed=0

if ! strace -o trace true 2>/dev/null; then
    echo "skipped: strace does not run here"
    exit 77
fi

fail() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}

# traced OPTIONS... -- COMMAND...: runs imgtool under strace in a directory with only its input and an earlier output.
traced() {
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    rm -rf run && mkdir run && cp input.png old.png run
    (cd run && exec strace -f -o ../trace "${options[@]}" "$imgtool" "${@:2}" input.png old.png >../said 2>&1)
}

# check SIGNAL NUMBER CODE: checks the files and the exit code CODE that a command has left after SIGNAL interrupted it
# at system call NUMBER.
check() {
    local left
    left=$(cd run && find . -mindepth 1 ! -name input.png ! -name old.png)
    [ "$1" != KILL ] || left=$(grep -vE '^\./\.(old|imgtool)\.png\.[^.]*\.tmp$' <<<"$left")
    [ -z "$left" ] || fail "$1 at call $2 leaves $left"
    cmp -s run/input.png input.png || fail "$1 at call $2: the input has changed"
    cmp -s run/old.png old.png || cmp -s run/old.png wanted.png || fail "$1 at call $2: the output is broken"
    [ "$3" -eq $((128 + $(kill -l "$1"))) ] || [ "$3" -eq 0 ] || fail "$1 at call $2: exit code $3: $(tail -n 2 said)"
}

# interrupted COMMAND...: runs the command again and again, and interrupts each run at a later system call.
interrupted() {
    local count signal number
    traced -e trace="$calls" -- "$@" || fail "$*: $(cat said)"
    count=$(grep -cE "^[0-9]+ +[a-z0-9]+\(" trace)
    cp run/old.png wanted.png
    grep -q O_TMPFILE trace || fail "$*: no temporary file"
    for signal in INT TERM KILL; do
        for ((number = 1 + RANDOM % share; number <= count; number += share)); do
            # 2>/dev/null: bash prints a message on stderr when a signal ends a command
            { traced -e trace="$calls" -e inject="$calls:signal=$signal:when=$number" -- "$@"; } 2>/dev/null
            check "$signal" "$number" $?
            runs=$((runs + 1))
        done
    done
}

# interrupted_with_name COMMAND...: interrupts the command while its temporary file has a name, because the file system
# supports no files without names, which strace simulates.
interrupted_with_name() {
    local signal which
    traced -e trace=openat -- "$@"
    which=$(grep -n O_TMPFILE trace | head -n 1 | cut -d: -f1)
    for signal in INT TERM KILL; do
        { traced -e trace="$calls" -e inject="openat:error=EOPNOTSUPP:when=$which" \
            -e inject="unlink,unlinkat:signal=$signal:when=1" -- "$@"; } 2>/dev/null
        check "$signal" "unlink" $?
        grep -q 'unlink.*imgtool.png' trace || fail "$signal: the file had no name"
        runs=$((runs + 1))
    done
}

cp "$samples/landscape.png" input.png
cp "$samples/gray-8.png" old.png
unset TMPDIR
interrupted run 'equalize | rotate | blur sigma=2' --backend cpu --threads 1 --max-memory 1M
interrupted run 'rotate | flip' --backend cpu --threads 2 --max-memory 1M
interrupted_with_name rotate --backend cpu --threads 1 --max-memory 1M
echo "$runs runs, $failed failed"
[ "$failed" -eq 0 ] && [ "$runs" -gt 0 ]
