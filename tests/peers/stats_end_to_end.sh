#!/usr/bin/env bash
# Times statistics of photographs, from the file (with decoding) and from pixels in memory. Compares `imgtool stats` and
# imgtool's kernel with libvips and ImageMagick, which run in turns. Prints medians in milliseconds.
#
#     stats_end_to_end.sh IMGTOOL CHECKKERNELS [ROUNDS]
#
# The photographs are those of two Debian packages, which are downloaded but not installed. Needs the packages
# libvips-tools and imagemagick. All programs get 2 threads, or THREADS.
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: $0 IMGTOOL CHECKKERNELS [ROUNDS]" >&2
    exit 2
fi
imgtool=$(realpath "$1")
checkkernels=$(realpath "$2")
rounds=${3:-9}
threads=${THREADS:-2}
export VIPS_CONCURRENCY=$threads OMP_NUM_THREADS=$threads MAGICK_THREAD_LIMIT=$threads

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

photos=(Fossa_by_Jasper_Roks Garden Elephants_5640x3172)
apt-get download -q mate-backgrounds lomiri-wallpapers-20.04 >/dev/null 2>&1
for package in ./*.deb; do
    dpkg -x "$package" unpacked
done
for photo in "${photos[@]}"; do
    jpeg=$(find unpacked -name "$photo.jpg")
    convert "$jpeg" -depth 8 "PNG24:$photo.png"
    vips copy "$photo.png" "$photo.v"
done
convert "${photos[1]}.png" -depth 16 "PNG48:${photos[1]}-16.png"
vips copy "${photos[1]}-16.png" "${photos[1]}-16.v"
photos+=("${photos[1]}-16")

# microseconds COMMAND...: prints the microseconds of one run. Prints nothing if the command is missing or fails.
microseconds() {
    local start=${EPOCHREALTIME/./}
    "$@" >/dev/null 2>&1 || return 0
    echo $((${EPOCHREALTIME/./} - start))
}

# median FILE: prints the median, in milliseconds, of the times in FILE, which has a number of microseconds per line.
median() {
    if [ ! -s "$1" ]; then
        echo "-"
        return
    fi
    sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.1f", v[int((NR + 1) / 2)] / 1000 }'
}

names=("imgtool stats" "vips stats" "vips hist_find" "identify -verbose" "convert -format"
    "vips stats, .v" "vips hist_find, .v" "vips --version (start)")
run() {
    local photo=$2
    case $1 in
    0) microseconds "$imgtool" stats "$photo.png" ;;
    1) microseconds vips stats "$photo.png" result.v ;;
    2) microseconds vips hist_find "$photo.png" result.v ;;
    3) microseconds identify -verbose "$photo.png" ;;
    4) microseconds convert "$photo.png" -format '%[mean] %[standard-deviation]' info: ;;
    5) microseconds vips stats "$photo.v" result.v ;;
    6) microseconds vips hist_find "$photo.v" result.v ;;
    7) microseconds vips --version ;;
    esac
}

kernel_milliseconds() {
    local size format=rgb8
    size=$(identify -format '%wx%h' "$1.png")
    case $1 in *-16) format=rgb16 ;; esac
    "$checkkernels" --bench --backend cpu --op histogram --fill photo --threads "$threads" \
        --size "$size" --format "$format" |
        awk '/ verified/ { for (i = 1; i <= NF; i++) if ($i ~ /^cpu/) t = $(i + 1) }
             END { printf "%.1f", t }'
}

vips --version
convert --version | head -n 1
echo "median in milliseconds; rounds: $rounds, threads: $threads"
for photo in "${photos[@]}"; do
    rm -f times.*
    for ((round = 0; round < rounds; round++)); do
        for i in "${!names[@]}"; do
            run "$i" "$photo" >>"times.$i"
        done
    done
    identify -format '%f %wx%h %z bit\n' "$photo.png"
    for i in "${!names[@]}"; do
        printf '    %-24s %10s\n' "${names[$i]}" "$(median "times.$i")"
    done
    printf '    %-24s %10s\n' "our kernel (with luma)" "$(kernel_milliseconds "$photo")"
done
