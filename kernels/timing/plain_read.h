/* The rate that measurements are held against: device memory read, and nothing else. */
#ifndef IMGTOOL_KERNELS_TIMING_PLAIN_READ_H
#define IMGTOOL_KERNELS_TIMING_PLAIN_READ_H

#include <stddef.h>

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads `size` bytes from a 16-byte boundary. `out` is a word that is
 * written only if the data happen to add up to one number, so that the loads are not left out. */
ImgStatus img_plain_read(const void *from, size_t size, void *out, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
