/* Private to the fast resize on CUDA: products of matrices of signed and unsigned bytes, exact
 * modulo 2^32. A warp multiplies 16 rows of A by 8 columns of B; both are 32 or 16 bytes deep. GPUs
 * from sm_80 on use tensor cores. Older GPUs and the emulator use shuffles and dot products. All
 * lanes of a warp must take part.
 *
 * Layout of the operands: lane 4 g + q has rows g and g + 8 of A and column g of B. Of each row and
 * column it has bytes 4 q to 4 q + 3 and the four bytes 16 positions later. Layout of the sums:
 * lane 4 g + q has columns 2 q and 2 q + 1 of row g, and then the same columns of row g + 8. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_BYTES_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_BYTES_CUH

#include "kernels/core/cuda/byte_pairs.cuh"

typedef uint32_t Sums[4];

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

#define RESIZE_MULTIPLY(types)                                                                     \
    if (DEPTH == 32)                                                                               \
        asm("mma.sync.aligned.m16n8k32.row.col.s32." types ".s32 {%0, %1, %2, %3}, "               \
            "{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"                                    \
            : "=r"(sum[0]), "=r"(sum[1]), "=r"(sum[2]), "=r"(sum[3])                               \
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(from[0]),      \
              "r"(from[1]), "r"(from[2]), "r"(from[3]));                                           \
    else                                                                                           \
        asm("mma.sync.aligned.m16n8k16.row.col.s32." types ".s32 {%0, %1, %2, %3}, "               \
            "{%4, %5}, {%6}, {%7, %8, %9, %10};"                                                   \
            : "=r"(sum[0]), "=r"(sum[1]), "=r"(sum[2]), "=r"(sum[3])                               \
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(from[0]), "r"(from[1]), "r"(from[2]),           \
              "r"(from[3]))

/* Computes sum = start + A * B. The bytes of A are signed if A_SIGNED is true, the bytes of B if
 * B_SIGNED is true. `start` may be the same array as `sum`; any other array is not changed. A
 * `start` of zeros needs neither registers nor initialisation. */
template <int DEPTH, bool A_SIGNED, bool B_SIGNED>
__device__ __forceinline__ void multiply(Sums &sum, const Sums &start, const uint32_t (&a)[4],
                                         const uint32_t (&b)[2])
{
    static_assert(!A_SIGNED || !B_SIGNED, "weights times samples");
    const uint32_t from[4] = {start[0], start[1], start[2], start[3]};
    if (A_SIGNED)
        RESIZE_MULTIPLY("s8.u8");
    else if (B_SIGNED)
        RESIZE_MULTIPLY("u8.s8");
    else
        RESIZE_MULTIPLY("u8.u8");
}

/* Loads 8 columns of two bytes each from shared memory, for DEPTH rows (32 or 16). Lane 4 g + q
 * gets column g: pair[i] has its rows 8 i + 2 q and 8 i + 2 q + 1. Row 0 is in slot `slot` of a
 * ring of `slots` rows. */
template <int DEPTH = 32>
__device__ __forceinline__ void load_columns(uint32_t (&pair)[4], const uint8_t *columns, int pitch,
                                             int slot, int slots)
{
    int own = slot + (int)threadIdx.x % DEPTH;
    own -= own >= slots ? slots : 0;
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(columns + own * pitch);
    if (DEPTH == 32)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(pair[0]), "=r"(pair[1]), "=r"(pair[2]), "=r"(pair[3])
                     : "r"(at)
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(pair[0]), "=r"(pair[1])
                     : "r"(at)
                     : "memory");
    if (DEPTH == 16)
        pair[2] = pair[3] = 0;
}

/* Loads 16 rows of 32 bytes from shared memory as the operand `a` of `multiply`. `rows` and `pitch`
 * must be multiples of 16. */
__device__ __forceinline__ void load_rows_of_bytes(uint32_t (&a)[4], const uint8_t *rows, int pitch)
{
    const int lane = (int)threadIdx.x % 32;
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
        : "r"((uint32_t)__cvta_generic_to_shared(rows + lane % 16 * pitch + lane / 16 * 16))
        : "memory");
}

#else

/* Returns `sum` plus the dot product of the four bytes of `a` and of `b`. Only one of A_SIGNED and
 * B_SIGNED may be true. */
template <bool A_SIGNED, bool B_SIGNED>
__device__ inline uint32_t add_four(uint32_t a, uint32_t b, uint32_t sum)
{
    if (B_SIGNED)
        return add_four<true, false>(b, a, sum);
    if (!A_SIGNED)
        return __dp4a(a, b, sum);
#ifdef IMGTOOL_EMULATOR
    /* a negative byte that is read as unsigned is 256 too large */
    const uint32_t signs = a >> 7 & 0x01010101;
    return __dp4a(a, b, sum) - (__dp4a(signs, b, 0u) << 8);
#else
    uint32_t result;
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
#endif
}

template <int DEPTH, bool A_SIGNED, bool B_SIGNED>
__device__ inline void multiply(Sums &sum, const Sums &start, const uint32_t (&a)[4],
                                const uint32_t (&b)[2])
{
    const int lane = (int)threadIdx.x % 32, row = lane / 4 * 4, column = lane % 4 * 8;
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum[i] = start[i];
#pragma unroll
    for (int k = 0; k < DEPTH / 4; k++) {
        const int from = k % 4, half = k / 4;
        const uint32_t upper = __shfl_sync(~0u, a[2 * half], row + from);
        const uint32_t lower = __shfl_sync(~0u, a[2 * half + 1], row + from);
        const uint32_t left = __shfl_sync(~0u, b[half], column + from);
        const uint32_t right = __shfl_sync(~0u, b[half], column + 4 + from);
        sum[0] = add_four<A_SIGNED, B_SIGNED>(upper, left, sum[0]);
        sum[1] = add_four<A_SIGNED, B_SIGNED>(upper, right, sum[1]);
        sum[2] = add_four<A_SIGNED, B_SIGNED>(lower, left, sum[2]);
        sum[3] = add_four<A_SIGNED, B_SIGNED>(lower, right, sum[3]);
    }
}

template <int DEPTH = 32>
__device__ inline void load_columns(uint32_t (&pair)[4], const uint8_t *columns, int pitch,
                                    int slot, int slots)
{
    const int lane = (int)threadIdx.x % 32;
    pair[2] = pair[3] = 0;
#pragma unroll
    for (int i = 0; i < DEPTH / 8; i++) {
        int upper = slot + 8 * i + lane % 4 * 2, lower = upper + 1;
        upper -= upper >= slots ? slots : 0;
        lower -= lower >= slots ? slots : 0;
        const uint8_t *column = columns + lane / 4 * 2;
        pair[i] = (uint32_t) * reinterpret_cast<const uint16_t *>(column + upper * pitch) |
                  (uint32_t) * reinterpret_cast<const uint16_t *>(column + lower * pitch) << 16;
    }
}

__device__ inline void load_rows_of_bytes(uint32_t (&a)[4], const uint8_t *rows, int pitch)
{
    const int lane = (int)threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 4; i++)
        a[i] = *reinterpret_cast<const uint32_t *>(rows + (lane / 4 + i % 2 * 8) * pitch +
                                                   i / 2 * 16 + lane % 4 * 4);
}

#endif

#endif
