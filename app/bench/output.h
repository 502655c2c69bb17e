/* Outputs the results of a benchmark: as text, group by group during the run, or at its end as
 * JSON, CSV or Markdown. Optionally draws a plot, and compares the results with an older run. */
#ifndef IMGTOOL_APP_BENCH_OUTPUT_H
#define IMGTOOL_APP_BENCH_OUTPUT_H

#include <limits.h>

#include "app/bench/report.h"
#include "app/cli/options.h"

/* State of the output. Zeros mean that nothing is open. */
typedef struct BenchOutput {
    const Settings *settings;
    bool compares;
    BenchReport old;        /* the older report, from --compare */
    char plotter[PATH_MAX]; /* path of the program that draws */
} BenchOutput;

/* Checks the options. IMG_E_USAGE if they contradict each other, or if the plot is neither PNG nor
 * SVG. */
ImgStatus bench_output_check(const Settings *settings, ImgError *err);

/* Reads the older report, and checks that the plot can be written and does not replace an input.
 * Call it before the measurement, which may take hours. */
ImgStatus bench_output_open(const Settings *settings, BenchOutput *output, ImgError *err);
void bench_output_close(BenchOutput *output);

/* Shows the current step in the status line on stderr. NULL removes the line. */
void bench_output_progress(const Settings *settings, const char *what);

/* Prints the description of the machine if the output is text. The other formats contain it at the
 * end. */
void bench_output_begin(const Settings *settings, const BenchMachine *machine);

/* Prints group `index` if the output is text; it and all groups before it are finished. The groups
 * of an experiment are printed together, with -v one by one. */
void bench_output_group(const Settings *settings, const BenchReport *report, size_t index);

/* Returns the exit code: 5 if an implementation gives wrong results, 1 if a file failed, otherwise
 * 0. */
int bench_exit_code(const BenchReport *report);

ImgStatus bench_output_end(const BenchOutput *output, const BenchReport *report, ImgError *err);

#endif
