#!/usr/bin/env bash
# check_table.sh SOURCE_DIR: checks that cuda_calls.h lists exactly the functions of the CUDA runtime that imgtool
# calls. Functions that only report errors are not listed. A template that launches a kernel or sets attributes counts
# as the function that it calls.
set -euo pipefail
cd "$1"
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    # app/bench is left out: the calls of the benchmarks do not count, and app/bench/model is the emulator itself.
    find app io kernels -path app/bench -prune -o -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
        xargs -0 grep -hoE '\bcuda[A-Z][A-Za-z0-9]*\(' | tr -d '(' |
        sed 's/^cudaLaunchKernelEx$/cudaLaunchKernelExC/' | grep -vxE 'cuda(GetLastError|PeekAtLastError|GetErrorString)'
    echo cudaLaunchKernel # <<<>>> calls this function
    echo __cudaLaunchKernel
} | sort -u >"$work/called"
sed -nE 's/^(CALL|WAIT|TAKE|TAKE_BYTES|GIVE)\([A-Z_]+, ([A-Z_]+, )?(_*cuda[A-Za-z0-9]+).*/\3/p' tests/device/cuda_calls.h | sort >"$work/listed"
if ! diff "$work/called" "$work/listed" >"$work/different"; then
    echo 'tests/device/cuda_calls.h lacks (<) or needs no more (>):'
    grep '^[<>]' "$work/different"
    exit 1
fi
echo "$(wc -l <"$work/listed") functions of the CUDA runtime, all of them in the table"
