/* Output of a benchmark's results: as text, group by group during the run, or at its end as JSON,
 * CSV or Markdown; optionally as a plot and compared with an older run. */
#ifndef IMGTOOL_APP_BENCH_OUTPUT_H
#define IMGTOOL_APP_BENCH_OUTPUT_H

#include <limits.h>

#include "app/bench/report.h"
#include "app/cli/options.h"

/* Zeroed: nothing is open. */
typedef struct BenchOutput {
    const Settings *settings;
    bool compares;
    BenchReport old;        /* report of --compare */
    char plotter[PATH_MAX]; /* path of the program that draws */
} BenchOutput;

/* IMG_E_USAGE for contradictory options, or a plot that is neither PNG nor SVG. */
ImgStatus bench_output_check(const Settings *settings, ImgError *err);

/* Call it before the measurement, which may take hours. Reads the older run, and checks that the
 * plot can be written and does not replace an input. */
ImgStatus bench_output_open(const Settings *settings, BenchOutput *output, ImgError *err);
void bench_output_close(BenchOutput *output);

/* Shows the current step in the status line on stderr; NULL removes it. */
void bench_output_progress(const Settings *settings, const char *what);

/* Prints the machine as text; the other formats contain it at the end. */
void bench_output_begin(const Settings *settings, const BenchMachine *machine);

/* Reports that group `index` and all before it are finished. Experiments of the lab are printed as
 * a whole; with -v group by group. */
void bench_output_group(const Settings *settings, const BenchReport *report, size_t index);

/* Returns 5 if an implementation is wrong, 1 if a file failed, otherwise 0. */
int bench_exit_code(const BenchReport *report);

ImgStatus bench_output_end(const BenchOutput *output, const BenchReport *report, ImgError *err);

#endif
