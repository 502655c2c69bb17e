#!/usr/bin/env bash
# check_install.sh BUILD_DIR: does `cmake --install` put everything in place, and does it run there?
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
