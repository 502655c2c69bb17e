/* Prints the results as Markdown with tables for GitHub. */
#ifndef IMGTOOL_APP_BENCH_PRINT_MARKDOWN_H
#define IMGTOOL_APP_BENCH_PRINT_MARKDOWN_H

#include <stdio.h>

#include "app/bench/report.h"

void bench_print_markdown(FILE *out, const BenchReport *report);

#endif
