/* Measuring the implementations of a group, a row each, against each other and against their limit.
 *
 * They take turns, in rounds: what drifts (clocks, other users of the machine) affects all of them
 * alike and shows as noise. Before every run of a row the limit runs once. Its time is the median
 * of all these runs, which are spread over the whole measurement. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_MEASUREMENT_H
#define IMGTOOL_APP_BENCH_MEASURE_MEASUREMENT_H

#include "app/bench/report.h"
#include "app/bench/timing/device.h"

/* Seconds of one run, the mean of `repeats`, of row number `row` of the group. */
typedef ImgStatus MeasurementRun(void *context, size_t row, ImgCaches caches, int repeats,
                                 double *seconds, ImgError *err);

typedef struct Measurement {
    /* Has its rows already: BENCH_VERIFIED ones and the limit, if there is one, are timed. */
    BenchGroup *group;
    MeasurementRun *run;
    void *context;
    double seconds;        /* per row, about */
    double least_noise;    /* what cannot show within one run: bench_clock_step */
    bool warm;             /* are rows also timed with warm caches? */
    bool (*stopped)(void); /* asked between runs; if true, the results so far are kept */
} Measurement;

/* Fills the rows' times, and speed-ups. A run that fails makes its row BENCH_FAILED; the
 * others continue. IMG_E_MEMORY only. */
ImgStatus measurement_run(const Measurement *measurement, ImgError *err);

#endif
