/* Prints the results of a benchmark. Text is printed during the run, group by group; JSON, CSV and
 * Markdown are printed at its end. With --plot it draws a plot, and with --compare it compares the
 * results with an older run. */
#ifndef IMGTOOL_APP_BENCH_OUTPUT_H
#define IMGTOOL_APP_BENCH_OUTPUT_H

#include <limits.h>

#include "app/bench/report.h"
#include "app/cli/options.h"

/* State of the output. A struct of zeros has nothing open. */
typedef struct BenchOutput {
    const Settings *settings;
    bool compares;
    BenchReport old;        /* report of the older run, from --compare */
    char plotter[PATH_MAX]; /* path of the program imgtool-plot, which draws the plot */
} BenchOutput;

/* Checks the options of the output. Fails with IMG_E_USAGE if options exclude each other, or if the
 * plot is neither PNG nor SVG. */
ImgStatus bench_output_check(const Settings *settings, ImgError *err);

/* Reads the older report. Checks that the plot can be written and does not replace an input. Call
 * it before the measurement, so that mistakes are found before hours of work. */
ImgStatus bench_output_open(const Settings *settings, BenchOutput *output, ImgError *err);
void bench_output_close(BenchOutput *output);

/* Shows `what`, the current step, in the status line on stderr. NULL removes the status line. */
void bench_output_progress(const Settings *settings, const char *what);

/* Prints the description of the machine if the output is text. Other formats are printed at the
 * end, together with this description. */
void bench_output_begin(const Settings *settings, const BenchMachine *machine);

/* Prints group `index` if the output is text. All groups up to this one must be finished. The
 * groups of an experiment are printed together when the next experiment begins, or at the end. With
 * -v each group is printed at once. */
void bench_output_group(const Settings *settings, const BenchReport *report, size_t index);

/* Returns the exit code of the command: 5 if a row failed or gives a wrong result, 1 if only a file
 * failed, otherwise 0. */
int bench_exit_code(const BenchReport *report);

ImgStatus bench_output_end(const BenchOutput *output, const BenchReport *report, ImgError *err);

#endif
