/* Times the rows of a group, and compares them with each other and with their limit: a copy or a
 * plain read of the same data.
 *
 * The rows take turns in rounds. Changes of the clock, or other users of the machine, therefore
 * affect all rows equally and show as noise. The limit runs once before each run of a row. Its time
 * is the median of all its runs, which are spread over the whole measurement. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_MEASUREMENT_H
#define IMGTOOL_APP_BENCH_MEASURE_MEASUREMENT_H

#include "app/bench/report.h"
#include "app/bench/timing/device.h"

/* Runs row `row` of the group `repeats` times, and sets *seconds to the mean time of a run. */
typedef ImgStatus MeasurementRun(void *context, size_t row, ImgCaches caches, int repeats,
                                 double *seconds, ImgError *err);

typedef struct Measurement {
    /* Group to measure, with its rows. The rows that are BENCH_VERIFIED are timed, and the limit (a
     * copy or a plain read) if there is one. */
    BenchGroup *group;
    MeasurementRun *run;
    void *context;
    double seconds; /* approximate time to spend per row, in seconds */
    /* minimum noise of a result (bench_clock_step): the GPU's clock can change by a step between
     * two benchmark runs, which the samples of one run do not show */
    double least_noise;
    bool warm; /* true if each row of the table is also timed with warm caches */
    /* Called between runs. Returns true to stop the measurement, which keeps its results so far. */
    bool (*stopped)(void);
} Measurement;

/* Times the rows, and sets their times and speed-ups. If a run fails, its row becomes BENCH_FAILED,
 * and the other rows continue. Returns only one error, IMG_E_MEMORY. */
ImgStatus measurement_run(const Measurement *measurement, ImgError *err);

#endif
