/* The picture that is read while something is timed, kept from one thing to the next. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_SOURCE_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_SOURCE_H

#include "kernels/core/op.h"

/* Starts as all zeros, and ends with bench_source_free. */
typedef struct BenchSource {
    ImgBackend backend;
    ImgImage image;  /* on the host */
    void *on_device; /* of IMG_BACKEND_CUDA: a copy */
} BenchSource;

/* Makes it a picture of that shape and contents, unless it is. */
ImgStatus bench_source_need(BenchSource *source, ImgShape shape, ImgBackend backend,
                            const char *fill, uint64_t seed, ImgError *err);
void bench_source_free(BenchSource *source);

/* Host memory for a picture; for one that goes to a device, in rows as the executor lays them. */
ImgStatus bench_alloc_picture(ImgShape shape, bool on_device, ImgImage *image, ImgError *err);

#endif
