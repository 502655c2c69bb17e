/* A workload is an operation and a picture to which it is applied. Runs any implementation of the
 * operation, on the CPU or the GPU, and compares the result with an expected one. For `imgtool
 * bench` and tests/checkkernels. */
#ifndef IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_H
#define IMGTOOL_APP_BENCH_MEASURE_WORKLOAD_H

#include "app/bench/report.h"
#include "app/bench/timing/device.h"
#include "kernels/core/image.h"

/* --- Workloads -------------------------------------------------------------------------------- */

/* What a workload runs. All pointers are borrowed. */
typedef struct WorkloadConfig {
    const ImgOp *op;
    const void *params;
    const ImgView *src; /* source picture, in host memory */
    /* shape of the result, and constants of the operation; NULL: workload_open finds them */
    const ImgShape *result;
    const ImgConstants *constants;
    ImgTeam *team; /* NULL: the workload makes its own */
    int threads;
} WorkloadConfig;

/* An operation, its source picture, and the memory for the results. Initialise with WORKLOAD_NONE;
 * end with workload_free. */
typedef struct Workload {
    WorkloadConfig config;
    ImgShape result; /* shape of the result; a table of counts if the operation is a measurement */
    bool measures;
    /* result of the implementation `standard`, and of the implementation that was checked last */
    ImgImage expected, got;
    const ImgImpl *standard; /* NULL: another program computes `expected` */
    ImgTeam *own_team;       /* NULL if the team is the caller's */
    ImgDevice *device;       /* device of the CUDA variants; NULL: only CPU variants are measured */
    void *device_src, *device_dst;
    /* buffers in host and device memory for the copy that measures the limit (see below); NULL
     * unless source and result differ in size */
    void *room, *device_room;
    uint8_t *staging;       /* host copy of a picture, with the pitch of the device */
    ImgConstants constants; /* constants that workload_open prepared */
    ImgCall call;           /* arguments of the implementation that runs */
    /* sum of the bytes that plain reads returned. Its use prevents the compiler from removing the
     * reads */
    uint64_t read;
} Workload;

#define WORKLOAD_NONE ((Workload){.expected = IMG_IMAGE_NONE, .got = IMG_IMAGE_NONE})

/* Computes the peak of host memory for the workload in bytes, including the source picture. */
ImgStatus workload_bytes(const ImgStep *step, ImgShape src, uint64_t *bytes, ImgError *err);

/* Allocates the memory of the workload. workload_free must be called even after a failure. */
ImgStatus workload_open(const WorkloadConfig *config, Workload *workload, ImgError *err);

/* Computes the expected result on the CPU, with the implementation `standard`. */
ImgStatus workload_expect(Workload *workload, const ImgImpl *standard, ImgError *err);

/* Copies the source picture to the device. Must be called before CUDA implementations run. */
ImgStatus workload_upload(Workload *workload, ImgDevice *device, ImgError *err);

void workload_free(Workload *workload);

/* Returns the number of bytes that one run of the limit moves. For a copy it is the size of source
 * and result together. For a read it is the size of the source. */
uint64_t workload_limit_bytes(const Workload *workload);

/* Compares two pictures of the same shape. Fails with IMG_E_MISMATCH if they differ; the message
 * names the first row of pixels that differs. */
ImgStatus workload_compare(const ImgView *expected, const ImgView *got, ImgError *err);

/* Runs the implementation once, and compares its result with the expected one. Does nothing if
 * `impl` has computed that itself. */
ImgStatus workload_check(Workload *workload, const ImgImpl *impl, ImgError *err);

/* Runs the implementation `repeats` times, and sets *seconds to the mean time of a run. If `impl`
 * is NULL, it times the limit (a copy or a plain read) on `backend`. */
ImgStatus workload_time(Workload *workload, const ImgImpl *impl, ImgBackend backend,
                        ImgCaches caches, int repeats, double *seconds, ImgError *err);

/* --- The limit -------------------------------------------------------------------------------- */
/* The limit is an upper bound for the speed of an operation. It is a copy of the same number of
 * bytes. For an operation that measures the picture it is a plain read of all bytes. */

/* Returns the size of all pixels in bytes, without the padding of rows. */
size_t limit_packed_bytes(ImgShape shape);

bool limit_is_read(ImgShape result);

/* Returns the sum of the bytes that one run of the limit (a copy or a plain read) reads and
 * writes. */
uint64_t limit_bytes(ImgShape src, ImgShape result);

/* Returns the size in bytes of the buffer `room` for the limit's copy. It is needed if source and
 * result differ in size, because the copy then runs between the larger of the two and `room`.
 * Returns 0 if it is not needed. */
size_t limit_room_bytes(ImgShape src, ImgShape result);

/* Returns the parameters of the limit's copy. It runs from the source to the result, or between the
 * larger of them and the buffer `room`. */
ImgDeviceCopy limit_copy(ImgShape src, ImgShape result, const void *from, void *to, void *room);

/* --- The picture ------------------------------------------------------------------------------ */

/* Fills a picture so that it resembles a photo. Areas of 16 KiB have similar values, and each
 * sample has noise of 1/64 of the range. The same seed and shape give the same picture on every
 * machine. `view` must own all bytes of every row, including the padding, which is set to 0. Tables
 * of counts cannot be filled. */
void bench_fill_photo(const ImgView *view, uint64_t seed);

#endif
