/* Reads and writes single samples of any depth at any address. Meant for reference implementations
 * and other code in which speed does not matter. */
#ifndef IMGTOOL_KERNELS_CORE_SAMPLE_H
#define IMGTOOL_KERNELS_CORE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Type of the 16-bit samples of a picture whose rows may begin at odd addresses. */
typedef uint16_t ImgSample16 __attribute__((aligned(1), may_alias));

/* Returns sample number `index` of an array, which need not be aligned. Samples have `bits` bits,
 * at most 16. */
static inline uint32_t img_sample(const uint8_t *samples, size_t index, int bits)
{
    if (bits < 16)
        return samples[index];
    uint16_t sample;
    memcpy(&sample, samples + 2 * index, sizeof sample);
    return sample;
}

static inline void img_sample_set(uint8_t *samples, size_t index, int bits, uint32_t value)
{
    uint16_t sample = (uint16_t)value;
    if (bits < 16)
        samples[index] = (uint8_t)value;
    else
        memcpy(samples + 2 * index, &sample, sizeof sample);
}

#endif
