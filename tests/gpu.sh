#!/usr/bin/env bash
# Everything that needs a GPU, for a machine that has one: all CUDA implementations against the
# reference, compute-sanitizer's memcheck and racecheck over the odd sizes (at most CASES of each
# operation, chosen by SEED; CODEC=1: not that, but only what follows), the codec, the command line on both
# backends, random work for one process (SOAK=SECONDS: for so long; tests/soak.sh), pictures over 4 GB
# (NO_HUGE=1: not), and the table for kernels/README.md (NO_BENCH=1: not).
#   bash tests/gpu.sh BUILD_DIR            (a build with -DIMGTOOL_CUDA=ON -DIMGTOOL_TESTS=ON)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:?usage: tests/gpu.sh BUILD_DIR}
check=$(find "$build" -type f -name checkkernels -perm -u+x | head -n 1)
imgtool=$(find "$build" -type f -name imgtool -perm -u+x | head -n 1)
lab=$(find "$build" -type f -name run_lab -perm -u+x | head -n 1)
png=$(find "$build" -type f -name check_png_decode -perm -u+x | head -n 1)
png_encode=$(find "$build" -type f -name check_png_encode -perm -u+x | head -n 1)
roundtrip=$(find "$build" -type f -name roundtrip -perm -u+x | head -n 1)
library=$(find "$build" -type f -name check_library_device -perm -u+x | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
seed=${SEED:-$(date +%s)} # of the cases that are chosen where not all are
cases=${CASES:-300}       # of each operation, under memcheck and racecheck
echo "SEED=$seed CASES=$cases"

step() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        printf 'ok    %-28s %s\n' "$name" "$(tail -n 1 "$work/log")"
    else
        printf 'FAIL  %s (exit code %d)\n' "$name" $?
        tail -n 40 "$work/log"
        failures=$((failures + 1))
    fi
}

