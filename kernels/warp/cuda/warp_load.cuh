/* Private to the fast image warp on CUDA: loads a box of source pixels to shared memory. Pixels
 * beyond the edges are as the border mode defines. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_LOAD_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_LOAD_CUH

#include "kernels/warp/cuda/warp_pixels.cuh"
#include "kernels/warp/cuda/warp_tile.cuh"

namespace warp_tiles
{

/* Returns the same as img_border_place, but computes in 32 bits and supports all border modes
 * except the constant one. */
__device__ inline int32_t edge_place(int32_t at, int32_t size, int32_t edges)
{
    if ((uint32_t)at < (uint32_t)size)
        return at;
    if (edges == IMG_BORDER_REPLICATE)
        return at < 0 ? 0 : size - 1;
    const int32_t period = edges == IMG_BORDER_WRAP ? size : size > 1 ? 2 * size - 2 : 1;
    int32_t place = at % period;
    place += place < 0 ? period : 0;
    return place < size ? place : period - place;
}

/* The groups of GROUP adjacent pixels that one thread loads: the same columns in each row of the
 * box. If INSIDE, all pixels are in the picture; otherwise pixels beyond the edges are as the
 * border mode defines. */
template <typename K, bool INSIDE> struct Column {
    const uint8_t *from;
    uint32_t stride, scale;
    int32_t y, height, edges;
    /* column numbers of the pixels of a group, after the border mode is applied; used only if some
     * of the pixels are outside the picture */
    int32_t places[GROUP + 1];
    bool is_whole;

    __device__ Column(const Task &task, const Box &box, int group, int row)
        : from(task.src.data), stride((uint32_t)task.src.stride), scale(task.warp->from.scale),
          y(box.top + row), height(task.src.height), edges(task.edges)
    {
        const int32_t left = box.left + group * GROUP;
        const int more = K::HAS_NEXT ? 2 * GROUP : GROUP;
        is_whole = INSIDE || (left >= 0 && left + more <= task.src.width);
        if (INSIDE)
            from += (uint64_t)(uint32_t)y * stride;
        if (is_whole)
            from += (uint64_t)(uint32_t)left * K::SIZE;
        else
#pragma unroll
            for (int i = 0; i < GROUP + 1; i++)
                places[i] = edge_place(left + i, task.src.width, edges);
    }
    __device__ void load(uint32_t row, uint32_t *raw) const
    {
        const uint32_t at = INSIDE ? row : (uint32_t)edge_place(y + (int32_t)row, height, edges);
        if (is_whole)
            load_group<K>(from + (uint64_t)at * stride, raw);
        else
            load_pixels<K>(from + (uint64_t)at * stride, places, raw);
    }
    __device__ void go_down(uint32_t rows)
    {
        y += (int32_t)rows;
        if (INSIDE)
            from += (uint64_t)rows * stride;
    }
};

/* Stores two rows of a group, with each byte next to the byte below it. If a pixel has two words,
 * every other group of four lanes stores its second 16 bytes first, so that eight lanes together
 * use all banks. */
template <typename K>
__device__ inline void store_pairs(const uint32_t *upper, const uint32_t *lower, uint8_t *to)
{
    constexpr bool SWAPS = K::WORDS == 2;
    const bool swapped = SWAPS && threadIdx.x / 4 % 2 == 1;
    uint32_t pairs[GROUP * K::WORDS];
    make_pairs<K>(upper, lower, pairs);
#pragma unroll
    for (int i = 0; i < K::WORDS; i++) {
        const int at = 4 * i, other = SWAPS ? 4 - at : at;
        const uint4 four = make_uint4(
            swapped ? pairs[other] : pairs[at], swapped ? pairs[other + 1] : pairs[at + 1],
            swapped ? pairs[other + 2] : pairs[at + 2], swapped ? pairs[other + 3] : pairs[at + 3]);
        reinterpret_cast<uint4 *>(to)[swapped ? 1 - i : i] = four;
    }
}

/* Loads COUNT rows of pairs. It starts all loads from the source before it stores the first row. */
template <int COUNT, typename K, bool INSIDE>
__device__ inline void load_rows(const Column<K, INSIDE> &column, uint32_t pitch, uint8_t *to)
{
    uint32_t raw[COUNT + 1][K::RAW_WORDS], row[COUNT + 1][K::ROW_WORDS];
#pragma unroll
    for (int i = 0; i <= COUNT; i++)
        column.load(i, raw[i]);
    arrange<K>(raw[0], column.scale, row[0]);
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        arrange<K>(raw[i + 1], column.scale, row[i + 1]);
        store_pairs<K>(row[i], row[i + 1], to + i * pitch);
    }
}

/* Loads `count` rows of pairs as load_rows does; `count` must be from 1 to MOST. */
template <int MOST, typename K, bool INSIDE>
__device__ inline void load_last(const Column<K, INSIDE> &column, int count, uint32_t pitch,
                                 uint8_t *to)
{
    if (MOST == 1 || count == MOST)
        load_rows<MOST>(column, pitch, to);
    else
        load_last<(MOST > 1 ? MOST - 1 : 1)>(column, count, pitch, to);
}

/* Loads a box to shared memory. Each thread loads one group of columns in all rows of a strip. */
template <typename K, bool INSIDE> __device__ inline void load_box(const Task &task, const Box &box)
{
/* The emulator does not wait for loads, and fewer copies of the code compile faster. */
#ifdef IMGTOOL_EMULATOR
    constexpr int MOST = 2;
#else
    constexpr int MOST = !INSIDE || K::RAW_WORDS == 4 ? 4 : K::RAW_WORDS > 4 ? 3 : 8;
#endif
    const int thread = (int)(threadIdx.y * LANES + threadIdx.x);
    const int strip = thread * task.groups_reciprocal >> 16, group = thread - strip * task.groups;
    const int first = strip * task.strip_rows;
    if (strip >= task.strips)
        return;
    Column<K, INSIDE> column(task, box, group, first);
    uint8_t *to = box.tile + first * task.pitch + group * (GROUP * 4 * K::WORDS);
    int rows = task.strip_rows;
#pragma unroll 1
    for (; rows > MOST; rows -= MOST) {
        load_rows<MOST>(column, box.pitch, to);
        column.go_down(MOST);
        to += MOST * box.pitch;
    }
    load_last<MOST>(column, rows, box.pitch, to);
}

} // namespace warp_tiles

#endif
