/* Private to the fast image warp on CUDA: tiles that extend beyond the result, tiles with
 * background, and tiles with several positions per pixel. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_PARTS_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_PARTS_CUH

#include "kernels/warp/cuda/warp_sums.cuh"
#include "kernels/warp/cuda/warp_task.cuh"

/* --- Whole tiles ------------------------------------------------------------------------------ */

/* Tiles that are completely inside the result, without background, and with one position per
 * pixel. Most of the time is spent here. */

namespace warp_tiles
{

/* --- Storing pixels of the result ------------------------------------------------------------- */

/* Stores the pixels of a lane, one below the other. WHOLE is true if all pixels of the warp are
 * inside the result. Then, if pixels have three bytes (SIZE), four lanes combine their pixels to
 * three words. Otherwise each lane stores its own pixel; three bytes are stored one by one. */
template <int SIZE, bool WHOLE> struct Writer {
    static constexpr bool JOINS = WHOLE && SIZE == 3;
    uint8_t *to;
    uint32_t step; /* distance to the row below, in bytes */
    /* byte selector that combines the lane's pixel and the pixel of the next lane to a word */
    uint32_t selector;
    bool writes;

    /* Prepares to store pixels. The first pixel of the warp is at (x0, y0) in the result. */
    __device__ Writer(const Task &task, int32_t x0, int32_t y0)
    {
        const uint32_t lane = threadIdx.x, at = lane % 4;
        writes = !JOINS || at < 3;
        selector = at == 0 ? 0x4210 : at == 1 ? 0x5421 : 0x6542;
        step = (uint32_t)task.dst.stride;
        to = task.dst.data + (uint64_t)(uint32_t)y0 * step +
             ((uint32_t)x0 * SIZE + (JOINS ? (lane / 4 * 3 + at) * 4 : lane * SIZE));
    }
    /* Sets `writes` to true if the lane's pixel, in the column x0 + lane, is inside a row of
     * `width` pixels. */
    __device__ void look(int32_t x0, int32_t width)
    {
        writes = x0 + (int32_t)threadIdx.x < width;
    }
    /* Stores one pixel per lane at `at`, except for lanes whose `is_there` is false. All lanes must
     * call it. */
    __device__ void write(const uint32_t (&pixel)[2], uint8_t *at, bool is_there) const
    {
        const uint32_t next = JOINS ? __shfl_down_sync(~0u, pixel[0], 1) : 0;
        if (JOINS && writes)
            *reinterpret_cast<uint32_t *>(at) = __byte_perm(pixel[0], next, selector);
        else if (writes && is_there)
            write_alone(pixel, at);
    }

  private:
    __device__ static void write_alone(const uint32_t (&pixel)[2], uint8_t *at)
    {
        if (SIZE == 8)
            *reinterpret_cast<uint2 *>(at) = make_uint2(pixel[0], pixel[1]);
        else if (SIZE == 4)
            *reinterpret_cast<uint32_t *>(at) = pixel[0];
        else if (SIZE % 2 == 0)
#pragma unroll
            for (int i = 0; i < SIZE / 2; i++)
                reinterpret_cast<uint16_t *>(at)[i] = (uint16_t)(pixel[i / 2] >> 16 * (i % 2));
        else
#pragma unroll
            for (int i = 0; i < SIZE; i++)
                at[i] = (uint8_t)(pixel[0] >> 8 * i);
    }
};

/* An address in shared memory as a number. With this type, the compiler first adds the parts of an
 * address that are the same in all lanes. */
struct Shared {
#ifdef IMGTOOL_EMULATOR
    const uint8_t *from;
    __device__ explicit Shared(const uint8_t *tile) : from(tile)
    {
    }
    __device__ uint32_t first() const
    {
        return 0;
    }
    __device__ const uint8_t *at(uint32_t place) const
    {
        return from + place;
    }
#else
    uint32_t from;
    __device__ explicit Shared(const uint8_t *tile) : from((uint32_t)__cvta_generic_to_shared(tile))
    {
        asm("" : "+r"(from));
    }
    __device__ uint32_t first() const
    {
        return from;
    }
    __device__ const uint8_t *at(uint32_t place) const
    {
        return static_cast<const uint8_t *>(__cvta_shared_to_generic(place));
    }
#endif
};

/* Computes LANES columns of a tile. Each warp has its own rows. Each lane computes pixels below
 * each other, beginning in row `y`. */
template <typename K, int HALF, bool WHOLE, int TOGETHER>
__device__ inline void make_columns(const Task &task, const Box &box, Spot spot, int32_t y,
                                    const Writer<K::RESULT_SIZE, WHOLE> &writer)
{
    const uint32_t pitch = (uint32_t)task.pitch;
    const Shared shared(box.tile);
    uint8_t *to = writer.to;
#pragma unroll 1
    for (int row = 0; row < task.warp_rows; row += TOGETHER) {
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            int32_t sum[K::CHANNELS];
            uint32_t pixel[2];
            const uint32_t line = whole_of(spot.y) * pitch + shared.first();
            sum_window<K, HALF>(shared.at(line + whole_of(spot.x) * (4 * K::WORDS)), pitch,
                                box.table, phase_of(spot.x), phase_of(spot.y), sum);
            pack_pixel<K, HALF>(sum, pixel);
            writer.write(pixel, to, WHOLE || y + row + k < task.dst.height);
            spot = moved(spot, task.down, 1);
            to += writer.step;
        }
    }
}

