/* Bits of the stream, as one thread reads them. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_BITS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_BITS_CUH

#include "io/png/cuda/decode/decode_work.h"
#include "kernels/core/cuda/cuda_launch.cuh"

/* Past the last word it reads zeros. The word behind the two that are looked at is asked for when
 * they are: it has come by the time it is needed. */
struct Reader {
    const uint32_t *words;
    uint32_t last, at; /* the number of the last word, which is zero; the next bit */
    uint32_t low, high, ahead;

    __device__ void start(const DecodeWork &work, uint32_t from)
    {
        words = work.stream;
        last = work.stream_words - 1;
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
    /* The next 32 bits. */
    __device__ uint32_t peek() const
    {
        return __funnelshift_r(low, high, at % 32);
    }
    /* At most 32. */
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
    /* At most 31. */
    __device__ uint32_t take(uint32_t some)
    {
        uint32_t value = peek() & ((1u << some) - 1);
        drop(some);
        return value;
    }
};

__device__ inline void decode_doubt(const DecodeWork &work, uint32_t doubts)
{
    atomicOr(&work.counters->doubts, doubts);
}

/* Nothing that comes after a doubt matters. Only for what kernels before have written. */
__device__ inline bool decode_is_over(const DecodeWork &work)
{
    return work.counters->doubts != 0;
}

#endif
