#!/usr/bin/env bash
# check_package.sh BUILD_DIR: does cpack make a package that brings all programs, and that Debian's
# own checker has nothing against? 77: no package can be made here.
set -eu

if ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
    echo "skipped: no tools of Debian for packages"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! (cd "$1" && cpack -B "$work") >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
package=$(find "$work" -maxdepth 1 -name '*.deb')
files=$(dpkg-deb -c "$package")
for file in ./usr/bin/imgtool ./usr/libexec/imgtool/imgtool-bench ./usr/libexec/imgtool/imgtool-plot ./usr/share/man/man1/imgtool.1.gz \
    ./usr/share/doc/imgtool/copyright ./usr/share/doc/imgtool/changelog.gz; do
    if ! grep -qF " $file" <<<"$files"; then
        echo "$file is not in the package"
        exit 1
    fi
done
if ! dpkg-deb -f "$package" Description | grep -q '^ [A-Z]'; then
    echo "the package has no description but its first line"
    exit 1
fi
if ! command -v lintian >/dev/null; then
    echo "without lintian: it is not installed"
    exit 0
fi
lintian --allow-root --fail-on error,warning "$package"
