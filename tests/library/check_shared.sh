#!/usr/bin/env bash
# Checks the shared library, and the names in the static one:
#   check_shared.sh symbols HEADER LIBRARY      it exports exactly the functions that imgtool.h declares
#   check_shared.sh prefixes LIBRARY.a          global names of C begin with img_, imgtool_ or IMG_
#   check_shared.sh state LIBRARY MOST          once loaded, it has at most MOST bytes of writable data
#   check_shared.sh textbook LIBRARY KERNELS.a PROGRAM
#                                               PROGRAM has kernels that teach (kernels/core/cuda/textbook.h), LIBRARY has
#                                               none, and no other CUDA file calls one
#   check_shared.sh load PROGRAM LIBRARY MOST   it loads within MOST milliseconds (0: any time) and starts no thread
set -eu

check_symbols() {
    local work
    work=$(mktemp -d)
    # shellcheck disable=SC2064 # the name is expanded when the trap is set
    trap "rm -rf '$work'" EXIT
    tr '\n' ' ' <"$1" | grep -oE 'IMGTOOL_API [^;({]*\(' | grep -oE 'imgtool_[a-z0-9_]+ *\($' | tr -d ' (' |
        sort >"$work/declared"
    nm -D --defined-only "$2" | awk '$2 != "A" { sub("@.*", "", $3); print $3 }' | sort >"$work/exported"
    [ -s "$work/declared" ] || { echo "no function is found in $1" && exit 1; }
    if ! diff "$work/declared" "$work/exported"; then
        echo "< declared but not exported, > exported but not declared"
        exit 1
    fi
    echo "$(wc -l <"$work/exported") functions"
}

# A global name without such a prefix, such as pool_run, could clash with a name of the program that links the library.
check_prefixes() {
    local names others
    names=$(nm -A -g --defined-only "$1" 2>/dev/null |
        awk '$NF ~ /^[A-Za-z]/ && $NF !~ /^DW\.ref/ { print $NF }' | sort -u)
    others=$(grep -vE '^(img_|imgtool_|IMG_)' <<<"$names" || true)
    if [ -z "$names" ] || [ -n "$others" ]; then
        echo "no names, or others: $others"
        exit 1
    fi
    echo "$(wc -l <<<"$names") names"
}

check_state() {
    local bytes=0 size
    while read -r size; do
        bytes=$((bytes + 16#$size))
    done < <(readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 ~ /^\.(data|bss|tdata|tbss)$/ { print $5 }')
    echo "$bytes bytes"
    if [ "$bytes" -eq 0 ] || [ "$bytes" -gt "$2" ]; then
        echo "more than $2, or none found: see nm for symbols of the kinds b and d"
        exit 1
    fi
}

check_textbook() {
    local calls
    # nvcc puts the name of the file into the names of kernels
    if nm "$1" | grep '_textbook_cu_'; then
        echo "the library has kernels that only teach" && exit 1
    fi
    calls=$(nm -A "$2" 2>/dev/null | grep -E '\.cu\.o: +w img_' || true)
    [ -z "$calls" ] || { echo "kernels that only teach are called: $calls" && exit 1; }
    echo "$(nm "$3" | grep -c '_textbook_cu_') symbols in the program, none in the library"
}

# check_load PROGRAM LIBRARY MOST: loads the library several times and judges the shortest time, because other programs
# are running.
check_load() {
    local least='' took
    for _ in 1 2 3 4 5 6 7; do
        took=$("$1" "$2")
        if [ -z "$least" ] || awk "BEGIN { exit !($took < $least) }"; then
            least=$took
        fi
    done
    echo "dlopen: $least ms"
    [ "$3" = 0 ] || awk "BEGIN { exit !($least < $3) }" || { echo "more than $3 ms" && exit 1; }
}

check_"$1" "${@:2}"
