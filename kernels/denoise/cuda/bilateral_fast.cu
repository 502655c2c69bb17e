/* The bilateral filter on CUDA, fast version, for 8-bit gray and RGB and for 16-bit gray. The
 * radius is at most 5, and the loops over taps are unrolled. A thread filters a column of pixels.
 * It reads each neighbour once and uses it for all pixels of this column that are near enough.
 * Weights come from a table in shared memory. The grid has only as many blocks as can run at the
 * same time, so each block fills its table once. Dot products add two pixels at a time. The kernel
 * is limited by arithmetic (kernels/denoise/MEASUREMENTS.md). */
#include <math.h>

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/denoise/bilateral.h"
#include "kernels/denoise/cuda/pixel_quads.cuh"

/* --- Tables of weights in shared memory ------------------------------------------------------- */

/* Tables of weights in shared memory. They are indexed by the distance of a neighbour's position
 * and by its difference in colour. Neighbours at the same distance from the centre form a class.
 * The squared distances of classes are 0, 1, 2, 4, 5, 8 ... */

constexpr int BILATERAL_RADIUS = 5, BILATERAL_CLASSES = 14, BILATERAL_LANES = 32;
constexpr unsigned BILATERAL_ALL = 0xffffffff;
/* bits of the float 512.0F, see ExponentWeights */
constexpr uint32_t BILATERAL_FLOOR_BITS = 0x44000000;

/* Returns the class of neighbours at the squared distance `square`. Classes are numbered by
 * distance, so the result is the number of nearer classes. */
IMG_HOST_DEVICE constexpr int class_of(int square)
{
    return (square > 0) + (square > 1) + (square > 2) + (square > 4) + (square > 5) + (square > 8) +
           (square > 9) + (square > 10) + (square > 13) + (square > 16) + (square > 17) +
           (square > 18) + (square > 20) + (square > 25);
}
static_assert(class_of(BILATERAL_RADIUS * BILATERAL_RADIUS + 1) == BILATERAL_CLASSES, "");

/* Parameters of the kernel that are not compile-time constants. `exponents` has the exponent of
 * each class, or IMG_DECAY_NOTHING if the class has weight 0. `places` are the byte offsets at
 * which the weights of the classes begin (ExponentWeights). `last` is the smallest colour distance
 * at which all weights are 0. */
struct BilateralClasses {
    uint32_t exponents[BILATERAL_CLASSES], places[BILATERAL_CLASSES], last;
};

inline BilateralClasses bilateral_classes(const ImgBilateral *own)
{
    BilateralClasses classes;
    for (int c = 0; c < BILATERAL_CLASSES; c++)
        classes.exponents[c] = IMG_DECAY_NOTHING;
    for (int32_t i = 0; i < own->count; i++)
        if (own->taps[i].exponent < IMG_DECAY_NOTHING)
            classes.exponents[class_of(own->taps[i].x * own->taps[i].x +
                                       own->taps[i].y * own->taps[i].y)] = own->taps[i].exponent;
    for (int c = 0; c < BILATERAL_CLASSES; c++)
        classes.places[c] = 2 * (classes.exponents[c] - BILATERAL_FLOOR_BITS);
    const uint32_t most = 255 * (uint32_t)own->weighed.colors;
    classes.last = own->farthest < most ? own->farthest : most;
    return classes;
}

/* --- 8 bits: by distance ---------------------------------------------------------------------- */

/* A table of weights with one row for each colour distance. A row has one word for every two
 * classes, stored COPIES times. With 32 copies, each lane reads from its own bank. All colour
 * distances from `last` on use the same row. */
