#!/usr/bin/env bash
# Builds the libraries of imgtool and of its test tools with MemorySanitizer. Without this, MemorySanitizer treats all
# memory that these libraries write as uninitialised. Uses Debian's source packages and makes static libraries with
# files for pkg-config.
#
#     msan_libraries.sh DIRECTORY      prints the options for cmake; exit code 77 if the sources are unavailable
#
# Not built: Cairo, which only imgtool-plot needs. The installed headers are used.
set -euo pipefail
# shellcheck source=tests/lib/debian_sources.sh
. "$(dirname "${BASH_SOURCE[0]}")/debian_sources.sh"

[ $# -eq 1 ] || {
    echo "usage: $0 DIRECTORY" >&2
    exit 2
}
mkdir -p "$1"
cd "$1"
here=$PWD

# build NAME SOURCES...: makes lib/libNAME.a from the C files.
build() {
    local name=$1 file object objects=() number=0
    shift
    mkdir -p "objects/$name" lib
    for file; do
        number=$((number + 1)) object=objects/$name/$number.o
        "${CLANG:-clang}" -fsanitize=memory -O1 -g1 -fno-omit-frame-pointer -fPIC -w -D_GNU_SOURCE -DHAVE_UNISTD_H \
            -I"$(dirname "$file")" -I. -c "$file" -o "$object"
        objects+=("$object")
    done
    rm -f "lib/lib$name.a"
    ar rcs "lib/lib$name.a" "${objects[@]}"
}

# describe PACKAGE LIBS: writes the file of the package for pkg-config.
describe() {
    printf 'Name: %s\nDescription: with MemorySanitizer\nVersion: %s\nLibs: -L%s/lib %s\nCflags: %s\n' "$1" \
        "$(pkg-config --modversion "$1")" "$here" "$2" "$(pkg-config --cflags "$1")" >"lib/$1.pc"
}

make_libraries() {
    local package
    for package in zlib libpng1.6 libdeflate cjson libspng; do
        [ -d "source/$package" ] && continue
        if ! compgen -G "${package}_*.orig.tar.*" >/dev/null && ! fetch_source "$package" "$here"; then
            echo "skipped: the source package $package cannot be fetched"
            return 77
        fi
        mkdir -p "source/$package"
        tar xf "$package"_*.orig.tar.* -C "source/$package" --strip-components 1
    done
    cp source/libpng1.6/scripts/pnglibconf.h.prebuilt source/libpng1.6/pnglibconf.h
    build z source/zlib/*.c
    build png16 source/libpng1.6/png{,error,get,mem,pread,read,rio,rtran,rutil,set,trans,wio,write,wtran,wutil}.c
    build deflate source/libdeflate/lib/*.c source/libdeflate/lib/x86/*.c
    build cjson source/cjson/cJSON.c
    build spng source/libspng/spng/spng.c
    describe libdeflate -ldeflate
    describe spng "-lspng -lz -lm"
    touch complete
}

if [ ! -e complete ]; then
    make_libraries >make.log 2>&1 || {
        tail -n 1 make.log >&2
        exit 77
    }
fi
printf '%s\n' "-DPNG_LIBRARY=$here/lib/libpng16.a" "-DPNG_LIBRARY_RELEASE=$here/lib/libpng16.a" \
    "-DZLIB_LIBRARY=$here/lib/libz.a" "-DZLIB_LIBRARY_RELEASE=$here/lib/libz.a" "-DCJSON_LIBRARY=$here/lib/libcjson.a"
