/* Reading device memory, and nothing else: the rate that measurements are compared to, and how
 * other data are brought into the second-level cache. */
#ifndef IMGTOOL_APP_BENCH_TIMING_PLAIN_READ_H
#define IMGTOOL_APP_BENCH_TIMING_PLAIN_READ_H

#include <stddef.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads `size` bytes from a 16-byte boundary. `out` is a word that is written only if the data
 * happen to add up to one number, so that the compiler cannot leave out the loads. */
ImgStatus img_plain_read(const void *from, size_t size, void *out, void *stream, ImgError *err);

/* Leaves the cache full of `memory`, which is several times larger and whose words are all equal.
 * Reading does it, not writing: the cache would have to write back what it holds while the next
 * kernel runs, some 5 us on an H100, which Nsight Compute does not count either. */
ImgStatus img_fill_cache(void *memory, size_t size, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
