/* Reads a GPU's hardware counters by Nsight Compute (ncu). ncu runs this program again with
 * --profile, which launches every kernel once, in a named range. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_COUNTERS_H
#define IMGTOOL_APP_BENCH_MEASURE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/status.h"

typedef struct BenchCounters BenchCounters;

/* Runs ncu with this program and `arguments`, which end with NULL. Fails with IMG_E_UNAVAILABLE if
 * ncu is missing or the user may not read the counters. The message contains a remedy. */
ImgStatus bench_counters_run(char *const *arguments, BenchCounters **counters, ImgError *err);

/* Frees the counters. NULL is allowed. */
void bench_counters_free(BenchCounters *counters);

/* Writes the name of a row's range, such as "square|32 x 32|padded|", to `name`, and returns
 * `name`. The name ends with a bar, because profilers append text. BENCH_RANGE is the size of the
 * buffer. */
enum { BENCH_RANGE = 192 };
const char *bench_range_name(const char *title, const char *subject, const char *row,
                             char name[BENCH_RANGE]);

/* Replaces the emulator's counts of a row by hardware counts. Split warps and split branches are
 * still counted by the emulator: no hardware counter has them, and nvcc replaces short branches by
 * predicates. Returns false if no launch belongs to the row. */
bool bench_counters_replace(const BenchCounters *counters, const char *title, const char *subject,
                            const char *row, ImgLaunchCounts *counts);

void bench_counts_subtract(ImgLaunchCounts *counts, const ImgLaunchCounts *less);

#endif
