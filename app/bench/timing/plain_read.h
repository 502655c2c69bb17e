/* Kernels that only read device memory. They give the limit for operations that measure pictures,
 * and fill the L2 cache with other data. */
#ifndef IMGTOOL_APP_BENCH_TIMING_PLAIN_READ_H
#define IMGTOOL_APP_BENCH_TIMING_PLAIN_READ_H

#include <stddef.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads `size` bytes from a 16-byte boundary. `out` is a word that is written only if the data have
 * one special sum, so that the compiler cannot remove the loads. */
ImgStatus img_plain_read(const void *from, size_t size, void *out, void *stream, ImgError *err);

/* Fills the cache with `memory`, which is several times larger and whose words are all equal. It
 * reads instead of writing: after writing, the cache would write back its data while the next
 * kernel runs, about 5 us on an H100 that Nsight Compute does not count. */
ImgStatus img_fill_cache(void *memory, size_t size, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
