#!/usr/bin/env bash
# Runs everything that needs a GPU, within nine minutes on an H200 with 16 cores.
#   bash tests/gpu.sh BUILD_DIR [PART...]      (a build with -DIMGTOOL_CUDA=ON -DIMGTOOL_TESTS=ON)
# The parts, in the order in which they run. Without PART, all except the table run:
#   reference   every CUDA implementation against the reference: MOST cases of each operation, fewer of slow ones
#   codec       PNG on the GPU, which must give the bytes and pixels of the CPU
#   large       operations at 4001 x 3001, against the fastest on the CPU, and over 4 GB
#   commands    the command line on both backends, the library on device memory, round trips, random work for one
#               process (tests/soak.sh; SOAK seconds)
#   failures    FAILURES failing calls of the CUDA runtime, and pictures larger than the device's memory (tests/device)
#   sanitizers  every kernel on small pictures under compute-sanitizer's memcheck, racecheck, synccheck and
#               initcheck: CASES cases of each operation, fewer of slow ones
#   choice      parts that must run alone: the automatic choice takes the fastest implementation (checkkernels
#               --fail-if-slower), and the counts of a run under Nsight Compute
#   table       times, compared with those of a copy, for kernels/turn/MEASUREMENTS.md; for all SIZES
# Each step prints its seconds and has a time limit; a step that exceeds it fails. Timed steps, and steps that keep all
# cores busy, run alone, the others in parallel (JOBS at a time; tests/lib/steps.sh). Processes take turns on a GPU, so
# steps that often wait for it do not run beside the sanitizers, whose kernels take long. If not all cases are checked,
# the step prints how many were checked and how many there are. SEED chooses them: equal seeds give equal cases. Both
# backends run operations on every sample and on every kind of PNG: one of PIPELINES (default: 3) of all combinations,
# chosen by SEED.
set -euo pipefail
build=$(realpath "${1:?usage: tests/gpu.sh BUILD_DIR [PART...]}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shift
parts=(reference codec large commands failures sanitizers choice)
[ $# -eq 0 ] || parts=("$@")
cores=$(nproc)
seed=${SEED:-$(date +%s)}
most=${MOST:-1000}
pipelines=${PIPELINES:-3}
cases=${CASES:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C work SOURCE_DATE_EPOCH=1767225600 # for tIME, so that two runs give the same bytes
# shellcheck source=tests/lib/steps.sh
. tests/lib/steps.sh

wants() {
    [[ " ${parts[*]} " == *" $1 "* ]]
}

# program NAME: prints the path of a program in the build.
program() {
    local found
    found=$(find "$build" -type f -name "$1" -perm -u+x | head -n 1)
    [ -n "$found" ] || { echo "gpu.sh: there is no $1 in $build: build it (ninja -C $build $1)" >&2 && return 1; }
    echo "$found"
}

# --- Operations ---------------------------------------------------------------------------------------------

# Operations whose reference implementations are slow, because they add up hundreds of samples for each pixel.
slow=(denoise boxblur median sharpen affine convolve canny pad perspective close open rotate bilateral laplacian
    sobel erode dilate blur resize)

queue_reference() {
    local quick
    quick=$("$check" --list --backend cuda | grep -vxF "$(printf '%s\n' "${slow[@]}")" | paste -sd ,)
    queue 60 'checker finds faults' "$check" --self-test
    queue 200 'against the reference, quick' "$check" --backend cuda --seed "$seed" --most "$most" --op "$quick"
    # At most 250,000 pixels, because the references of these operations can take minutes per case for larger pictures.
    # The part `large` compares larger pictures with the fastest implementation on the CPU.
    queue 200 'against the reference, slow' "$check" --backend cuda --seed "$seed" --most $((most / 4 + 1)) \
        --largest 250000 --op "$(IFS=, && echo "${slow[*]}")"
}

# queue_large: queues large pictures, then lines longer than the maximum grid height. The last two pictures have more
# bytes than 32 bits can count. They need 13 GB of host memory, and 9 GB on the GPU.
queue_large() {
    local format size huge=("$check" --bench --once --against fastest)
    for format in rgba16 rgb16 rgba8 rgb8 gray16 gray8; do
        queue 240 "4001 x 3001, $format" "$check" --bench --once --against fastest --backend cuda --threads 4 \
            --seed "$seed" --format $format
    done
    for size in 1x2000000 2000000x1; do
        queue 240 "$size, rgb8" "${huge[@]}" --backend cuda --threads 4 --seed "$seed" --format rgb8 --size $size
    done
    # The picture is so high that it has more bands of rows than a grid may have blocks in y (65,535).
    queue 60 '1x70000000, boxblur' "${huge[@]}" --backend cuda --op boxblur --set radius=20 --format gray8 \
        --size 1x70000000
    queue 240 'over 4 GB, transpose' "${huge[@]}" --op transpose --format gray8 --size 65537x65539
    queue 240 'over 4 GB, flip' "${huge[@]}" --op flip --format rgb8 --size 40009x36007
}

# --- Codec --------------------------------------------------------------------------------------------------

queue_codec() {
    local encode decode
    encode=$(program check_png_encode)
    decode=$(program check_png_decode)
    queue 120 'PNG encoding' "$encode" --large
    queue 120 'PNG encoding, by chance' "$encode" --random 2000 "$seed" 400
    queue 120 'PNG encoding, strips by chance' "$encode" --random-strips 100 "$seed"
    queue 120 'PNG encoding in batches' "$encode" --batches 60 "$seed" 200 300
    queue 120 'PNG decoding' "$decode" 5000 "$seed"
    queue 60 'PNG decoding, samples' "$decode" samples/*.png
    queue 120 'batches into tensors' "$(program check_batches)" 1000 "$seed" samples/*.png
}

# --- The command line ---------------------------------------------------------------------------------------

# list_steps: prints the examples of all operations. Leaves out or replaces some of them: those that need a file or a
# kernel of weights, and those that need a picture larger than most samples.
list_steps() {
    "$check" --list-steps | grep -v -e '^crop ' -e '^lut ' -e '^convolve ' -e '^overlay '
    printf '%s\n' 'convolve kernel=0,-1,0,-1,5,-1,0,-1,0 border=wrap' 'convolve kernel=-1,0,1,-2,0,2,-1,0,1 bias=0.5' \
        "lut file='$work/look.cube'" 'crop width=1 height=1' 'autolevel clip=2' \
        'rotate | flip | transpose | rotate angle=180' 'rotate | clahe | autolevel'
}

# backends_agree NUMBER OF: checks every OFth of the steps, starting with NUMBER, on every sample. Both backends must
# give the same bytes. A step that fails on one backend must fail on the other.
backends_agree() {
    local step backend code out=$work/agree-$1 count=0 line=0
    while IFS= read -r step; do
        [ $((line++ % $2)) -eq "$1" ] || continue
        for backend in cpu cuda; do
            rm -rf "$out-$backend"
            code=0
            "$imgtool" batch "$step" -q --no-record --jobs 2 --backend $backend samples "$out-$backend" \
                >"$out-said" 2>&1 || code=$?
            [ $code -le 1 ] || { cat "$out-said" && return 1; } # 1: the step does not apply to a picture of this kind
        done
        diff -r "$out-cpu" "$out-cuda" || { echo "$step: not the same" && return 1; }
        count=$((count + $(find "$out-cpu" -name '*.png' | wc -l)))
    done <"$work/steps"
    echo "$count files equal on both backends"
    [ $count -gt 0 ]
}

counts_agree() {
    local backend
    for backend in cpu cuda; do
        "$imgtool" batch stats --json --backend $backend samples >"$work/stats-$backend"
    done
    cmp "$work/stats-cpu" "$work/stats-cuda"
    echo "$(wc -l <"$work/stats-cpu") lines equal on both backends"
}

# files_agree: checks that both backends write the same files, byte for byte. One picture is large enough to be encoded
# on the GPU, and is encoded at every level of the GPU encoder. Batches process all samples.
files_agree() {
    local level backend
    for level in 1 2 3 4; do
        "$imgtool" rotate -q --backend cpu --level $level samples/landscape.png "$work/cpu.png"
        "$imgtool" rotate --explain --backend cuda --level $level samples/landscape.png \
            "$work/cuda.png" 2>"$work/explained"
        cmp "$work/cpu.png" "$work/cuda.png"
        grep -q 'decoded *on the GPU' "$work/explained"
        # At higher levels the GPU may leave strips that compress better with LZ77 to the CPU. Level 1 does not try
        # LZ77, so the GPU must encode the whole picture.
        [ $level -gt 1 ] || grep -q '1 on the GPU' "$work/explained"
    done
    for backend in cpu cuda auto; do
        "$imgtool" batch 'rotate | clahe' -q --no-record --backend $backend samples "$work/by-$backend"
    done
    diff -r "$work/by-cpu" "$work/by-cuda"
    diff -r "$work/by-cpu" "$work/by-auto"
    echo 'the same files from both backends'
}

# groups_agree: small pictures of many sizes and formats, which a GPU processes in groups, give the same files as on the
# CPU.
groups_agree() {
    local number name names=(landscape rgba-16 rgb-8 gray-8 rgb-16) steps backend
    mkdir "$work/small"
    for number in {1..200}; do
        name=${names[number % ${#names[@]}]}
        "$imgtool" resize "$((60 + number * 37 % 450))x$((70 + number * 53 % 390))" --fit fill -q \
            "samples/$name.png" "$work/small/$number.png"
    done
    for steps in rotate 'resize size=50% | blur sigma=1' 'crop width=50 height=60 | invert'; do
        for backend in cpu cuda; do
            rm -rf "$work/group-$backend"
            "$imgtool" batch "$steps" -v --no-record --backend $backend "$work/small" "$work/group-$backend" \
                2>"$work/group-said"
        done
        diff -r "$work/group-cpu" "$work/group-cuda"
        grep -q 'GPU *200 of 200 files' "$work/group-said"
    done
    echo '200 small pictures equal on both backends'
}

# without_ncu COMMAND...: runs the command with a PATH that lacks ncu. Nsight Compute would wait until it has the GPU
# alone.
without_ncu() {
    local path='' directory directories
    IFS=: read -ra directories <<<"$PATH"
    for directory in "${directories[@]}"; do
        [ -e "$directory/ncu" ] || path=$path:$directory
    done
    PATH=${path#:} "$@"
}
export -f backends_agree counts_agree files_agree groups_agree without_ncu

queue_commands() {
    local number of=12
    imgtool=$(program imgtool)
    export imgtool # the functions above run in separate processes
    printf '%s\n' 'LUT_3D_SIZE 2' '0 .1 .3' '1 0 .2' '.1 1 .4' '.8 .9 0' '.2 0 1' '.7 .3 1' '0 .6 .9' '1 1 .8' \
        >"$work/look.cube"
    list_steps | awk -v of="$pipelines" -v first=$((seed % pipelines)) 'NR % of == first' >"$work/steps"
    queue 200 "every kind of PNG, 1 check in $pipelines" "$(program roundtrip)" --every "$pipelines" "$seed" \
        "$imgtool" 8 --backend cuda
    queue $((${SOAK:-45} + 120)) 'random work, one process' bash tests/soak.sh "$build" "${SOAK:-45}" cuda samples/*.png
    for ((number = 0; number < of; number++)); do
        queue 200 "both backends, samples, $((number + 1))/$of, 1 step in $pipelines" backends_agree $number $of
    done
    queue 60 'library, device memory' "$(program check_library_device)"
    if [ -e "$build/app/python/imgtool" ]; then
        queue 120 'Python, device memory' bash tests/python/run.sh "${PYTHON:-python3}" "$build/app/python" \
            "$PWD/samples" test_device test_device_tensor
    fi
    queue 60 'both backends, counts' counts_agree
    queue 120 'files through the GPU' files_agree
    queue 120 'small pictures in groups' groups_agree
    queue 120 'bench, every row' "$imgtool" bench --size 301x203 --time 1
    queue 120 'bench, lab' without_ncu "$imgtool" bench lab all --small --time 1
    queue 120 'lab, full cases' "$(program run_lab)" --full
}

# --- Failures -----------------------------------------------------------------------------------------------

# queue_failures: queues steps that start many parallel processes, which mostly wait for the driver.
queue_failures() {
    queue 180 'CUDA calls that fail' env RUNS="${FAILURES:-300}" SEED="$seed" JOBS="${JOBS:-$cores}" \
        bash tests/device/check_failures.sh "$(program failing_imgtool)" samples
    queue 120 'pictures larger than the device' bash tests/device/check_bands.sh "$(program failing_imgtool)" samples
}

# --- Sanitizers ---------------------------------------------------------------------------------------------

# sanitize LIMIT TOOL NAME COMMAND...: runs a step under a tool of compute-sanitizer.
sanitize() {
    local limit=$1 tool=$2 name=$3
    shift 3
    queue "$limit" "$tool, $name" compute-sanitizer --tool "$tool" --error-exitcode 9 "$@"
}

# sanitize_operation TOOL OP: queues an operation. racecheck takes twice as long as the other tools, so it gets half as
# many cases. It gets only two cases of denoise, which take long because racecheck follows each sum in shared memory.
# Under memcheck the pictures on the device have no guards.
sanitize_operation() {
    local tool=$1 op=$2 count=$cases tight=
    [ "$tool" != racecheck ] || count=$((count / 2))
    [ "$tool" != memcheck ] || tight=--tight
    [[ " ${slow[*]} " != *" $op "* ]] || count=$((count / 4 + 1))
    [ "$tool $op" != 'racecheck denoise' ] || count=2
    sanitize 150 "$tool" "$op" "$check" --backend cuda --seed "$seed" --threads 1 --small $tight --most "$count" --op "$op"
}

# queue_sanitizers: queues the slowest steps first, so that none of them runs alone at the end.
queue_sanitizers() {
    local tool op share lab encode decode
    lab=$(program run_lab)
    encode=$(program check_png_encode)
    decode=$(program check_png_decode)
    for share in 0 1 2; do
        sanitize 240 racecheck "PNG encoding, $((share + 1))/3" "$encode" --share $share 3
        sanitize 240 racecheck "PNG decoding, $((share + 1))/3" "$decode" 6 "$seed" $share 3
    done
    for tool in memcheck initcheck synccheck; do
        sanitize 240 $tool 'PNG encoding' "$encode"
        sanitize 240 $tool 'PNG decoding' "$decode" 30 "$seed"
    done
    for tool in racecheck memcheck initcheck synccheck; do
        sanitize 240 $tool 'PNG encoding in batches' "$encode" --batches 1 "$seed" 16 250
    done
    for tool in racecheck memcheck initcheck synccheck; do
        sanitize 120 $tool 'batches into tensors' "$(program check_batches)" 5 "$seed" samples/{gray,rgb,palette}-*.png
    done
    for tool in racecheck memcheck initcheck synccheck; do
        sanitize 120 $tool lab "$lab"
        for op in "${slow[@]}" $("$check" --list --backend cuda | grep -vxF "$(printf '%s\n' "${slow[@]}")"); do
            sanitize_operation $tool "$op"
        done
    done
    sanitize 120 memcheck 'command line' "$(program imgtool)" run 'rotate | flip axis=horizontal | crop x=1' \
        --backend cuda samples/landscape.png "$work/out.png"
}

# --- Times --------------------------------------------------------------------------------------------------

queue_choice() {
    queue 120 'bench, counts' "$(program imgtool)" bench lab sum-rounds --small --time 1
    queue 240 'the choice is the fastest' "$check" --bench --fail-if-slower --backend cuda --seed "$seed"
}

print_table() {
    local size
    for size in ${SIZES:-4001x3001}; do
        "$check" --bench --against none --backend cuda --size "$size"
    done
}

# --- All ----------------------------------------------------------------------------------------------------

# together JOBS PART...: queues the requested parts and runs JOBS of their steps at a time.
together() {
    local part
    jobs=$1
    shift
    for part in "$@"; do
        if wants "$part"; then "queue_$part"; fi
    done
    run_steps
}

known=' reference codec large commands failures sanitizers choice table '
for part in "${parts[@]}"; do
    [[ "$known" == *" $part "* ]] || { echo "gpu.sh: there is no part '$part', but$known" >&2 && exit 2; }
done
check=$(program checkkernels)
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
echo "$cores cores, SEED=$seed MOST=$most CASES=$cases PIPELINES=$pipelines; parts: ${parts[*]}"
together 1 reference
together 2 codec
together "${JOBS:-$cores}" commands large
together 1 failures
together "${JOBS:-$cores}" sanitizers
together 1 choice
! wants table || print_table
for part in $known; do
    wants "$part" || echo "left out: $part"
done
echo "$reported steps, $failures failed, $SECONDS s"
[ "$failures" -eq 0 ]
