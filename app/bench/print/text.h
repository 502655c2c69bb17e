/* Prints the results of a benchmark as Markdown, or as text with lines of at most the width of the
 * style. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TEXT_H
#define IMGTOOL_APP_BENCH_PRINT_TEXT_H

#include <stdio.h>

#include "app/bench/print/style.h"
#include "app/bench/report.h"

/* --- Text ------------------------------------------------------------------------------------- */

/* Prints the description of the machine. The functions in this header print blocks of lines. An
 * empty line follows each block except the last. */
void bench_print_machine(FILE *out, const BenchMachine *machine, const BenchStyle *style);

/* Prints the heading of a group, its explanation if it has one, and its table. */
void bench_print_group(FILE *out, const BenchGroup *group, const BenchStyle *style);

/* Prints all `count` groups of an experiment. If the experiment has a single case,
 * bench_print_group prints it. Otherwise there is one table per counter that the experiment
 * explains, and one for the times. */
void bench_print_experiment(FILE *out, const BenchGroup *groups, size_t count,
                            const BenchStyle *style);

void bench_print_jobs(FILE *out, const BenchReport *report, const BenchStyle *style);

/* Prints the end of the report: the meaning of the columns, the number of rows per verdict, and a
 * note if results are missing. */
void bench_print_end(FILE *out, const BenchReport *report, const BenchStyle *style);

/* Write the lines that describe the run, the CPU and the GPU to `text`, for formats other than
 * text. Unknown values are left out. */
enum { BENCH_MACHINE_LINE = 900 };
void bench_machine_run(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);
void bench_machine_cpu(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);
void bench_machine_gpu(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);

/* Writes the last line of the report, such as "10 verified, 1 FAILED". The line contains a note if
 * the run was interrupted. */
enum { BENCH_SUMMARY = 200 };
void bench_summary(const BenchReport *report, char text[BENCH_SUMMARY]);

/* Writes a warning if the noise of some rows makes their figures unreliable, otherwise "". */
void bench_noise_remark(const BenchReport *report, char text[BENCH_SUMMARY]);

/* --- Markdown: markdown.c --------------------------------------------------------------------- */

/* Prints the whole report in Markdown, with tables as GitHub shows them. */
void bench_print_markdown(FILE *out, const BenchReport *report);

#endif
