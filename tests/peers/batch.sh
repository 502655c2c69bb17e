#!/usr/bin/env bash
# Times a quarter turn of hundreds of photographs. Compares `imgtool batch` with mogrify of ImageMagick and
# GraphicsMagick and with vips, all three under `xargs -P`, and with OpenCV in a pool of processes. Each program runs
# with its defaults, and with the settings that make it fastest while it still compresses. The programs run in turns.
# Each writes to a new directory beside the images, which are in the page cache.
#
#     batch.sh BUILD_DIR [THREADS [ROUNDS [IMAGES_DIR [LABEL...]]]]
#
# THREADS (default: all processors) is the number of processors for each program; ROUNDS is 3 by default.
# IMAGES_DIR (default: BUILD_DIR/batch-images) is filled by batch_images.sh if it is empty. LABELs (vips,
# "GraphicsMagick -quality 11" ...) select programs. First, each program rotates every tenth image, with one thread per
# process and with all threads; its results are compared with imgtool's, pixel by pixel. The measured rounds use the
# faster setting. Environment: IMGTOOL replaces the program of BUILD_DIR; PYTHON names a Python with OpenCV. Needs
# imagemagick, graphicsmagick, libvips-tools and python3-opencv; missing programs are left out.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: $0 BUILD_DIR [THREADS [ROUNDS [IMAGES_DIR [LABEL...]]]]" >&2
    exit 2
fi
here=$(dirname "$(realpath "$0")")
build=$(realpath "$1")
threads=${2:-$(nproc)}
rounds=${3:-3}
images=${4:-$build/batch-images}
chosen=("${@:5}")
imgtool=${IMGTOOL:-$build/app/imgtool}
python=${PYTHON:-/usr/bin/python3} # Debian's Python, which has Debian's OpenCV
# shellcheck source=tests/lib/packages.sh
. "$here/../lib/packages.sh"
install_packages "$peer_packages" || true
if [ -z "$(find "$images" -name '*.png' -print -quit 2>/dev/null)" ]; then
    "$here/batch_images.sh" "$build" "$images"
fi
images=$(realpath "$images")

work=$(mktemp -d -p "$(dirname "$images")" batch.XXXXXX)
trap 'rm -rf "$work"' EXIT

# Functions that run the programs. Their arguments are: the number of threads per process, or for OpenCV its settings;
# the input directory, which is also the working directory; the output directory; and further arguments of the program.
pictures() {
    find . -name '*.png' -print0
}
limit() {
    export VIPS_CONCURRENCY=$1 OMP_NUM_THREADS=$1 MAGICK_THREAD_LIMIT=$1
}
by_imgtool() {
    "$imgtool" batch rotate --angle 90 --recursive "$2" "$3" "${@:4}"
}
by_mogrify() {
    limit "$1"
    pictures | xargs -0 -n "$chunk" -P "$threads" mogrify -path "$3" -rotate 90 "${@:4}"
}
by_gm() {
    limit "$1"
    pictures | xargs -0 -n "$chunk" -P "$threads" gm mogrify -output-directory "$3" \
        -create-directories -rotate 90 "${@:4}"
}
by_vips() {
    limit "$1"
    find . -type d -print0 | (cd "$3" && xargs -0 mkdir -p)
    pictures | xargs -0 -I{} -P "$threads" vips rot {} "$3/{}${4-}" d90
}
by_opencv() {
    # shellcheck disable=SC2086 # settings are words
    "$python" "$here/cv2_files.py" batch "$threads" "$2" "$3" $1
}

