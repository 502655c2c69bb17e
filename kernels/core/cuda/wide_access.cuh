/* Access to 16 bytes at a time: loads, stores that stop at the end of a row, shifts of bytes, and
 * separation of pixels with three channels. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_WIDE_ACCESS_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_WIDE_ACCESS_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

constexpr int WIDE_BYTES = 16;

/* Loads the 16 bytes at `p` through the read-only path. Prefetches the 256 bytes around them into
 * the second-level cache, because the neighbouring tile needs the rest of them. */
__device__ inline uint4 load_wide(const uint8_t *p)
{
#if __CUDA_ARCH__ >= 800
    uint4 v;
    asm("ld.global.nc.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
        : "l"(p));
    return v;
#else
    return __ldg(reinterpret_cast<const uint4 *>(p));
#endif
}

/* Prefetches `bytes` bytes at `from` into the second-level cache; both arguments must be multiples
 * of 16. Does nothing before sm_90 and in the emulator. */
__device__ inline void announce_bytes(const uint8_t *from, uint32_t bytes)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
#else
    (void)from;
    (void)bytes;
#endif
}

__device__ inline void take_piece(uint32_t *words, uint4 v)
{
    words[0] = v.x;
    words[1] = v.y;
    words[2] = v.z;
    words[3] = v.w;
}

/* Converts three words of interleaved pixels, with three channels each, to one word per channel. */
template <typename Sample>
__device__ inline void separate(uint32_t a, uint32_t b, uint32_t c, uint32_t (&channel)[3])
{
    if (sizeof(Sample) == 2) {
        channel[0] = __byte_perm(a, b, 0x7610);
        channel[1] = __byte_perm(a, c, 0x5432);
        channel[2] = __byte_perm(b, c, 0x7610);
    } else {
        channel[0] = __byte_perm(__byte_perm(a, b, 0x0630), c, 0x5210);
        channel[1] = __byte_perm(__byte_perm(a, b, 0x0741), c, 0x6210);
        channel[2] = __byte_perm(__byte_perm(a, b, 0x0052), c, 0x7410);
    }
}

/* Shifts an array of words down by `shift` bytes, 0 to 15: words[i] becomes the four bytes that
 * begin `shift` bytes after the start of words[i]. The last four words only provide bytes; their
 * results are undefined. */
template <int WORDS> __device__ inline void shift_bytes(uint32_t (&words)[WORDS], int shift)
{
    if (shift & 8) {
#pragma unroll
        for (int i = 0; i + 2 < WORDS; i++)
            words[i] = words[i + 2];
    }
    if (shift & 4) {
#pragma unroll
        for (int i = 0; i + 1 < WORDS; i++)
            words[i] = words[i + 1];
    }
#pragma unroll
    for (int i = 0; i + 1 < WORDS; i++)
        words[i] = __funnelshift_r(words[i], words[i + 1], (shift & 3) * 8);
}

/* Stores the first `count` bytes of `v` at `p`. `count` is 1 to 16. */
__device__ inline void store_part(uint8_t *p, uint4 v, int count)
{
    uint32_t word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int i = 0; i < WIDE_BYTES; i++)
        if (i < count)
            p[i] = (uint8_t)(word[i / 4] >> (8 * (i % 4)));
}

/* Stores `v` at byte `offset` of `row`, which has `row_bytes` bytes. Writes nothing past the end of
 * the row. */
__device__ inline void store_wide(uint8_t *row, int64_t offset, int64_t row_bytes, uint4 v)
{
    if (offset + WIDE_BYTES <= row_bytes)
        *reinterpret_cast<uint4 *>(row + offset) = v;
    else if (offset < row_bytes)
        store_part(row + offset, v, (int)(row_bytes - offset));
}

#endif
