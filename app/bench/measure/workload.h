/* A step and a picture. Runs any implementation of the step on either backend, and checks it
 * against the reference. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_H
#define IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_H

#include "app/bench/report.h"
#include "app/bench/timing/device.h"

/* --- Workloads -------------------------------------------------------------------------------- */

/* Initialise with WORKLOAD_NONE; end with workload_free. */
typedef struct Workload {
    const ImgStep *step;
    const ImgView *src; /* source picture, borrowed, in host memory */
    ImgShape result;    /* shape of the result; for measurements it is a table of counts */
    bool measures;
    ImgImage expected, got; /* result of the reference, and result of the row that ran last */
    ImgTeam *team;
    int threads;
    ImgDevice *device; /* device of CUDA rows; NULL: only CPU rows can run */
    void *device_src, *device_dst;
    /* additional buffers for the copy of the limit if the pictures differ in size */
    void *room, *device_room;
    uint8_t *staging; /* buffer for a picture in the layout of the device */
    ImgCall call;     /* arguments of the row that runs */
    /* sum of the bytes of plain reads; using it keeps the compiler from removing the reads */
    uint64_t read;
} Workload;

#define WORKLOAD_NONE ((Workload){.expected = IMG_IMAGE_NONE, .got = IMG_IMAGE_NONE})

/* Computes the peak host memory in bytes, including the source. */
ImgStatus workload_bytes(const ImgStep *step, ImgShape src, uint64_t *bytes, ImgError *err);

/* Allocates the memory and runs the reference. */
ImgStatus workload_open(const ImgStep *step, const ImgView *src, int threads, Workload *workload,
                        ImgError *err);

/* Copies the source to the device. Needed for CUDA rows. */
ImgStatus workload_upload(Workload *workload, ImgDevice *device, ImgError *err);

void workload_free(Workload *workload);

/* Returns the number of bytes that one run of the limit moves: as many as both pictures have, for a
 * copy; or those of the source, for a read. */
uint64_t workload_limit_bytes(const Workload *workload);

/* Compares two pictures of one shape. IMG_E_MISMATCH, with the first row of pixels that differs. */
ImgStatus workload_compare(const ImgView *expected, const ImgView *got, ImgError *err);

/* Runs the implementation once and compares its result with the reference's. Does nothing for the
 * reference itself. */
ImgStatus workload_check(Workload *workload, const ImgImpl *impl, ImgError *err);

/* Sets *seconds to the mean time of `repeats` runs. `impl` NULL stands for the limit on
 * `backend`. */
ImgStatus workload_time(Workload *workload, const ImgImpl *impl, ImgBackend backend,
                        ImgCaches caches, int repeats, double *seconds, ImgError *err);

/* --- The limit: limit.c ----------------------------------------------------------------------- */
/* An upper bound for the speed of an operation: a copy of as many bytes, or a plain read of all
 * bytes if the operation measures the picture. */

/* Returns the size of the pixels in bytes, without gaps between rows. */
size_t limit_packed_bytes(ImgShape shape);

bool limit_is_read(ImgShape result);

/* Returns the number of bytes that one run of the limit reads and writes. */
uint64_t limit_bytes(ImgShape src, ImgShape result);

/* Returns the size in bytes of the additional buffer that the copy needs if the pictures differ in
 * size: the larger picture is copied to or from it. Otherwise 0. */
size_t limit_room_bytes(ImgShape src, ImgShape result);

/* Returns the parameters of the copy: between the two pictures, or between the larger one and the
 * additional buffer `room`. */
ImgDeviceCopy limit_copy(ImgShape src, ImgShape result, const void *from, void *to, void *room);

#endif
