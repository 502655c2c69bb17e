/* The bilateral filter on CUDA, fast version, for 8-bit gray and RGB and for 16-bit gray. The
 * radius is at most 5, and the loops over taps are unrolled. A thread filters a column of pixels.
 * It reads each neighbour once and uses it for all pixels of this column that are near enough.
 * Weights come from a table in shared memory. The grid has only as many blocks as can run at the
 * same time, so each block fills its table once. Dot products add two pixels at a time. The kernel
 * is limited by arithmetic (kernels/denoise/MEASUREMENTS.md). */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/shared_memory.cuh"
#include "kernels/denoise/cuda/bilateral_weights.cuh"
#include "kernels/denoise/cuda/pair_sums.cuh"
#include "kernels/denoise/cuda/pixel_quads.cuh"

namespace
{

/* A tile is a square of SIDE pixels. A warp filters LANES columns and ROWS rows of it. */
constexpr int LANES = BILATERAL_LANES, ROWS = 8, SIDE = 64;
constexpr int THREADS = SIDE / LANES * (SIDE / ROWS) * LANES;

/* Layout of a tile and its halo in shared memory. Rows consist of whole quads, which are groups of
 * four pixels. */
template <int RADIUS> struct Tile {
    static constexpr int BEFORE = (RADIUS + 3) / 4 * 4, PITCH = SIDE + 2 * BEFORE;
    static constexpr int LINES = SIDE + 2 * RADIUS, WORDS = PITCH * LINES;
};

/* Returns half the height of the disc, in pixels, in the column that is `away` columns from its
 * centre. */
IMG_HOST_DEVICE constexpr int half_height(int radius, int away)
{
    int half = 0;
    while ((half + 1) * (half + 1) + away * away <= radius * radius)
        half++;
    return half;
}

/* Adds the taps in one column of the disc to the sums of the thread's pixels. `column` points to
 * the tap beside the thread's first pixel. Two pixels of the thread have the same weight for each
 * other, so the weight is looked up once. The compiler recognises this only if both look-ups are
 * written in the same way. */
template <int RADIUS, int AWAY, bool WIDE, int COLORS, typename Weights>
__device__ void add_column(const Weights &weights, const uint32_t *column,
                           const uint32_t (&center)[ROWS], PairSums<WIDE, COLORS> (&sums)[ROWS])
{
    constexpr int HALF = half_height(RADIUS, AWAY), PITCH = Tile<RADIUS>::PITCH;
    IMG_DENOISE_UNROLL
    for (int line = -HALF; line < ROWS + HALF; line += 2) {
        const bool both = line + 1 < ROWS + HALF;
        const uint32_t a = column[line * PITCH], b = both ? column[(line + 1) * PITCH] : 0;
        uint32_t guides[2] = {weights.guide(a), weights.guide(b)};
        IMG_DENOISE_UNROLL
        for (int i = 0; i < 2 && AWAY == 0; i++)
            if (line + i >= 0 && line + i < ROWS)
                /* In this column the neighbours are the thread's own pixels, which are in
                 * registers. The compiler cannot prove that, and would look up a weight twice. */
                guides[i] = center[line + i];
        IMG_DENOISE_UNROLL
        for (int k = 0; k < ROWS; k++) {
            uint32_t pair = 0;
            IMG_DENOISE_UNROLL
            for (int i = 0; i < 2; i++) {
                const int down = line + i - k;
                if (down < -HALF || down > HALF)
                    continue;
                const int which = class_of(down * down + AWAY * AWAY);
                const uint32_t weight = which == 0 ? weights.own
                                        : down < 0 ? weights.get(center[k], guides[i], which)
                                                   : weights.get(guides[i], center[k], which);
                pair = i == 0 ? weight : __byte_perm(pair, weight, 0x5410);
            }
            if (line + 1 - k >= -HALF && line - k <= HALF)
                sums[k].add(pair, a, b);
        }
    }
}

template <int RADIUS, int AWAY, bool WIDE, int COLORS, typename Weights> struct Columns {
    __device__ static void add(const Weights &weights, const uint32_t *middle,
                               const uint32_t (&center)[ROWS], PairSums<WIDE, COLORS> (&sums)[ROWS])
    {
        Columns<RADIUS, AWAY - 1, WIDE, COLORS, Weights>::add(weights, middle, center, sums);
#pragma unroll 1
        for (int at = -AWAY; at <= AWAY; at += 2 * AWAY)
            add_column<RADIUS, AWAY, WIDE, COLORS>(weights, middle + at, center, sums);
    }
};

template <int RADIUS, bool WIDE, int COLORS, typename Weights>
struct Columns<RADIUS, 0, WIDE, COLORS, Weights> {
    __device__ static void add(const Weights &weights, const uint32_t *middle,
                               const uint32_t (&center)[ROWS], PairSums<WIDE, COLORS> (&sums)[ROWS])
    {
        add_column<RADIUS, 0, WIDE, COLORS>(weights, middle, center, sums);
    }
};

/* --- The tile --------------------------------------------------------------------------------- */

template <int RADIUS> struct Put {
    uint32_t *tile;

    __device__ void quad(int32_t line, int32_t quad, uint4 pixels) const
    {
        reinterpret_cast<uint4 *>(tile + line * Tile<RADIUS>::PITCH)[quad] = pixels;
    }
    __device__ void pixel(int32_t line, int32_t column, uint32_t pixel) const
    {
        tile[line * Tile<RADIUS>::PITCH + column] = pixel;
    }
};

template <int RADIUS, bool WIDE, int COLORS>
__device__ void fill_tile(uint32_t *tile, const ImgWeighed &weighed, const ImgView &src,
                          int32_t left, int32_t top)
{
    using T = Tile<RADIUS>;
    using Read = ReadQuads<WIDE, COLORS, THREADS, T::PITCH / 4, 3>;
    Read::run(weighed, src, left - T::BEFORE, top - RADIUS, T::LINES, Put<RADIUS>{tile});
}

/* Stores the means of one row of a warp's pixels. The pixel of this thread is (x, y). For RGB, four
 * lanes combine their pixels to three words. */
template <bool WIDE, int COLORS>
__device__ void store_means(const ImgView &dst, int32_t x, int32_t y, uint32_t means)
{
    const bool inside = x < dst.width && y < dst.height;
    if (WIDE || COLORS == 1) {
        if (inside)
            PairSums<WIDE, COLORS>::store(dst, x, y, means);
        return;
    }
    const int32_t part = x % 4;
    const uint32_t next = __shfl_down_sync(BILATERAL_ALL, means, 1);
    if (!inside)
        return;
    if (x - part + 4 > dst.width)
        PairSums<WIDE, COLORS>::store(dst, x, y, means);
    else if (part < 3)
        reinterpret_cast<uint32_t *>(dst.data + (size_t)y * dst.stride)[x / 4 * 3 + part] =
            __byte_perm(means, next,
                        part == 0   ? 0x4210
                        : part == 1 ? 0x5421
                                    : 0x6542);
}

template <int RADIUS, bool WIDE, int COLORS, typename Weights>
__global__ void __launch_bounds__(THREADS, 2)
    fast_kernel(const ImgBilateral *own, const BilateralClasses classes, ImgView src, ImgView dst,
                uint32_t tiles_across, uint32_t tiles, uint32_t table_words)
{
    constexpr int PITCH = Tile<RADIUS>::PITCH;
    /* The table is at the start, so that its address is a compile-time constant. */
    IMG_SHARED_DYNAMIC(uint32_t, memory);
    uint32_t *tile = memory + table_words;
    const Weights weights(memory, own, classes);
    const int32_t warp = (int32_t)threadIdx.x / LANES;
    const int32_t column = warp % (SIDE / LANES) * LANES + (int32_t)threadIdx.x % LANES;
    const int32_t line = warp / (SIDE / LANES) * ROWS;
    const uint32_t *middle = tile + (line + RADIUS) * PITCH + column + Tile<RADIUS>::BEFORE;
    for (uint32_t number = blockIdx.x; number < tiles; number += gridDim.x) {
        const int32_t left = (int32_t)(number % tiles_across) * SIDE;
        const int32_t top = (int32_t)(number / tiles_across) * SIDE;
        __syncthreads(); /* waits until all threads have read the previous tile */
        fill_tile<RADIUS, WIDE, COLORS>(tile, own->weighed, src, left, top);
        __syncthreads();
        PairSums<WIDE, COLORS> sums[ROWS];
        uint32_t center[ROWS];
        IMG_DENOISE_UNROLL
        for (int k = 0; k < ROWS; k++) {
            sums[k].clear();
            center[k] = weights.guide(middle[k * PITCH]);
        }
        Columns<RADIUS, RADIUS, WIDE, COLORS, Weights>::add(weights, middle, center, sums);
        IMG_DENOISE_UNROLL
        for (int k = 0; k < ROWS; k++)
            store_means<WIDE, COLORS>(dst, left + column, top + line + k, sums[k].means());
    }
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Properties of the GPU: largest shared memory per block, in bytes, and number of
 * multiprocessors. */
struct Machine {
    int most, multiprocessors;
};

template <int RADIUS, bool WIDE, int COLORS, typename Weights>
ImgStatus launch(const ImgCall *call, const BilateralClasses &classes, const Machine &machine,
                 ImgError *err)
{
    const size_t table = (Weights::bytes(classes) + 15) / 16 * 4;
    const size_t bytes = (table + Tile<RADIUS>::WORDS) * sizeof(uint32_t);
    const uint32_t across = (uint32_t)((call->src.width - 1) / SIDE + 1);
    const uint32_t tiles = across * (uint32_t)((call->src.height - 1) / SIDE + 1);
    const uint32_t fitting = 2 * (uint32_t)machine.multiprocessors;
    auto *kernel = fast_kernel<RADIUS, WIDE, COLORS, Weights>;
    if (bytes > (size_t)machine.most)
        return img_bilateral_cuda_tiled(call, err);
    CUDA_TRY(allow_shared_memory(kernel), err);
    IMG_LAUNCH(kernel, tiles < fitting ? tiles : fitting, THREADS, bytes, call->stream,
               static_cast<const ImgBilateral *>(call->device_constants), classes, call->src,
               call->dst, across, tiles, (uint32_t)table);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* Launches the kernel for 8-bit samples. If two blocks per multiprocessor fit, each lane has its
 * own copy of the weights, which avoids bank conflicts. Otherwise there are eight copies. */
template <int RADIUS, int COLORS>
ImgStatus launch_bytes(const ImgCall *call, const BilateralClasses &classes, const Machine &machine,
                       ImgError *err)
{
    typedef DistanceWeights<RADIUS, BILATERAL_LANES> Own;
    typedef DistanceWeights<RADIUS, 8> Shared;
    constexpr size_t TILE = Tile<RADIUS>::WORDS * sizeof(uint32_t);
    return 2 * (Own::bytes(classes) + TILE) <= (size_t)machine.most
               ? launch<RADIUS, false, COLORS, Own>(call, classes, machine, err)
               : launch<RADIUS, false, COLORS, Shared>(call, classes, machine, err);
}

template <int RADIUS>
ImgStatus launch_radius(const ImgCall *call, const ImgWeighed &weighed,
                        const BilateralClasses &classes, const Machine &machine, ImgError *err)
{
    if (weighed.bits == 16)
        return launch<RADIUS, true, 1, ExponentWeights>(call, classes, machine, err);
    return weighed.colors == 1 ? launch_bytes<RADIUS, 1>(call, classes, machine, err)
                               : launch_bytes<RADIUS, 3>(call, classes, machine, err);
}

} // namespace

/* Implements the fast version. It calls the version with tiles for alpha, 16-bit RGB, radii above
 * 5, and GPUs with too little shared memory. If no neighbour has a weight, it calls the version
 * without tiles. */
ImgStatus img_bilateral_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgBilateral *own = static_cast<const ImgBilateral *>(call->constants.bytes);
    const ImgWeighed &weighed = own->weighed;
    if (weighed.has_alpha != 0 || (weighed.bits == 16 && weighed.colors != 1) ||
        own->radius > BILATERAL_RADIUS)
        return own->count > 2 ? img_bilateral_cuda_tiled(call, err)
                              : img_bilateral_cuda_naive(call, err);
    const BilateralClasses classes = bilateral_classes(own);
    Machine machine;
    int device;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(&machine.most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             err);
    CUDA_TRY(
        cudaDeviceGetAttribute(&machine.multiprocessors, cudaDevAttrMultiProcessorCount, device),
        err);
    switch (own->radius) {
    case 1:
        return launch_radius<1>(call, weighed, classes, machine, err);
    case 2:
        return launch_radius<2>(call, weighed, classes, machine, err);
    case 3:
        return launch_radius<3>(call, weighed, classes, machine, err);
    case 4:
        return launch_radius<4>(call, weighed, classes, machine, err);
    default:
        return launch_radius<5>(call, weighed, classes, machine, err);
    }
}
