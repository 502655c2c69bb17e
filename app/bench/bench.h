/* State of one run of `imgtool bench`: its plan, GPU, results and callbacks. report.h explains
 * groups, rows and limits. */
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
    ImgDevice *device; /* GPU to measure; NULL: there is none, or the user wants none */
    /* true if CUDA rows are wanted but there is no GPU. `complete` then counts the events of these
     * rows in the emulator */
    bool modelled;
    /* hardware counters measured for `imgtool bench lab`; NULL: the counts come from the
     * emulator */
    BenchCounters *counters;
    BenchReport report;
    bool (*stopped)(void);
    /* Called before each step that takes a noticeable time. `what` describes the step, for example
     * "rotate angle=90, rgb8 4001x3001, cuda". */
    void (*begins)(const Bench *bench, const char *what);
    /* Adds results other than times, such as counts, to a group that was measured. NULL: there are
     * none to add. */
    ImgStatus (*complete)(Bench *bench, BenchGroup *group, const ImgStep *step, ImgFormat format,
                          ImgError *err);
    const void *completing; /* additional argument for the function `complete` */
    /* Called when a group has all its results, so that the caller can print it. */
    void (*finished)(const Bench *bench, const BenchGroup *group);
};

/* Returns the size of one step of the GPU's clock relative to the clock itself; 0 without a GPU.
 * GPUs change their clock in steps of 15 MHz, mostly between runs, so one step is the minimum
 * noise. Experiment: two runs with 357 CUDA rows on an H100. With this minimum 96 % of the rows
 * agreed within their noise, without it 87 %. */
double bench_clock_step(const Bench *bench);

/* Measures the operations of the plan: one group per operation, format, size and backend. If a row
 * fails or differs from the reference, the report records that. Returns an error only if it
 * concerns the whole run. That is the case if memory is short, a size exceeds the limits, or an
 * operation that the user named does not support a format or size. */
ImgStatus bench_ops(Bench *bench, ImgError *err);

/* Same as bench_ops, but measures `picture` instead of generated pictures, with its format and size
 * instead of those in the plan. */
ImgStatus bench_ops_of(Bench *bench, const ImgView *picture, ImgError *err);

#endif
