/* Private to the fast image warp on CUDA: tiles that are completely inside the result, without
 * background, and with one position per pixel. Most of the time is spent here. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_WHOLE_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_WHOLE_CUH

#include "kernels/warp/cuda/warp_sums.cuh"
#include "kernels/warp/cuda/warp_writer.cuh"

namespace warp_tiles
{

/* An address in shared memory as a number. It makes the compiler add the parts that all lanes have
 * in common first. */
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
