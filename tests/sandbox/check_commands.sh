#!/usr/bin/env bash
# check_commands.sh IMGTOOL SAMPLES: checks that single commands have entered the sandbox when the first byte of an
# input arrives. Also checks that they give the same results and messages in it as outside. The input is a FIFO that
# gives no data for a while, so that a command can be examined while it waits.
set -uo pipefail
imgtool=${1:?usage: check_commands.sh IMGTOOL SAMPLES} samples=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 checks=0

fail() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}

# state COMMAND...: prints the line of --explain about the sandbox.
state() {
    "$imgtool" "$@" 2>&1 >/dev/null | sed -n 's/^  sandbox  //p'
}

state=$(state rotate --angle 90 --explain --backend cpu "$samples/rgb-8.png" out.png)
rm -f out.png
case $state in
on*) ;;
"off: a build with sanitizers"* | "off: not for this kind of processor"* | "off: the system supports no filter"* | \
    "off: a library is preloaded"*)
    echo "skipped: the sandbox is $state"
    exit 77
    ;;
*)
    echo "FAIL: the sandbox is '$state'"
    exit 1
    ;;
esac

# in_status FILE PID: prints two numbers of /proc/PID/status, which show whether the process is in the sandbox: the mode
# of its filter, and whether it gave up rights.
in_status() {
    echo "$(sed -nE 's/^Seccomp:\s+//p' "/proc/$1/status") $(sed -nE 's/^NoNewPrivs:\s+//p' "/proc/$1/status")"
}

# has_opened FILE PID: waits until the process has ended or has opened the file itself. The inherited descriptor 9 does
# not count.
has_opened() {
    local try
    for ((try = 0; try < 500; try++)); do
        [ -e "/proc/$2" ] || return 1
        ! find "/proc/$2/fd" ! -name 9 -lname "*/$1" 2>/dev/null | grep -q . || return 0
        sleep 0.02
    done
    return 1
}

# stalled WANTED COMMAND...: checks a command while it waits for the first byte of `fifo`. The two numbers of in_status
# must be WANTED ("2 1" or "0 0"). Then the command gets its input, and must succeed.
stalled() {
    local wanted=$1 child got
    shift
    checks=$((checks + 1))
    rm -f fifo
    mkfifo fifo
    exec 9<>fifo
    "$imgtool" "$@" >said 2>&1 9<&- &
    child=$!
    has_opened fifo $child || fail "$*: has not opened its input: $(cat said)"
    got=$(in_status $child 2>/dev/null)
    cat "$gives" >&9
    exec 9>&-
    wait $child || fail "$*: exit code $?: $(cat said)"
    [ "$got" = "$wanted" ] || fail "$*: Seccomp and NoNewPrivs are $got, wanted $wanted"
}

