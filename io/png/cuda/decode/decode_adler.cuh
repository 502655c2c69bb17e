/* The Adler-32 of all bytes (RFC 1950): their sum, and their sum weighted by how many there are
 * from each on. Whole numbers add up the same in any order. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_ADLER_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_ADLER_CUH

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/decode/decode_work.h"

constexpr uint32_t ADLER_MODULUS = 65521;

/* Of a thread's bytes. */
struct AdlerSums {
    uint32_t sum;
    uint64_t weighted;

    /* Eight bytes, those behind the last one zeros; there are `count` from the first one on. */
    __device__ void add(uint2 bytes, uint32_t count)
    {
        const uint32_t ones = 0x01010101u;
        uint32_t all = __dp4a(bytes.x, ones, __dp4a(bytes.y, ones, 0u));
        uint32_t less = __dp4a(bytes.x, 0x03020100u, __dp4a(bytes.y, 0x07060504u, 0u));
        sum += all;
        weighted += (uint64_t)all * count - less;
    }

    /* What all threads of a block have, once for the block: atomic operations in one place are
     * slow. `room` is zeros. */
    __device__ void give(const DecodeWork &work, uint32_t room[2]) const
    {
        /* The sums of 32 remainders fit 32 bits, and so do those of all warps. */
        uint32_t of_warp = warp_sum(sum), rest = warp_sum((uint32_t)(weighted % ADLER_MODULUS));
        if (threadIdx.x % 32 == 0) {
            atomicAdd(&room[0], of_warp);
            atomicAdd(&room[1], rest);
        }
        __syncthreads();
        if (threadIdx.x > 0)
            return;
        atomicAdd(&work.counters->sum, (unsigned long long)room[0]);
        atomicAdd(&work.counters->weighted, (unsigned long long)room[1]);
    }
};

#endif
