/* A benchmark beside an older one: ratios of the medians with their noise, which is the root of the
 * sum of the squares of both, and a mark for what changed beyond it. Rows that are in one of the
 * two only are named. Counts have no noise: they are equal or differ. */
#ifndef IMGTOOL_APP_BENCH_CHANGES_COMPARE_H
#define IMGTOOL_APP_BENCH_CHANGES_COMPARE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/print/style.h"
#include "app/bench/report.h"

/* Returns how many rows were compared: 0 where the two have nothing in common. */
size_t bench_print_comparison(FILE *out, const BenchReport *old, const BenchReport *new_,
                              const BenchStyle *style);
size_t bench_markdown_comparison(FILE *out, const BenchReport *old, const BenchReport *new_);

/* Adds "comparison". */
void bench_add_comparison_json(cJSON *root, const BenchReport *old, const BenchReport *new_,
                               bool *failed);

#endif
