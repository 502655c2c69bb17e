#!/usr/bin/env bash
# Gives one server process random work for a given time: several clients send jobs to `imgtool serve`. Each job takes a
# random part of a given picture through random steps, at a random level. Each result is compared, byte by byte, with
# that of a single command on the CPU. Prints the memory of the server now and then. Fails if a job fails, a file
# differs, or memory has grown since the first third.
#   bash tests/soak.sh BUILD_DIR SECONDS BACKEND FILE...        (BACKEND of the server's jobs: cpu, cuda)
# CLIENTS: number of clients, 8 by default. SEED: repeats the same jobs.
set -u
if [ $# -lt 4 ]; then
    echo "usage: $0 BUILD_DIR SECONDS BACKEND FILE..." >&2
    exit 2
fi
imgtool=$(find "$1" -type f -name imgtool -perm -u+x | head -n 1)
duration=$2 backend=$3
shift 3
files=("$@")
clients=${CLIENTS:-8} seed=${SEED:-$RANDOM}
steps=(rotate 'flip axis=horizontal' transpose 'rotate angle=180' clahe autolevel threshold
    'rotate | clahe' 'flip axis=vertical | equalize')
# These operations run the same kernels with more and with less shared memory, on several threads. A launch of one
# thread must not change the shared memory that a launch of another thread may use.
steps+=('denoise patch-radius=1 search-radius=3' 'denoise search-radius=6' 'bilateral radius=2' 'blur sigma=2' 'blur sigma=9'
    'boxblur radius=4' 'boxblur radius=30' 'resize size=50%' 'resize size=37%' 'rotate angle=7' 'depth bits=16 | gamma value=1.4')
work=$(mktemp -d)
export IMGTOOL_SOCKET=$work/socket
export SOURCE_DATE_EPOCH=1767225600 # for tIME, so that two runs give the same bytes
echo "SEED=$seed"

finish() {
    touch "$work/over"
    wait
    timeout 120 "$imgtool" serve --stop >/dev/null 2>&1
    rm -rf "$work"
}

# job OUT FILE: runs a job and compares its result. Writes its command line down first, to help find the cause of a
# failure.
job() {
    local out=$1 file=$2 width height what level=$((1 + RANDOM % 6))
    read -r width height < <(od -An -tu4 --endian=big -j16 -N8 "$file")
    what="crop width=$((1 + (RANDOM * 32768 + RANDOM) % width))"
    what+=" height=$((1 + (RANDOM * 32768 + RANDOM) % height)) | ${steps[RANDOM % ${#steps[@]}]}"
    echo "run '$what' --level $level $file"
    timeout 120 "$imgtool" --via serve run -q "$what" --level $level --backend "$backend" "$file" "$out-served.png" &&
        "$imgtool" run -q "$what" --level $level --backend cpu "$file" "$out-alone.png" &&
        cmp "$out-served.png" "$out-alone.png"
}

# client NUMBER: runs one job after another until the time is over.
client() {
    local out=$work/$1 count=0
    RANDOM=$((seed + $1))
    while [ ! -e "$work/over" ]; do
        job "$out" "${files[RANDOM % ${#files[@]}]}" >"$out.log" 2>&1 || cat "$out.log" >>"$work/failures"
        echo $((++count)) >"$out.count"
    done
}

held() {
    awk '/^VmRSS:/ {print int($2 / 1024)}' "/proc/$server/status"
}

on_gpu() {
    nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits 2>/dev/null | head -n 1
}

say() {
    printf '%6d s %7d jobs; the server holds %d MiB, the GPU %s MiB\n' $((SECONDS - start)) \
        "$(cat "$work"/*.count | awk '{sum += $1} END {print sum}')" "$(held)" "$(on_gpu)"
}

trap finish EXIT
"$imgtool" serve --detach --idle never -q --backend "$([ "$backend" = cpu ] && echo cpu || echo auto)" || exit 1
server=$("$imgtool" serve --status | grep -oE 'process [0-9]+' | tr -dc 0-9)
start=$SECONDS warm=
for ((i = 0; i < clients; i++)); do client $i & done
while [ $((SECONDS - start)) -lt "$duration" ]; do
    sleep $((duration / 12 > 0 ? duration / 12 : 1))
    say
    [ -n "$warm" ] || [ $((3 * (SECONDS - start))) -lt "$duration" ] || warm=$(held)
done
last=$(held)
if [ -e "$work/failures" ]; then
    head -n 20 "$work/failures"
    echo "FAIL: $(grep -c '^run ' "$work/failures") jobs"
    exit 1
fi
for ((i = 0; i < clients; i++)); do
    [ -e "$work/$i.count" ] || { echo "FAIL: client $i has done nothing" && exit 1; }
done
if [ "$last" -gt $((warm + warm / 10 + 32)) ]; then
    echo "FAIL: memory has grown from $warm to $last MiB"
    exit 1
fi
echo "no difference; $warm MiB held after a third of the time, $last at the end"
