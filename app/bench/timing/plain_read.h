/* Kernels that only read device memory. Their speed is the upper bound for operations that measure
 * a picture. They also fill the L2 cache with other data. */
#ifndef IMGTOOL_APP_BENCH_TIMING_PLAIN_READ_H
#define IMGTOOL_APP_BENCH_TIMING_PLAIN_READ_H

#include <stddef.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads `size` bytes from the address `from`, a multiple of 16. If the data have one particular
 * sum, the kernel writes a word to `out`, so that the compiler cannot remove the reads. */
ImgStatus img_plain_read(const void *from, size_t size, void *out, void *stream, ImgError *err);

/* Fills the L2 cache with the data at `memory`, which are several times larger than the cache. All
 * their words must be equal. The function reads the data instead of writing them. The cache would
 * write back written data while the next kernel runs. (That takes about 5 us on an H100, and Nsight
 * Compute does not count it.) */
ImgStatus img_fill_cache(void *memory, size_t size, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
