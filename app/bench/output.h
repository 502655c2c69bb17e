/* Where a benchmark's results go: as text group by group while it runs, or whole at its end as
 * JSON, CSV or Markdown; into a plot; beside an older run. */
#ifndef IMGTOOL_APP_BENCH_OUTPUT_H
#define IMGTOOL_APP_BENCH_OUTPUT_H

#include <limits.h>

#include "app/bench/report.h"
#include "app/cli/options.h"

/* Zeroed: nothing is open. */
typedef struct BenchOutput {
    const Settings *settings;
    bool compares;
    BenchReport old;        /* of --compare */
    char plotter[PATH_MAX]; /* the program that draws */
} BenchOutput;

/* Options that contradict each other, or a plot that is neither PNG nor SVG: IMG_E_USAGE. */
ImgStatus bench_output_check(const Settings *settings, ImgError *err);

/* Before hours of measuring: the older run is read, and a plot can be written where it is to be,
 * which is not one of the files that are read. */
ImgStatus bench_output_open(const Settings *settings, BenchOutput *output, ImgError *err);
void bench_output_close(BenchOutput *output);

/* What is being done, on one line of a terminal on stderr; NULL: nothing any more. */
void bench_output_progress(const Settings *settings, const char *what);

/* Text only; the other forms have it at the end. */
void bench_output_begin(const Settings *settings, const BenchMachine *machine);

/* Group `index` of the report is finished, and those before it. Experiments of the lab are printed
 * as a whole, with -v group by group. */
void bench_output_group(const Settings *settings, const BenchReport *report, size_t index);

/* 5 where an implementation is wrong, 1 where a file could not be handled, else 0. */
int bench_exit_code(const BenchReport *report);

ImgStatus bench_output_end(const BenchOutput *output, const BenchReport *report, ImgError *err);

#endif
