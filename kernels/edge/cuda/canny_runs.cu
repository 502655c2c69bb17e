/* Hysteresis of canny's fast version on CUDA: joins the components of neighbouring tiles, and
 * writes the strong components as the result. */
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/edge/cuda/canny_forest.cuh"

namespace
{

constexpr int THREADS = 256, LANES = 32;

/* --- Seams between tiles ---------------------------------------------------------------------- */

__device__ uint32_t word_at(const CannyRuns &runs, int32_t column, int32_t y)
{
    const bool is_inside = column >= 0 && column < runs.across && y >= 0;
    return is_inside ? runs.words[(size_t)y * (size_t)runs.across + (size_t)column] : 0;
}

/* Joins the runs of a word in the first row of a tile with the runs in the row above, which are in
 * up to three tiles. */
__device__ void join_above(const CannyRuns &runs, int32_t column, int32_t y)
{
    const uint32_t own = word_at(runs, column, y);
    if (own == 0)
        return;
    const CannyAbove above = {word_at(runs, column - 1, y - 1), word_at(runs, column, y - 1),
                              word_at(runs, column + 1, y - 1)};
    canny_join_above(runs.forest, own, (uint32_t)y * (uint32_t)runs.across + (uint32_t)column,
                     (uint32_t)runs.across, above);
}

/* Joins the runs of a word in the first column of a tile with the runs of the tile to its left.
 * Also joins runs of these two tiles that touch diagonally, except in the first row of a tile,
 * where join_above joins them. */
__device__ void join_before(const CannyRuns &runs, int32_t column, int32_t y)
{
    const uint32_t own = word_at(runs, column, y), before = word_at(runs, column - 1, y);
    const uint32_t word = (uint32_t)y * (uint32_t)runs.across + (uint32_t)column;
    canny_join_beside(runs.forest, own, word, before);
    if (y % CANNY_TILE_ROWS == 0)
        return;
    const CannyAbove left = {word_at(runs, column - 1, y - 1), 0, 0};
    canny_join_above(runs.forest, own & 1, word, (uint32_t)runs.across, left);
    if (before >> 31 == 0)
        return;
    const int start = canny_run_start(before, 31);
    const CannyAbove right = {0, 0, word_at(runs, column, y - 1)};
    canny_join_above(runs.forest, before >> start << start, word - 1, (uint32_t)runs.across, right);
}

/* Numbers of threads: `above` is one for each word below a horizontal seam, and `before` is one for
 * each word beside a vertical seam. `columns` is the number of vertical seams. */
struct Seams {
    uint32_t above, before, columns;
};

/* Each thread joins the runs of one word beside a seam between tiles. Few words have runs, so
 * memory latency limits the kernel. */
__global__ void __launch_bounds__(THREADS) canny_seams_kernel(CannyRuns runs, Seams seams)
{
    const uint32_t number = blockIdx.x * THREADS + threadIdx.x;
    if (number < seams.above) {
        const uint32_t across = (uint32_t)runs.across;
        join_above(runs, (int32_t)(number % across),
                   (int32_t)(number / across + 1) * CANNY_TILE_ROWS);
    } else if (number - seams.above < seams.before) {
        const uint32_t other = number - seams.above;
        join_before(runs, (int32_t)(other % seams.columns + 1) * CANNY_TILE_WORDS,
                    (int32_t)(other / seams.columns));
    }
}

/* --- The result ------------------------------------------------------------------------------- */

/* Converts the four lowest bits of `bits` to four bytes: 255 for a set bit, otherwise 0. */
__device__ uint32_t white_of(uint32_t bits)
{
    return ((bits & 15) * 0x00204081u & 0x01010101u) * 255;
}

/* Determines which runs of a word are strong, with one thread per word. Then each warp writes its
 * 1024 pixels, 16 bytes per store. */
__global__ void __launch_bounds__(THREADS) canny_write_kernel(CannyRuns runs, ImgView dst)
{
    const uint32_t word = blockIdx.x * THREADS + threadIdx.x;
    const uint32_t across = (uint32_t)runs.across, words = across * (uint32_t)runs.height;
    const int lane = (int)threadIdx.x % LANES;
    uint32_t kept = 0;
    for (uint32_t left = word < words ? runs.words[word] : 0; left != 0;) {
        const CannyRun run(left);
        const uint32_t parent = runs.forest.parent(canny_node(word, run.start));
        if (canny_is_strong(parent) || canny_is_strong(canny_root(runs.forest, parent)))
            kept |= (uint32_t)run.bits;
        left = run.rest;
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int from = half * LANES / 2 + lane / 2;
        const uint32_t bits = __shfl_sync(UINT32_MAX, kept, from) >> lane % 2 * WIDE_BYTES;
        const uint32_t place = word - (uint32_t)lane + (uint32_t)from;
        if (place < words)
            store_wide(dst.data + (size_t)(place / across) * dst.stride,
                       (int64_t)(place % across) * CANNY_WORD + lane % 2 * WIDE_BYTES, dst.width,
                       make_uint4(white_of(bits), white_of(bits >> 4), white_of(bits >> 8),
                                  white_of(bits >> 12)));
    }
}

} // namespace

ImgStatus canny_follow_runs(const ImgCall *call, const CannyRuns &runs, ImgError *err)
{
    const uint32_t across = (uint32_t)runs.across, height = (uint32_t)runs.height;
    Seams seams;
    seams.columns = (across - 1) / CANNY_TILE_WORDS;
    seams.above = (height - 1) / CANNY_TILE_ROWS * across;
    seams.before = seams.columns * height;
    const uint32_t all = seams.above + seams.before;
    if (all > 0)
        IMG_LAUNCH(canny_seams_kernel, (all - 1) / THREADS + 1, THREADS, 0, call->stream, runs,
                   seams);
    IMG_LAUNCH(canny_write_kernel, (across * height - 1) / THREADS + 1, THREADS, 0, call->stream,
               runs, call->dst);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
