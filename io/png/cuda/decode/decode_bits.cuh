/* Bits of the stream, as one thread reads them. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_BITS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_BITS_CUH

#include "io/png/cuda/decode/decode_work.h"
#include "kernels/core/cuda/cuda_launch.cuh"

/* Past the last word it reads zeros. */
struct Reader {
    const uint32_t *words;
    uint32_t size, next; /* words */
    uint64_t bits;
    uint32_t count;

    __device__ void start(const DecodeWork &work, uint32_t at)
    {
        words = work.stream;
        size = work.stream_words;
        move(at);
    }
    __device__ void move(uint32_t at)
    {
        next = at / 32;
        bits = 0;
        count = 0;
        fill();
        fill();
        drop(at % 32);
        fill();
    }
    /* At least 33 bits from here on. */
    __device__ void fill()
    {
        if (count > 32)
            return;
        uint64_t word = next < size ? words[next] : 0;
        bits |= word << count;
        count += 32;
        next++;
    }
    __device__ void drop(uint32_t some)
    {
        bits >>= some;
        count -= some;
    }
    __device__ uint32_t take(uint32_t some)
    {
        uint32_t value = (uint32_t)bits & ((1u << some) - 1);
        drop(some);
        return value;
    }
    __device__ uint32_t position() const
    {
        return next * 32 - count;
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
