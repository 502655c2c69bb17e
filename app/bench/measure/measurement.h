/* Measures the rows of a group against each other and against their limit.
 *
 * Rows take turns in rounds, so that drift (clocks, other users of the machine) affects all of them
 * equally and shows as noise. The limit runs once before every run of a row. Its time is the median
 * of all these runs, which are spread over the whole measurement. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_MEASUREMENT_H
#define IMGTOOL_APP_BENCH_MEASURE_MEASUREMENT_H

#include "app/bench/report.h"
#include "app/bench/timing/device.h"

/* Runs row number `row` of the group `repeats` times and returns the mean seconds of a run. */
typedef ImgStatus MeasurementRun(void *context, size_t row, ImgCaches caches, int repeats,
                                 double *seconds, ImgError *err);

typedef struct Measurement {
    /* Has its rows: rows of BENCH_VERIFIED and the limit, if any, are timed. */
    BenchGroup *group;
    MeasurementRun *run;
    void *context;
    double seconds;        /* approximate time per row */
    double least_noise;    /* minimum noise, which one run cannot show: bench_clock_step */
    bool warm;             /* also time rows with warm caches */
    bool (*stopped)(void); /* called between runs; true stops and keeps the results so far */
} Measurement;

/* Fills the times and speed-ups of the rows. A run that fails makes its row BENCH_FAILED, and the
 * others continue. Returns only IMG_E_MEMORY as an error. */
ImgStatus measurement_run(const Measurement *measurement, ImgError *err);

#endif
