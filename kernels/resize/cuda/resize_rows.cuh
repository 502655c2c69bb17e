/* Private to the fast resize on CUDA: parameters of its kernels, and source rows in shared memory,
 * with one plane per channel. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_ROWS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_ROWS_CUH

#include "kernels/core/cuda/byte_pairs.cuh"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/resize/resize_strips.h"

/* --- Products of matrices of bytes ------------------------------------------------------------ */

/* Products of matrices of signed and unsigned bytes, exact modulo 2^32. A warp multiplies 16 rows
 * of A by 8 columns of B; both are 32 or 16 bytes deep. GPUs from sm_80 on use tensor cores. Older
 * GPUs and the emulator use shuffles and dot products. All lanes of a warp must take part.
 *
 * Layout of the operands: lane 4 g + q has rows g and g + 8 of A and column g of B. Of each row
 * and column it has bytes 4 q to 4 q + 3 and the four bytes 16 positions later. Layout of the
 * sums: lane 4 g + q has columns 2 q and 2 q + 1 of row g, and then the same columns of row g +
 * 8. */

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

/* --- Rows of the source ----------------------------------------------------------------------- */

namespace resize
{

constexpr int THREADS = 256, WARPS = THREADS / 32, BAND = IMG_RESIZE_BAND;
constexpr int DIVISION_PLACES = 20;

/* Divides a number by `by` with a multiplication. It is exact if number * by is below 2^20. */
struct Divisor {
    uint32_t by, factor;

    __device__ uint32_t divide(uint32_t number) const
    {
        return number * factor >> DIVISION_PLACES;
    }
};

struct Task {
    ImgView src, dst;
    const ImgResize *own; /* constants of the resize, in device memory */
    ImgResizeSpan across, down;
    int32_t across_taps, down_taps;
    /* offsets of the tables from `own`, in bytes */
    size_t across_first_at, across_weights_at, down_first_at, down_weights_at;
    ImgResizeStrips layout;
    /* number of columns of the first strip that lie to the left of the scaled picture */
    int32_t lead;
    int32_t end_shift;
    uint32_t down_factor, down_start, end_start; /* factor and initial values of narrow sums */
    /* factor that converts samples of fewer than 8 bits to 8 bits; 1 for others */
    uint32_t scale;
    /* number of strips in the picture; number of steps per block, of BAND rows each */
    uint32_t strips, steps;
    /* `units` divides by the number of units in a row of the source window, `pieces` by the number
     * of 16-byte pieces in a result row of a strip */
    Divisor units, pieces;

    __device__ const int32_t *first(size_t at) const
    {
        return reinterpret_cast<const int32_t *>(reinterpret_cast<const uint8_t *>(own) + at);
    }
};

template <bool WIDE> struct SampleOf {
    typedef uint8_t Type;
};
template <> struct SampleOf<true> {
    typedef uint16_t Type;
};

/* Format of the pictures, as constants of the compiler. SOURCE and SAMPLE are the bytes per sample
 * in the picture and in shared memory. WEIGHT is the bytes per weight, MIDDLE the bytes per
 * vertical sum. */
template <int CHANNELS_, bool ALPHA_, bool WIDE_> struct Kind {
    typedef typename SampleOf<WIDE_>::Type Stored;
    static constexpr int CHANNELS = CHANNELS_, SOURCE = WIDE_ ? 2 : 1;
    static constexpr bool ALPHA = ALPHA_, WIDE = WIDE_;
    static constexpr int SAMPLE = WIDE || ALPHA ? 2 : 1, WEIGHT = WIDE ? 3 : 2;
    static constexpr int MIDDLE = WIDE ? 4 : 2;
    /* pixels per unit; a unit is the part of a row that a thread loads */
    static constexpr int PIXELS = WIDE_BYTES / SAMPLE;
    static constexpr int UNIT_BYTES = PIXELS * CHANNELS * SOURCE;
    static constexpr int VECTORS = UNIT_BYTES / WIDE_BYTES;
};

/* --- Rows of the source ----------------------------------------------------------------------- */

/* Multiplies colours by alpha, and alpha by 255, for the 8 pixels of a unit. */
template <typename K>
__device__ inline void premultiply(const uint32_t *word, uint32_t (&plane)[K::CHANNELS][4])
{
#pragma unroll
    for (int i = 0; i < K::PIXELS; i++) {
        const uint32_t pixel =
            K::CHANNELS == 4 ? word[i % (4 * K::VECTORS)] : word[i / 2] >> 16 * (i % 2) & 0xffff;
        const uint32_t alpha = pixel >> 8 * (K::CHANNELS - 1);
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            const uint32_t value =
                c + 1 == K::CHANNELS ? alpha * 255 : (pixel >> 8 * c & 0xff) * alpha;
            plane[c][i / 2] = i % 2 == 0 ? value : plane[c][i / 2] | value << 16;
        }
    }
}

