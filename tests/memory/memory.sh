#!/usr/bin/env bash
# Runs random jobs within --max-memory (README.md), with the programs of a build.
#
#     memory.sh BUILD [--seed N] [--jobs N | --only N] [--known-every N]
#
set -euo pipefail

build=$(realpath "$1")
shift
work=$(mktemp -d "${TMPDIR:-/tmp}/imgtool-memory.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$build/tests/memory/memory_jobs" "$@" "$build/app/imgtool" "$build/tests/memory/memory_library" \
    "$build/tests/memory/heap_peak.so" "$work"
