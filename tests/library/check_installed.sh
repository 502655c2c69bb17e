#!/usr/bin/env bash
# check_installed.sh BUILD_DIR SOURCE_DIR CC CXX VERSION: builds a separate program that uses an installed tree, and
# again with the tree at another place. Builds it by pkg-config and by find_package, with the shared and the static
# library, in C and, if CXX is not empty, in C++.
set -eu
build=$1 consumer=$2/tests/library/consumer compiler=$3 compiler_cxx=$4 version=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for component in library development; do
    cmake --install "$build" --prefix "$work/first" --component "$component" >/dev/null
done
mv "$work/first" "$work/installed"
libraries=$(dirname "$(find "$work/installed" -name 'libimgtool.so')")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries

# expect PROGRAM...: the program must print this version.
expect() {
    local said
    said=$("$1")
    [ "$said" = "imgtool $version" ] || { echo "$1 says: $said" && exit 1; }
    echo "${1##*/}: $said"
}

[ "$(pkg-config --modversion imgtool)" = "$version" ] || { echo "pkg-config has another version" && exit 1; }
read -r -a flags <<<"$(pkg-config --cflags --libs imgtool)"
"$compiler" -std=c99 -Wall -Wextra -Wpedantic -Werror "$consumer/main.c" "${flags[@]}" -o "$work/pkg-config"
expect "$work/pkg-config"
read -r -a flags <<<"$(pkg-config --static --cflags --libs imgtool)"
"$compiler" "$consumer/main.c" "${flags[@]/#-limgtool/$libraries/libimgtool.a}" -o "$work/pkg-config-static"
expect "$work/pkg-config-static"

options=(-DCMAKE_PREFIX_PATH="$work/installed" -DCMAKE_C_COMPILER="$compiler")
[ -z "$compiler_cxx" ] || options+=(-DCMAKE_CXX_COMPILER="$compiler_cxx")
if ! { cmake -S "$consumer" -B "$work/build" "${options[@]}" && cmake --build "$work/build"; } >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
for program in "$work"/build/with-*; do
    expect "$program"
done