/* Splits a unit of pixels into 16 bytes for each plane (channel) and stores them in shared
 * memory. */
template <typename K>
__device__ inline void put_unit(const Task &task, const uint4 (&piece)[K::VECTORS], uint8_t *to,
                                int plane_bytes)
{
    uint32_t word[4 * K::VECTORS], plane[K::CHANNELS][4];
#pragma unroll
    for (int v = 0; v < K::VECTORS; v++)
        take_piece(word + 4 * v, piece[v]);
    if (K::ALPHA) {
        premultiply<K>(word, plane);
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint32_t three[3] = {word[i] * task.scale, 0, 0};
            if (K::CHANNELS == 3) /* RGB has at least 8 bits per sample, so `scale` is 1 */
                separate<typename K::Stored>(word[3 * i % (4 * K::VECTORS)],
                                             word[(3 * i + 1) % (4 * K::VECTORS)],
                                             word[(3 * i + 2) % (4 * K::VECTORS)], three);
#pragma unroll
            for (int c = 0; c < K::CHANNELS && c < 3; c++)
                plane[c][i] = three[c];
        }
    }
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        *reinterpret_cast<uint4 *>(to + c * plane_bytes) =
            make_uint4(plane[c][0], plane[c][1], plane[c][2], plane[c][3]);
}

/* Loads rows `from` to `end` - 1 of the source, from column `left` on, to shared memory. Row y goes
 * to slot y modulo the number of slots. Positions beyond the picture repeat the last unit of a row,
 * and their weights are 0. */
template <typename K, int THREADS = resize::THREADS>
__device__ inline void load_rows(const Task &task, uint8_t *tile, int32_t left, int32_t from,
                                 int32_t end)
{
    constexpr int TOGETHER = K::VECTORS > 2 ? 2 : 4;
    const int count = (end - from) * (int)task.units.by;
    const int plane_bytes = task.layout.rows * task.layout.pitch;
    const int64_t row_bytes = (int64_t)task.src.width * (K::CHANNELS * K::SOURCE);
    const int64_t last = (row_bytes - 1) / WIDE_BYTES * WIDE_BYTES;
    const int64_t start = (int64_t)left * (K::CHANNELS * K::SOURCE);
    /* the number of rows to load is at most the number of slots */
    const int slot = from % task.layout.rows;
#pragma unroll 1
    for (int base = (int)threadIdx.x; base < count; base += THREADS * TOGETHER) {
        uint4 piece[TOGETHER][K::VECTORS];
        int row[TOGETHER], unit[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            const int i = min(base + k * THREADS, count - 1);
            row[k] = (int)task.units.divide((uint32_t)i);
            unit[k] = i - row[k] * (int)task.units.by;
            const int32_t y = min(from + row[k], task.src.height - 1);
            const uint8_t *line = task.src.data + (size_t)y * task.src.stride;
#pragma unroll
            for (int v = 0; v < K::VECTORS; v++)
                piece[k][v] = __ldg(reinterpret_cast<const uint4 *>(
                    line + min(last, start + unit[k] * K::UNIT_BYTES + v * WIDE_BYTES)));
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            if (base + k * THREADS < count) {
                const int after = slot + row[k];
                const int own = after < task.layout.rows ? after : after - task.layout.rows;
                put_unit<K>(task, piece[k], tile + own * task.layout.pitch + unit[k] * WIDE_BYTES,
                            plane_bytes);
            }
    }
}

/* Prefetches rows `from` to `end` - 1 of the source, from column `left` on. */
template <typename K, int THREADS = resize::THREADS>
__device__ inline void announce_rows(const Task &task, int32_t left, int32_t from, int32_t end)
{
    const int64_t row_bytes = (int64_t)task.src.width * (K::CHANNELS * K::SOURCE);
    const int64_t start = (int64_t)left * (K::CHANNELS * K::SOURCE);
    const int64_t readable = (row_bytes + WIDE_BYTES - 1) / WIDE_BYTES * WIDE_BYTES - start;
    const int64_t bytes = min(readable, (int64_t)task.units.by * K::UNIT_BYTES);
    for (int32_t y = from + (int32_t)threadIdx.x; y < min(end, task.src.height); y += THREADS)
        announce_bytes(task.src.data + (size_t)y * task.src.stride + start, (uint32_t)bytes);
}

} // namespace resize

#endif