/* Computes a tile that is completely inside the result and shows no background. */
template <typename K, int HALF, int TOGETHER>
__device__ inline void make_whole(const Task &task, const Box &box, Part part)
{
    Writer<K::RESULT_SIZE, true> writer(task, part.x, part.y);
#pragma unroll 1
    for (int x = 0; x < task.wide; x += LANES) {
        make_columns<K, HALF, true, TOGETHER>(task, box, part.spot, part.y, writer);
        part.spot = moved(part.spot, task.lanes_across, 1);
        writer.to += LANES * K::RESULT_SIZE;
    }
}

} // namespace warp_tiles

/* --- Other tiles ------------------------------------------------------------------------------ */

namespace warp_tiles
{

/* --- Pixels that are partly background, and averages of several positions --------------------- */

/* Computes which part of a pixel's width and height is inside the picture, like img_warp_inside,
 * but for a position relative to the box, the source pixels of a tile in shared memory. */
struct Cover {
    int32_t x_before, x_behind, y_before, y_behind;

    static __device__ int32_t near(int64_t phases)
    {
        const int64_t far = 1 << 30;
        return (int32_t)min(max(phases, -far), far);
    }
    __device__ Cover(const Task &task, const Box &box)
    {
        const int64_t left = (int64_t)(box.left + task.half - 1) * IMG_WARP_PHASES;
        const int64_t top = (int64_t)(box.top + task.half - 1) * IMG_WARP_PHASES;
        x_before = near(left + IMG_WARP_PHASES);
        y_before = near(top + IMG_WARP_PHASES);
        x_behind = near((int64_t)task.src.width * IMG_WARP_PHASES - left);
        y_behind = near((int64_t)task.src.height * IMG_WARP_PHASES - top);
    }
    /* Returns true if both positions are outside the same edge of the picture. Then all positions
     * between the two are outside, too. */
    __device__ bool misses(const Spot &a, const Spot &b) const
    {
        const int32_t a_x = phases_of(a.x), a_y = phases_of(a.y);
        const int32_t b_x = phases_of(b.x), b_y = phases_of(b.y);
        return (x_before + max(a_x, b_x) <= 0) | (x_behind - min(a_x, b_x) <= 0) |
               (y_before + max(a_y, b_y) <= 0) | (y_behind - min(a_y, b_y) <= 0);
    }
    static __device__ int32_t phases_of(uint64_t spot)
    {
        return (int32_t)(spot >> (32 - IMG_WARP_PHASE_PLACES));
    }
    __device__ int32_t of(const Spot &spot) const
    {
        const int32_t most = IMG_WARP_PHASES, x = phases_of(spot.x), y = phases_of(spot.y);
        const int32_t across = min(max(min(x_before + x, x_behind - x), 0), most);
        return across * min(max(min(y_before + y, y_behind - y), 0), most);
    }
};

template <typename K>
__device__ inline void blend(const Task &task, int32_t covered, int32_t (&lifted)[4])
{
#pragma unroll
    for (int c = 0; c < K::RESULT_CHANNELS; c++)
        lifted[c] = img_warp_blend(lifted[c], task.warp->background[c], covered);
}

/* Computes pixel (x, y) of the result, which has several positions, as the average of the samples
 * at all its positions. The average is stored in `lifted`, as lifted samples (window/lift.h).
 * It equals the result of img_warp_filtered (warp.h). A pixel has at most 2^20 positions, so sums
 * of 16-bit samples may need more than 32 bits. */
template <typename K, int HALF>
__device__ inline void average(const Task &task, const Box &box, const Cover &cover,
                               const Spot &first, int32_t x, int32_t y, int32_t (&lifted)[4])
{
    const uint32_t places = (uint32_t)task.map.grid_width * (uint32_t)task.map.grid_height;
    uint64_t sums[K::RESULT_CHANNELS] = {};
    for (int32_t j = 0; j < task.map.grid_height; j++) {
        Spot spot = moved(first, task.sub_down, (uint32_t)j);
        for (int32_t i = 0; i < task.map.grid_width; i++) {
            int32_t sum[K::CHANNELS];
            if (task.map.is_projective)
                spot = in_box(task, box,
                              projected(task, (int64_t)x * task.map.grid_width + i,
                                        (int64_t)y * task.map.grid_height + j));
            sum_spot<K, HALF>(spot, box, sum);
            lifted_of<K, HALF>(sum, lifted);
            const int32_t covered = task.constant ? cover.of(spot) : (int32_t)IMG_WARP_COVERED;
            if (covered < IMG_WARP_COVERED)
                blend<K>(task, covered, lifted);
#pragma unroll
            for (int c = 0; c < K::RESULT_CHANNELS; c++)
                sums[c] += (uint32_t)(lifted[c] + IMG_LIFT_ZERO);
            spot = moved(spot, task.sub_across, 1);
        }
    }
#pragma unroll
    for (int c = 0; c < K::RESULT_CHANNELS; c++)
        lifted[c] = places <= 65536
                        ? (int32_t)(((uint32_t)sums[c] + places / 2) / places) - IMG_LIFT_ZERO
                        : img_warp_average(sums[c], places);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Calls `make(spot, x, y, pixel)` for each pixel in LANES columns of a tile and stores the pixel.
 * Each warp processes its own rows. Lanes beyond the right edge of the result get the x of the last
 * pixel. */
template <typename K, typename Make>
__device__ inline void each_row(const Task &task, const Part &part,
                                const Writer<K::RESULT_SIZE, false> &writer, Make make)
{
    const int32_t below = min(part.y + task.warp_rows, task.dst.height);
    Spot spot = part.spot;
    uint8_t *to = writer.to;
#pragma unroll 1
    for (int32_t y = part.y; y < below; y++) {
        uint32_t pixel[2];
        make(spot, min(part.x + (int32_t)threadIdx.x, task.dst.width - 1), y, pixel);
        writer.write(pixel, to, true);
        spot = moved(spot, task.down, 1);
        to += writer.step;
    }
}

/* Calls `make(part, writer)` for all columns of a tile, for LANES columns per call. */
template <typename K, typename Make>
__device__ inline void each_columns(const Task &task, Part part, Make make)
{
    const int32_t end = min(part.x + task.wide, task.dst.width);
    Writer<K::RESULT_SIZE, false> writer(task, part.x, part.y);
#pragma unroll 1
    for (; part.x < end; part.x += LANES) {
        writer.look(part.x, task.dst.width);
        make(part, writer);
        part.spot = moved(part.spot, task.lanes_across, 1);
        writer.to += LANES * K::RESULT_SIZE;
    }
}

template <typename K, typename Make>
__device__ inline void each_pixel(const Task &task, const Part &part, Make make)
{
    each_columns<K>(task, part,
                    [&](const Part &columns, const Writer<K::RESULT_SIZE, false> &writer) {
                        each_row<K>(task, columns, writer, make);
                    });
}

/* Computes a pixel that has one position. The pixel may show the picture, the background, or
 * both. */
template <typename K, int HALF>
__device__ inline void make_edge_pixel(const Task &task, const Box &box, const Cover &cover,
                                       const Spot &spot, uint32_t (&pixel)[2])
{
    const int32_t covered = task.constant ? cover.of(spot) : (int32_t)IMG_WARP_COVERED;
    int32_t sum[K::CHANNELS], lifted[4];
    sum_spot<K, HALF>(spot, box, sum);
    pack_pixel<K, HALF>(sum, pixel);
    if (covered < IMG_WARP_COVERED) {
        lifted_of<K, HALF>(sum, lifted);
        blend<K>(task, covered, lifted);
        pack_lifted<K>(lifted, pixel);
    }
}

/* Computes a tile that may be partly background, or may extend beyond the result. A warp checks the
 * first and the last pixel of each of its columns. If all of these pixels show only the picture,
 * the warp computes its columns with make_columns, as in tiles without background. If all columns
 * are outside the picture, it fills them with the background. Otherwise it computes pixel by
 * pixel. */
template <typename K, int HALF>
__device__ inline void make_parts(const Task &task, const Box &box, bool inside, const Part &part)
{
    const Cover cover(task, box);
    uint32_t empty[2];
    pack_background<K>(task, empty);
    each_columns<K>(task, part, [&](const Part &at, const Writer<K::RESULT_SIZE, false> &writer) {
        const Spot last = moved(at.spot, task.down, (uint32_t)task.warp_rows - 1);
        const bool is_picture =
            inside || (cover.of(at.spot) == IMG_WARP_COVERED && cover.of(last) == IMG_WARP_COVERED);
        if (__all_sync(~0u, is_picture))
            make_columns<K, HALF, false, WHOLE_ROWS>(task, box, at.spot, at.y, writer);
        else if (__all_sync(~0u, cover.misses(at.spot, last)))
            each_row<K>(task, at, writer, [&](const Spot &, int32_t, int32_t, uint32_t(&pixel)[2]) {
                pixel[0] = empty[0];
                pixel[1] = empty[1];
            });
        else
            each_row<K>(task, at, writer,
                        [&](const Spot &spot, int32_t, int32_t, uint32_t(&pixel)[2]) {
                            make_edge_pixel<K, HALF>(task, box, cover, spot, pixel);
                        });
    });
}

/* Computes a tile whose pixels have one position each. It supports perspective, background, and
 * tiles that extend beyond the result. */
template <typename K, int HALF>
__device__ inline void make_edge(const Task &task, const Box &box, const Part &part)
{
    const Cover cover(task, box);
    each_pixel<K>(task, part, [&](Spot spot, int32_t x, int32_t y, uint32_t(&pixel)[2]) {
        if (task.map.is_projective)
            spot = in_box(task, box, projected(task, x, y));
        make_edge_pixel<K, HALF>(task, box, cover, spot, pixel);
    });
}

template <typename K, int HALF>
__device__ inline void make_averages(const Task &task, const Box &box, const Part &part)
{
    const Cover cover(task, box);
    each_pixel<K>(task, part, [&](const Spot &spot, int32_t x, int32_t y, uint32_t(&pixel)[2]) {
        int32_t lifted[4];
        average<K, HALF>(task, box, cover, spot, x, y, lifted);
        pack_lifted<K>(lifted, pixel);
    });
}

/* Writes the background to the part of a tile that is inside the result. */
template <typename K> __device__ inline void make_empty(const Task &task, const Part &part)
{
    uint32_t empty[2];
    pack_background<K>(task, empty);
    each_pixel<K>(task, part, [&](const Spot &, int32_t, int32_t, uint32_t(&pixel)[2]) {
        pixel[0] = empty[0];
        pixel[1] = empty[1];
    });
}

} // namespace warp_tiles

#endif
