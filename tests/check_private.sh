#!/usr/bin/env bash
# check_private.sh [SOURCE_DIR]: checks which headers of io/, kernels/ and app/library/ the command includes. It may
# include only imgtool.h; the headers of app/engine/, with those that they include because their declarations use the
# types; and the headers that private_includes.txt lists with a reason. The Python module counts as an outside program,
# so it may include only imgtool.h.
set -eu
cd "${1:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lists the private headers that the command includes: a line such as "io/encode.h cli" says that a file of app/cli
# includes io/encode.h. The directory "." is app/ itself.
find app -name '*.[ch]' -not -path 'app/library/*' -not -path 'app/engine/*' \
    -not -path 'app/bench/*' -exec \
    grep -HoE '^ *# *include "(io|kernels|app/library)/[^"]+"' {} + |
    sed -E 's/:[^"]*"([^"]+)"/ \1/' |
    awk '$2 != "app/library/imgtool.h" { n = split($1, part, "/"); print $2, (n > 2 ? part[2] : ".") }' |
    sort -u >"$work/all"
# Removes the headers that public headers of app/engine/ include, because the command may include these too. The
# engine's own private headers (*_priv.h) do not allow anything.
find app/engine -name '*.h' -not -name '*_priv.h' -exec \
    grep -hoE '^ *# *include "(io|kernels)/[^"]+"' {} + | cut -d '"' -f 2 | sort -u >"$work/of_engine"
awk 'NR == FNR { of_engine[$1] = 1; next } !($1 in of_engine)' "$work/of_engine" "$work/all" >"$work/found"
# Lists the headers of private_includes.txt in the same form. A line without a reason does not count.
sed -n -E 's/^([a-z][^ ]*) +([^:]+) : .+/\1 \2/p' tests/private_includes.txt |
    awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort -u >"$work/listed"

[ -s "$work/found" ] || { echo "no include found: the check itself is wrong" && exit 1; }
if ! diff "$work/listed" "$work/found" >"$work/differences"; then
    grep '^[<>]' "$work/differences"
    echo "< listed but not included; > included, but not listed with a reason in tests/private_includes.txt"
    exit 1
fi
if grep -rlE '# *include "(io|kernels|app)/' app/python | xargs grep -E '# *include "(io|kernels|app)/' |
    grep -vE '"app/(library/imgtool\.h|python/)'; then
    echo "the module for Python includes more than imgtool.h"
    exit 1
fi
echo "$(cut -d ' ' -f 1 "$work/listed" | sort -u | wc -l) headers beside imgtool.h, each with its reason"