template <int RADIUS, int COPIES> struct DistanceWeights {
    static constexpr int PAIRS = (class_of(RADIUS * RADIUS + 1) + 1) / 2;
    static constexpr int ROW = PAIRS * COPIES * (int)sizeof(uint32_t); /* number of bytes per row */
    const uint8_t *at;
    uint32_t copy, last; /* byte offsets of the lane's copy, and of the last row of this copy */
    uint32_t own;        /* weight of the pixel that is filtered */

    static size_t bytes(const BilateralClasses &classes)
    {
        return ((size_t)classes.last + 1) * ROW;
    }

    __device__ DistanceWeights(uint32_t *table, const ImgBilateral *filter,
                               const BilateralClasses &classes)
        : own(img_bilateral_weight(filter, 0, classes.exponents[0]))
    {
        const int lane = (int)threadIdx.x % BILATERAL_LANES;
        const int entries = ((int)classes.last + 1) * PAIRS;
        for (int first = (int)threadIdx.x - lane; first < entries; first += (int)blockDim.x) {
            const int pair = (first + lane) % PAIRS;
            const uint32_t distance = (uint32_t)((first + lane) / PAIRS);
            const uint32_t even =
                img_bilateral_weight(filter, distance, classes.exponents[2 * pair]);
            const uint32_t odd =
                img_bilateral_weight(filter, distance, classes.exponents[2 * pair + 1]);
            for (int k = 0; k < BILATERAL_LANES; k++) {
                const uint32_t word = __shfl_sync(BILATERAL_ALL, even | odd << 16, k);
                if (first + k < entries && lane < COPIES)
                    table[(first + k) * COPIES + lane] = word;
            }
        }
        at = reinterpret_cast<const uint8_t *>(table);
        copy = (uint32_t)(lane % COPIES) * sizeof(uint32_t);
        last = classes.last * (uint32_t)ROW + copy;
    }

    /* Returns the part of a pixel's word that is compared with the words of other pixels. */
    __device__ static uint32_t guide(uint32_t word)
    {
        return word;
    }

    __device__ uint32_t get(uint32_t a, uint32_t b, int which) const
    {
        const uint32_t row = min(__vsadu4(a, b) * (uint32_t)ROW + copy, last);
        const uint8_t *found = at + row + which / 2 * COPIES * (int)sizeof(uint32_t);
        return reinterpret_cast<const uint16_t *>(found)[which % 2];
    }
};

/* --- Gray of 16 bits: by exponent ------------------------------------------------------------- */

/* A table indexed by the exponent. Exponents are computed as in img_bilateral_weight, but as
 * floats. Adding 2^9 rounds a float down to a multiple of 2^-14. So the low bits of the sum are an
 * integer in units of 2^-14. Exponents above 1 have weight 0 and are clamped to 1. */
struct ExponentWeights {
    static constexpr float UNIT = 1.0F / 16384.0F, FLOOR = 512.0F;
    static constexpr int COUNT = 16384 + IMG_DECAY_NOTHING + 1;
    const uint8_t *at;
    const BilateralClasses *classes;
    float factor;
    uint32_t own; /* weight of the pixel that is filtered */

    static size_t bytes(const BilateralClasses &)
    {
        return (COUNT + 1) / 2 * sizeof(uint32_t);
    }

    __device__ ExponentWeights(uint32_t *table, const ImgBilateral *filter,
                               const BilateralClasses &of_taps)
        : own(img_bilateral_weight(filter, 0, of_taps.exponents[0]))
    {
        for (int e = (int)threadIdx.x; e < COUNT; e += (int)blockDim.x)
            reinterpret_cast<uint16_t *>(table)[e] = (uint16_t)img_decay((uint32_t)e);
        at = reinterpret_cast<const uint8_t *>(table);
        classes = &of_taps;
        factor = (float)(filter->factor << filter->shift) * UNIT / 65536.0F;
    }

    /* Returns the part of a pixel's word that is compared with other pixels, plus 2^23, as the bits
     * of a float. All guides have the offset 2^23, so it cancels out in differences. */
    __device__ static uint32_t guide(uint32_t word)
    {
        return img_bilateral_guide(word, 16) | 0x4b000000U;
    }

    __device__ uint32_t get(uint32_t a, uint32_t b, int which) const
    {
        const float apart = fabsf(__uint_as_float(a) - __uint_as_float(b));
        const float root = __saturatef(__fmaf_rz(apart, factor, FLOOR) - FLOOR);
        const uint32_t exponent = __float_as_uint(__fmaf_rz(root, root, FLOOR));
        return *reinterpret_cast<const uint16_t *>(
            at + (uint32_t)(exponent * 2 + classes->places[which]));
    }
};

/* --- The kernel ------------------------------------------------------------------------------- */

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
