/* A benchmark's results for spreadsheets and data frames: one heading, then a line for each row of
 * each group and for each stage of each job, in SI units, with 15 digits. A line says all by
 * itself: machine and version are columns. What was not found is an empty field. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_CSV_H
#define IMGTOOL_APP_BENCH_EXPORT_CSV_H

#include <stdio.h>

#include "app/bench/report.h"

void bench_print_csv(FILE *out, const BenchReport *report);

#endif
