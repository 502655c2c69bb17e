/* Describes the machine on which a benchmark runs: processor, GPU, driver, clocks and versions. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_MACHINE_H
#define IMGTOOL_APP_BENCH_MEASURE_MACHINE_H

#include "app/bench/report.h"

/* Fills *machine; values that are unknown stay empty. `device` is the index of the GPU in use; -1:
 * none. `arguments` are the words of the command line, which are copied to *machine. Measuring the
 * clock of a GPU takes some milliseconds. */
void bench_machine_find(int device, int threads, int argc, const char *const *arguments,
                        BenchMachine *machine);

#endif
