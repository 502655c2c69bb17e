/* Computes the Adler-32 of all inflated bytes (RFC 1950) from two totals. The first is the sum of
 * the bytes. The second is the sum of each byte times the number of bytes from it to the end. Both
 * are integer sums, so they do not depend on the order of the additions. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_ADLER_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_ADLER_CUH

#include "io/png/cuda/cooperation.cuh"
#include "io/png/cuda/decode/decode_job.h"

constexpr uint32_t ADLER_MODULUS = 65521;

/* The contributions of one thread to the two totals from which the Adler-32 is computed. */
struct AdlerSums {
    uint32_t sum;
    uint64_t weighted;

    /* Adds eight bytes; bytes past the end of the data must be 0. `count` is the number of bytes
     * from the first of the eight to the end of the data. */
    __device__ void add(uint2 bytes, uint32_t count)
    {
        const uint32_t ones = 0x01010101u;
        uint32_t all = __dp4a(bytes.x, ones, __dp4a(bytes.y, ones, 0u));
        uint32_t less = __dp4a(bytes.x, 0x03020100u, __dp4a(bytes.y, 0x07060504u, 0u));
        sum += all;
        weighted += (uint64_t)all * count - less;
    }

    /* Adds the sums of all threads of a block to the totals. Uses one atomic operation per block
     * and total, because atomic operations on one address are slow. `scratch` must be zero. */
    __device__ void give(const DecodeJob &job, uint32_t scratch[2]) const
    {
        /* 32 bits are enough for the sum of the 32 remainders of a warp, and for the sum over all
         * warps. */
        uint32_t of_warp = warp_sum(sum), rest = warp_sum((uint32_t)(weighted % ADLER_MODULUS));
        if (threadIdx.x % 32 == 0) {
            atomicAdd(&scratch[0], of_warp);
            atomicAdd(&scratch[1], rest);
        }
        __syncthreads();
        if (threadIdx.x > 0)
            return;
        atomicAdd(&job.counters->sum, (unsigned long long)scratch[0]);
        atomicAdd(&job.counters->weighted, (unsigned long long)scratch[1]);
    }
};

#endif
