# shellcheck shell=bash
# Functions for the commands of a case, and the conditions that "needs" can name.

# as_nobody COMMAND...: runs COMMAND as the user nobody, who has no special permissions.
as_nobody() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}

# on_small_disk COMMAND: runs the shell command in the directory "small", which is a disk of 64 KB. Then writes the
# output of `ls -A` there to left.txt, and removes the disk.
on_small_disk() {
    local flags=-m
    [ "$(id -u)" -eq 0 ] || flags=-rm
    mkdir -p small
    # shellcheck disable=SC2016 # the inner shell expands these names
    unshare "$flags" bash -c 'mount -t tmpfs -o size=64k none small && cd small || exit 99
        bash -c "$1"; code=$?; LC_ALL=C ls -A >../left.txt; exit $code' - "$1"
}

# on_folding_disk COMMAND: runs the shell command in the directory "small", which is an NTFS disk that ignores case.
# Then removes the disk.
on_folding_disk() {
    mkdir -p small && truncate -s 16M disk && mkntfs -F -q -f disk 2>/dev/null || return
    # shellcheck disable=SC2016 # the inner shell expands these names
    unshare -m bash -c 'lowntfs-3g -o ignore_case disk small && cd small || exit 99
        bash -c "$1"; code=$?; cd .. && umount small; exit $code' - "$1"
    local code=$?
    rm -f disk
    return $code
}

can_fold() {
    local directory result
    directory=$(mktemp -d)
    (cd "$directory" && on_folding_disk 'touch a && test -e A') >/dev/null 2>&1
    result=$?
    rm -rf "$directory"
    return $result
}

can_mount() {
    local directory result
    directory=$(mktemp -d)
    (cd "$directory" && on_small_disk true) >/dev/null 2>&1
    result=$?
    rm -rf "$directory"
    return $result
}

# refusing_threads COMMAND...: runs COMMAND several times. In each run the creation of a different thread fails, or of
# this thread and all later ones. COMMAND must succeed with the same output as in a run without refusals, and with
# nothing on stderr. Fails also if COMMAND starts no thread.
refusing_threads() {
    local which refused=$PWD/refused.txt
    "$@" >wanted.out || return
    for which in 1 2 3 4 6 8 10 11 12 1- 2- 3-; do
        REFUSE_THREADS=$which REFUSE_LOG=$refused LD_PRELOAD=$TOOLS/refuse_threads.so "$@" \
            >got.out 2>got.err || { echo "$which: exit code $?" && return 1; }
        [ ! -s got.err ] || { echo "$which: $(cat got.err)" && return 1; }
        cmp got.out wanted.out || { echo "$which: another result" && return 1; }
    done
    [ -s "$refused" ] || { echo "no thread was refused" && return 1; }
    rm -f wanted.out got.out got.err "$refused"
}

# damage_chunk TYPE FILE: changes the first data byte of the chunk TYPE, so that its CRC is wrong.
damage_chunk() {
    local at
    at=$(LC_ALL=C grep -obaF "$1" "$2" | head -n 1 | cut -d: -f1) && [ -n "$at" ] &&
        printf '\252' | dd of="$2" bs=1 seek=$((at + 4)) conv=notrunc status=none
}

# wait_until COMMAND...: repeats the command until it succeeds, for at most two minutes.
wait_until() {
    local i
    for ((i = 0; i < 12000; i++)); do
        "$@" && return
        sleep 0.01
    done
    echo "in vain: $*"
    return 1
}

