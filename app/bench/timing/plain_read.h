/* Kernels that only read device memory. They are the limit for operations that measure pictures,
 * and they fill the L2 cache with other data. */
#ifndef IMGTOOL_APP_BENCH_TIMING_PLAIN_READ_H
#define IMGTOOL_APP_BENCH_TIMING_PLAIN_READ_H

#include <stddef.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads `size` bytes; `from` is a multiple of 16 bytes. `out` is a word that the kernel writes only
 * if the data have one special sum. The compiler therefore cannot remove the loads. */
ImgStatus img_plain_read(const void *from, size_t size, void *out, void *stream, ImgError *err);

/* Fills the L2 cache with the data in `memory`, which is several times larger and whose words are
 * all equal. Reads the data instead of writing them: after writing, the cache would write them back
 * to memory while the next kernel runs. That takes about 5 us on an H100, which Nsight Compute does
 * not count. */
ImgStatus img_fill_cache(void *memory, size_t size, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
