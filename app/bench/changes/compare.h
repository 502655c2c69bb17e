/* Compares two benchmark reports, an old one and a new one. For each row, shows the ratio of its
 * two medians with the noise of the ratio, and marks changes that exceed the noise. The noise of a
 * ratio is the root of the sum of the squares of the noises of the medians. Lists the rows that
 * only one report has. Counts have no noise: they are either equal or different. */
#ifndef IMGTOOL_APP_BENCH_CHANGES_COMPARE_H
#define IMGTOOL_APP_BENCH_CHANGES_COMPARE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/print/style.h"
#include "app/bench/report.h"

/* Prints the comparison as text in this style; NULL: as Markdown. Returns the number of compared
 * rows; 0 if the reports have no row in common. */
size_t bench_print_comparison(FILE *out, const BenchReport *old, const BenchReport *new_,
                              const BenchStyle *style);

/* Adds the comparison to the JSON object `root`, under the key "comparison". */
void bench_add_comparison_json(cJSON *root, const BenchReport *old, const BenchReport *new_,
                               bool *failed);

#endif
