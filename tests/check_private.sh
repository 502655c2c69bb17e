#!/usr/bin/env bash
# check_private.sh [SOURCE_DIR]: checks which headers of io/, kernels/ and app/library/ the command includes. It may
# include only imgtool.h; the headers of app/engine/, with those that they include because their declarations use the
# types; the headers in directories that layers.txt names for one part of the command; and the headers that
# private_includes.txt lists with a reason. The Python module counts as an outside program, so it may include only
# imgtool.h.
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
awk 'NR == FNR { of_engine[$1] = 1; next } !($1 in of_engine)' "$work/of_engine" "$work/all" >"$work/private"
# Reads layers.txt into lines such as "cli kernels/pipeline": app/cli may include the headers of that directory. Lines
# about the directories io/, kernels/ and kernels/core/ as a whole only forbid other directories, so they do not count.
# The line of app/. does not count either: it is not a part of the command.
awk '$1 ~ "^app/[a-z]+$" && $1 !~ "/(library|engine|bench|python)$" {
    sub("^app/", "", $1)
    for (i = 2; i <= NF; i++)
        if ($i ~ "^(io|kernels)/" && $i != "kernels/core") {
            sub("/[.]$", "", $i)
            print $1, $i
        }
}' tests/layers.txt | sort -u >"$work/rules"
# Removes the headers whose directories these rules allow for the including part.
awk 'NR == FNR { rule[$0] = 1; next }
     { directory = $1; sub("/[^/]*$", "", directory) }
     !(($2 " " directory) in rule)' "$work/rules" "$work/private" >"$work/found"
# Lists the headers of private_includes.txt in the same form. A line without a reason does not count.
sed -n -E 's/^([a-z][^ ]*) +([^:]+) : .+/\1 \2/p' tests/private_includes.txt |
    awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort -u >"$work/listed"

[ -s "$work/found" ] || { echo "no include found: the check itself is wrong" && exit 1; }
if ! diff "$work/listed" "$work/found" >"$work/differences"; then
    grep '^[<>]' "$work/differences"
    echo "< listed but not included; > included, but not listed with a reason in tests/private_includes.txt"
    exit 1
fi
# A rule must be in use.
awk '{ sub("/[^/]*$", "", $1); print $2, $1 }' "$work/all" | sort -u | comm -13 - "$work/rules" >"$work/unused"
if [ -s "$work/unused" ]; then
    sed 's/.*/app\/& is named in layers.txt, but not included/' "$work/unused"
    exit 1
fi
if grep -rlE '# *include "(io|kernels|app)/' app/python | xargs grep -E '# *include "(io|kernels|app)/' |
    grep -vE '"app/(library/imgtool\.h|python/)'; then
    echo "the module for Python includes more than imgtool.h"
    exit 1
fi
echo "$(cut -d ' ' -f 1 "$work/listed" | sort -u | wc -l) headers beside imgtool.h, each with its reason"
