/* On what a benchmark runs: processor, GPU, drivers, clocks, versions. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_MACHINE_H
#define IMGTOOL_APP_BENCH_MEASURE_MACHINE_H

#include "app/bench/report.h"

/* What can be found out; what cannot stays empty. `device` is the number of the GPU that is used,
 * -1 for none; its clock is measured, which takes some milliseconds. `arguments`: of the command
 * line, for the record. */
void bench_machine_find(int device, int threads, int argc, const char *const *arguments,
                        BenchMachine *machine);

#endif
