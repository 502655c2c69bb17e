/* Private to the direct kernel of resize on CUDA: converts results in registers to pixels and
 * stores them in the picture. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_WRITE_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_WRITE_CUH

#include "kernels/resize/cuda/resize_direct_sums.cuh"

namespace resize
{

/* Returns `a` and `b`, clamped to 0..65535, as two unsigned numbers of 16 bits in a word. */
__device__ inline uint32_t pack_words(int32_t a, int32_t b)
{
#if defined(__CUDA_ARCH__)
    uint32_t both;
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(both) : "r"(b), "r"(a));
    return both;
#else
    return (uint32_t)min(max(a, 0), 65535) | (uint32_t)min(max(b, 0), 65535) << 16;
#endif
}

/* Stores COUNT words. Each access has 4, 2 or 1 words: the largest of these numbers that divides
 * COUNT. `to` must be aligned to the width of an access. */
template <int COUNT> __device__ inline void put_words(const uint32_t (&word)[COUNT], uint8_t *to)
{
    constexpr int STEP = COUNT % 4 == 0 ? 4 : COUNT % 2 == 0 ? 2 : 1;
#pragma unroll
    for (int k = 0; k < COUNT; k += STEP) {
        const uint4 four = make_uint4(word[k], word[(k + 1) % COUNT], word[(k + 2) % COUNT],
                                      word[(k + 3) % COUNT]);
        if (STEP == 4)
            *reinterpret_cast<uint4 *>(to + 4 * k) = four;
        else if (STEP == 2)
            *reinterpret_cast<uint2 *>(to + 4 * k) = make_uint2(four.x, four.y);
        else
            *reinterpret_cast<uint32_t *>(to + 4 * k) = four.x;
    }
}

/* Packs four pixels of a row of `results` in the format of the picture. */
template <typename K>
__device__ inline void pack_row(const Results<K::CHANNELS> &results, int row,
                                uint32_t (&word)[K::CHANNELS * K::SOURCE])
{
    constexpr int C = K::CHANNELS;
    if (K::WIDE) {
#pragma unroll
        for (int k = 0; k < C * K::SOURCE; k++)
            word[k] = pack_words(results.value[2 * k % C][row][2 * k / C],
                                 results.value[(2 * k + 1) % C][row][(2 * k + 1) / C]);
    } else {
        put_row<K>(results, row, word);
    }
}

/* Destinations of a lane's four pixels in row g (g is lane / 4); row g + 8 follows 8 rows below.
 * Pixels of an even number of bytes go directly to the picture, at `whole`. At edges, and for
 * pixels of an odd number of bytes, `whole` is NULL, and pixels go to shared memory, at `staged`.
 */
struct Places {
    uint8_t *staged, *whole;
    size_t stride;
};

template <typename K>
__device__ inline void put_row_at(const DirectTask &task,
                                  const uint32_t (&word)[K::CHANNELS * K::SOURCE],
                                  const Places &places, int row, int pair)
{
    constexpr int PIXEL = K::CHANNELS * K::SOURCE;
    if (PIXEL % 2 == 0 && places.whole != nullptr)
        put_words(word, places.whole + (size_t)(8 * row) * places.stride + pair * BAND * PIXEL);
    else
        put_words(word, places.staged + 8 * row * task.base.layout.out_pitch + pair * BAND * PIXEL);
}

template <typename K>
__device__ inline void put_pair(const DirectTask &task, Results<K::CHANNELS> &results,
                                const Places &places, int pair)
{
    if (K::ALPHA)
        lower<K>(results);
#pragma unroll
    for (int row = 0; row < 2; row++) {
        uint32_t word[K::CHANNELS * K::SOURCE];
        pack_row<K>(results, row, word);
        put_row_at<K>(task, word, places, row, pair);
    }
}

/* Returns the destinations for the warp's columns from `column` on and rows from `row` on. `out` is
 * the part of shared memory that belongs to the warp. */
