/* Checks and times implementations of an operation on the same data: a workload whose results are
 * the rows of a group. For `imgtool bench` and tests/checkkernels. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_VARIANTS_H
#define IMGTOOL_APP_BENCH_MEASURE_VARIANTS_H

#include "app/bench/measure/measurement.h"
#include "app/bench/measure/workload.h"

enum { VARIANTS_MAX = 64 };

/* The implementations of one backend. The caller sets all fields except `impls`. */
typedef struct Variants {
    Workload *workload;
    BenchGroup *group; /* has a row for each implementation */
    ImgBackend backend;
    /* implementation of each row; NULL for the row of the limit (a copy or a plain read) */
    const ImgImpl *impls[VARIANTS_MAX];
} Variants;

/* Adds a row for the implementation, or for the limit if `impl` is NULL. Rows beyond VARIANTS_MAX
 * are left out. Fails with IMG_E_MEMORY. */
ImgStatus variants_add(Variants *variants, const ImgImpl *impl, ImgError *err);

/* Runs the implementation that was added last, and compares its result with the expected one. A
 * failure is recorded in its row. */
void variants_check_last(Variants *variants);

/* Times the rows as measurement_run does. `how` has all fields except group, run and context. */
ImgStatus variants_time(Variants *variants, Measurement how, ImgError *err);

#endif