# with_server COMMANDS [OPTION...]: runs the shell commands beside a server, whose process is $server. The server ends
# after the commands, or after five minutes. Fails also if the server fails or prints anything.
with_server() {
    local code result
    export IMGTOOL_SOCKET=${PWD%/*}/serve/socket
    rm -f ../ready
    timeout -k 5 300 imgtool serve "${@:2}" >../ready 2>../complaints &
    wait_until test -s ../ready || { cat ../complaints && return 1; }
    server=$(sed 's/.*, process \([0-9]*\),.*/\1/' ../ready) bash -c "$1"
    code=$?
    imgtool serve --stop || code=1
    wait $!
    result=$?
    cat ../complaints
    if [ "$result" -ne 0 ] || [ -s ../complaints ]; then
        echo "the server: exit code $result"
        return 1
    fi
    return $code
}

# via_server_the_same ARGUMENTS...: runs a command that writes out.png, with and without --via serve. Both runs must
# give the same file, messages and exit code, apart from the times of --explain.
via_server_the_same() {
    local codes=() via
    for via in '' '--via=serve'; do
        rm -f out.png "out$via"
        imgtool $via "$@" 2>said
        codes+=($?)
        sed -E -e 's/ +[0-9]+\.[0-9]+ ms/ T ms/' -e '/^  sandbox /d' said >"messages$via"
        if [ -e out.png ]; then mv out.png "out$via"; else echo none >"out$via"; fi
    done
    [ "${codes[0]}" -eq "${codes[1]}" ] || { echo "$*: exit codes ${codes[*]}" && return 1; }
    if ! cmp out out--via=serve || ! diff messages messages--via=serve; then
        echo "$*: differs"
        return 1
    fi
    rm -f out out--via=serve said messages messages--via=serve
}

# job_at_work SERVER: waits until a job has started to write out.png. Then stops the server process, so that the job
# stays incomplete.
job_at_work() {
    wait_until compgen -G '.out.png.*' >/dev/null && kill -STOP "$1" &&
        compgen -G '.out.png.*' >/dev/null
}

# Runs ImageMagick's convert under the name that this system gives it.
magick_convert() {
    local program
    for program in magick convert-im6.q16 convert-im6 convert; do
        if "$program" -version 2>/dev/null | grep -q '^Version: ImageMagick'; then
            "$program" "$@"
            return
        fi
    done
    return 127
}

# Runs the program `compare` of ImageMagick.
magick_compare() {
    local program
    for program in compare-im6.q16 compare-im6 compare; do
        if "$program" -version 2>/dev/null | grep -q '^Version: ImageMagick'; then
            "$program" "$@"
            return
        fi
    done
    magick compare "$@"
}

# Succeeds if there is a GPU that this build can use.
has_gpu() {
    [ "${IMGTOOL_CUDA_BUILD:-OFF}" = ON ] && nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}

# lacks CONDITION: prints the reason why a case with this condition cannot run, or nothing.
lacks() {
    case $1 in
    gpu) has_gpu || echo "no GPU, or a build without CUDA" ;;
    no-gpu) ! has_gpu || echo "this machine has a GPU" ;;
    bench) [ "${IMGTOOL_BENCH-1}" = 1 ] || echo "no imgtool-bench in this build" ;;
    plot) [ "${IMGTOOL_PLOT-1}" = 1 ] || echo "no imgtool-plot in this build" ;;
    model) [ "${IMGTOOL_MODEL-1}" = 1 ] || echo "no model of a GPU in this build" ;;
    imagemagick) magick_convert -version >/dev/null 2>&1 || echo "ImageMagick is not installed" ;;
    # Other users cannot read a checkout below /root, so they can neither run the program nor read the samples.
    unprivileged) { as_nobody "$IMGTOOL" --version && as_nobody test -r "$SAMPLES/rgb-8.png"; } \
        >/dev/null 2>&1 || echo "an unprivileged user cannot read this checkout" ;;
    small-disk) can_mount || echo "mounting a small tmpfs is not permitted" ;;
    folding-disk) can_fold || echo "no NTFS without upper and lower case (ntfs-3g) can be mounted" ;;
    no-sanitizer) [ -z "${IMGTOOL_SANITIZE-}" ] || echo "not meaningful with a sanitizer" ;;
    *) command -v "$1" >/dev/null || echo "$1 is not installed" ;;
    esac
}

# hostile_name STEM: prints a name that contains an escape sequence, control characters of 7 and 8 bits, a newline,
# marks for the writing direction, a byte that is not UTF-8, and a letter beyond ASCII.
hostile_name() {
    printf '%s\033[31m\a\177\302\233\n\342\200\256\342\200\217\342\201\246\330\234\233\303\274' "$1"
}

# hostile FILE.png: copies a sample to a file with a hostile name that begins with FILE.
hostile() {
    cp "$SAMPLES/gray-8.png" "$(hostile_name "${1%.png}").png"
}

# show_hostile COMMAND...: runs the command and ignores its exit code. Prints the command and its output if the output
# contains a character of a hostile name that should have been replaced. An unreplaced newline shows as a line of the
# output that begins with bytes beyond ASCII and then the name's last letter, the u with two dots.
show_hostile() {
    local patterns
    "$@" >said.txt 2>&1 </dev/null || true
    patterns=$(printf '[\001-\010\013-\037\177]|\302[\200-\237]|\342\200[\216\217\250-\256]|\342\201[\246-\251]|\330\234|m\233')
    if LC_ALL=C grep -qaE "$patterns" said.txt || LC_ALL=C grep -qaE "$(printf '^[^\001-\177]*\303\274')" said.txt; then
        echo "$*" | cat -v
        cat -v said.txt
    fi
}
