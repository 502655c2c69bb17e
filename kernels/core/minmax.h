/* Minimum and maximum of two integers, one function for each type. For doubles use fmin and
 * fmax. */
#ifndef IMGTOOL_KERNELS_CORE_MINMAX_H
#define IMGTOOL_KERNELS_CORE_MINMAX_H

#include <stddef.h>
#include <stdint.h>

static inline int32_t img_min32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t img_max32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline size_t img_min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline uint64_t img_min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t img_max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
