#!/usr/bin/env bash
# check_hardening.sh FILE...: checks that each program or library is hardened. It must have stack protectors, checked
# copies (_FORTIFY_SOURCE), a position-independent image, a relocation table that is read-only from the start, and a
# stack that is not executable. Exit code 77 without readelf.
set -euo pipefail
command -v readelf >/dev/null || { echo 'skipped: hardening: there is no readelf (package binutils)' && exit 77; }
failed=0

# expect FILE WHAT PATTERN TEXT: TEXT must have a line that matches PATTERN.
expect() {
    if ! grep -qE -- "$3" <<<"$4"; then
        echo "$1: $2"
        failed=1
    fi
}

for file in "$@"; do
    header=$(readelf -hW "$file")
    segments=$(readelf -lW "$file")
    dynamic=$(readelf -dW "$file")
    symbols=$(readelf --dyn-syms -W "$file")
    expect "$file" 'not position-independent' '^ *Type: *DYN' "$header"
    expect "$file" 'nothing is read-only after it is loaded (-z relro)' 'GNU_RELRO' "$segments"
    expect "$file" 'functions are looked up when they are first called (-z now)' 'BIND_NOW|FLAGS_1.*NOW' "$dynamic"
    expect "$file" 'the stack is executable' 'GNU_STACK .* RW +0x' "$segments"
    expect "$file" 'no stack protectors' '__stack_chk_fail' "$symbols"
    expect "$file" 'no checked copies (_FORTIFY_SOURCE)' '__[a-z]+_chk' "$symbols"
done
[ $failed -eq 0 ]
echo "$# files are hardened"