cpu=(--backend cpu)
gives=$samples/rgb-8.png # file that the function `stalled` writes to the FIFO
stalled "2 1" rotate --angle 90 "${cpu[@]}" fifo out.png
stalled "2 1" run 'crop width=8 | rotate angle=90' "${cpu[@]}" fifo out.png
stalled "2 1" convert "${cpu[@]}" fifo out.jpg
stalled "2 1" thumbnail "${cpu[@]}" --size 16 fifo out.png
stalled "2 1" stats "${cpu[@]}" fifo
stalled "2 1" stats "${cpu[@]}" fifo "$samples/rgb-16.png"
stalled "2 1" histogram "${cpu[@]}" fifo
stalled "2 1" info fifo
"$imgtool" batch stats --shard 1/1 --json "$samples/rgb-8.png" >counts.json
gives=counts.json
stalled "2 1" stats merge fifo
gives=$samples/rgb-8.png
stalled "2 1" compare fifo "$samples/rgb-8.png"
stalled "2 1" compare --diff out.png "$samples/rgb-8.png" fifo
stalled "2 1" montage "${cpu[@]}" "$samples/rgb-16.png" fifo out.png
stalled "2 1" overlay "${cpu[@]}" --image fifo "$samples/rgb-8.png" out.png
stalled "0 0" rotate --no-sandbox --angle 90 "${cpu[@]}" fifo out.png
stalled "0 0" stats --no-sandbox fifo
stalled "0 0" info --no-sandbox fifo
stalled "0 0" compare --no-sandbox fifo "$samples/rgb-8.png"
stalled "0 0" montage --no-sandbox fifo out.png
stalled "0 0" histogram --no-sandbox fifo
# The filter need not consider the personality under which all readable memory is executable, because the start of a
# 64-bit program resets it. This checks that the memory of a waiting command has the usual protection.
if setarch -X true 2>/dev/null; then
    checks=$((checks + 1))
    rm -f fifo
    mkfifo fifo
    exec 9<>fifo
    setarch -X "$imgtool" rotate --angle 90 "${cpu[@]}" fifo out.png >said 2>&1 9<&- &
    child=$!
    has_opened fifo $child || fail "setarch -X: has not opened its input: $(cat said)"
    personality=$(cat /proc/$child/personality 2>/dev/null)
    [ $((0x${personality:-0} & 0x400000)) -eq 0 ] || fail "setarch -X: READ_IMPLIES_EXEC is inherited"
    ! grep -q '^[^ ]* .wx' /proc/$child/maps || fail "setarch -X: $(grep '^[^ ]* .wx' /proc/$child/maps)"
    cat "$gives" >&9
    exec 9>&-
    wait $child || fail "setarch -X: exit code $?: $(cat said)"
fi
# These commands run without a sandbox, as app/SECURITY.md states.
stalled "0 0" tiles --size 40 fifo 'tile-{row}-{column}.png'
rm -f tile-*

# said COMMAND...: prints the exit code and the output of a command, and the files that it leaves, without the names of
# temporary files.
said() {
    "$imgtool" "$@" 2>&1
    echo "exit $?"
    find . -type f ! -name 'said*' -printf '%P %m %G %n %TY-%Tm-%Td\n' | sort
}

# same COMMAND...: checks that exit code, output and files are the same with and without the
# sandbox.
same() {
    checks=$((checks + 1))
    prepare
    said "$@" >said.with
    prepare
    said "$1" --no-sandbox "${@:2}" >said.without
    cmp -s said.with said.without || {
        fail "$*: differs from --no-sandbox:"
        diff said.with said.without
    }
}

prepare() {
    chmod -R u+w . && find . -mindepth 1 ! -name 'said*' -delete
    cp "$samples/rgb-8.png" in.png
    cp "$samples/gray-8.png" old.png
    cp "$samples/gray-8.png" link-target.png
    chmod 640 old.png
    cp old.png theirs.png
    [ "$(id -u)" -ne 0 ] || chgrp 54321 theirs.png
    chmod 4604 in.png
    touch -d 2001-02-03 in.png old.png
    ln -s link-target.png link.png
    head -c 1000 in.png >cut.png
    mkdir directory
    printf 'LUT_3D_SIZE 2\n' >bad.cube
}

same rotate --angle 90 in.png out.png
same rotate --angle 90 in.png old.png
same rotate --angle 90 in.png in.png
same rotate --angle 90 in.png link.png
same rotate --angle 90 --backup --preserve in.png old.png
same rotate --angle 90 --backup=.bak in.png old.png
same rotate --angle 90 --backup --preserve in.png in.png
same rotate --angle 90 in.png theirs.png
same rotate --angle 90 --backup --preserve in.png theirs.png
same rotate --angle 90 --backup theirs.png theirs.png
same rotate --angle 90 missing.png theirs.png
same montage in.png theirs.png theirs.png
same compare --diff theirs.png in.png old.png
same rotate --angle 90 in.png directory
same rotate --angle 90 in.png directory/
same rotate --angle 90 in.png missing/out.png
same rotate --angle 90 in.png in.png/out.png
same rotate --angle 90 in.png /dev/null --format png
same rotate --angle 90 in.png /dev/full --format png
same rotate --angle 90 in.png /proc/out.png
same rotate --angle 90 missing.png out.png
same rotate --angle 90 cut.png out.png
same rotate --angle 90 cut.png missing/out.png
same rotate --angle 90 directory out.png
same rotate --angle 90 bad.cube out.png
same rotate --angle 90 --max-memory 1K in.png out.png
same lut --file bad.cube in.png out.png
same lut --file missing.cube in.png out.png
same overlay --image old.png in.png out.png
same overlay --image missing.png in.png out.png
same run 'overlay image=./old.png | rotate angle=90' in.png out.png
same compare in.png in.png
same compare --diff out.png in.png old.png
same compare --diff missing/out.png in.png in.png
same compare in.png missing.png
same info in.png cut.png missing.png directory
same stats in.png cut.png missing.png old.png
same stats --json in.png old.png
same histogram --json in.png missing.png
same montage in.png old.png out.png
same montage in.png missing.png out.png
same montage in.png old.png missing/out.png
same montage --steps 'overlay image=old.png' in.png old.png out.png

