/* Upper bounds for the speed of operations on the CPU: a copy and a plain read of memory, with as
 * many threads as the operation. */
#ifndef IMGTOOL_APP_BENCH_TIMING_HOST_LIMITS_H
#define IMGTOOL_APP_BENCH_TIMING_HOST_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/parallel/parallel.h"

void img_host_copy(uint8_t *to, const uint8_t *from, size_t size, ImgTeam *team, int threads);

/* Reads `size` bytes and returns the sum of their words. The caller must use the sum, because
 * otherwise the compiler may remove the reads. */
uint64_t img_host_read(const uint8_t *from, size_t size, ImgTeam *team, int threads);

#endif
