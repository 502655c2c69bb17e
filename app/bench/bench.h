/* State of one benchmark run: its plan, device, results and callbacks. report.h explains groups,
 * rows and limits. */
#ifndef IMGTOOL_APP_BENCH_BENCH_H
#define IMGTOOL_APP_BENCH_BENCH_H

#include "app/bench/measure/counters.h"
#include "app/bench/plan.h"
#include "app/bench/report.h"
#include "app/bench/timing/device.h"

typedef struct Bench Bench;

struct Bench {
    const Settings *settings;
    BenchPlan plan;
    int threads;       /* number of threads for rows that run on the CPU */
    ImgDevice *device; /* NULL: there is no GPU, or the user wants none */
    /* true without a GPU if CUDA rows are wanted, so that `complete` can count their events */
    bool modelled;
    /* hardware counters measured for the lab; NULL: the counts come from the model */
    BenchCounters *counters;
    BenchReport report;
    bool (*stopped)(void);
    /* Called before each step that takes a noticeable time. `what` is for example "rotate angle=90,
     * rgb8 4001x3001, cuda". */
    void (*begins)(const Bench *bench, const char *what);
    /* Adds further results to a group that was measured, such as counts. NULL: nothing to add. */
    ImgStatus (*complete)(Bench *bench, BenchGroup *group, const ImgStep *step, ImgFormat format,
                          ImgError *err);
    const void *completing; /* additional argument of `complete` */
    /* Called when all results of a group are in the report, so that it can be printed. */
    void (*finished)(const Bench *bench, const BenchGroup *group);
};

/* Returns the size of one step of the GPU's clock, as a part of the clock; 0 without a GPU. GPUs
 * change their clock in steps of 15 MHz, mostly between runs, so this is the minimum noise. In an
 * experiment of two runs with 357 CUDA rows on an H100, 96 % of the rows agreed within their noise
 * with this minimum, and 87 % without it. */
double bench_clock_step(const Bench *bench);

/* Measures the operations of the plan: one group per operation, format, size and backend. A row
 * that fails or differs from the reference is recorded in the report. Returns an error only for
 * failures that concern everything: short memory, a size over the limits, or an operation that does
 * not support the request. */
ImgStatus bench_ops(Bench *bench, ImgError *err);

/* Same as bench_ops, with the given picture. Its format and size replace those of the plan. */
ImgStatus bench_ops_of(Bench *bench, const ImgView *picture, ImgError *err);

#endif
