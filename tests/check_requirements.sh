#!/usr/bin/env bash
# check_requirements.sh SOURCE_DIR: checks that cmake names the Debian package of a missing library.
set -eu

if ! libraries=$(pkg-config --variable=pcfiledir libdeflate); then
    echo "skipped: no pkg-config"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Makes a directory with the .pc files of all libraries that pkg-config finds, except libdeflate.
mkdir "$work/known"
ln -s "$libraries"/*.pc "$work/known"
rm "$work/known/libdeflate.pc"
if PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$work/known:/usr/share/pkgconfig \
    cmake -S "$1" -B "$work/build" -DIMGTOOL_CUDA=OFF >"$work/log" 2>&1; then
    echo "cmake succeeds without libdeflate"
    exit 1
fi
message=$(tr -s '\n ' ' ' <"$work/log")
if ! grep -q 'imgtool: libdeflate was not found. On Debian and Ubuntu install libdeflate-dev' <<<"$message"
then
    cat "$work/log"
    exit 1
fi
