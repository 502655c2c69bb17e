/* Private: codes for match lengths and distances (RFC 1951, 3.2.5), and the division of runs into
 * matches. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_TOKENS_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_TOKENS_CUH

#include "io/png/cuda/encode/encode_job.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace tokens
{

constexpr uint32_t RUN_LEAST = 8, MATCH_LEAST = 3, MATCH_MOST = 258;
constexpr int END_OF_BLOCK = 256, FIRST_LENGTH = 257, LENGTH_CODES = 29;

/* The encoding of a match length: a length code, the number of its extra bits, and their value. */
struct Length {
    uint32_t code; /* length code 0 to 28; its symbol is FIRST_LENGTH + code */
    uint32_t extra_bits, extra;
};

static __device__ inline Length length_of(uint32_t match)
{
    uint32_t above = match - MATCH_LEAST;
    if (match == MATCH_MOST)
        return {28, 0, 0};
    if (above < 8)
        return {above, 0, 0};
    uint32_t bits = 29 - (uint32_t)__clz((int)above);
    return {4 * bits + (above >> bits), bits, above & ((1u << bits) - 1)};
}

/* The encoding of a match distance: a distance code, the number of its extra bits, and their value.
 * From distance 5 upwards there are two codes for each power of two. */
struct Distance {
    uint32_t code; /* distance code 0 to 29 */
    uint32_t extra_bits, extra;
};

static __device__ inline Distance distance_of(uint32_t distance)
{
    const uint32_t above = distance - 1;
    if (above < 4)
        return {above, 0, 0};
    const uint32_t bits = 30 - (uint32_t)__clz((int)above);
    return {2 * bits + (above >> bits), bits, above & ((1u << bits) - 1)};
}

/* Returns the length of the next match in a run with `left` bytes left, as img_run_match does.
 * After this match either no bytes are left or enough for another match. */
static __device__ inline uint32_t match_of_run(uint32_t left)
{
    if (left <= MATCH_MOST)
        return left;
    return left >= MATCH_MOST + MATCH_LEAST ? MATCH_MOST : left - MATCH_LEAST;
}

/* Returns the index of the first set bit in [at, end), or of the first clear bit if `set` is false.
 * Returns `end` if there is no such bit. */
static __device__ inline uint32_t find_bit(const uint32_t *words, uint32_t at, uint32_t end,
                                           bool set)
{
    const uint32_t flip = set ? 0 : 0xFFFFFFFF;
    while (at < end) {
        uint32_t word = (words[at / 32] ^ flip) >> at % 32;
        if (word != 0) {
            at += (uint32_t)__ffs((int)word) - 1;
            return at < end ? at : end;
        }
        at = (at / 32 + 1) * 32;
    }
    return end;
}

} // namespace tokens

#endif
