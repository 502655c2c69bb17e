/* A step on a picture, ready to be run by any row on either backend and checked against the
 * reference. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_H
#define IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_H

#include "app/bench/report.h"
#include "app/bench/timing/device.h"

/* Start with WORKLOAD_NONE, end with workload_free. */
typedef struct Workload {
    const ImgStep *step;
    const ImgView *src; /* borrowed; in host memory */
    ImgShape result;    /* a table of counts for measurements */
    bool measures;
    ImgImage expected, got; /* what the reference gave, and some row */
    ImgTeam *team;
    int threads;
    ImgDevice *device; /* NULL: CPU rows only */
    void *device_src, *device_dst;
    void *room, *device_room; /* the other end of copies, where the pictures differ in size */
    uint8_t *staging;         /* a picture as it lies on the device */
    ImgCall call;             /* of the row that runs */
    uint64_t read;            /* of plain reads: nobody asks for it */
} Workload;

#define WORKLOAD_NONE ((Workload){.expected = IMG_IMAGE_NONE, .got = IMG_IMAGE_NONE})

/* Most bytes of host memory that a workload takes, its source included. */
ImgStatus workload_bytes(const ImgStep *step, ImgShape src, uint64_t *bytes, ImgError *err);

/* Allocates and runs the reference. */
ImgStatus workload_open(const ImgStep *step, const ImgView *src, int threads, Workload *workload,
                        ImgError *err);

/* Brings the picture to the device, for CUDA rows. */
ImgStatus workload_upload(Workload *workload, ImgDevice *device, ImgError *err);

void workload_free(Workload *workload);

/* Bytes that a run of the limit moves: a copy of as much as both pictures have, a read of all. */
uint64_t workload_limit_bytes(const Workload *workload);

/* IMG_E_MISMATCH names the first row of pixels that differs; both are of one shape. */
ImgStatus workload_compare(const ImgView *expected, const ImgView *got, ImgError *err);

/* Runs the row once and compares; the reference itself does not run again. */
ImgStatus workload_check(Workload *workload, const ImgImpl *impl, ImgError *err);

/* Seconds of a run, the mean of `repeats`; of the limit where `impl` is NULL, on the backend that
 * is named. */
ImgStatus workload_time(Workload *workload, const ImgImpl *impl, ImgBackend backend,
                        ImgCaches caches, int repeats, double *seconds, ImgError *err);

#endif
