/* Private to the fast image warp on CUDA: tiles that are completely inside the result, without
 * background, and with one position per pixel. Most of the time is spent here. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_WHOLE_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_WHOLE_CUH

#include "kernels/warp/cuda/warp_sums.cuh"
#include "kernels/warp/cuda/warp_task.cuh"

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

#endif
