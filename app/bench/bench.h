/* State of one benchmark run: its plan, device, results and callbacks. */
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
    int threads;             /* threads of CPU rows */
    ImgDevice *device;       /* NULL: there is no GPU, or none is wanted */
    bool modelled;           /* no GPU: CUDA rows exist so that `complete` can count them */
    BenchCounters *counters; /* measured counters of the lab; NULL: counts come from the model */
    BenchReport report;
    bool (*stopped)(void);
    /* Called before a step that takes a moment: "rotate angle=90, rgb8 4001x3001, cuda". */
    void (*begins)(const Bench *bench, const char *what);
    /* Completes a group before it is finished; NULL: nothing to complete. */
    ImgStatus (*complete)(Bench *bench, BenchGroup *group, const ImgStep *step, ImgFormat format,
                          ImgError *err);
    const void *completing; /* argument of `complete` */
    /* Called when a group is finished; it may be printed. */
    void (*finished)(const Bench *bench, const BenchGroup *group);
};

/* Returns one step of the GPU's clock as a part of the clock; 0 without a GPU. GPUs change their
 * clock in steps of 15 MHz, mostly between runs. This is the minimum noise: of two runs of 357 CUDA
 * rows on an H100, 96 % agree within their noise with it, and 87 % without. */
double bench_clock_step(const Bench *bench);

/* Measures the operations of the plan: one group per operation, format, size and backend. Rows that
 * fail or differ from the reference are in the report. The status covers the whole: memory, a size
 * over the limits, an operation that does not support the request. */
ImgStatus bench_ops(Bench *bench, ImgError *err);

/* The same with one picture, whose format and size replace those of the plan. */
ImgStatus bench_ops_of(Bench *bench, const ImgView *picture, ImgError *err);

#endif
