/* Counts that a GPU's own counters gave: Nsight Compute runs this program once more, which launches
 * every kernel once, each in a range of its name (--profile). */
#ifndef IMGTOOL_APP_BENCH_MEASURE_COUNTERS_H
#define IMGTOOL_APP_BENCH_MEASURE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/status.h"

typedef struct BenchCounters BenchCounters;

/* Runs `ncu` with this program and `arguments` (ends with NULL). IMG_E_UNAVAILABLE where there is
 * no ncu, or the counters are not for this user; the message says what would help. */
ImgStatus bench_counters_run(char *const *arguments, BenchCounters **counters, ImgError *err);

/* Harmless on NULL. */
void bench_counters_free(BenchCounters *counters);

/* "square|32 x 32|padded|": what a range is called; the end is marked, as what profilers put behind
 * it is not. */
enum { BENCH_RANGE = 192 };
const char *bench_range_name(const char *title, const char *subject, const char *row,
                             char name[BENCH_RANGE]);

/* Puts what was counted in place of what was modelled. Which warps split is not counted (nvcc turns
 * short branches into predicates) and stays. False if nothing was counted under that name. */
bool bench_counters_replace(const BenchCounters *counters, const char *title, const char *subject,
                            const char *row, ImgLaunchCounts *counts);

void bench_counts_subtract(ImgLaunchCounts *counts, const ImgLaunchCounts *less);

#endif
