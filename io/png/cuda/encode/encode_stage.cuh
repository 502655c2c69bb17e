/* Private to encode_put and encode_put_matches: collects the bits that a thread block writes to a
 * part of the output. Bits are combined into words in shared memory, and whole words are stored in
 * the output. The first and last words also contain bits of the neighbouring parts, so they are
 * written with atomicOr. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_STAGE_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_ENCODE_STAGE_CUH

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/encode/encode_job.h"

constexpr int THREADS = 256, WARPS = THREADS / 32;
constexpr uint32_t OPENING_BITS = 3;

/* Output words that are being combined in shared memory. */
struct Stage {
    uint32_t *words, *output;
    uint64_t first; /* index in the output of the part's first word */
    uint64_t base;  /* index in the output of words[0] */
};

__device__ inline void put(const Stage &stage, uint64_t bit, uint32_t bits, uint32_t count)
{
    uint32_t at = (uint32_t)(bit / 32 - stage.base);
    uint64_t both = (uint64_t)bits << bit % 32;
    if (count > 0)
        atomicOr(stage.words + at, (uint32_t)both);
    if (bit % 32 + count > 32)
        atomicOr(stage.words + at + 1, (uint32_t)(both >> 32));
}

/* Stores the whole words before bit `bit` in the output, and moves the remaining bits to the start
 * of the stage. */
__device__ inline void flush(Stage *stage, uint64_t bit)
{
    uint32_t whole = (uint32_t)(bit / 32 - stage->base);
    __syncthreads();
    uint32_t rest = stage->words[whole];
    for (uint32_t i = threadIdx.x; i < whole; i += THREADS) {
        uint32_t *to = stage->output + stage->base + i;
        if (stage->base + i == stage->first)
            atomicOr(to, stage->words[i]);
        else
            *to = stage->words[i];
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i <= whole; i += THREADS)
        stage->words[i] = i == 0 ? rest : 0;
    stage->base += whole;
    __syncthreads();
}

__device__ inline void put_header(const uint32_t *words, uint32_t bits, const Stage &stage,
                                  uint64_t bit)
{
    for (uint32_t at = threadIdx.x * 32; at < bits; at += THREADS * 32)
        put(stage, bit + at, words[at / 32], bits - at < 32 ? bits - at : 32);
}

/* Writes the empty stored block that ends a strip, from bit `bit` up to a whole byte. Called by one
 * thread. */
__device__ inline void put_strip_end(const Stage &stage, uint64_t bit)
{
    uint64_t frame = (bit + OPENING_BITS + 7) / 8 * 8;
    put(stage, frame + 16, 0xFFFF, 16);
}

/* Returns the bit position after the output of this thread block: the end of the strip if
 * `ends_strip` is true, otherwise `bit`. */
__device__ inline uint64_t end_of_strip(bool ends_strip, bool is_last, uint64_t bit)
{
    if (!ends_strip)
        return bit;
    return is_last ? (bit + 7) / 8 * 8 : (bit + OPENING_BITS + 7) / 8 * 8 + 32;
}

__device__ inline void put_last_word(Stage *stage, uint64_t end)
{
    flush(stage, end);
    if (threadIdx.x == 0 && end % 32 != 0)
        atomicOr(stage->output + stage->base, stage->words[0]);
}

#endif
