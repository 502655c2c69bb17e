/* Comparison of a benchmark with an older one. It shows the ratios of the medians with their noise,
 * the root of the sum of both squares, and marks changes beyond it. Rows that are in one report
 * only are listed. Counts have no noise: they are equal or differ. */
#ifndef IMGTOOL_APP_BENCH_CHANGES_COMPARE_H
#define IMGTOOL_APP_BENCH_CHANGES_COMPARE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/print/style.h"
#include "app/bench/report.h"

/* Print the comparison. Return the number of compared rows: 0 if the reports have nothing in
 * common. */
size_t bench_print_comparison(FILE *out, const BenchReport *old, const BenchReport *new_,
                              const BenchStyle *style);
size_t bench_markdown_comparison(FILE *out, const BenchReport *old, const BenchReport *new_);

/* Adds the key "comparison". */
void bench_add_comparison_json(cJSON *root, const BenchReport *old, const BenchReport *new_,
                               bool *failed);

#endif
