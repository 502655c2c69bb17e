/* A benchmark's results for people, in lines of the style's width. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TEXT_H
#define IMGTOOL_APP_BENCH_PRINT_TEXT_H

#include <stdio.h>

#include "app/bench/print/style.h"
#include "app/bench/report.h"

/* Each block ends with an empty line, save the last. */
void bench_print_machine(FILE *out, const BenchMachine *machine, const BenchStyle *style);

/* One group, as soon as it is measured. */
void bench_print_group(FILE *out, const BenchGroup *group, const BenchStyle *style);

/* All groups of one experiment: those of a single case as above, else a table for each count that
 * the experiment is about, and for times. */
void bench_print_experiment(FILE *out, const BenchGroup *groups, size_t count,
                            const BenchStyle *style);

void bench_print_jobs(FILE *out, const BenchReport *report, const BenchStyle *style);

/* What the columns mean, how many rows there are of each verdict, and whether that is all. */
void bench_print_end(FILE *out, const BenchReport *report, const BenchStyle *style);

/* The lines of bench_print_machine, for other formats. What is not known is left out. */
enum { BENCH_MACHINE_LINE = 900 };
void bench_machine_run(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);
void bench_machine_cpu(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);
void bench_machine_gpu(const BenchMachine *machine, char text[BENCH_MACHINE_LINE]);

/* The lines of bench_print_end: "10 verified, 1 FAILED", and "" or what is missing. */
enum { BENCH_SUMMARY = 200 };
void bench_summary(const BenchReport *report, char text[BENCH_SUMMARY]);

/* "" or that some figures are not to be relied on, for their noise. */
void bench_noise_remark(const BenchReport *report, char text[BENCH_SUMMARY]);

#endif
