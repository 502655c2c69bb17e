/* Second of three kernels of the "far" boxblur on CUDA, which is for large radii. From the sums of
 * cells (rectangles of the picture, box_far.cuh) it computes the column sums at the start of each
 * band. It also computes the sum over the first square of each row of a strip. */
#include "kernels/blur/cuda/box_far.cuh"
#include "kernels/core/cuda/cuda_util.h"

/* --- Squares at the left of strips ------------------------------------------------------------ */

/* Computes, for each row of a strip, the sum of the square around the pixel left of the strip. */

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

namespace
{

constexpr int TOGETHER = 8; /* bands that a thread loads at the same time */

/* --- Sums of columns -------------------------------------------------------------------------- */

struct Four {
    uint32_t sum[4];
};

__device__ inline Four load_four(const uint16_t *from)
{
    const uint2 pair = __ldg(reinterpret_cast<const uint2 *>(from));
    return {{pair.x & 0xffff, pair.x >> 16, pair.y & 0xffff, pair.y >> 16}};
}

__device__ inline Four load_four(const uint32_t *from)
{
    const uint4 all = __ldg(reinterpret_cast<const uint4 *>(from));
    return {{all.x, all.y, all.z, all.w}};
}

__device__ inline void add(Four &to, const Four &more)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        to.sum[i] += more.sum[i];
}

__device__ inline void subtract(Four &from, const Four &less)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        from.sum[i] -= less.sum[i];
}

/* The stored sums of four adjacent samples in all bands. Band 0 is the first band that a square
 * reaches. */
template <typename Part> struct Column {
    const BoxFarPlan &plan;
    /* `all`: sums over all rows of a band; `some`: sums over the first plan.down.cut rows of a
     * band */
    const Part *all;
    const Part *some;

    __device__ size_t place(int32_t band) const
    {
        const int32_t kept = band - plan.down.back - plan.first_band;
        return (size_t)min(max(kept, 0), plan.kept_bands - 1) * plan.samples;
    }
    /* Returns the sum of the bands from `first` to `end` - 1. */
    __device__ Four sum(int32_t first, int32_t end) const
    {
        Four sum = {};
#pragma unroll 1
        for (int32_t band = first; band < end; band += TOGETHER) {
            Four some[TOGETHER];
#pragma unroll
            for (int k = 0; k < TOGETHER; k++)
                some[k] = load_four(all + place(min(band + k, end - 1)));
#pragma unroll
            for (int k = 0; k < TOGETHER; k++)
                if (band + k < end)
                    add(sum, some[k]);
        }
        return sum;
    }
};

/* Returns the sum of all bands before `band`. Each entry of `sums` is the sum of a group of
 * `together` bands. */
template <typename Part>
__device__ Four sum_before(const Column<Part> &column, const Four *sums, int32_t together,
                           int32_t band)
{
    const int32_t whole = band / together;
    Four sum = column.sum(whole * together, band);
    for (int32_t i = 0; i < whole; i++)
        add(sum, sums[i * BOX_LANES]);
    return sum;
}

template <typename Part> __device__ void make_starts(const BoxFarTask &task, uint32_t block)
{
    IMG_SHARED(Four, sums, [START_WARPS][BOX_LANES]);
    const BoxFarPlan &plan = task.plan;
    const int32_t lane = (int32_t)threadIdx.x % BOX_LANES, warp = (int32_t)threadIdx.x / BOX_LANES;
    const size_t at = ((size_t)block * BOX_LANES + lane) * 4;
    const Part *all = reinterpret_cast<const Part *>(task.parts) + at;
    const Column<Part> column = {
        plan, all, reinterpret_cast<const Part *>(task.parts + plan.parts_bytes) + at};
    const int32_t bands = plan.down.count + plan.down.back,
                  together = (bands - 1) / START_WARPS + 1;
    sums[warp][lane] = column.sum(min(warp * together, bands), min((warp + 1) * together, bands));
    __syncthreads();
    const int32_t first = warp * together, end = min(first + together, plan.down.count);
    if (first >= end)
        return;
    Four sum = sum_before(column, sums[0] + lane, together, first + plan.down.back);
    subtract(sum, sum_before(column, sums[0] + lane, together, first));
    uint4 *to = reinterpret_cast<uint4 *>(task.starts + (size_t)first * plan.samples + at);
#pragma unroll 1
    for (int32_t band = first; band < end; band += START_AHEAD) {
        Four cut[START_AHEAD], in[START_AHEAD], out[START_AHEAD];
#pragma unroll
        for (int k = 0; k < START_AHEAD; k++) {
            const int32_t own = min(band + k, end - 1);
            cut[k] = load_four(column.some + column.place(own));
            in[k] = load_four(all + column.place(own + plan.down.back));
            out[k] = load_four(all + column.place(own));
        }
#pragma unroll
        for (int k = 0; k < START_AHEAD; k++) {
            if (band + k >= end)
                break;
            *to = make_uint4(sum.sum[0] - cut[k].sum[0], sum.sum[1] - cut[k].sum[1],
                             sum.sum[2] - cut[k].sum[2], sum.sum[3] - cut[k].sum[3]);
            to += plan.samples / 4;
            add(sum, in[k]);
            subtract(sum, out[k]);
        }
    }
}

__device__ void make_lines(const BoxFarTask &task, uint32_t number)
{
    const int32_t radius = task.box.radius, count = task.src.height + 2 * radius + 2;
    if (number < (uint32_t)count)
        task.lines[number] =
            box_place((int32_t)number - radius - 1, task.src.height, task.box.border);
}

/* Numbers of blocks of starts_kernel, each for one function: `bases` for make_bases, `columns` for
 * make_starts, `lines` for make_lines. */
struct Shares {
    uint32_t bases, columns, lines;
};

template <typename G>
__global__ void __launch_bounds__(START_THREADS, 2) starts_kernel(BoxFarTask task, Shares shares)
{
    IMG_AWAIT_PREVIOUS();
    if (blockIdx.x < shares.bases)
        make_bases<G>(task, blockIdx.x);
    else if (blockIdx.x < shares.bases + shares.columns)
        make_starts<typename BoxSums<typename G::Sample>::Part>(task, blockIdx.x - shares.bases);
    else
        make_lines(task,
                   (blockIdx.x - shares.bases - shares.columns) * START_THREADS + threadIdx.x);
}

template <typename G> ImgStatus launch(const BoxFarTask &task, void *stream, ImgError *err)
{
    const BoxFarPlan &plan = task.plan;
    const uint32_t lines = (uint32_t)task.src.height + 2 * (uint32_t)task.box.radius + 2;
    const Shares shares = {(uint32_t)plan.across.count * G::CHANNELS,
                           (uint32_t)plan.samples / (BOX_LANES * 4),
                           (lines - 1) / START_THREADS + 1};
    IMG_LAUNCH_EARLY(starts_kernel<G>, shares.bases + shares.columns + shares.lines, START_THREADS,
                     0, stream, task, shares);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus far_box_starts(const BoxFarTask &task, void *stream, ImgError *err)
{
    return with_box_group(task.src.format,
                          [&](auto group) { return launch<decltype(group)>(task, stream, err); });
}
