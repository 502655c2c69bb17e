/* clahe on the GPU, textbook version. One kernel counts pixels in shared memory, with several
 * blocks per tile. In the second kernel each block computes a table. In the third kernel each
 * thread computes a pixel. */
#include "kernels/clahe/clahe.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr unsigned THREADS = 256, WARP = 32;
/* Minimum number of pixels per strip. In smaller strips, adding a block's bins to global memory
 * would take longer than counting. */
constexpr int STRIP_PIXELS = 1 << 15;

struct Run {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    ImgClahePlan plan;
    uint32_t *counts; /* counts of all tiles; a tile has 2^bin_bits counts */
    uint16_t *tables;
    ImgBetween *columns, *rows;
};

template <typename Sample>
__device__ uint32_t brightness(const ImgClahePlan &plan, const Sample *pixel)
{
    return plan.colors == 1 ? pixel[0] : img_luma(plan.weights, pixel[0], pixel[1], pixel[2]);
}

/* Finds, for each column and each row of pixels, the two tiles around it and their weights. Each
 * thread computes one column or row. */
__global__ void __launch_bounds__(THREADS) place_kernel(Run run)
{
    const ImgClahePlan &plan = run.plan;
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < plan.width)
        run.columns[i] = img_clahe_between((int32_t)i, plan.width, plan.across, plan.weight_bits);
    else if (i - plan.width < plan.height)
        run.rows[i - plan.width] =
            img_clahe_between((int32_t)(i - plan.width), plan.height, plan.down, plan.weight_bits);
}

/* Counts the pixels of one strip, some rows of a tile, per block. Neighbouring threads read
 * neighbouring pixels. Atomic additions to up to 256 bins in shared memory limit the kernel:
 * neighbours of equal value have to wait for each other. */
template <typename Sample>
__global__ void __launch_bounds__(THREADS) count_tiles_kernel(Run run, int32_t strips)
{
    IMG_SHARED_DYNAMIC(uint32_t, bins);
    const ImgClahePlan &plan = run.plan;
    int32_t size = 1 << plan.bin_bits;
    int32_t tile = (int32_t)blockIdx.x / strips, strip = (int32_t)blockIdx.x % strips;
    int32_t i = tile % plan.across, j = tile / plan.across;
    int32_t left = img_clahe_border(i, plan.width, plan.across);
    int32_t width = img_clahe_border(i + 1, plan.width, plan.across) - left;
    int32_t top = img_clahe_border(j, plan.height, plan.down);
    int32_t height = img_clahe_border(j + 1, plan.height, plan.down) - top;
    int32_t first = img_clahe_border(strip, height, strips);
    int64_t pixels = (int64_t)(img_clahe_border(strip + 1, height, strips) - first) * width;
    for (int b = (int)threadIdx.x; b < size; b += (int)blockDim.x)
        bins[b] = 0;
    __syncthreads();
    bool has_alpha = plan.channels > plan.colors;
    for (int64_t n = threadIdx.x; n < pixels; n += blockDim.x) {
        int64_t y = top + first + n / width, x = left + n % width;
        const Sample *pixel =
            reinterpret_cast<const Sample *>(run.src + (size_t)y * run.src_stride) +
            x * plan.channels;
        if (!has_alpha || pixel[plan.colors] > 0)
            atomicAdd(&bins[brightness(plan, pixel) >> plan.fine_bits], 1U);
    }
    __syncthreads();
    uint32_t *counts = run.counts + ((size_t)tile << plan.bin_bits);
    for (int b = (int)threadIdx.x; b < size; b += (int)blockDim.x)
        if (bins[b] > 0)
            atomicAdd(&counts[b], bins[b]);
}

/* Returns the sum of `value` over the lanes up to and including this one. Sets *before to the sum
 * over the lanes before this one. */
__device__ uint32_t warp_scan(uint32_t value, uint32_t *before)
{
    uint32_t up_to = value;
    for (unsigned away = 1; away < WARP; away *= 2) {
        uint32_t other = __shfl_up_sync(0xffffffff, up_to, away);
        up_to += threadIdx.x >= away ? other : 0;
    }
    *before = up_to - value;
    return __shfl_sync(0xffffffff, up_to, WARP - 1);
}

/* Computes the table of one tile per block. A block has one warp, with up to eight neighbouring
 * bins per lane. More threads would mostly wait, because there are only 256 bins. */
__global__ void __launch_bounds__(WARP) table_kernel(Run run)
{
    const ImgClahePlan &plan = run.plan;
    uint32_t size = 1U << plan.bin_bits;
    uint32_t each = (size + WARP - 1) / WARP, from = min(threadIdx.x * each, size);
    uint32_t to = min(from + each, size);
    const uint32_t *counts = run.counts + ((size_t)blockIdx.x << plan.bin_bits);
    uint16_t *table = run.tables + ((size_t)blockIdx.x << plan.bin_bits);
    uint32_t own = 0, over = 0, spread_own = 0, before;
    for (uint32_t b = from; b < to; b++)
        own += counts[b];
    uint32_t total = warp_scan(own, &before);
    uint32_t limit = img_clahe_limit(&plan, total);
    for (uint32_t b = from; b < to; b++)
        over += counts[b] > limit ? counts[b] - limit : 0;
    ImgClaheSpread spread = img_clahe_spread(&plan, limit, warp_scan(over, &before));
    for (uint32_t b = from; b < to; b++)
        spread_own += img_clahe_spread_count(spread, b, counts[b]);
    warp_scan(spread_own, &before);
    for (uint32_t b = from; b < to; b++) {
        before += img_clahe_spread_count(spread, b, counts[b]);
        table[b] = img_clahe_entry(&plan, b, before, total);
    }
}

