#!/usr/bin/env bash
# no_avx2.sh IMGTOOL COUNT [--seed N]: runs commands on this processor and in QEMU, and compares the files. QEMU
# emulates an x86-64 processor that has instructions up to SSE 4.2. An instruction of AVX or BMI ends the program there.
# Runs COUNT lines of commands.txt (0: all lines), which the seed selects. Exit code 77 without QEMU. ports.sh tests
# more, and other processors.
set -u
imgtool=$1 count=$2 seed=${4:-$RANDOM}
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=tests/ports/run_command.sh
. tests/ports/run_command.sh
[ "$(uname -m)" = x86_64 ] || { echo 'skipped: without AVX2: this is no x86-64' && exit 77; }
command -v qemu-x86_64 >/dev/null || { echo 'skipped: without AVX2: there is no qemu-x86_64 (package qemu-user)' && exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#!/bin/sh\nexec qemu-x86_64 -cpu Nehalem "%s" "$@"\n' "$imgtool" >"$work/emulated"
chmod +x "$work/emulated"
mapfile -t commands < <(list_commands)
# If QEMU does not hide AVX2, both sides would use the same variant.
"$work/emulated" devices | grep -q portable || { echo 'QEMU does not hide AVX2' && exit 1; }
RANDOM=$seed
[ "$count" -gt 0 ] || count=${#commands[@]}
failed=0
for ((i = 0; i < count; i++)); do
    chosen=$((i + RANDOM % (${#commands[@]} - i)))
    command=${commands[chosen]}
    commands[chosen]=${commands[i]}
    result=$(compare_command "$imgtool" "$work/emulated" "$command" "$work/files")
    if [ "$result" != same ]; then
        printf 'imgtool %s: %s\n' "$command" "$result"
        failed=$((failed + 1))
    fi
done
echo "$((count - failed)) of $count commands give the same without AVX2, seed $seed"
[ $failed -eq 0 ]
