/* Compares a benchmark with an older one. Shows the ratios of the medians with their noise (the
 * root of the sum of both squares), and marks the changes that exceed the noise. Lists the rows
 * that only one report has. Counts have no noise: they are equal or differ. */
#ifndef IMGTOOL_APP_BENCH_CHANGES_COMPARE_H
#define IMGTOOL_APP_BENCH_CHANGES_COMPARE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/print/style.h"
#include "app/bench/report.h"

/* Print the comparison as text and as Markdown. Return the number of compared rows, 0 if the
 * reports have no row in common. */
size_t bench_print_comparison(FILE *out, const BenchReport *old, const BenchReport *new_,
                              const BenchStyle *style);
size_t bench_markdown_comparison(FILE *out, const BenchReport *old, const BenchReport *new_);

/* Adds the key "comparison" with the comparison to `root`. */
void bench_add_comparison_json(cJSON *root, const BenchReport *old, const BenchReport *new_,
                               bool *failed);

#endif
