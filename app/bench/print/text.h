/* Prints the results as text, in lines of the width of the style, or as Markdown. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TEXT_H
#define IMGTOOL_APP_BENCH_PRINT_TEXT_H

#include <stdio.h>

#include "app/bench/print/style.h"
#include "app/bench/report.h"

/* --- Text ------------------------------------------------------------------------------------- */

/* Prints the machine. The functions of this header print blocks of lines; an empty line ends each
 * block except the last. */
void bench_print_machine(FILE *out, const BenchMachine *machine, const BenchStyle *style);

/* Prints one group as soon as it is measured. */
void bench_print_group(FILE *out, const BenchGroup *group, const BenchStyle *style);

/* Prints all groups of an experiment. An experiment with a single case is printed by
 * bench_print_group. Otherwise there is one table per counter of the experiment, and one for
 * times. */
void bench_print_experiment(FILE *out, const BenchGroup *groups, size_t count,
                            const BenchStyle *style);

void bench_print_jobs(FILE *out, const BenchReport *report, const BenchStyle *style);

/* Prints the end: the meaning of the columns, the number of rows per verdict, and a note if results
 * are missing. */
void bench_print_end(FILE *out, const BenchReport *report, const BenchStyle *style);

/* Write the lines of bench_print_machine, for other formats. Unknown values are omitted. */
enum { BENCH_MACHINE_LINE = 900 };
void bench_machine_run(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);
void bench_machine_cpu(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);
void bench_machine_gpu(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);

/* Writes the summary of bench_print_end, such as "10 verified, 1 FAILED", with a note if the run
 * was interrupted. */
enum { BENCH_SUMMARY = 200 };
void bench_summary(const BenchReport *report, char text[BENCH_SUMMARY]);

/* Writes a warning if the noise makes the figures unreliable, otherwise "". */
void bench_noise_remark(const BenchReport *report, char text[BENCH_SUMMARY]);

/* --- Markdown: markdown.c --------------------------------------------------------------------- */

/* Prints the whole report, with tables for GitHub. */
void bench_print_markdown(FILE *out, const BenchReport *report);

#endif
