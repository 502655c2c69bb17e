#!/usr/bin/env bash
# same_list.sh CHECKKERNELS OP...: checks that ctest has a test for each operation. OP are the names that CMake read
# from op_list.h. They must equal those that the program CHECKKERNELS lists, into which the compiler included that file.
set -eu
program=$1
shift
diff <("$program" --list) <(printf '%s\n' "$@") || {
    echo "ctest has other operations than checkkernels --list: see tests/CMakeLists.txt"
    exit 1
}
echo "$# operations"
