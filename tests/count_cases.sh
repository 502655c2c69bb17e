#!/usr/bin/env bash
# count_cases.sh RELEASE_BUILD CHECKED_BUILD [unchanged]: counts the cases of every operation that checkkernels compared
# with the reference in the latest tests of these builds. Prints the table of tests/MEASUREMENTS.md.
# Fails if a number is below a third of the number in that table, or an operation has no case, unless the table has "-"
# there, for an operation without CUDA kernels. The margin is for processors without vector units, which have fewer
# implementations to check. With `unchanged`, the emulator need not
# have run.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
release=$1/Testing/Temporary/LastTest.log checked=$2/Testing/Temporary/LastTest.log

awk -v columns=4 -v left_out="$([ $# -lt 3 ] || echo 3)" '
    FNR == 1 { file++ }
    file == 1 { # kernels/op_list.h
        if (match($0, /^IMG_(OP|MEASURE)\(/)) {
            name = substr($0, RLENGTH + 1)
            sub(/\).*/, "", name)
            ops[++count] = name
        }
        next
    }
    file == 2 { # tests/MEASUREMENTS.md: "| rotate | 8,667 | ..."
        if (split($0, cell, / *\| */) == columns + 3)
            for (i = 1; i <= columns; i++) {
                gsub(/,/, "", cell[i + 2])
                kept[cell[2], i] = cell[i + 2]
            }
        next
    }
    / Test: / { emulated = $3 ~ /^emulator_/ }
    $1 == "cases" && NF == 4 {
        column = file == 3 ? ($3 == "cpu" ? 1 : 4) : emulated ? 3 : $3 == "cpu" ? 2 : 0
        done[$2, column] += $4
    }
    function with_commas(n, text) {
        for (text = ""; n >= 1000; n = int(n / 1000)) text = sprintf(",%03d", n % 1000) text
        return n text
    }
    END {
        print "| operation | CPU, release | CPU, sanitizers | CUDA, emulator | CUDA, GPU |"
        print "| --- | ---: | ---: | ---: | ---: |"
        for (o = 1; o <= count; o++) {
            line = "| " ops[o]
            for (i = 1; i <= columns; i++) {
                none = kept[ops[o], i] == "-" && done[ops[o], i] == 0
                line = line " | " (none ? "-" : with_commas(done[ops[o], i] + 0))
                sum[i] += done[ops[o], i]
                # The last column may be empty, because there may be no GPU.
                if (none)
                    continue
                if (i < columns && i != left_out && (done[ops[o], i] + 0 == 0 || done[ops[o], i] < kept[ops[o], i] / 3))
                    missing = missing sprintf("%s: %d cases in column %d, %s in tests/MEASUREMENTS.md\n", ops[o],
                                              done[ops[o], i], i, kept[ops[o], i] + 0)
            }
            print line " |"
        }
        line = "| all"
        for (i = 1; i <= columns; i++) line = line " | " with_commas(sum[i] + 0)
        print line " |"
        printf "%s", missing
        exit missing != ""
    }' kernels/op_list.h tests/MEASUREMENTS.md "$release" "$checked"
