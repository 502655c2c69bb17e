#!/usr/bin/env bash
# Tests that check_layers.sh finds each kind of fault. Each case is a small tree with one fault.
# usage: test_check_layers.sh [CHECK_LAYERS]      (by default the one beside it)
set -u
check=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/check_layers.sh}")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# put FILE INCLUDED...: makes a file that includes others.
put() {
    local file=$tree/$1 included
    shift
    mkdir -p "$(dirname "$file")"
    : >"$file"
    for included in "$@"; do
        echo "#include \"$included\"" >>"$file"
    done
}

# start: makes a source tree that obeys all rules of the check. The tree has layers, nested directories, and a private
# header.
start() {
    rm -rf "${tree:?}"/*
    mkdir "$tree/tests"
    printf '%s\n' '# comment' 'kernels' 'io kernels' 'app/low io' 'app/top app/low io kernels' \
        >"$tree/tests/layers.txt"
    put kernels/image.h
    put kernels/image.c kernels/image.h
    put io/read.h kernels/image.h
    put io/png/decode.c io/png/decode.h io/png/decode_priv.h io/read.h
    put io/png/decode.h
    put io/png/decode_priv.h io/png/decode.h
    put app/low/text.h io/read.h
    put app/top/main.c app/low/text.h io/png/decode.h kernels/image.h
}

# expect CODE PATTERN TITLE: check_layers.sh must end with CODE, and its output must match PATTERN.
expect() {
    local output code
    output=$(bash "$check" "$tree" 2>&1)
    code=$?
    if [ "$code" -ne "$1" ] || ! grep -qE "$2" <<<"$output"; then
        printf '%s: exit code %d instead of %d, or no line like "%s" in:\n%s\n' "$3" "$code" "$1" "$2" \
            "$output"
        failed=1
    fi
}

start
expect 0 '^10 includes, 6 of them between directories: none forbidden, no circle$' 'sound tree'

start
put io/read.c app/low/text.h
expect 1 '^io/read.c includes app/low/text.h$' 'upward include'

start
put app/low/text.c kernels/image.h
expect 1 '^app/low/text.c includes kernels/image.h$' 'layer left out'

start
put kernels/image_rows.h kernels/image.h
put kernels/image.c kernels/image_rows.h
expect 1 'kernels/image_rows$' 'circle of a header and a source file'

start
put io/png/decode_priv.h io/png/inflate.h
put io/png/inflate.c io/png/decode.h
expect 1 'io/png/inflate$' 'circle by way of a private header'

start
put app/other/new.c io/read.h
expect 1 '^app/other/new.c: no rule' 'directory without a rule'

start
for i in {1..21}; do
    put "app/low/file$i.c" app/low/text.h
done
expect 1 '^app/low: 22 files$' 'crowded directory'

start
for i in {1..21}; do
    put "kernels/core/file$i.c" kernels/image.h
done
expect 1 '^kernels/core: 21 files$' 'crowded directory of the core'

start
put io/new/new.c kernels/image.h
sed -i 's:^io :io/. :' "$tree/tests/layers.txt"
expect 1 '^io/new/new.c: no rule' 'directory without a rule in one whose rule is for itself alone'

start
rm -r "${tree:?}"/{app,io,kernels}/*
expect 1 '^no include found' 'nothing found to check'
exit "$failed"
