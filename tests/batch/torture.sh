#!/usr/bin/env bash
# Difficult conditions for a batch: damaged files, a full disk, an unreadable directory, unusual names, loops of
# links, clashing outputs, an output directory inside the input, and 100,000 small files.
#
#     torture.sh IMGTOOL [--large]
#
# Without --large there are 1000 small files; with it the script prints time and memory. Each check prints
# "passed", "failed" or "skipped: why". Exit code 1 if one failed.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ "${2---large}" != --large ]; then
    echo "usage: $0 IMGTOOL [--large]" >&2
    exit 2
fi
imgtool=$(realpath "$1")
export imgtool IMGTOOL=$imgtool
large=${2-}
work=$(mktemp -d "${TMPDIR:-/tmp}/imgtool-torture.XXXXXX")
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
chmod 755 "$work" # some checks run as another user
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=tests/batch/checks.sh
. "$here/checks.sh"
# shellcheck source=tests/cli/functions.sh
. "$here/../cli/functions.sh"
export SAMPLES=$samples

# damage: copies the inputs to $work/damaged and damages a tenth of them there: each of these is truncated, changed near
# its end, emptied, or replaced by a text. Their names go to $work/list.
damage() {
    local file number=0 size
    cp -a "$work/in" "$work/damaged"
    : >"$work/list"
    while IFS= read -r -d '' file; do
        number=$((number + 1))
        [ $((number % 10)) -eq 0 ] || continue
        size=$(stat -c %s "$work/damaged/$file")
        case $((number / 10 % 4)) in
        0) : >"$work/damaged/$file" ;;
        1) truncate -s $((size / 2)) "$work/damaged/$file" ;;
        2) printf '\x5a\xa5\x5a\xa5' | dd of="$work/damaged/$file" bs=1 conv=notrunc status=none \
            seek=$((size - 24)) ;; # inside the last IDAT, or its CRC
        3) echo "this is a letter" >"$work/damaged/$file" ;;
        esac
        printf '%s\0' "$file" >>"$work/list"
    done < <(cd "$work/in" && find . -name '*.png' -print0 | LC_ALL=C sort -z)
}

damaged_files() {
    local file
    damage
    cp -a "$work/want" "$work/want-less"
    (cd "$work/want-less" && xargs -0 rm -f <"$work/list")
    batch --report "$work/report" "$work/damaged" "$work/out"
    expect_code 1
    while IFS= read -r -d '' file; do
        expect_said "${file#./}"
    done <"$work/list"
    expect_same "$work/want-less" "$work/out"
    expect_none_left "$work/out"
    [ "$(grep -c '"type":"file"' "$work/report")" -eq "$files" ] || problem "the report does not have one line per file"
    if command -v jq >/dev/null; then
        jq -e .schema "$work/report" >/dev/null || problem "the report is not JSON with a schema"
    fi
}

damaged_files_resumed() {
    local before
    before=$(states "$work/out")
    batch --resume "$work/damaged" "$work/out"
    expect_code 1
    [ "$before" = "$(states "$work/out")" ] || problem "finished files were processed again"
    rm -r "$work/damaged"
    cp -a "$work/in" "$work/damaged" # now without damage
    batch --resume "$work/damaged" "$work/out"
    expect_code 0
    expect_same "$work/want" "$work/out"
}

fail_fast() {
    mkdir "$work/fast"
    cp "$samples/rgb-8.png" "$work/fast/b.png"
    for ((number = 0; number < 40; number++)); do
        cp "$samples/landscape.png" "$work/fast/c$number.png"
    done
    echo "no picture" >"$work/fast/a.png"
    batch --fail-fast --jobs 1 "$work/fast" "$work/fast-out"
    expect_code 1
    [ "$(find "$work/fast-out" -name '*.png' | wc -l)" -lt 5 ] || problem "the batch continued after a failure"
}

