#!/bin/sh
# write_reference.sh IMGTOOL: writes the generated part of REFERENCE.md again. IMGTOOL is the built program. The target
# `reference` of the build runs it.
set -eu
page=$(dirname "$0")/REFERENCE.md
{
    sed '/^<!-- generated: /q' "$page"
    "$1" help --format markdown
    sed -n '/^<!-- end -->/,$p' "$page"
} >"$page.new"
mv "$page.new" "$page"