labels=() ways=() variants=() arguments=()
# contender LABEL FUNCTION VARIANTS [ARGUMENTS]: adds a program. VARIANTS are values for the first argument of FUNCTION,
# one per line. The fastest of them is used.
contender() {
    local label
    for label in imgtool "${chosen[@]}"; do
        if [ "$label" = "$1" ] || { [ ${#chosen[@]} -eq 0 ] && [ "$label" = imgtool ]; }; then
            labels+=("$1")
            ways+=("$2")
            variants+=("$3")
            arguments+=("${4-}")
            return
        fi
    done
}
one_or_all=1
[ "$threads" -eq 1 ] || one_or_all+=$'\n'$threads
contender imgtool by_imgtool ""
if command -v vips >/dev/null; then
    contender vips by_vips "$one_or_all"
    contender "vips compression=1,filter=none" by_vips "$one_or_all" "[compression=1,filter=none]"
fi
if command -v gm >/dev/null; then
    contender GraphicsMagick by_gm "$one_or_all"
    contender "GraphicsMagick -quality 11" by_gm "$one_or_all" "-quality 11"
fi
if command -v mogrify >/dev/null; then
    contender ImageMagick by_mogrify "$one_or_all"
    contender "ImageMagick -quality 11" by_mogrify "$one_or_all" "-quality 11"
fi
if "$python" -c 'import cv2' 2>/dev/null; then
    contender OpenCV by_opencv ""
    # The variants are: matches only for runs of equal bytes; Huffman codes without matches; and the default strategy.
    contender "OpenCV, fastest" by_opencv \
        $'compression=1 strategy=3\ncompression=1 strategy=2\ncompression=1'
else
    echo "skipped: OpenCV: $python has no module cv2"
fi

# turn NUMBER VARIANT IN OUT: runs program NUMBER on at most THREADS processors. Fails unless each input has a result.
turn() {
    local words
    read -r -a words <<<"${arguments[$1]}"
    if ! (
        cd "$3"
        taskset -p -c "0-$((threads - 1))" "$BASHPID" >/dev/null
        "${ways[$1]}" "$2" "$3" "$4" "${words[@]}"
    ) >"$work/said" 2>&1; then
        echo "failed: ${labels[$1]}" >&2
        tail -n 5 "$work/said" >&2
        return 1
    fi
    if [ "$(find "$4" -name '*.png' | wc -l)" -ne "$(find "$3" -name '*.png' | wc -l)" ]; then
        echo "failed: ${labels[$1]} did not write all" >&2
        return 1
    fi
}

# timed_turn NUMBER VARIANT IN OUT: does the same as turn, and sets `seconds` to the time that it takes. Flushes pending
# writes of other programs first.
timed_turn() {
    local start
    rm -rf "$4"
    mkdir "$4"
    sync
    start=${EPOCHREALTIME/./}
    turn "$@" || return 1
    seconds=$(awk "BEGIN { print (${EPOCHREALTIME/./} - $start) / 1e6 }")
}

# megabytes DIRECTORY: prints the total size of the PNG files in DIRECTORY, in MB.
megabytes() {
    find "$1" -name '*.png' -printf '%s\n' | awk '{ sum += $1 } END { printf "%.1f", sum / 1e6 }'
}

# differing DIRECTORY: prints the number of pictures that differ from imgtool's of the same name. Other programs may
# convert a palette to RGB.
differing() {
    local picture ours count=0 all=0
    while IFS= read -r -d '' picture; do
        ours=$(find "$work/ours" -name "$(basename "$picture")")
        "$build/app/imgtool" compare -q "$ours" "$picture" >/dev/null 2>&1 ||
            count=$((count + 1))
        all=$((all + 1))
    done < <(find "$1" -name '*.png' -print0)
    [ "$count" -eq 0 ] || echo "$count of $all pictures differ"
}

# The sample has every tenth picture, under its own name.
mkdir "$work/sample"
(cd "$images" && find . -name '*.png' -print0 | LC_ALL=C sort -z | sed -zn '1~10p' |
    xargs -0 cp -l --parents -t "$work/sample")
count=$(find "$images" -name '*.png' | wc -l)
# The number of files per process of mogrify. It is small, so that no processor is idle for long at the end.
chunk=$((count / (threads * 20) + 1))
[ "$chunk" -le 8 ] || chunk=8

best=() remarks=() quitters=()
for i in "${!labels[@]}"; do
    fastest=
    mapfile -t settings <<<"${variants[$i]}"
    for setting in "${settings[@]}"; do
        if ! timed_turn "$i" "$setting" "$work/sample" "$work/out"; then
            quitters[i]=yes
            [ "$i" -gt 0 ] || exit 1
            break
        fi
        if [ -z "$fastest" ] || awk "BEGIN { exit !($seconds < $fastest) }"; then
            fastest=$seconds
            best[i]=$setting
        fi
    done
    if [ "$i" -eq 0 ]; then
        mv "$work/out" "$work/ours"
        continue
    fi
    remarks[i]=${best[$i]-}
    [ "${ways[$i]}" = by_opencv ] || remarks[i]="threads of a process: ${best[$i]-}"
    different=$(differing "$work/out")
    remarks[i]+=${different:+; $different}
done

for ((round = 0; round < rounds; round++)); do
    find "$images" -name '*.png' -exec cat {} + >/dev/null
    for i in "${!labels[@]}"; do
        [ -z "${quitters[$i]-}" ] || continue
        timed_turn "$i" "${best[$i]}" "$images" "$work/out" || exit 1
        echo "$seconds" >>"$work/times.$i"
        echo "round $((round + 1)): ${labels[$i]}: $seconds s" >&2
        megabytes "$work/out" >"$work/size.$i"
        [ "$i" -gt 0 ] || cp "$work/said" "$work/said.ours"
    done
done
rm -rf "$work/out"

median() {
    sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# The label of the fastest program other than imgtool.
peer=$(for i in "${!labels[@]}"; do
    if [ "$i" -gt 0 ] && [ -s "$work/times.$i" ]; then
        echo "$(median "$work/times.$i") $i"
    fi
done | sort -n | awk 'NR == 1 { print $2 }')
peer=${peer:-0}

printf 'a quarter turn of %d pictures (%s MB), median; rounds: %d, processors: %d\n' \
    "$count" "$(megabytes "$images")" "$rounds" "$threads"
printf '    %-32s %9s %9s %9s %12s  %s\n' "" seconds images/s MB "of fastest" ""
for i in "${!labels[@]}"; do
    [ -s "$work/times.$i" ] || continue
    time=$(median "$work/times.$i")
    awk -v label="${labels[$i]}" -v time="$time" -v count="$count" -v size="$(cat "$work/size.$i")" \
        -v peer="$(median "$work/times.$peer")" -v remark="${remarks[$i]-}" 'BEGIN {
            printf "    %-32s %9.2f %9.2f %9.1f %12.2f  %s\n", label, time, count / time, size, \
                peer / time, remark }'
done
awk -v ours="$(median "$work/times.0")" -v peer="$(median "$work/times.$peer")" \
    -v label="${labels[$peer]}" -v size="$(cat "$work/size.0")" \
    -v other="$(cat "$work/size.$peer")" 'BEGIN {
        printf "imgtool is %.2f times as fast as the fastest peer, %s", peer / ours, label
        printf ", and writes %.1f %% of its size\n", 100 * size / other }'
sed 's/^/    imgtool: /' "$work/said.ours" | tail -n 12

# kilobytes ARGUMENTS...: prints the peak memory of imgtool with these arguments, in kilobytes.
kilobytes() {
    rm -rf "$work/out"
    mkdir "$work/out"
    taskset -c "0-$((threads - 1))" "$build/tests/tools/bin/measure" memory \
        "$imgtool" batch rotate --angle 90 --recursive "$@" "$images" "$work/out" 2>/dev/null
}
for limit in "" 1G 256M; do
    most=$(kilobytes ${limit:+--max-memory "$limit"}) || most="nothing: it failed"
    printf 'imgtool %-18s holds at most %s KiB\n' "${limit:+--max-memory $limit}" "$most"
done
