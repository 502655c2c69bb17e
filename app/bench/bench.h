/* One run of the benchmark: what is asked for, what it runs on, who gets the results. */
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
    int threads;             /* of CPU rows */
    ImgDevice *device;       /* NULL: there is none, or it is not wanted */
    bool modelled;           /* without a GPU, CUDA rows are there for `complete` to count */
    BenchCounters *counters; /* of the lab, measured; NULL: modelled ones are used */
    BenchReport report;
    bool (*stopped)(void);
    /* Something begins that takes a moment: "rotate angle=90, rgb8 4001x3001, cuda". */
    void (*begins)(const Bench *bench, const char *what);
    /* Completes a group before it is finished; NULL: it is complete. */
    ImgStatus (*complete)(Bench *bench, BenchGroup *group, const ImgStep *step, ImgFormat format,
                          ImgError *err);
    const void *completing; /* whatever that needs */
    /* A group is finished, and may be printed. */
    void (*finished)(const Bench *bench, const BenchGroup *group);
};

/* One step of the GPU's clock, as a part of it. GPUs change their clock by 15 MHz at a time, for a
 * run as a whole rather than within it; of two runs of 357 CUDA rows on an H100, 96 % agreed within
 * their noise with this as the least, 87 % without. 0 without a GPU. */
double bench_clock_step(const Bench *bench);

/* Measures the operations of the plan, a group for each with each format and size on each backend.
 * Rows that fail, or differ from the reference, are rows of the report; what is returned is about
 * the whole: no memory, a size over the limits, an operation that cannot do what is asked. */
ImgStatus bench_ops(Bench *bench, ImgError *err);

/* The same with one picture, whose format and size are those of the plan then. */
ImgStatus bench_ops_of(Bench *bench, const ImgView *picture, ImgError *err);

#endif
