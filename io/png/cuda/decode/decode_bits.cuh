/* Reads bits of the compressed stream. Each thread has its own reader. Also defines the values of
 * cells; a cell stands for one inflated byte. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_BITS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_BITS_CUH

#include "io/png/cuda/decode/decode_job.h"
#include "kernels/core/cuda/cuda_launch.cuh"

/* The next 64 bits of the stream. */
struct Window {
    uint32_t low, high;

    /* Skips `some` bits, at most 31. Zeros follow the last of the 64 bits. */
    __device__ void drop(uint32_t some)
    {
        low = __funnelshift_r(low, high, some);
        high >>= some;
    }
};

/* Reads the bits of the stream from a given position onwards. Past the last word, it reads zeros.
 * `low` and `high` are the words from which bits are taken. `ahead` is the next word, loaded early,
 * so that the load has completed when the word is needed. */
struct Reader {
    const uint32_t *words;
    /* `last`: index of the last word of `words`, which is zero. `at`: position of the next bit to
     * read, counted from the start of the stream. */
    uint32_t last, at;
    uint32_t low, high, ahead;

    __device__ void start(const DecodeJob &job, uint32_t from)
    {
        words = job.stream;
        last = job.stream_words - 1;
        move(from);
    }
    __device__ uint32_t word(uint32_t index) const
    {
        return words[min(index, last)];
    }
    __device__ void move(uint32_t to)
    {
        at = to;
        low = word(at / 32);
        high = word(at / 32 + 1);
        ahead = word(at / 32 + 2);
    }
    /* Returns the next 32 bits of the stream without skipping them. */
    __device__ uint32_t peek() const
    {
        return __funnelshift_r(low, high, at % 32);
    }
    __device__ Window window() const
    {
        return {peek(), __funnelshift_r(high, ahead, at % 32)};
    }
    /* Skips `some` bits of the stream, at most 64. */
    __device__ void skip(uint32_t some)
    {
        const uint32_t before = at / 32;
        at += some;
        const uint32_t moved = at / 32 - before;
        if (moved == 0)
            return;
        low = moved == 1 ? high : ahead;
        high = moved == 1 ? ahead : word(at / 32 + 1);
        ahead = word(at / 32 + 2);
    }
    /* Skips `some` bits of the stream, at most 32. */
    __device__ void drop(uint32_t some)
    {
        uint32_t before = at;
        at += some;
        if (before / 32 == at / 32)
            return;
        low = high;
        high = ahead;
        ahead = word(at / 32 + 2);
    }
    /* Returns the next `some` bits of the stream, at most 31, and skips them. */
    __device__ uint32_t take(uint32_t some)
    {
        uint32_t value = peek() & ((1u << some) - 1);
        drop(some);
        return value;
    }
};

__device__ inline void decode_fail(const DecodeJob &job, uint32_t failures)
{
    atomicOr(&job.counters->failures, failures);
}

/* Returns true if an earlier kernel recorded a failure; later kernels then do nothing. A failure of
 * the running kernel may not be visible yet. */
__device__ inline bool decode_has_failed(const DecodeJob &job)
{
    return job.counters->failures != 0;
}

/* --- The values of cells ---------------------------------------------------------------------- */

/* A cell holds one byte of the inflated stream: the byte itself, or a
 * reference to an earlier byte. */

/* A value below CELLS_OF_BYTES is a byte. A value of CELL_COPY or more is a copy of the byte at
 * distance value - CELL_COPY + 1. This distance counts back from the cell itself or, after its tile
 * (decode_copies.cu) was resolved, from the start of the tile.
 *
 * Values from CELLS_OF_BYTES to CELL_COPY - 1 occur only while a tile is being resolved. Such a
 * value refers to the cell with index value - CELLS_OF_BYTES in the same tile. */
constexpr uint32_t CELLS_OF_BYTES = 256, CELL_COPY = 0x8000, MOST_BACK = 0x8000;
static_assert(CELLS_OF_BYTES + DECODE_TILE <= CELL_COPY, "a tile's cells have numbers");

#endif
