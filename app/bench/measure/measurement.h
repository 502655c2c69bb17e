/* Measures the rows of a group and compares them with each other and with their limit.
 *
 * The rows take turns in rounds. Drift, caused by clocks or other users of the machine, therefore
 * affects all of them equally and shows as noise. The limit runs once before every run of a row.
 * Its time is the median of all these runs, which are spread over the whole measurement. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_MEASUREMENT_H
#define IMGTOOL_APP_BENCH_MEASURE_MEASUREMENT_H

#include "app/bench/report.h"
#include "app/bench/timing/device.h"

/* Runs row `row` of the group `repeats` times. Sets *seconds to the mean time of a run. */
typedef ImgStatus MeasurementRun(void *context, size_t row, ImgCaches caches, int repeats,
                                 double *seconds, ImgError *err);

typedef struct Measurement {
    /* group to measure, which already has its rows: those that are BENCH_VERIFIED and the limit, if
     * any, are timed */
    BenchGroup *group;
    MeasurementRun *run;
    void *context;
    double seconds; /* approximate time in seconds to spend per row */
    /* minimum noise of a result: bench_clock_step. A single measurement cannot show it */
    double least_noise;
    bool warm; /* true if rows are timed with warm caches too */
    /* called between runs; returns true to stop, and the results so far are kept */
    bool (*stopped)(void);
} Measurement;

/* Measures the rows and fills their times and speed-ups. If a run fails, its row becomes
 * BENCH_FAILED and the other rows continue. The only error that is returned is IMG_E_MEMORY. */
ImgStatus measurement_run(const Measurement *measurement, ImgError *err);

#endif
