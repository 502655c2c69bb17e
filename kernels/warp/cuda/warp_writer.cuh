/* Private to the fast warp on CUDA: rows of the result. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_WRITER_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_WRITER_CUH

#include "kernels/warp/cuda/warp_task.cuh"

namespace warp_tiles
{

/* Where a lane puts its pixels, one below the other. Of a warp's 32 pixels of three bytes each four
 * lanes make three words, unless some are beyond the picture's edge: not WHOLE. */
template <int SIZE, bool WHOLE> struct Writer {
    static constexpr bool JOINS = WHOLE && SIZE == 3;
    uint8_t *to;
    size_t step;       /* bytes to the row that the warp makes next */
    uint32_t selector; /* of bytes of the lane's pixel and its neighbour's */
    bool writes;

    /* Rows of ROWS, as the block's, from the pixel at (x0, y0) on. */
    __device__ Writer(const Task &task, int32_t x0, int32_t y0)
    {
        const int lane = (int)threadIdx.x, at = lane % 4;
        writes = !JOINS || at < 3;
        selector = at == 0 ? 0x4210 : at == 1 ? 0x5421 : 0x6542;
        step = ROWS * task.dst.stride;
        to = task.dst.data + (size_t)(y0 + (int32_t)threadIdx.y) * task.dst.stride +
             (size_t)x0 * SIZE + (JOINS ? (lane / 4 * 3 + at) * 4 : lane * SIZE);
    }
    /* Whether the lane's pixel is inside a row of that width. */
    __device__ void look(int32_t x0, int32_t width)
    {
        writes = x0 + (int32_t)threadIdx.x < width;
    }
    /* To the first row of the next LANES columns. */
    __device__ void go_back(int rows)
    {
        to += LANES * SIZE - (ptrdiff_t)rows * (ptrdiff_t)step;
    }
    /* All lanes must take part. */
    __device__ void write(const uint32_t (&pixel)[2])
    {
        const uint32_t next = JOINS ? __shfl_down_sync(~0u, pixel[0], 1) : 0;
        if (JOINS && writes)
            *reinterpret_cast<uint32_t *>(to) = __byte_perm(pixel[0], next, selector);
        else if (writes)
            write_alone(pixel);
        to += step;
    }

  private:
    __device__ void write_alone(const uint32_t (&pixel)[2])
    {
        if (SIZE == 8)
            *reinterpret_cast<uint2 *>(to) = make_uint2(pixel[0], pixel[1]);
        else if (SIZE == 4)
            *reinterpret_cast<uint32_t *>(to) = pixel[0];
        else if (SIZE % 2 == 0)
#pragma unroll
            for (int i = 0; i < SIZE / 2; i++)
                reinterpret_cast<uint16_t *>(to)[i] = (uint16_t)(pixel[i / 2] >> 16 * (i % 2));
        else
#pragma unroll
            for (int i = 0; i < SIZE; i++)
                to[i] = (uint8_t)(pixel[0] >> 8 * i);
    }
};

} // namespace warp_tiles

#endif
