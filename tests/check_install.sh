#!/usr/bin/env bash
# check_install.sh BUILD_DIR: does `cmake --install` put everything in place, also for a package, and
# does it run there?
set -eu

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix" >/dev/null

for file in bin/imgtool share/man/man1/imgtool.1 share/bash-completion/completions/imgtool \
    share/zsh/site-functions/_imgtool share/fish/vendor_completions.d/imgtool.fish; do
    if [ ! -s "$prefix/$file" ]; then
        echo "$file is not installed" >&2
        exit 1
    fi
done
"$prefix/bin/imgtool" --version

# Below /usr, zsh of Debian has another folder; nothing is there twice.
DESTDIR=$prefix/package cmake --install "$1" --prefix /usr >/dev/null
found=$(cd "$prefix/package/usr" && find . -name _imgtool)
if [ "$found" != ./share/zsh/vendor-completions/_imgtool ]; then
    echo "_imgtool is installed as: $found" >&2
    exit 1
fi
