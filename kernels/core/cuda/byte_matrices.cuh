/* Matrix products of unsigned bytes with exact 32-bit sums. A warp multiplies 16 rows of A by 8
 * columns of B. The inner dimension consists of chunks of 16 bytes. GPUs from sm_80 on use tensor
 * cores. Older GPUs and the emulator use shuffles and dot products. All lanes of a warp must take
 * part.
 *
 * Layout of the operands: in each chunk, lane 4 g + q has three words. They are bytes 4 q to 4 q +
 * 3 of row g of A, of row g + 8 of A, and of column g of B. Layout of the sums: lane 4 g + q has
 * columns 2 q and 2 q + 1 of row g, and then the same columns of row g + 8. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_BYTE_MATRICES_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_BYTE_MATRICES_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

/* bytes of a chunk: the part of the inner dimension that is multiplied at once */
constexpr int CHUNK = 16;

/* Initial values of the four sums that a lane computes. */
typedef int32_t Start[4];

__device__ inline void make_start(int32_t number, Start &start)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        start[i] = number;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/* Computes sum = start + A * B. `start` may be the same array as `sum`. If it is another array, it
 * stays unchanged. */
template <int CHUNKS>
__device__ __forceinline__ void multiply_bytes(int32_t (&sum)[4], const Start &start,
                                               const uint32_t (&a)[CHUNKS][2],
                                               const uint32_t (&b)[CHUNKS])
{
    int32_t from[4] = {start[0], start[1], start[2], start[3]};
#pragma unroll
    for (int i = 0; i + 1 < CHUNKS; i += 2) {
        const int next = (i + 1) % CHUNKS;
        asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
            "{%8, %9}, {%10, %11, %12, %13};"
            : "=r"(sum[0]), "=r"(sum[1]), "=r"(sum[2]), "=r"(sum[3])
            : "r"(a[i][0]), "r"(a[i][1]), "r"(a[next][0]), "r"(a[next][1]), "r"(b[i]), "r"(b[next]),
              "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3]));
#pragma unroll
        for (int k = 0; k < 4; k++)
            from[k] = sum[k];
    }
    if (CHUNKS % 2 == 1)
        asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
            "{%7, %8, %9, %10};"
            : "=r"(sum[0]), "=r"(sum[1]), "=r"(sum[2]), "=r"(sum[3])
            : "r"(a[CHUNKS - 1][0]), "r"(a[CHUNKS - 1][1]), "r"(b[CHUNKS - 1]), "r"(from[0]),
              "r"(from[1]), "r"(from[2]), "r"(from[3]));
}

/* Loads 8 columns, each two bytes wide, from shared memory. `rows` and `pitch`, the bytes from row
 * to row, must be multiples of 16. Lane 4 g + q gets column g: pair[i] contains its rows 8 i + 2 q
 * and 8 i + 2 q + 1. */
template <int CHUNKS>
__device__ __forceinline__ void load_pairs(uint32_t (&pair)[2 * CHUNKS], const uint8_t *rows,
                                           int pitch)
{
    const int lane = (int)threadIdx.x % 32;
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(rows);
#pragma unroll
    for (int i = 0; i + 1 < CHUNKS; i += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(pair[2 * i]), "=r"(pair[2 * i + 1]),
                       "=r"(pair[(2 * i + 2) % (2 * CHUNKS)]),
                       "=r"(pair[(2 * i + 3) % (2 * CHUNKS)])
                     : "r"(at + (i * CHUNK + lane) * pitch)
                     : "memory");
    if (CHUNKS % 2 == 1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(pair[2 * CHUNKS - 2]), "=r"(pair[2 * CHUNKS - 1])
                     : "r"(at + (CHUNKS / 2 * 32 + lane % 16) * pitch)
                     : "memory");
}

#else

template <int CHUNKS>
__device__ inline void multiply_bytes(int32_t (&sum)[4], const Start &start,
                                      const uint32_t (&a)[CHUNKS][2], const uint32_t (&b)[CHUNKS])
{
    const int lane = (int)threadIdx.x % 32, row = lane / 4 * 4, column = lane % 4 * 8;
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum[i] = start[i];
#pragma unroll
    for (int chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll 1 /* not unrolled, to compile faster: current GPUs do not use this code */
        for (int k = 0; k < 4; k++) {
            const uint32_t upper = __shfl_sync(~0u, a[chunk][0], row + k);
            const uint32_t lower = __shfl_sync(~0u, a[chunk][1], row + k);
            const uint32_t left = __shfl_sync(~0u, b[chunk], column + k);
            const uint32_t right = __shfl_sync(~0u, b[chunk], column + 4 + k);
            sum[0] = (int32_t)__dp4a(upper, left, (uint32_t)sum[0]);
            sum[1] = (int32_t)__dp4a(upper, right, (uint32_t)sum[1]);
            sum[2] = (int32_t)__dp4a(lower, left, (uint32_t)sum[2]);
            sum[3] = (int32_t)__dp4a(lower, right, (uint32_t)sum[3]);
        }
}

template <int CHUNKS>
__device__ inline void load_pairs(uint32_t (&pair)[2 * CHUNKS], const uint8_t *rows, int pitch)
{
    const int lane = (int)threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 2 * CHUNKS; i++) {
        const uint8_t *upper = rows + (8 * i + lane % 4 * 2) * pitch + lane / 4 * 2;
        pair[i] = (uint32_t) * reinterpret_cast<const uint16_t *>(upper) |
                  (uint32_t) * reinterpret_cast<const uint16_t *>(upper + pitch) << 16;
    }
}

#endif
#endif