# The same bytes from both backends: every sample, every operation.
backends_agree() {
    local file op out=$work/out count=0
    local -a ops
    # The examples of these are too large for most, and want a file, or a kernel.
    mapfile -t ops < <("$check" --list-steps | grep -v -e '^crop ' -e '^lut ' -e '^convolve ' -e '^overlay ')
    printf '%s\n' 'LUT_3D_SIZE 2' '0 .1 .3' '1 0 .2' '.1 1 .4' '.8 .9 0' '.2 0 1' '.7 .3 1' '0 .6 .9' '1 1 .8' \
        >"$work/look.cube"
    ops+=('convolve kernel=0,-1,0,-1,5,-1,0,-1,0 border=wrap' 'convolve kernel=-1,0,1,-2,0,2,-1,0,1 bias=0.5')
    ops+=("lut file='$work/look.cube'" 'crop width=1 height=1' 'autolevel clip=2' 'rotate | flip | transpose | rotate angle=180'
        'rotate | clahe | autolevel')
    for file in samples/*.png; do
        for op in "${ops[@]}"; do
            if ! "$imgtool" run -q "$op" --backend cpu "$file" "$out-cpu.png"; then # not for such a picture
                ! "$imgtool" run -q "$op" --backend cuda "$file" "$out-cuda.png" || return 1
                continue
            fi
            "$imgtool" run -q "$op" --backend cuda "$file" "$out-cuda.png" || return 1
            cmp "$out-cpu.png" "$out-cuda.png" || return 1
            count=$((count + 1))
        done
        "$imgtool" stats --json --backend cpu "$file" >"$out-cpu.json" || return 1
        "$imgtool" stats --json --backend cuda "$file" >"$out-cuda.json" || return 1
        cmp "$out-cpu.json" "$out-cuda.json" || return 1
    done
    echo "$count files equal on both backends"
}

# The same files, byte for byte: of a picture that is large enough for the GPU to encode, at every level
# that it has, and of all samples in batches.
files_agree() {
    local level backend
    for level in 1 2 3 4; do
        "$imgtool" rotate -q --backend cpu --level $level samples/landscape.png "$work/cpu.png" || return 1
        "$imgtool" rotate --explain --backend cuda --level $level samples/landscape.png \
            "$work/cuda.png" 2>"$work/explained" || return 1
        cmp "$work/cpu.png" "$work/cuda.png" || return 1
        grep -q 'decoded *on the GPU' "$work/explained" || return 1
        # Level 1 samples nothing: all of it is the GPU's.
        [ $level -gt 1 ] || grep -q '1 on the GPU' "$work/explained" || return 1
    done
    for backend in cpu cuda auto; do
        "$imgtool" batch 'rotate | clahe' -q --no-record --backend $backend samples "$work/by-$backend" ||
            return 1
    done
    diff -r "$work/by-cpu" "$work/by-cuda" && diff -r "$work/by-cpu" "$work/by-auto"
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
# Of rotate, flip and crop all, for they reach every kernel that turns; of any other operation some, and
# another seed takes others.
check_operations() {
    local op most
    step 'checker finds faults' "$check" --self-test
    step 'all against the reference' "$check" --backend cuda --seed "$seed"
    for op in $("$check" --list --backend cuda); do
        most=$cases
        case $op in rotate | flip | crop) most=1000000 ;; esac
        step "memcheck, tight, $op" compute-sanitizer --tool memcheck --error-exitcode 9 \
            "$check" --backend cuda --seed "$seed" --small --most "$most" --tight --op "$op"
        step "racecheck, $op" compute-sanitizer --tool racecheck --error-exitcode 9 \
            "$check" --backend cuda --seed "$seed" --small --most "$most" --op "$op"
    done
}
[ -n "${CODEC-}" ] || check_operations
if [ -n "$lab" ] && [ -z "${CODEC-}" ]; then
    step 'memcheck, lab' compute-sanitizer --tool memcheck --error-exitcode 9 "$lab"
    step 'lab, full cases' "$lab" --full
    step 'racecheck, lab' compute-sanitizer --tool racecheck --error-exitcode 9 "$lab"
fi
if [ -n "$png_encode" ]; then
    step 'PNG encoding' "$png_encode" --large
    step 'PNG encoding, by chance' "$png_encode" --random 2000 "$seed" 400
    for tool in memcheck racecheck initcheck; do
        step "$tool, PNG encoding" compute-sanitizer --tool $tool --error-exitcode 9 "$png_encode"
    done
fi
if [ -n "$png" ]; then
    step 'PNG decoding' "$png" 5000 "$seed"
    step 'PNG decoding, samples' "$png" samples/*.png
    step 'memcheck, PNG decoding' compute-sanitizer --tool memcheck --error-exitcode 9 "$png" 200 "$seed"
    step 'initcheck, PNG decoding' compute-sanitizer --tool initcheck --error-exitcode 9 "$png" 60 "$seed"
    step 'racecheck, PNG decoding' compute-sanitizer --tool racecheck --error-exitcode 9 "$png" 8 "$seed"
fi
if [ -n "$imgtool" ]; then
    step 'both backends, samples' backends_agree
    step 'library, device memory' "$library"
    step 'files through the GPU' files_agree
    step 'bench, every row' "$imgtool" bench --size 301x203 --time 1
    step 'bench, counts' "$imgtool" bench lab --small --time 1
    step 'every kind of PNG' "$roundtrip" "$imgtool" 8 --backend cuda
    step 'memcheck, command line' compute-sanitizer --tool memcheck --error-exitcode 9 \
        "$imgtool" run 'rotate | flip axis=horizontal | crop x=1' --backend cuda \
        samples/landscape.png "$work/out.png"
    step 'random work, one process' bash tests/soak.sh "$build" "${SOAK:-60}" cuda samples/*.png
fi
# More bytes than 32 bits count, every row on both backends; 13 GB of memory, 9 GB of the GPU's.
if [ -z "${NO_HUGE-}" ]; then
    step 'over 4 GB, transpose' "$check" --bench --once --op transpose --format gray8 --size 65537x65539
    step 'over 4 GB, flip' "$check" --bench --once --op flip --format rgb8 --size 40009x36007
fi
[ -n "${NO_BENCH-}" ] || for size in ${SIZES:-4001x3001}; do
    "$check" --bench --backend cuda --size "$size"
done
[ "$failures" -eq 0 ] || { echo "$failures steps failed"; exit 1; }