/* Computes one new pixel per thread. Each pixel needs four reads of tables, which the cache holds
 * because neighbouring threads read the same tables. These reads and the 64-bit sums limit the
 * kernel. */
template <typename Sample>
__global__ void __launch_bounds__(THREADS) blend_kernel(Run run, uint32_t blocks_across)
{
    const ImgClahePlan &plan = run.plan;
    int64_t x = (int64_t)(blockIdx.x % blocks_across) * THREADS + threadIdx.x;
    int64_t y = blockIdx.x / blocks_across;
    if (x >= plan.width)
        return;
    const Sample *src =
        reinterpret_cast<const Sample *>(run.src + (size_t)y * run.src_stride) + x * plan.channels;
    Sample *dst =
        reinterpret_cast<Sample *>(run.dst + (size_t)y * run.dst_stride) + x * plan.channels;
    uint32_t bright = brightness(plan, src);
    uint32_t value = img_clahe_blended(&plan, run.tables, run.columns[x], run.rows[y], bright);
    int32_t shift = (int32_t)value - (int32_t)bright, maximum = (1 << plan.bits) - 1;
    for (int c = 0; c < plan.colors; c++)
        dst[c] = (Sample)min(max((int32_t)src[c] + shift, 0), maximum);
    if (plan.channels > plan.colors)
        dst[plan.colors] = src[plan.colors];
}

/* Returns the size, in bytes, of the counts. In the workspace, the counts are followed by the
 * positions of columns and rows, and by the tables. */
size_t counts_size(const ImgClahePlan &plan)
{
    return ((size_t)plan.across * (size_t)plan.down * sizeof(uint32_t)) << plan.bin_bits;
}

size_t places_size(const ImgClahePlan &plan)
{
    return ((size_t)plan.width + (size_t)plan.height) * sizeof(ImgBetween);
}

Run run_of(const ImgCall *call)
{
    ImgClahePlan plan = img_clahe_plan(call);
    uint8_t *memory = static_cast<uint8_t *>(call->workspace);
    ImgBetween *places = reinterpret_cast<ImgBetween *>(memory + counts_size(plan));
    return {call->src.data,
            call->dst.data,
            call->src.stride,
            call->dst.stride,
            plan,
            reinterpret_cast<uint32_t *>(memory),
            reinterpret_cast<uint16_t *>(memory + counts_size(plan) + places_size(plan)),
            places,
            places + plan.width};
}

template <typename Sample> ImgStatus launch(const ImgCall *call, const Run &run, ImgError *err)
{
    const ImgClahePlan &plan = run.plan;
    int64_t across = (plan.width + (int64_t)THREADS - 1) / THREADS;
    if (across > INT32_MAX / plan.height)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    CUDA_TRY(
        cudaMemsetAsync(run.counts, 0, counts_size(plan), static_cast<cudaStream_t>(call->stream)),
        err);
    int64_t lines = (int64_t)plan.width + plan.height;
    int32_t tiles = plan.across * plan.down;
    int64_t tile_pixels = ((int64_t)plan.width / plan.across) * (plan.height / plan.down);
    int64_t strips = tile_pixels / STRIP_PIXELS, tile_rows = plan.height / plan.down;
    strips = strips < 1 ? 1 : strips > tile_rows ? tile_rows : strips;
    strips = strips > INT32_MAX / tiles ? INT32_MAX / tiles : strips;
    unsigned count_threads = WARP; /* tiles with few pixels use fewer threads */
    while (count_threads < THREADS && count_threads < tile_pixels)
        count_threads *= 2;
    IMG_LAUNCH(place_kernel, (unsigned)((lines + THREADS - 1) / THREADS), THREADS, 0, call->stream,
               run);
    IMG_LAUNCH(count_tiles_kernel<Sample>, (unsigned)(tiles * strips), count_threads,
               sizeof(uint32_t) << plan.bin_bits, call->stream, run, (int32_t)strips);
    IMG_LAUNCH(table_kernel, (unsigned)tiles, WARP, 0, call->stream, run);
    IMG_LAUNCH(blend_kernel<Sample>, (unsigned)(across * plan.height), THREADS, 0, call->stream,
               run, (uint32_t)across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

size_t img_clahe_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    ImgCall call = {};
    call.src = img_view_make(NULL, 0, img_prepass_shape(IMG_PREPASS_WIDEN, src));
    call.params = params;
    ImgClahePlan plan = img_clahe_plan(&call);
    return img_prepass_workspace(IMG_PREPASS_WIDEN, src) + counts_size(plan) + places_size(plan) +
           counts_size(plan) / 2;
}

ImgStatus img_clahe_cuda_tiled(const ImgCall *call, ImgError *err)
{
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(IMG_PREPASS_WIDEN, call, &own, err);
    if (status != IMG_OK)
        return status;
    Run run = run_of(&own);
    return run.plan.bits == 16 ? launch<uint16_t>(&own, run, err) : launch<uint8_t>(&own, run, err);
}
