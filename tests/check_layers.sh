#!/usr/bin/env bash
# Checks that every directory includes only the directories that tests/layers.txt allows, and that no module includes
# itself through others. Also checks that each directory of app/ and kernels/core/ has few enough files to survey.
# usage: check_layers.sh [SOURCE_DIR]
#
# A module is NAME.c, NAME.h and NAME_priv.h. Another module may use it or be used by it, but not both.
set -u
cd "${1:-.}" || exit 1

FILES_PER_DIRECTORY=20

# Prints "app/engine/load.c app/term/messages.h" for each include between the project's own directories.
list_includes() {
    find app io kernels -type f -name '*.*' ! -name '*.md' -exec \
        grep -HoE '^ *# *include "(app|io|kernels)/[^"]+"' {} + |
        sed -E 's/:[^"]*"([^"]+)"/ \1/'
}

# Prints the includes that no rule of layers.txt allows, one per line.
list_crossings() {
    awk '
    function directory(path) { sub("/[^/]*$", "", path); return path }
    # Returns the rule for a directory: its own, or that of the nearest directory above it.
    function rule(path) {
        if ((path "/.") in allowed) return path "/."
        while (!(path in allowed) && path ~ "/") path = directory(path)
        return path
    }
    NR == FNR {
        sub("#.*", "")
        if (NF == 0) next
        allowed[$1] = " "
        for (i = 2; i <= NF; i++) allowed[$1] = allowed[$1] $i " "
        next
    }
    {
        from = rule(directory($1)); to = directory($2)
        if (!(from in allowed)) { print $1 ": no rule in layers.txt for its directory"; next }
        found = rule(to) == from || index(allowed[from], " " to "/. ") > 0
        while (!found) {
            found = index(allowed[from], " " to " ") > 0
            if (to !~ "/") break
            to = directory(to)
        }
        if (!found) print $1 " includes " $2
    }' tests/layers.txt -
}

# Prints the message of tsort about modules that include each other in a circle, or nothing.
list_circles() {
    sed -E 's/(_priv)?\.[a-z]+( |$)/\2/g' | awk '$1 != $2' | { tsort >/dev/null; } 2>&1
}

list_crowded() {
    find app kernels -type f \( -path 'app/*' -o -path 'kernels/core/*' \) -printf '%h\n' |
        sort | uniq -c |
        awk -v most="$FILES_PER_DIRECTORY" '$1 > most { print $2 ": " $1 " files" }'
}

failed=0
# complain WHAT LINES: reports the lines as faults, if there are any.
complain() {
    [ -z "$2" ] && return
    printf '%s:\n%s\n' "$1" "$2"
    failed=1
}

includes=$(list_includes)
[ -n "$includes" ] || {
    echo "no include found: the check itself is wrong"
    exit 1
}
complain "includes that tests/layers.txt does not allow" "$(list_crossings <<<"$includes")"
complain "modules that include each other in a circle" "$(list_circles <<<"$includes")"
complain "directories of more than $FILES_PER_DIRECTORY files; divide them" "$(list_crowded)"
[ "$failed" -eq 0 ] && echo "$(wc -l <<<"$includes") includes, $(
    awk '{ sub("/[^/]*$", "", $1); sub("/[^/]*$", "", $2) } $1 != $2' <<<"$includes" | wc -l
) of them between directories: none forbidden, no circle"
exit "$failed"
