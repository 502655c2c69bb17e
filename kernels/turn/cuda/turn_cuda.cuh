/* Private to the turn family: declarations that its CUDA files have in common. They concern pixel
 * types, tiles and launches. */
#ifndef IMGTOOL_KERNELS_TURN_CUDA_TURN_CUDA_CUH
#define IMGTOOL_KERNELS_TURN_CUDA_TURN_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/turn/turn.h"

/* A type that describes how a thread moves a pixel: as COUNT units of 1, 2, 4 or 8 bytes, aligned
 * to the size of a unit. */
template <typename Unit_, int COUNT_> struct Pixel {
    using Unit = Unit_;
    static constexpr int COUNT = COUNT_;
    static constexpr int BYTES = COUNT_ * (int)sizeof(Unit_);
};

/* Calls `run` with a Pixel that has the plan's pixel size, so that the size is a compile-time
 * constant. */
template <typename Run> ImgStatus with_pixel(const ImgTurnPlan &plan, ImgError *err, Run run)
{
    switch (plan.pixel_size) {
    case 1:
        return run(Pixel<uint8_t, 1>());
    case 2:
        return run(Pixel<uint16_t, 1>());
    case 3:
        return run(Pixel<uint8_t, 3>());
    case 4:
        return run(Pixel<uint32_t, 1>());
    case 6:
        return run(Pixel<uint16_t, 3>());
    case 8:
        return run(Pixel<uint2, 1>());
    default:
        return img_fail(err, IMG_E_UNSUPPORTED, "no CUDA kernel for pixels of %zu bytes",
                        plan.pixel_size);
    }
}

/* Number of tiles of `columns` x `rows` pixels that cover the source, along each axis. */
struct Tiles {
    uint32_t across, down;
};

inline Tiles tiles_of(const ImgTurnPlan &plan, int columns, int rows)
{
    return {(uint32_t)((plan.width + (int64_t)columns - 1) / columns),
            (uint32_t)((plan.height + (int64_t)rows - 1) / rows)};
}

/* Computes the number of blocks, one per tile. The grid has one dimension, which allows 2^31 - 1
 * blocks; the second dimension would allow only 65,535. */
inline ImgStatus grid_of(Tiles tiles, unsigned *blocks, ImgError *err)
{
    uint64_t count = (uint64_t)tiles.across * tiles.down;
    if (count > INT32_MAX)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    *blocks = (unsigned)count;
    return IMG_OK;
}

/* Divides the picture into tiles of `columns` x `rows` pixels, and calls `kernel(pixel, plan,
 * tiles, blocks)`. `kernel` must launch one block per tile. `pixel` is a Pixel of the picture's
 * pixel size. */
template <typename Kernel>
ImgStatus launch_tiles(const ImgCall *call, int columns, int rows, ImgError *err, Kernel kernel)
{
    ImgTurnPlan plan = img_turn_plan(call);
    Tiles tiles = tiles_of(plan, columns, rows);
    unsigned blocks = 0;
    ImgStatus status = grid_of(tiles, &blocks, err);
    if (status != IMG_OK)
        return status;
    return with_pixel(plan, err, [&](auto pixel) {
        kernel(pixel, plan, tiles, blocks);
        CUDA_TRY(cudaGetLastError(), err);
        return IMG_OK;
    });
}

#endif
