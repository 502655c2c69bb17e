#!/usr/bin/env bash
# check_package.sh BUILD_DIR: checks that cpack makes packages with all programs, the library and its development files.
# They must have no unnecessary dependencies, and lintian must report no fault. Exit code 77: no package can be made
# here.
set -eu

if ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
    echo "skipped: dpkg-deb or dpkg-shlibdeps is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# gzip is the fastest compression.
if ! (cd "$1" && cpack -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$work") >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi

# built PART: succeeds if the build has IMGTOOL_PART=ON.
build=$1
built() {
    grep -q "^IMGTOOL_$1:BOOL=ON" "$build/CMakeCache.txt"
}

# holds PACKAGE FILE...: checks that the package has these files, and that its description has several lines.
holds() {
    local package files file
    package=$(find "$work" -maxdepth 1 -name "$1_*.deb")
    files=$(dpkg-deb -c "$package" | awk '{ print $6 }')
    for file in "${@:2}"; do
        if ! grep -qE "^\./usr/$file\$" <<<"$files"; then
            echo "$file is not in $1"
            exit 1
        fi
    done
    if ! dpkg-deb -f "$package" Description | grep -q '^ [A-Z]'; then
        echo "$1 has no description but its first line"
        exit 1
    fi
    dpkg-deb -f "$package" Description | head -n 1 >>"$work/summaries"
    echo "$files" | grep -v '/$' >>"$work/files"
}

# depends PACKAGE REGEX: succeeds if a dependency of the package matches.
depends() {
    dpkg-deb -f "$work/$1"_*.deb Depends | grep -qE "$2"
}

holds imgtool bin/imgtool share/man/man1/imgtool.1.gz share/doc/imgtool/copyright share/doc/imgtool/changelog.gz \
    share/doc/imgtool/README.md
helpers=()
! built BENCH || helpers+=(imgtool-bench)
! built PLOT || helpers+=(imgtool-plot)
for package in "${helpers[@]}"; do
    holds "$package" "libexec/imgtool/$package" "share/doc/$package/copyright"
done
if depends imgtool 'cairo|libstdc'; then
    echo "imgtool depends on packages that only its helper programs need: $(dpkg-deb -f "$work"/imgtool_*.deb Depends)"
    exit 1
fi
for package in "${helpers[@]}"; do
    if ! depends "$package" "imgtool \(= $(dpkg-deb -f "$work"/imgtool_*.deb Version)\)"; then
        echo "$package does not depend on imgtool of the same version"
        exit 1
    fi
done
# The package imgtool must work without the other packages, and together with them.
dpkg-deb -x "$work"/imgtool_*.deb "$work/programs"
if said=$("$work/programs/usr/bin/imgtool" bench --list 2>&1) || ! grep -q 'install the package imgtool-bench' <<<"$said"; then
    echo "without imgtool-bench this is said: $said"
    exit 1
fi
for package in "${helpers[@]}"; do
    dpkg-deb -x "$work/$package"_*.deb "$work/programs"
done
if built BENCH; then
    "$work/programs/usr/bin/imgtool" bench --list >/dev/null
fi
# The copyright file must have the notices of all third-party code in the programs.
for library in 'stb_image_write\.h' 'libcudart_static\.a' 'libstdc++\.a'; do
    if ! grep -q "^Files: $library" "$work/programs/usr/share/doc/imgtool/copyright"; then
        echo "copyright does not name $library"
        exit 1
    fi
done
holds libimgtool0 'lib/.*libimgtool\.so\.0' share/doc/libimgtool0/copyright
holds libimgtool-dev include/imgtool.h 'lib/.*libimgtool\.so' 'lib/.*libimgtool\.a' 'lib/.*/imgtool\.pc' \
    'lib/.*/imgtoolConfig\.cmake'
# These checks run if the build has the Python module.
if compgen -G "$work/python3-imgtool_*.deb" >/dev/null; then
    holds python3-imgtool 'lib/python3/dist-packages/imgtool/_imgtool\.abi3\.so' \
        lib/python3/dist-packages/imgtool/__init__.py lib/python3/dist-packages/imgtool/__init__.pyi \
        lib/python3/dist-packages/imgtool/py.typed share/doc/python3-imgtool/copyright
    grep -q 'libimgtool0' <<<"$(dpkg-deb -f "$work"/python3-imgtool_*.deb Depends)"
    for package in libimgtool0 python3-imgtool; do
        dpkg-deb -x "$work/${package}"_*.deb "$work/root"
    done
    LD_LIBRARY_PATH=$(dirname "$(find "$work/root" -name libimgtool.so.0)") \
        PYTHONPATH=$work/root/usr/lib/python3/dist-packages /usr/bin/python3 -c 'import imgtool; imgtool.operations()'
else
    echo "without python3-imgtool: this build has no module for Python (IMGTOOL_PYTHON)"
fi
if sort "$work/files" | uniq -d | grep .; then
    echo "these files are in two packages"
    exit 1
fi
if sort "$work/summaries" | uniq -d | grep .; then
    echo "two packages have this summary"
    exit 1
fi
if ! command -v lintian >/dev/null; then
    echo "without lintian: it is not installed"
    exit 0
fi
lintian --allow-root --fail-on error "$work"/*.deb