full_disk() {
    if ! can_mount; then
        skip_reason="mounting a small tmpfs is not permitted"
        return
    fi
    mkdir -p "$work/disk"
    cd "$work/disk"
    # shellcheck disable=SC2016 # the inner shell expands these names
    WORK=$work on_small_disk '"$IMGTOOL" batch rotate --angle 90 -r "$WORK/in" out >"$WORK/said" 2>&1
        code=$?; cp -r out "$WORK/full"; exit $code' && code=0 || code=$?
    cd "$work"
    expect_code 75
    expect_said "No space left"
    expect_part "$work/want" "$work/full"
    expect_none_left "$work/full"
    [ -n "$(find "$work/full" -name '*.png' -print -quit)" ] || problem "no file was written before the disk was full"
}

# small_files_only: limits files to 64 KiB, as if the disk were full only for larger files.
small_files_only() {
    (
        trap '' XFSZ
        ulimit -f 64
        batch "$work/in" "$work/limited"
        exit "$code"
    ) && code=0 || code=$?
    expect_code 1
    expect_part "$work/want" "$work/limited"
    expect_none_left "$work/limited"
    [ -s "$work/limited/small/rgb-8.png" ] || problem "small files are missing too"
    [ ! -e "$work/limited/middle/one/1.png" ] || problem "a file above the limit was written"
    batch --resume "$work/in" "$work/limited"
    expect_code 0
    expect_same "$work/want" "$work/limited"
}

unreadable_directory() {
    skip_reason=$(lacks unprivileged)
    [ -z "$skip_reason" ] || return 0
    cp -a "$work/in" "$work/locked"
    chmod 755 "$work/locked"
    chmod 000 "$work/locked/middle/one" "$work/locked/small/gray-8.png"
    mkdir -m 777 "$work/locked-out"
    as_nobody "$imgtool" batch rotate --angle 90 --recursive "$work/locked" "$work/locked-out/out" \
        >"$work/said" 2>&1 && code=0 || code=$?
    expect_code 1
    expect_said middle/one
    expect_said small/gray-8.png
    cp -a "$work/want" "$work/want-open"
    rm -r "$work/want-open/middle/one" "$work/want-open/small/gray-8.png"
    rmdir --ignore-fail-on-non-empty "$work/locked-out/out/middle/one" 2>/dev/null || true
    expect_same "$work/want-open" "$work/locked-out/out"
}

