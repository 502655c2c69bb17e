/* A step on a picture, for running any row on either backend and checking it against the
 * reference. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_H
#define IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_H

#include "app/bench/report.h"
#include "app/bench/timing/device.h"

/* Initialise with WORKLOAD_NONE; end with workload_free. */
typedef struct Workload {
    const ImgStep *step;
    const ImgView *src; /* borrowed; in host memory */
    ImgShape result;    /* a table of counts for measurements */
    bool measures;
    ImgImage expected, got; /* results of the reference, and of a row */
    ImgTeam *team;
    int threads;
    ImgDevice *device; /* NULL: CPU rows only */
    void *device_src, *device_dst;
    void *room, *device_room; /* buffers for the limit's copy if the pictures differ in size */
    uint8_t *staging;         /* a picture in the layout of the device */
    ImgCall call;             /* arguments of the running row */
    uint64_t read;            /* sum of plain reads, so that they are not optimised away */
} Workload;

#define WORKLOAD_NONE ((Workload){.expected = IMG_IMAGE_NONE, .got = IMG_IMAGE_NONE})

/* Computes the peak host memory in bytes, with the source. */
ImgStatus workload_bytes(const ImgStep *step, ImgShape src, uint64_t *bytes, ImgError *err);

/* Allocates, and runs the reference. */
ImgStatus workload_open(const ImgStep *step, const ImgView *src, int threads, Workload *workload,
                        ImgError *err);

/* Copies the picture to the device, for CUDA rows. */
ImgStatus workload_upload(Workload *workload, ImgDevice *device, ImgError *err);

void workload_free(Workload *workload);

/* Returns the bytes that one run of the limit moves: a copy of as many bytes as both pictures have,
 * or a read of all. */
uint64_t workload_limit_bytes(const Workload *workload);

/* Compares pictures of one shape. IMG_E_MISMATCH names the first row of pixels that differs. */
ImgStatus workload_compare(const ImgView *expected, const ImgView *got, ImgError *err);

/* Runs the row once and compares the result; does nothing for the reference. */
ImgStatus workload_check(Workload *workload, const ImgImpl *impl, ImgError *err);

/* Returns the mean seconds of `repeats` runs. `impl` NULL means the limit on `backend`. */
ImgStatus workload_time(Workload *workload, const ImgImpl *impl, ImgBackend backend,
                        ImgCaches caches, int repeats, double *seconds, ImgError *err);

#endif
