/* The lists of `imgtool bench --list` and `imgtool bench lab --list`. */
#ifndef IMGTOOL_APP_BENCH_LIST_H
#define IMGTOOL_APP_BENCH_LIST_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the operations, their implementations and the formats. */
void bench_list_ops(FILE *out);

/* Prints the experiments with their cases and variants. With `help` it also prints their
 * explanations. */
void bench_list_lab(FILE *out, bool help);

#endif
