/* Reads a GPU's hardware counters. Nsight Compute runs this program again with --profile, which
 * launches every kernel once in a named range. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_COUNTERS_H
#define IMGTOOL_APP_BENCH_MEASURE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/cuda/launch_counts.h"
#include "kernels/core/status.h"

typedef struct BenchCounters BenchCounters;

/* Runs `ncu` with this program and the `arguments`, whose last one is NULL. IMG_E_UNAVAILABLE if
 * ncu is missing or the user may not read the counters. The message says what to do. */
ImgStatus bench_counters_run(char *const *arguments, BenchCounters **counters, ImgError *err);

/* Frees the counters. Does nothing for NULL. */
void bench_counters_free(BenchCounters *counters);

/* Writes the name of a range, such as "square|32 x 32|padded|", to `name` and returns it. The last
 * bar marks the end of the name, because profilers append text. */
enum { BENCH_RANGE = 192 };
const char *bench_range_name(const char *title, const char *subject, const char *row,
                             char name[BENCH_RANGE]);

/* Replaces the modelled counts of a row by hardware counts. The numbers of split warps and branches
 * stay modelled, because no counter has them (nvcc turns short branches into predicates). Returns
 * false if no launch belongs to the row. */
bool bench_counters_replace(const BenchCounters *counters, const char *title, const char *subject,
                            const char *row, ImgLaunchCounts *counts);

void bench_counts_subtract(ImgLaunchCounts *counts, const ImgLaunchCounts *less);

#endif
