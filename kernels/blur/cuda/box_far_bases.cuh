/* Private to the "far" box on CUDA (boxblur with a large radius): computes, for each row of a
 * strip, the sum of the square around the pixel left of the strip. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_FAR_BASES_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_FAR_BASES_CUH

#include "kernels/blur/cuda/box_far.cuh"

constexpr int START_THREADS = 512, START_WARPS = START_THREADS / BOX_LANES;
constexpr int START_AHEAD = 3; /* rows or bands that a thread loads at the same time */

/* Running sums of the values of row_of_square for one strip and channel, from row 0 down. */
template <typename Total> struct Downwards {
    /* `sums`: for each row, a running sum that starts at the first of the 2^shift rows that one
     * warp computes; `before`: for each of these groups of rows, the sum of all rows before it */
    const Total *sums, *before;
    int32_t height, shift, border;
    Total all, first, last; /* sums of all rows, of the first row and of the last row */

    __device__ Downwards(const BoxFarTask &task, const Total *from, const Total *warps,
                         int32_t shift_of_warps)
        : sums(from), before(warps), height(task.src.height), shift(shift_of_warps),
          border(task.box.border)
    {
        all = inside(height - 1);
        first = inside(0);
        last = all - inside(height - 2);
    }
    __device__ Total inside(int32_t y) const
    {
        const int32_t line = max(y, 0);
        const Total sum = sums[line] + before[line >> shift];
        return y < 0 ? 0 : sum;
    }
    /* Returns the running sum up to and including row y. Rows beyond the picture are as the border
     * mode defines. */
    __device__ Total at(int32_t y) const
    {
        if (border == IMG_BORDER_CONSTANT || border == IMG_BORDER_REPLICATE || height == 1) {
            const int32_t line = min(max(y, -1), height - 1);
            return inside(line) + (Total)(int64_t)(y - line) * (y < 0 ? first : last);
        }
        const bool is_wrapped = border == IMG_BORDER_WRAP;
        const int32_t period = is_wrapped ? height : 2 * height - 2;
        int32_t periods = y / period, place = y % period;
        periods -= place < 0;
        place += place < 0 ? period : 0;
        const Total sum = (Total)(int64_t)periods * (is_wrapped ? all : 2 * all - first - last);
        if (place < height)
            return sum + inside(place);
        return sum + all + inside(height - 2) - inside(period - place - 1);
    }
};

/* Returns the sum of one channel over row y of the square around the pixel left of a strip. The sum
 * is made of sums of whole cells of the row, which start before the square's edge. So the sum of
 * the first `cut` columns of the first cell is subtracted (BoxAxis). */
__device__ inline uint32_t row_of_square(const BoxFarTask &task, const uint32_t *rows, size_t cell,
                                         int32_t y)
{
    uint32_t sum = 0 - __ldg(rows + task.src.height + y);
#pragma unroll 4
    for (int32_t i = 0; i < task.plan.across.back; i++)
        sum += __ldg(rows + (size_t)i * cell + y);
    return sum;
}

template <typename Total> __device__ Total scan_warp(Total value)
{
    const int lane = (int)threadIdx.x % BOX_LANES;
#pragma unroll
    for (int step = 1; step < BOX_LANES; step *= 2) {
        const Total more = __shfl_up_sync(~0u, value, step);
        value += lane >= step ? more : 0;
    }
    return value;
}

template <typename G> __device__ void make_bases(const BoxFarTask &task, uint32_t number)
{
    typedef typename BoxSums<typename G::Sample>::Total Total;
    IMG_SHARED(Total, before, [START_WARPS]);
    const uint32_t strip = number / G::CHANNELS, c = number % G::CHANNELS;
    const int32_t height = task.src.height, radius = task.box.radius;
    const int32_t lane = (int32_t)threadIdx.x % BOX_LANES, warp = (int32_t)threadIdx.x / BOX_LANES;
    int32_t shift = 5; /* log2 of the number of rows per warp */
    while (START_WARPS << shift < height)
        shift++;
    const int32_t end = (warp + 1) << shift;
    const size_t cell = (size_t)G::CHANNELS * 2 * height;
    const uint32_t *rows = task.rows + strip * cell + (size_t)c * 2 * height;
    Total *sums = static_cast<Total *>(task.prefixes) + (size_t)number * height, all = 0;
    for (int32_t y = warp << shift; y < min(end, height); y += START_AHEAD * BOX_LANES) {
        Total sum[START_AHEAD];
#pragma unroll
        for (int k = 0; k < START_AHEAD; k++)
            sum[k] = row_of_square(task, rows, cell, min(y + k * BOX_LANES + lane, height - 1));
#pragma unroll
        for (int k = 0; k < START_AHEAD; k++) {
            const int32_t own = y + k * BOX_LANES + lane;
            if (y + k * BOX_LANES >= end)
                break;
            sum[k] = all + scan_warp(own < height ? sum[k] : 0);
            if (own < height)
                sums[own] = sum[k];
            all = __shfl_sync(~0u, sum[k], BOX_LANES - 1);
        }
    }
    if (lane == 0)
        before[warp] = all;
    __syncthreads();
    if (warp == 0) {
        const Total own = lane < START_WARPS ? before[lane] : 0, up_to = scan_warp(own);
        __syncwarp();
        if (lane < START_WARPS)
            before[lane] = up_to - own;
    }
    __syncthreads();
    Downwards<Total> down(task, sums, before, shift);
    if (task.box.border == IMG_BORDER_CONSTANT)
        down.first = down.last = (Total)(2 * (uint32_t)radius + 1) * task.box.background[c];
    const Total half = sizeof(Total) == 8 ? (Total)BOX_DOUBLE : (Total)(task.box.area / 2);
    const size_t places = (size_t)box_base_places(G::CHANNELS);
    Total *to = static_cast<Total *>(task.bases) + (size_t)strip * places * height + c;
#pragma unroll 1
    for (int32_t y = (int32_t)threadIdx.x; y < height; y += START_AHEAD * START_THREADS) {
        Total sum[START_AHEAD];
#pragma unroll
        for (int k = 0; k < START_AHEAD; k++) {
            const int32_t own = min(y + k * START_THREADS, height - 1);
            sum[k] = down.at(own + radius) - down.at(own - radius - 1) + half;
        }
#pragma unroll
        for (int k = 0; k < START_AHEAD; k++)
            if (y + k * START_THREADS < height)
                to[(size_t)(y + k * START_THREADS) * places] = sum[k];
    }
}

#endif
