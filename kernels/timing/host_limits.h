/* What CPU rows are held against: a copy and a plain read of the same bytes by as many threads. */
#ifndef IMGTOOL_KERNELS_TIMING_HOST_LIMITS_H
#define IMGTOOL_KERNELS_TIMING_HOST_LIMITS_H

#include <stddef.h>
#include <stdint.h>

void img_host_copy(uint8_t *to, const uint8_t *from, size_t size, int threads);

/* A sum of all words, which the caller must use, or nothing need be read. */
uint64_t img_host_read(const uint8_t *from, size_t size, int threads);

#endif
