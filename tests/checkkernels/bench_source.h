/* The source picture of a benchmark, which is kept for the following ones. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_SOURCE_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_SOURCE_H

#include "kernels/core/op.h"

/* Initialise with zeros and free with bench_source_free. */
typedef struct BenchSource {
    ImgBackend backend;
    ImgImage image;  /* the picture on the host */
    void *on_device; /* its copy on the device for IMG_BACKEND_CUDA */
} BenchSource;

/* Makes a picture of that shape and content, unless it already is. */
ImgStatus bench_source_need(BenchSource *source, ImgShape shape, ImgBackend backend,
                            const char *fill, uint64_t seed, ImgError *err);
void bench_source_free(BenchSource *source);

/* Allocates host memory for a picture. A picture for a device gets the row layout of the
 * executor. */
ImgStatus bench_alloc_picture(ImgShape shape, bool on_device, ImgImage *image, ImgError *err);

#endif
