/* Describes the machine of a benchmark: processor, GPU, drivers, clocks and versions. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_MACHINE_H
#define IMGTOOL_APP_BENCH_MEASURE_MACHINE_H

#include "app/bench/report.h"

/* Fills *machine; unknown values stay empty. `device` is the index of the GPU in use, or -1.
 * Measuring the clock of a GPU takes some milliseconds. `arguments` are the words of the command
 * line, which the report keeps. */
void bench_machine_find(int device, int threads, int argc, const char *const *arguments,
                        BenchMachine *machine);

#endif
