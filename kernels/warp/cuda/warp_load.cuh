/* Private to the fast image warp on CUDA: loads a box of source pixels to shared memory. Pixels
 * beyond the edges are as the border mode defines. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_LOAD_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_LOAD_CUH

#include "kernels/warp/cuda/warp_pixels.cuh"
#include "kernels/warp/cuda/warp_task.cuh"

/* --- Positions -------------------------------------------------------------------------------- */

/* Positions of tiles of the result, and of the boxes of source pixels that they need. */

namespace warp_tiles
{

/* The box of a tile: its position in the source, and its memory. */
struct Box {
    int32_t left, top;
    uint8_t *tile;
    const uint32_t *table; /* table of weights in shared memory */
    uint32_t pitch;        /* distance between rows of pairs, in bytes */
};

/* A tile of the result: its first pixel, and the position in the box of the lane's first pixel. */
struct Part {
    int32_t x, y;
    Spot spot;
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

/* Returns the smallest x and the smallest y of all positions in a tile, for an affine map. */
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

/* Converts the position of a pixel in the source to the position of the upper left pixel of its
 * window in the box. */
__device__ inline Spot in_box(const Task &task, const Box &box, Spot spot)
{
    spot.x -= (uint64_t)(uint32_t)(box.left + task.half - 1) << 32;
    spot.y -= (uint64_t)(uint32_t)(box.top + task.half - 1) << 32;
    return spot;
}

/* Returns the position in the box of the lane's first pixel. The left edge of the box is rounded
 * down to a multiple of GROUP, so it is at most three pixels to the left of the windows. */
__device__ inline Spot spot_of(const Task &task, const Box &box, const Spot &corner)
{
    const uint32_t aside = (uint32_t)(corner.x >> 32) - (uint32_t)(box.left + task.half - 1);
    const Spot near = {(uint64_t)aside << 32 | (uint32_t)corner.x, (uint32_t)corner.y};
    return moved(moved(moved(near, task.first, 1), task.warp_down, threadIdx.y), task.across,
                 threadIdx.x);
}

/* Returns the position in the source of grid position (column, row), in perspective, plus half a
 * phase for rounding. */
__device__ inline Spot projected(const Task &task, int64_t column, int64_t row)
{
    const int64_t half = (int64_t)1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1);
    const ImgWarpPlace place = img_warp_project(&task.map.projection, column, row);
    Spot spot;
    spot.x = (uint64_t)(place.x + half) << (32 - IMG_WARP_PLACES);
    spot.y = (uint64_t)(place.y + half) << (32 - IMG_WARP_PLACES);
    return spot;
}

/* Returns the smallest x and the smallest y of the positions in a tile, in perspective. The tile
 * has the pixels from (x, y) to (end_x - 1, end_y - 1). Positions are smallest at a corner of the
 * tile, so each of four adjacent lanes computes one corner. */
__device__ inline Spot projected_corner(const Task &task, int32_t x, int32_t y, int32_t end_x,
                                        int32_t end_y)
{
    const bool right = threadIdx.x % 2 == 1, low = threadIdx.x / 2 % 2 == 1;
    const int64_t width = task.map.grid_width, height = task.map.grid_height;
    Spot spot = projected(task, right ? end_x * width - 1 : x * width,
                          low ? end_y * height - 1 : y * height);
    for (int step = 1; step < 4; step *= 2) {
        const uint64_t other_x = __shfl_xor_sync(~0u, spot.x, step);
        const uint64_t other_y = __shfl_xor_sync(~0u, spot.y, step);
        spot.x = (int64_t)other_x < (int64_t)spot.x ? other_x : spot.x;
        spot.y = (int64_t)other_y < (int64_t)spot.y ? other_y : spot.y;
    }
    return spot;
}

__device__ inline bool is_inside(const Task &task, const Box &box)
{
    const Limits &of = task.inside;
    return (box.left >= of.left) & (box.left <= of.right) & (box.top >= of.top) &
           (box.top <= of.bottom);
}

/* Returns true if the box shows only background. */
__device__ inline bool is_outside(const Task &task, const Box &box)
{
    const Limits &of = task.outside;
    return (box.left <= of.left) | (box.left >= of.right) | (box.top <= of.top) |
           (box.top >= of.bottom);
}

} // namespace warp_tiles

/* --- Boxes ------------------------------------------------------------------------------------ */

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
