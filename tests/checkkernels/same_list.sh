#!/usr/bin/env bash
# same_list.sh CHECKKERNELS OP...: checks that ctest tests each operation of the program. CMake reads the names OP from
# op_list.h. The program gets them from the compiler, and prints the names of the command line.
set -eu
program=$1
shift
diff <("$program" --list) <(printf '%s\n' "$@") || {
    echo "ctest has other operations than checkkernels --list: see tests/CMakeLists.txt"
    exit 1
}
echo "$# operations"