strange_names() {
    local name before
    mkdir "$work/names" "$work/want-names"
    # shellcheck disable=SC2016 # the shell must not expand these names
    for name in "two words" " leading" "trailing " $'new\nline' $'tab\there' $'bell\a' $'inv\xff\xfealid' \
        $'\xc3\x28' -rf --help '*' '?[a-z]' '$HOME' "quo'te\"s" 'back\slash' '{stem}' '%s%n' größe; do
        "$imgtool" crop --width $((20 + ${#name})) --height 9 "$samples/landscape.png" \
            "$work/names/$name.png"
        "$imgtool" rotate --angle 90 "$work/names/$name.png" "$work/want-names/$name.png"
    done
    batch --report "$work/report" "$work/names" "$work/names-out"
    expect_code 0
    expect_same "$work/want-names" "$work/names-out"
    [ "$(grep -c '"type":"file"' "$work/report")" -eq 18 ] || problem "the report does not have one line per file"
    before=$(states "$work/names-out")
    batch --resume "$work/names" "$work/names-out"
    expect_code 0
    [ "$before" = "$(states "$work/names-out")" ] || problem "--resume did not know the names"
    find "$work/names" -name '*.png' -print0 >"$work/list"
    batch --from-file "$work/list" -0 "$work/names-listed"
    expect_code 0
    expect_same "$work/want-names" "$work/names-listed"
    (cd "$work/names" && batch -- *.png "$work/names-shell" && exit "$code") && code=0 || code=$?
    expect_code 0
    expect_same "$work/want-names" "$work/names-shell"
}

link_loops() {
    mkdir -p "$work/loop/a/b" "$work/want-loop/a/b"
    cp "$samples/rgb-8.png" "$work/loop/a/one.png"
    cp "$samples/gray-8.png" "$work/loop/a/b/two.png"
    ln -s . "$work/loop/here"
    ln -s .. "$work/loop/a/up"
    ln -s ../../.. "$work/loop/a/b/top"
    ln -s round.png "$work/loop/round.png"
    "$imgtool" rotate --angle 90 "$work/loop/a/one.png" "$work/want-loop/a/one.png"
    "$imgtool" rotate --angle 90 "$work/loop/a/b/two.png" "$work/want-loop/a/b/two.png"
    timeout 60 "$imgtool" batch rotate --angle 90 --recursive "$work/loop" "$work/loop-out" \
        >"$work/said" 2>&1 && code=0 || code=$?
    # round.png is a link to itself. The batch may report it as a failure (exit code 1), or ignore it (0).
    [ "$code" -le 1 ] || problem "exit code $code, expected 0 or 1"
    expect_same "$work/want-loop" "$work/loop-out"
}

# refused ARGUMENTS...: checks that the command fails before it writes anything.
refused() {
    local before
    before=$(cd "$work/clash" && find . -printf '%p %i %s %T@\n' | sort | sha256sum)
    batch "$@"
    expect_code 2
    [ -s "$work/said" ] || problem "no message explains the refusal"
    [ "$before" = "$(cd "$work/clash" && find . -printf '%p %i %s %T@\n' | sort | sha256sum)" ] ||
        problem "something was written: $*"
}

clashes() {
    mkdir -p "$work/clash/a" "$work/clash/b" "$work/clash/tree/sub"
    cp "$samples/rgb-8.png" "$work/clash/a/x.png"
    cp "$samples/gray-8.png" "$work/clash/b/x.png"
    cp "$samples/gray-8.png" "$work/clash/b/y.png"
    cp "$samples/gray-8.png" "$work/clash/tree/sub/z.png"
    ln -s b "$work/clash/link"
    refused "$work/clash/a/x.png" "$work/clash/b/x.png" "$work/clash/out"
    refused --name 'same.{ext}' "$work/clash/b" "$work/clash/out"
    refused "$work/clash/b" "$work/clash/b"
    refused "$work/clash/b" "$work/clash/b/../b"
    refused "$work/clash/b" "$work/clash/link"
    refused "$work/clash/b" "$work/clash/a/x.png" "$work/clash/a"
    refused "$work/clash/tree/sub/z.png" "$work/clash/tree/sub"
    ln "$work/clash/b/x.png" "$work/clash/tree/hard.png"
    refused --name 'hard.{ext}' "$work/clash/b/x.png" "$work/clash/tree"
}

output_inside() {
    cp -a "$work/in" "$work/inside"
    batch "$work/inside" "$work/inside/out"
    expect_code 0
    expect_same "$work/want" "$work/inside/out"
    batch "$work/inside" "$work/inside/out"
    expect_code 0
    expect_same "$work/want" "$work/inside/out"
}

# changed_meanwhile CALL OPTION...: another program saves the file while the batch works on it. To make time for this,
# strace delays the batch in the system call CALL, after the result is written.
changed_meanwhile() {
    local process call=$1
    shift
    if ! strace -o /dev/null true 2>/dev/null; then
        skip_reason="there is no strace, or it is not permitted"
        return
    fi
    mkdir "$work/changed"
    cp "$samples/rgb-8.png" "$work/changed/a.png"
    cp "$samples/gray-8.png" "$work/new.png"
    traced -o /dev/null -e "trace=$call" -e "inject=$call:delay_enter=3000000" "$imgtool" batch rotate \
        --angle 90 --in-place "$@" "$work/changed" >"$work/said" 2>&1 </dev/null &
    process=$!
    while [ -z "$(find "$work/changed" -name '.*.tmp' -size +0 -print -quit)" ] && kill -0 "$process" 2>/dev/null; do
        sleep 0.02
    done
    mv "$work/new.png" "$work/changed/a.png"
    code=0
    wait "$process" || code=$?
    expect_code 75
    expect_said "changed by another program"
    cmp -s "$samples/gray-8.png" "$work/changed/a.png" || problem "the saved file is lost"
    expect_none_left "$work/changed"
    rm -r "$work/changed"
}
changed_while_synced() {
    changed_meanwhile fsync
}
changed_while_recorded() {
    changed_meanwhile fdatasync
}
changed_unrecorded() {
    changed_meanwhile fsync --no-record
}

# On overlayfs, the link for the backup gives the file another inode. No program has changed the file, so the batch must
# succeed.
other_inode() {
    local layers=$work/layers
    mkdir -p "$layers/lower" "$layers/upper" "$layers/tmp" "$layers/all"
    cp "$samples/rgb-8.png" "$layers/lower/a.png"
    ln "$layers/lower/a.png" "$layers/lower/b.png"
    code=0
    # shellcheck disable=SC2016 # the inner shell expands these names
    unshare -m bash -c 'mount -t tmpfs none "$1/upper" && mkdir "$1/upper/files" "$1/upper/work" &&
        mount -t overlay none -o "lowerdir=$1/lower,upperdir=$1/upper/files,workdir=$1/upper/work" "$1/all" || exit 99
        "$2" batch rotate --in-place --backup "$1/all/b.png"; code=$?
        cmp "$1/all/b.png~" "$1/lower/a.png" || exit 1; exit $code' - "$layers" "$imgtool" >"$work/said" 2>&1 || code=$?
    if [ "$code" -eq 99 ]; then
        skip_reason="mounting overlayfs is not permitted"
        return
    fi
    expect_code 0
}

# With two mounts of one directory, each file exists only once, and one record must list it.
two_mounts() {
    if ! can_mount; then
        skip_reason="mounting a directory again is not permitted"
        return
    fi
    mkdir -p "$work/mounts/a" "$work/mounts/b"
    cp "$samples/rgb-8.png" "$work/mounts/a/x.png"
    cp "$samples/gray-8.png" "$work/mounts/a/y.png"
    # shellcheck disable=SC2016 # the inner shell expands these names
    WORK=$work IMGTOOL=$imgtool unshare -m sh -c 'cd "$WORK/mounts" && mount --bind a b &&
        "$IMGTOOL" batch rotate --angle 90 --in-place a b && "$IMGTOOL" batch rotate --angle 90 --in-place --resume b a &&
        "$IMGTOOL" batch rotate --angle 90 --in-place a/x.png b/y.png &&
        "$IMGTOOL" batch rotate --angle 90 --in-place --resume b' >"$work/said" 2>&1 && code=0 || code=$?
    expect_code 0
    for file in x y; do
        "$imgtool" rotate --angle 180 "$samples/$([ $file = x ] && echo rgb || echo gray)-8.png" "$work/turned.png"
        "$imgtool" compare -q "$work/turned.png" "$work/mounts/a/$file.png" || problem "$file.png was not turned twice"
    done
    ln "$work/mounts/a/x.png" "$work/mounts/second.png"
    # shellcheck disable=SC2016 # the inner shell expands these names
    WORK=$work IMGTOOL=$imgtool unshare -m sh -c 'cd "$WORK/mounts" && mount --bind a b &&
        "$IMGTOOL" batch "overlay image=a/x.png" --in-place b' >"$work/said" 2>&1 && code=0 || code=$?
    expect_code 2
    expect_said "a/x.png is read by a step"
}

# timed ARGUMENTS...: runs a batch, and prints seconds, files per second and the peak of memory.
timed() {
    local start=${EPOCHREALTIME/./} process memory=0 line
    "$imgtool" batch rotate --angle 90 --recursive "$@" >"$work/said" 2>&1 </dev/null &
    process=$!
    while line=$(grep VmHWM "/proc/$process/status" 2>/dev/null) && [ -n "$line" ]; do
        memory=$(tr -dc 0-9 <<<"$line")
        sleep 0.02
    done
    code=0
    wait "$process" || code=$?
    awk -v start="$start" -v end="${EPOCHREALTIME/./}" -v files="$many" -v memory="$memory" 'BEGIN {
        seconds = (end - start) / 1e6
        printf "    %d files: %.1f s, %.0f files/s, %.1f MiB at most\n", files, seconds, \
            files / seconds, memory / 1024 }'
}

# Makes hundreds of directories of small pictures, with hard links, because these are quick to make.
many_files() {
    local directory number before directories=$((many / 100))
    [ "$many" -le 10000 ] || directories=100
    mkdir -p "$work/many/0" "$work/ten"
    for ((number = 0; number < 10; number++)); do
        "$imgtool" crop --x $((number * 50)) --y 200 --width 16 --height 16 \
            "$samples/landscape.png" "$work/ten/$number.png"
        "$imgtool" rotate --angle 90 "$work/ten/$number.png" "$work/ten/turned-$number.png"
    done
    for ((number = 0; number < many / directories; number++)); do
        ln "$work/ten/$((number % 10)).png" "$work/many/0/$number.png"
    done
    for ((directory = 1; directory < directories; directory++)); do
        cp -al "$work/many/0" "$work/many/$directory"
    done
    timed "$work/many" "$work/many-out"
    expect_code 0
    [ "$(find "$work/many-out" -name '*.png' | wc -l)" -eq "$many" ] || problem "files are missing"
    for ((number = 0; number < many / directories; number++)); do
        cmp -s "$work/ten/turned-$((number % 10)).png" "$work/many-out/0/$number.png" ||
            problem "not turned: 0/$number.png"
    done
    for ((directory = 1; directory < directories; directory++)); do
        diff -rq "$work/many-out/0" --exclude=.imgtool-batch "$work/many-out/$directory" >/dev/null ||
            problem "directory $directory differs"
    done
    before=$(states "$work/many-out")
    timed --resume "$work/many" "$work/many-out"
    expect_code 0
    [ "$before" = "$(states "$work/many-out")" ] || problem "--resume processed finished files again"
}

make_pictures "$work/in" 20
files=$(find "$work/in" -name '*.png' | wc -l)
(cd "$work/in" && find . -type d -print0) | (mkdir "$work/want" && cd "$work/want" && xargs -0 mkdir -p)
while IFS= read -r -d '' file; do # compares the batches with single commands
    "$imgtool" rotate --angle 90 "$work/in/$file" "$work/want/$file"
done < <(cd "$work/in" && find . -name '*.png' -print0)
many=1000
[ -z "$large" ] || many=100000

like_one_by_one() {
    batch "$work/in" "$work/plain"
    expect_code 0
    expect_same "$work/want" "$work/plain"
}
check "the same files as 'imgtool rotate' makes one by one" like_one_by_one
check "a tenth of the files damaged" damaged_files
check "resumed, and again with the files repaired" damaged_files_resumed
check "--fail-fast stops" fail_fast
check "a full disk" full_disk
check "files that cannot grow beyond a limit" small_files_only
check "a directory and a file that cannot be read" unreadable_directory
check "names with spaces, newlines, invalid UTF-8, dashes, quotes" strange_names
check "loops of links" link_loops
check "outputs that clash are refused, and nothing is written" clashes
check "the output directory inside the input, twice" output_inside
check "in place, a file that is saved meanwhile stays" changed_while_synced
check "in place, a file that is saved while the record is written stays" changed_while_recorded
check "in place, a file that is saved meanwhile stays, without a record" changed_unrecorded
check "in place with backups, on overlayfs" other_inode
check "in place, one directory by two mounts" two_mounts
check "$many small files" many_files
finish