# The size limit is below the size of the output. No file may remain, and the message must be the same as without the
# sandbox.
checks=$((checks + 1))
prepare
(
    ulimit -f 1
    "$imgtool" rotate --angle 90 "$samples/landscape.png" out.png
) >said 2>&1
code=$?
if [ $code -ne 3 ] || ! grep -q 'larger than the system or a limit' said || [ -e out.png ] ||
    [ -n "$(find . -name '*.tmp')" ]; then
    fail "a limit of file sizes: $code: $(cat said)"
fi

# The user is not root and has no write permission for the directory. The message must be the same as without the
# sandbox.
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${as_user[@]}" "$imgtool" --version >/dev/null 2>&1; then
    checks=$((checks + 1))
    prepare
    chmod 755 .
    chmod 555 directory
    "${as_user[@]}" "$imgtool" rotate --angle 90 "$samples/rgb-8.png" directory/out.png >said 2>&1
    code=$?
    if [ $code -ne 3 ] || ! grep -q 'no permission to create files' said; then
        fail "a read-only directory: $code: $(cat said)"
    fi
fi

# A signal must remove incomplete files. montage is used because it opens its output before its inputs.
checks=$((checks + 1))
prepare
mkfifo fifo
"$imgtool" montage "${cpu[@]}" fifo out.png >said 2>&1 &
child=$!
exec 9<>fifo
for ((i = 0; i < 100; i++)); do
    [ -z "$(find . -name '.out.png.*.tmp')" ] || break
    sleep 0.02
done
[ -n "$(find . -name '.out.png.*.tmp')" ] || fail "montage: there is no temporary file"
kill -TERM $child
wait $child
[ $? -eq 143 ] || fail "montage: not ended by SIGTERM"
exec 9>&-
[ -z "$(find . -name '.out.png.*.tmp')" ] || fail "montage: SIGTERM leaves a temporary file"

# Replaces an output file of another group. Its temporary file is created before the sandbox starts.
if [ "$(id -u)" -eq 0 ]; then
    checks=$((checks + 1))
    prepare
    mkfifo fifo
    exec 9<>fifo
    "$imgtool" rotate --angle 90 "${cpu[@]}" fifo theirs.png >said 2>&1 9<&- &
    child=$!
    has_opened fifo $child || fail "another group: has not opened its input: $(cat said)"
    [ "$(in_status $child)" = "2 1" ] || fail "another group: no sandbox"
    [ "$(stat -c '%g %a' .theirs.png.*.tmp)" = "54321 640" ] || fail "another group: there is no temporary file of it"
    kill -TERM $child
    wait $child
    [ $? -eq 143 ] || fail "another group: not ended by SIGTERM"
    exec 9>&-
    [ -z "$(find . -name '.theirs.png.*.tmp')" ] || fail "another group: SIGTERM leaves a temporary file"
fi

