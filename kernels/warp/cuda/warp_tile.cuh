/* Private to the fast warp on CUDA: the part of the source that a tile of the result
 * asks for, in shared memory with its edges continued. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_TILE_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_TILE_CUH

#include "kernels/warp/cuda/warp_pixels.cuh"
#include "kernels/warp/cuda/warp_task.cuh"

namespace warp_tiles
{

/* Where a tile's box is in the source, and in shared memory. */
struct Box {
    int32_t left, top;
    uint8_t *tile;
    const uint32_t *table; /* of weights */
    uint32_t pitch;        /* of rows of pairs, in bytes */
};

__device__ inline Spot moved(const Spot &from, const Spot &step, uint32_t count)
{
    Spot spot;
    spot.x = from.x + count * step.x;
    spot.y = from.y + count * step.y;
    return spot;
}

__device__ inline Spot moved_back(const Spot &from, const Spot &step, uint32_t count)
{
    Spot spot;
    spot.x = from.x - count * step.x;
    spot.y = from.y - count * step.y;
    return spot;
}

/* The least x and y of a tile's places. */
__device__ inline Spot corner_of(const Task &task, uint32_t column, uint32_t row)
{
    return moved(moved(task.corner, task.tile_across, column), task.tile_down, row);
}

__device__ inline Box box_of(const Task &task, const Spot &corner)
{
    Box box = {};
    box.left = (int32_t)(corner.x >> 32) - task.half + 1;
    box.top = (int32_t)(corner.y >> 32) - task.half + 1;
    box.left &= -GROUP;
    box.pitch = (uint32_t)task.pitch;
    return box;
}

/* Of the thread's first pixel, to the left upper pixel of its window, from the box's first on. */
__device__ inline Spot spot_of(const Task &task, const Box &box, const Spot &corner)
{
    Spot spot = moved(moved(corner, task.across, threadIdx.x), task.down, threadIdx.y);
    spot.x += task.first.x - ((uint64_t)(uint32_t)(box.left + task.half - 1) << 32);
    spot.y += task.first.y - ((uint64_t)(uint32_t)(box.top + task.half - 1) << 32);
#ifdef __CUDA_ARCH__ /* not to be computed again when it is wanted */
    asm volatile("" : "+l"(spot.x), "+l"(spot.y));
#endif
    return spot;
}

/* With `more` pixels to the right. */
__device__ inline bool is_inside(const Task &task, const Box &box, int more)
{
    return box.left >= 0 && box.top >= 0 &&
           box.left + task.groups * GROUP + more <= task.src.width &&
           box.top + task.rows + 1 <= task.src.height;
}

/* Nothing of the picture counts. */
__device__ inline bool is_outside(const Task &task, const Box &box)
{
    return task.constant && (box.left + task.groups * GROUP <= 0 || box.top + task.rows + 1 <= 0 ||
                             box.left >= task.src.width || box.top >= task.src.height);
}

/* Groups of one column of the source: as they are in memory, or with edges continued. */
template <typename K, bool INSIDE> struct Column {
    const uint8_t *from;
    uint32_t stride, scale;
    int32_t left, y, width, height, edges;
    bool is_whole;

    __device__ Column(const Task &task, const Box &box, int group, int row)
        : from(task.src.data), stride((uint32_t)task.src.stride), scale(task.warp->from.scale),
          left(box.left + group * GROUP), y(box.top + row), width(task.src.width),
          height(task.src.height), edges(task.edges)
    {
        const int more = K::HAS_NEXT ? 2 * GROUP : GROUP;
        is_whole = INSIDE || (left >= 0 && left + more <= width);
        if (INSIDE)
            from += (uint64_t)(uint32_t)y * stride;
        if (is_whole)
            from += (uint64_t)(uint32_t)left * K::SIZE;
    }
    __device__ void load(uint32_t row, uint32_t *raw) const
    {
        const uint32_t at =
            INSIDE ? row : (uint32_t)img_border_place((int64_t)y + row, height, edges);
        if (is_whole)
            load_group<K>(from + (uint64_t)at * stride, raw);
        else
            load_pixels<K>(from + (uint64_t)at * stride, left, width, edges, raw);
    }
    __device__ void go_down(uint32_t rows)
    {
        y += (int32_t)rows;
        if (INSIDE)
            from += (uint64_t)rows * stride;
    }
};

template <typename K>
__device__ inline void store_pairs(const uint32_t *upper, const uint32_t *lower, uint8_t *to)
{
    uint32_t pairs[GROUP * K::WORDS];
    make_pairs<K>(upper, lower, pairs);
#pragma unroll
    for (int i = 0; i < K::WORDS; i++)
        reinterpret_cast<uint4 *>(to)[i] =
            make_uint4(pairs[4 * i], pairs[4 * i + 1], pairs[4 * i + 2], pairs[4 * i + 3]);
}

/* COUNT rows of pairs: all loads before the first store. */
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

/* The same of 1 to MOST rows. */
template <int MOST, typename K, bool INSIDE>
__device__ inline void load_last(const Column<K, INSIDE> &column, int count, uint32_t pitch,
                                 uint8_t *to)
{
    if (MOST == 1 || count == MOST)
        load_rows<MOST>(column, pitch, to);
    else
        load_last<(MOST > 1 ? MOST - 1 : 1)>(column, count, pitch, to);
}

/* A thread goes down a strip of rows of one group. */
template <typename K, bool INSIDE> __device__ inline void load_box(const Task &task, const Box &box)
{
    constexpr int MOST = !INSIDE ? 2 : K::RAW_WORDS > 4 ? 3 : K::RAW_WORDS == 4 ? 4 : 8;
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
