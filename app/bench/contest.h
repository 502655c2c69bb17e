/* Measuring the rows of a group against each other and against their limit.
 *
 * Rows take turns, in rounds: what drifts (clocks, other users of the machine) falls on all of them
 * alike and shows as noise. Before every run of a row the limit runs once, so that the share of it
 * comes from pairs that lie side by side. */
#ifndef IMGTOOL_APP_BENCH_CONTEST_H
#define IMGTOOL_APP_BENCH_CONTEST_H

#include "app/bench/report.h"
#include "kernels/timing/device.h"

/* Seconds of one run, the mean of `repeats`, of row number `row` of the group. */
typedef ImgStatus ContestRun(void *context, size_t row, ImgCaches caches, int repeats,
                             double *seconds, ImgError *err);

typedef struct Contest {
    /* Rows are there: BENCH_VERIFIED ones and the limit, if there is one, are timed. */
    BenchGroup *group;
    ContestRun *run;
    void *context;
    uint64_t limit_bytes;  /* that a run of the limit moves */
    double seconds;        /* that a row may take, about */
    double least_noise;    /* what cannot show within one run: bench_clock_step */
    bool warm;             /* are rows also timed with warm caches? */
    bool (*stopped)(void); /* asked between runs: whoever says yes gets what is there so far */
} Contest;

/* Fills the rows' times, shares and speed-ups. A run that fails makes its row BENCH_FAILED; the
 * others go on. IMG_E_MEMORY only. */
ImgStatus contest_run(const Contest *contest, ImgError *err);

#endif
