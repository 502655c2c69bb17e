/* `imgtool bench --list`: what can be measured. */
#ifndef IMGTOOL_APP_BENCH_LIST_H
#define IMGTOOL_APP_BENCH_LIST_H

#include <stdbool.h>
#include <stdio.h>

/* Operations, their implementations and the formats. */
void bench_list_ops(FILE *out);

/* Experiments with their cases and variants; with `help`, what each is about. */
void bench_list_lab(FILE *out, bool help);

#endif
