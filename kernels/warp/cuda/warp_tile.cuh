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
    int64_t left, top;
    uint8_t *tile;
    const uint32_t *table; /* of weights */
    uint32_t pitch;        /* of rows of pairs, in bytes */
};

__device__ inline Box box_of(const Task &task, int32_t x, int32_t y)
{
    const ImgWarpPlace place = img_warp_place(&task.map, x, y, 0, 0);
    const int64_t half = (int64_t)1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1);
    Box box;
    box.left = ((place.x + task.least.x + half) >> IMG_WARP_PLACES) - task.half + 1;
    box.top = ((place.y + task.least.y + half) >> IMG_WARP_PLACES) - task.half + 1;
    box.left &= ~(int64_t)(GROUP - 1);
    box.pitch = (uint32_t)task.pitch;
    return box;
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

/* Groups of one column of the source, a row after the other: as they are in memory, or with edges
 * continued. */
template <typename K, bool INSIDE> struct Column {
    const uint8_t *from;
    size_t stride;
    uint32_t scale;
    int64_t left, y;
    int32_t width, height, edges;
    bool is_whole;

    __device__ Column(const Task &task, const Box &box, int group, int row)
        : from(task.src.data), stride(task.src.stride), scale(task.warp->from.scale),
          left(box.left + group * GROUP), y(box.top + row), width(task.src.width),
          height(task.src.height), edges(task.edges)
    {
        const int more = K::HAS_NEXT ? 2 * GROUP : GROUP;
        is_whole = INSIDE || (left >= 0 && left + more <= width);
        if (INSIDE)
            from += (size_t)y * stride;
        if (is_whole)
            from += (size_t)left * K::SIZE;
    }
    __device__ void load(uint32_t *words)
    {
        if (INSIDE) {
            load_group<K>(from, scale, words);
            from += stride;
            return;
        }
        const uint8_t *row = from + (size_t)img_border_place(y, height, edges) * stride;
        if (is_whole)
            load_group<K>(row, scale, words);
        else
            load_pixels<K>(row, left, width, edges, scale, words);
        y++;
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

/* COUNT rows of pairs below `row`, which becomes the last one: all loads before the first store. */
template <int COUNT, typename K, bool INSIDE>
__device__ inline void load_rows(Column<K, INSIDE> &column, int pitch, uint32_t *row, uint8_t *to)
{
    constexpr int WORDS = K::ROW_WORDS;
    uint32_t below[COUNT][WORDS];
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        column.load(below[i]);
    store_pairs<K>(row, below[0], to);
#pragma unroll
    for (int i = 1; i < COUNT; i++)
        store_pairs<K>(below[i - 1], below[i], to + i * pitch);
#pragma unroll
    for (int w = 0; w < WORDS; w++)
        row[w] = below[COUNT - 1][w];
}

/* A thread goes down a strip of rows of one group. */
template <typename K, bool INSIDE> __device__ inline void load_box(const Task &task, const Box &box)
{
    constexpr int AHEAD = !INSIDE ? 1 : K::ROW_WORDS > 4 ? 2 : 4;
    const int thread = (int)(threadIdx.y * LANES + threadIdx.x);
    const int strip = thread / task.groups, group = thread - strip * task.groups;
    const int first = strip * task.strip_rows;
    if (strip >= task.strips)
        return;
    Column<K, INSIDE> column(task, box, group, first);
    uint8_t *to = box.tile + first * task.pitch + group * (GROUP * 4 * K::WORDS);
    uint32_t row[K::ROW_WORDS];
    column.load(row);
    int rows = task.strip_rows;
#pragma unroll 1
    for (; rows >= AHEAD; rows -= AHEAD) {
        load_rows<AHEAD>(column, task.pitch, row, to);
        to += AHEAD * task.pitch;
    }
    if (AHEAD > 2 && rows >= 2) {
        load_rows<AHEAD == 1 ? 1 : 2>(column, task.pitch, row, to);
        to += 2 * task.pitch;
        rows -= 2;
    }
    if (AHEAD > 1 && rows > 0)
        load_rows<1>(column, task.pitch, row, to);
}

} // namespace warp_tiles

#endif