# The filter must refuse no call of these commands except two that the C library can do without. If clone3 is refused,
# the library uses another call. If it cannot open overcommit_memory, it keeps the free memory of a thread instead of
# returning it to the system.
if strace -o trace true 2>/dev/null; then
    prepare
    "$imgtool" resize --size 3000x2000 --no-sandbox "$samples/landscape.png" large.png
    refused() {
        checks=$((checks + 1))
        strace -f -o trace "$imgtool" "$@" >/dev/null 2>&1
        grep -q 'seccomp(SECCOMP_SET_MODE_FILTER.* = 0' trace || fail "$*: no filter was installed"
        if grep -E 'EPERM|ENOSYS' trace | grep -v -e 'clone3[( ]' -e '/proc/sys/vm/overcommit_memory' >met; then
            fail "$*: calls meet the filter: $(head -3 met)"
        fi
    }
    refused rotate --angle 90 --threads 4 --explain "${cpu[@]}" large.png out.png
    refused rotate --angle 90 --backup --preserve "${cpu[@]}" in.png old.png
    refused rotate --angle 90 --backup --preserve "${cpu[@]}" in.png theirs.png
    refused rotate --angle 90 "${cpu[@]}" in.png theirs.png
    refused blur --sigma 3 --threads 4 "${cpu[@]}" large.png out.jpg
    refused resize --size 300x200 --threads 1 "${cpu[@]}" large.png out.png
    refused rotate --angle 90 --level 9 "${cpu[@]}" "$samples/interlaced-rgb-8.png" out.png
    refused stats --percentiles 1,99 "${cpu[@]}" large.png in.png old.png
    refused histogram "${cpu[@]}" large.png
    refused info --json "$samples/orientation-3.png" large.png
    refused compare --diff out.png large.png large.png
    refused montage "${cpu[@]}" large.png in.png old.png out.png
    refused rotate --angle 90 "${cpu[@]}" cut.png out.png
    # Without hard links a backup is a copy.
    checks=$((checks + 1))
    cp "$samples/gray-8.png" kept.png
    strace -f -o trace -e inject=link,linkat:error=EOPNOTSUPP "$imgtool" rotate --angle 90 --backup "${cpu[@]}" in.png \
        kept.png >said 2>&1
    code=$?
    if [ $code -ne 0 ] || ! cmp kept.png~ "$samples/gray-8.png" || grep -E 'EPERM|ENOSYS' trace | grep -v 'clone3[( ]' ||
        [ -n "$(find . -name '*.tmp')" ]; then
        fail "a backup by a copy: $code: $(cat said)"
    fi
    # Some file systems support no files without names (O_TMPFILE), which strace simulates. Temporary files then get a
    # name, which is removed at once.
    "$imgtool" resize --size 3000x2000 --no-sandbox "$samples/landscape.png" large.png
    "$imgtool" rotate --angle 90 large.png wanted.png
    named() {
        local code
        checks=$((checks + 1))
        rm -f out.png
        strace -f -o trace -P . -P "$PWD" -e inject=openat:error=EOPNOTSUPP "$imgtool" "$@" >said 2>&1
        code=$?
        if [ $code -ne 0 ] || ! grep -q 'O_TMPFILE.*INJECTED' trace || [ -n "$(find . -name '.*.tmp')" ]; then
            fail "$*, without O_TMPFILE: $code: $(cat said)"
        fi
    }
    TMPDIR='' named rotate --angle 90 --max-memory 12M "${cpu[@]}" large.png out.png
    cmp -s out.png wanted.png || fail "rotate without O_TMPFILE: another result"
    # Without seccomp filters, which strace simulates, the command must still succeed. -v and --explain must report that
    # there is no sandbox.
    checks=$((checks + 1))
    strace -o trace -e inject=seccomp:error=EINVAL "$imgtool" rotate --angle 90 -v --explain "${cpu[@]}" in.png out.png \
        >/dev/null 2>said
    code=$?
    if [ $code -ne 0 ] || ! grep -q '^imgtool: no sandbox: the system supports no filter' said ||
        ! grep -q '^  sandbox  off: the system supports no filter' said; then
        fail "a system without filters: $code: $(cat said)"
    fi
else
    echo "not tried, as strace does not run here: that no innocent call meets the filter"
fi

echo "$checks checks of commands, $failed failed"
[ $failed -eq 0 ]
