#!/usr/bin/env bash
# same_list.sh CHECKKERNELS OP...: checks that ctest tests each operation of the program. CMake reads the names
# from op_list.h; the program has them from the compiler and prints the command-line names.
set -eu
program=$1
shift
diff <("$program" --list) <(printf '%s\n' "$@") || {
    echo "ctest has other operations than checkkernels --list: see tests/CMakeLists.txt"
    exit 1
}
echo "$# operations"
