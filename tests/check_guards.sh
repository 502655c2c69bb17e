#!/usr/bin/env bash
# check_guards.sh [SOURCE_DIR]: checks that the include guard of each header is made of its path, such as
# IMGTOOL_IO_PNG_DECODE_H for io/png/decode.h. Otherwise two headers could have the same guard. imgtool.h is installed
# under its own name. Headers without a guard contain code or a list that other files include on purpose.
set -eu
cd "${1:-.}"

# Prints a line such as "io/png/decode.h IMGTOOL_IO_PNG_DECODE_H" for each guard.
list_guards() {
    find app io kernels samples tests \( -name '*.h' -o -name '*.cuh' \) -exec awk '
        FNR == 1 { name = "" }
        $1 == "#ifndef" && name == "" { name = $2; next }
        $1 == "#define" && name == $2 && NF == 2 { print FILENAME, name; nextfile }
        name != "" { nextfile }' {} +
}

guards=$(list_guards)
[ -n "$guards" ] || { echo "no guard found: the check itself is wrong" && exit 1; }
wrong=$(awk '{
    guard = "IMGTOOL_" toupper($1)
    gsub("[^A-Z0-9]", "_", guard)
    if ($1 == "app/library/imgtool.h") guard = "IMGTOOL_H"
    if ($2 != guard) print $1 ": the guard must be " guard ", not " $2
}' <<<"$guards")
[ -z "$wrong" ] || { echo "$wrong" && exit 1; }
echo "$(wc -l <<<"$guards") guards, each made of its path"