template <typename K>
__device__ inline Places places_of(const DirectTask &task, uint8_t *out, int32_t column,
                                   int32_t row)
{
    constexpr int PIXEL = K::CHANNELS * K::SOURCE;
    const Task &own = task.base;
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
    const bool is_whole = PIXEL % 2 == 0 && row + BAND <= own.down.count && column >= 0 &&
                          column + task.pairs * BAND <= own.across.count;
    const int64_t x = (int64_t)own.across.at + column + 4 * q;
    return {out + g * own.layout.out_pitch + 4 * q * PIXEL,
            is_whole ? own.dst.data + (size_t)(own.down.at + row + g) * own.dst.stride + x * PIXEL
                     : nullptr,
            own.dst.stride};
}

/* Stores the bytes of a row whose offsets are from `begin` to `end` - 1. `from` has 16 bytes, and
 * the first of them has the offset `offset`. */
__device__ inline void write_part(uint8_t *to, const uint8_t *from, int64_t offset, int64_t begin,
                                  int64_t end)
{
    for (int k = 0; k < WIDE_BYTES; k++)
        if (offset + k >= begin && offset + k < end)
            to[k] = from[k];
}

/* Copies the results of a warp from shared memory to the picture. A lane copies the same 16 bytes
 * of every `step`-th row; at edges it copies only the bytes inside the picture. */
template <typename K> struct Writer {
    static constexpr int PIXEL = K::CHANNELS * K::SOURCE;
    const uint8_t *from;
    /* destination of the lane's bytes in the first of the next BAND rows that the lane copies */
    uint8_t *to;
    int own_row, step;
    bool is_whole, is_part;

    /* Prepares to copy the columns of a warp from `column` on, in rows from `row` on. `out` is the
     * part of shared memory that belongs to the warp. */
    __device__ Writer(const DirectTask &task, const uint8_t *out, int32_t column, int32_t row)
    {
        const Task &own = task.base;
        const int lane = (int)threadIdx.x % 32, at = piece(task) * WIDE_BYTES;
        const int64_t start = offset(task, column), begin = (int64_t)own.across.at * PIXEL;
        const int64_t end = begin + (int64_t)own.across.count * PIXEL;
        step = 32 >> task.piece_bits;
        own_row = lane >> task.piece_bits;
        from = out + own_row * own.layout.out_pitch + at;
        to = own.dst.data + (size_t)(own.down.at + row + own_row) * own.dst.stride + start;
        is_part = at < task.pairs * BAND * PIXEL;
        is_whole = is_part && start >= begin && start + WIDE_BYTES <= end;
        is_part = is_part && !is_whole;
    }

    __device__ static int piece(const DirectTask &task)
    {
        return (int)threadIdx.x % 32 & ((1 << task.piece_bits) - 1);
    }

    /* Returns the offset in bytes of the lane's 16 bytes in a row of the picture, for a warp whose
     * columns begin at `column`. */
    __device__ static int64_t offset(const DirectTask &task, int32_t column)
    {
        return ((int64_t)task.base.across.at + column) * PIXEL + piece(task) * WIDE_BYTES;
    }

    __device__ void write_parts(const DirectTask &task, int32_t column, int rows) const
    {
        const int64_t begin = (int64_t)task.base.across.at * PIXEL;
        const int64_t end = begin + (int64_t)task.base.across.count * PIXEL;
        for (int y = own_row; y < rows; y += step)
            write_part(to + (size_t)(y - own_row) * task.base.dst.stride,
                       from + (y - own_row) * task.base.layout.out_pitch, offset(task, column),
                       begin, end);
    }

    /* Copies the next `rows` rows, at most BAND, to the picture. */
    __device__ void write(const DirectTask &task, int32_t column, int rows) const
    {
        const uint8_t *piece = from;
        uint8_t *place = to;
        if (is_part)
            write_parts(task, column, rows);
#pragma unroll 4
        for (int y = own_row; y < rows && is_whole; y += step) {
            *reinterpret_cast<uint4 *>(place) = *reinterpret_cast<const uint4 *>(piece);
            piece += step * task.base.layout.out_pitch;
            place += (size_t)step * task.base.dst.stride;
        }
    }
};

} // namespace resize

#endif
