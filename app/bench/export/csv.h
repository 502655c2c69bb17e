/* Prints the results for spreadsheets and data frames: a heading, then one line per row of each
 * group and per stage of each job. Values are in SI units with 15 digits. Each line is complete in
 * itself, with machine and version as columns. Unknown values are empty fields. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_CSV_H
#define IMGTOOL_APP_BENCH_EXPORT_CSV_H

#include <stdio.h>

#include "app/bench/report.h"

void bench_print_csv(FILE *out, const BenchReport *report);

#endif
