#!/usr/bin/env bash
# Unpacks, changes and packs the inputs that fuzzing starts from: corpus/NAME.tar.xz has those of the corpus NAME.
#
#     corpus.sh unpack DIR [NAME...]      writes each corpus to DIR/NAME, which it replaces; all corpora without names
#     corpus.sh pack DIR [NAME...]        makes the archives from DIR/NAME; from all directories in DIR without names
#     corpus.sh add NAME FILE...          adds the files, or replaces inputs of the same names
#     corpus.sh edit COMMAND...           unpacks all corpora into a temporary directory, runs COMMAND with this
#                                         directory as its last argument, and packs what has changed
#     corpus.sh list [NAME...]            prints the paths of the inputs, with their sizes
#
# An archive depends only on the names and bytes of its inputs: order, times, owners and modes are fixed. An archive
# whose inputs have not changed stays as it is. Packing needs GNU tar.
set -euo pipefail
corpus=$(dirname "$(realpath "$0")")/corpus
temporary=''
trap '[ -z "$temporary" ] || rm -rf "$temporary"' EXIT

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
}

# Prints the corpora of the tree, one per line.
names() {
    local archive
    for archive in "$corpus"/*.tar.xz; do
        [ ! -e "$archive" ] || basename "$archive" .tar.xz
    done
}

directories() {
    find "$1" -mindepth 1 -maxdepth 1 -type d -printf '%P\n' | LC_ALL=C sort
}

make_temporary() {
    temporary=$(mktemp -d)
}

# unpack DIR NAME...: unpacks the corpora NAME. A name without an archive is a new corpus, and becomes an empty
# directory.
unpack() {
    local dir=$1 name
    shift
    for name in "$@"; do
        rm -rf "${dir:?}/${name:?}"
        mkdir -p "$dir/$name"
        [ ! -e "$corpus/$name.tar.xz" ] || tar -xJf "$corpus/$name.tar.xz" -C "$dir/$name"
    done
}

# write_tar DIR: writes the files of the directory as a tar archive to standard output.
write_tar() {
    find "$1" -maxdepth 1 -type f -printf '%P\0' | LC_ALL=C sort -z |
        tar -C "$1" --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 \
            --null --verbatim-files-from -T - -cf -
}

pack() {
    local dir=$1 name archive
    shift
    mkdir -p "$corpus"
    for name in "$@"; do
        archive=$corpus/$name.tar.xz
        if [ -e "$archive" ] && write_tar "$dir/$name" | cmp -s - <(xz -dc "$archive"); then continue; fi
        write_tar "$dir/$name" | xz -T1 -9e >"$archive.new"
        mv "$archive.new" "$archive"
        echo "corpus: $archive has changed"
    done
}

# choose: sets the array `chosen` to the arguments. Without arguments sets it to the lines of standard input.
choose() {
    chosen=("$@")
    [ $# -gt 0 ] || mapfile -t chosen
}

action=${1-}
[ $# -eq 0 ] || shift
case $action in
unpack)
    dir=${1:?} && shift
    choose "$@" < <(names)
    unpack "$dir" "${chosen[@]}"
    ;;
pack)
    dir=${1:?} && shift
    choose "$@" < <(directories "$dir")
    pack "$dir" "${chosen[@]}"
    ;;
add)
    name=${1:?} && shift
    [ $# -gt 0 ] || usage
    make_temporary
    unpack "$temporary" "$name"
    cp -- "$@" "$temporary/$name"
    pack "$temporary" "$name"
    ;;
edit)
    [ $# -gt 0 ] || usage
    make_temporary
    choose < <(names)
    unpack "$temporary" "${chosen[@]}"
    "$@" "$temporary"
    choose < <(directories "$temporary")
    pack "$temporary" "${chosen[@]}"
    ;;
list)
    choose "$@" < <(names)
    for name in "${chosen[@]}"; do
        tar -tvJf "$corpus/$name.tar.xz" | awk -v name="$name" '{ printf "%8d %s/%s\n", $3, name, $6 }'
    done
    ;;
*) usage ;;
esac
