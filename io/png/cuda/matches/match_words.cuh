/* Private: loads words from unaligned addresses. The loads themselves are aligned, so they also
 * read up to three bytes before the word and up to three bytes after it. */
#ifndef IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_WORDS_CUH
#define IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_WORDS_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

/* Returns the eight bytes at data[at], with the first byte in the lowest bits. */
static __device__ inline uint64_t match_word(const uint8_t *data, uint32_t at)
{
    const uint8_t *bytes = data + at;
    const unsigned shift = (unsigned)((uintptr_t)bytes & 3);
    const uint32_t *words = reinterpret_cast<const uint32_t *>(bytes - shift);
    const uint32_t middle = words[1], last = shift == 0 ? 0 : words[2];
    const uint32_t low = __funnelshift_r(words[0], middle, 8 * shift);
    const uint32_t high = __funnelshift_r(middle, last, 8 * shift);
    return (uint64_t)high << 32 | low;
}

/* Compares the four bytes of `a` with the four bytes of `b`. Returns four bits; bit i is set if
 * byte i is the same in `a` and `b`. */
static __device__ inline uint32_t match_alike(uint32_t a, uint32_t b)
{
    constexpr uint32_t LOW = 0x7F7F7F7F;
    const uint32_t unlike = a ^ b;
    /* the top bit of a byte is set if the byte is equal in both words */
    const uint32_t alike = ~(((unlike & LOW) + LOW) | unlike | LOW);
    return alike * 0x00204081 >> 28;
}

#endif
