/* Limits for CPU implementations: a copy, and a plain read of the same number of bytes, with the
 * same number of threads. */
#ifndef IMGTOOL_APP_BENCH_TIMING_HOST_LIMITS_H
#define IMGTOOL_APP_BENCH_TIMING_HOST_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/parallel/parallel.h"

void img_host_copy(uint8_t *to, const uint8_t *from, size_t size, ImgTeam *team, int threads);

/* Reads the data and returns the sum of all words. The caller must use the sum, otherwise a
 * compiler may remove the reads. */
uint64_t img_host_read(const uint8_t *from, size_t size, ImgTeam *team, int threads);

#endif
