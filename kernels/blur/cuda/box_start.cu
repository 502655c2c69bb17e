/* Preparation of the "near" box on CUDA (boxblur with a small radius): fills the workspace with the
 * columns beyond the picture and with the column sums at the start of bands. */
#include "kernels/blur/cuda/box_near.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int THREADS = 128, BANDS_TOGETHER = 8;

/* --- Columns beyond the picture --------------------------------------------------------------- */

/* Collects the samples of a thread's columns in row y, from column x on. Columns outside the
 * picture follow the border mode. The row number task.src.height stands for a row of background. */
template <typename K>
__device__ void gather(const BoxTask &task, int64_t x, int32_t y, uint32_t (&words)[K::WORDS])
{
    typedef typename K::Sample Sample;
    const Sample *row =
        reinterpret_cast<const Sample *>(task.src.data + (size_t)y * task.src.stride);
#pragma unroll
    for (int i = 0; i < K::WORDS; i++)
        words[i] = 0;
#pragma unroll
    for (int pixel = 0; pixel < K::PIXELS; pixel++) {
        const int32_t place =
            y < task.src.height ? img_border_place(x + pixel, task.src.width, task.box.border) : -1;
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            const int i = pixel * K::CHANNELS + c;
            const uint32_t sample =
                place < 0 ? task.box.background[c] : __ldg(row + (size_t)place * K::CHANNELS + c);
            words[i * K::SIZE / 4] |= sample << i * K::SIZE % 4 * 8;
        }
    }
}

template <typename K> __global__ void sides_kernel(BoxTask task)
{
    const BoxPlan &plan = task.plan;
    const uint32_t groups = (uint32_t)(plan.margin + plan.right) / K::PIXELS;
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const int32_t y = (int32_t)(number / groups), column = (int32_t)(number % groups) * K::PIXELS;
    if (y > task.src.height || (y == task.src.height && column > 0))
        return;
    const int64_t x = column - plan.margin;
    uint32_t words[K::WORDS];
    gather<K>(task, x < 0 ? x : x + plan.inside, y, words);
    uint8_t *to = task.sides + y * plan.side_stride + (size_t)column * (K::CHANNELS * K::SIZE);
    uint2 *pairs = reinterpret_cast<uint2 *>(y < task.src.height ? to : task.background);
#pragma unroll
    for (int i = 0; i < K::WORDS / 2; i++)
        pairs[i] = make_uint2(words[2 * i], words[2 * i + 1]);
}

/* --- Sums at the start of bands --------------------------------------------------------------- */

/* Stores a thread's sums in the array with index `number`, 0 to 2, in `parts` (box_near.cuh). */
template <typename K>
__device__ void put_part(const BoxTask &task, int number, uint32_t band, uint32_t group,
                         const uint32_t (&sums)[K::SUMS])
{
    const size_t at = ((size_t)band * task.plan.groups + group) * sizeof sums;
    uint2 *to = reinterpret_cast<uint2 *>(task.parts + number * task.plan.parts_bytes + at);
#pragma unroll
    for (int i = 0; i < K::SUMS / 2; i++)
        to[i] = make_uint2(sums[2 * i], sums[2 * i + 1]);
}

template <typename K>
__device__ void copy_sums(const uint32_t (&sums)[K::SUMS], uint32_t (&copy)[K::SUMS])
{
#pragma unroll
    for (int i = 0; i < K::SUMS; i++)
        copy[i] = sums[i];
}

/* Adds the rows from `first` to `end` - 1 to the sums. A thread loads TOGETHER rows at the same
 * time. */
template <typename K>
__device__ void add_rows(const BoxTask &task, const Columns &columns, int32_t first, int32_t end,
                         bool is_inside, uint32_t (&sums)[K::SUMS])
{
    constexpr int TOGETHER = 4;
    const uint32_t none[K::WORDS] = {};
    for (int32_t y = first; y < end; y += TOGETHER) {
        uint32_t in[TOGETHER][K::WORDS];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            load_row<K>(task, columns, min(y + k, end - 1), is_inside, in[k]);
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            if (y + k < end)
                slide<K>(sums, in[k], none);
    }
}

/* Computes the three arrays of sums in `parts` (box_near.cuh) for each band. */
template <typename K> __global__ void parts_kernel(BoxTask task)
{
    IMG_AWAIT_PREVIOUS();
    const BoxPlan &plan = task.plan;
    const uint32_t number = blockIdx.x * THREADS + threadIdx.x;
    const uint32_t band = number / plan.groups, group = number % plan.groups;
    if (band > (uint32_t)(plan.bands + 2 * plan.reach))
        return;
    const int32_t top = ((int32_t)band - plan.reach - 1) * plan.rows;
    const bool is_inside = are_inside(task, top, top + plan.rows);
    const Columns columns = columns_at<K>(task, (int64_t)group * K::PIXELS - plan.margin);
    const int32_t rest = plan.rest, before_last = plan.rows - rest;
    uint32_t sums[K::SUMS] = {}, last[K::SUMS];
    add_rows<K>(task, columns, top, top + min(rest, before_last), is_inside, sums);
    if (rest <= before_last)
        put_part<K>(task, 0, band, group, sums);
    if (before_last <= rest)
        copy_sums<K>(sums, last);
    add_rows<K>(task, columns, top + min(rest, before_last), top + max(rest, before_last),
                is_inside, sums);
    if (rest > before_last)
        put_part<K>(task, 0, band, group, sums);
    if (before_last > rest)
        copy_sums<K>(sums, last);
    add_rows<K>(task, columns, top + max(rest, before_last), top + plan.rows, is_inside, sums);
    put_part<K>(task, 2, band, group, sums);
#pragma unroll
    for (int i = 0; i < K::SUMS; i++)
        last[i] = sums[i] - last[i];
    put_part<K>(task, 1, band, group, last);
}

/* Computes the column sums at the start of each band. Band k begins with row top = k * rows. Its
 * sums cover the rows from top - radius to top + radius - 1: the square around row `top` without
 * its last row. */
template <typename Part> __global__ void starts_kernel(BoxTask task, uint32_t samples)
{
    IMG_AWAIT_PREVIOUS();
    const BoxPlan &plan = task.plan;
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    const int32_t from = (int32_t)blockIdx.y * BANDS_TOGETHER;
    const int32_t end = min(from + BANDS_TOGETHER, plan.bands), reach = plan.reach;
    const Part *first = reinterpret_cast<const Part *>(task.parts) + i;
    const Part *last = first + plan.parts_bytes / sizeof(Part);
    const Part *all = last + plan.parts_bytes / sizeof(Part);
    uint32_t sum = 0;
    if (i >= samples)
        return;
#pragma unroll 8
    for (int32_t band = from + 1; band < from + 1 + 2 * reach; band++)
        sum += all[(size_t)band * samples];
#pragma unroll 8
    for (int32_t k = from; k < end; k++) {
        const size_t below = (size_t)(k + 2 * reach + 1) * samples;
        task.starts[(size_t)k * samples + i] = sum + first[below] + last[(size_t)k * samples];
        sum += all[below] - all[(size_t)(k + 1) * samples];
    }
}

uint32_t blocks_for(uint64_t threads)
{
    return (uint32_t)((threads - 1) / THREADS + 1);
}

template <typename K> ImgStatus start_for(const BoxTask &task, void *stream, ImgError *err)
{
    const BoxPlan &plan = task.plan;
    const uint64_t sides = (uint64_t)(plan.margin + plan.right) / K::PIXELS * task.src.height + 1;
    IMG_LAUNCH(sides_kernel<K>, blocks_for(sides), THREADS, 0, stream, task);
    if (plan.starts_first) {
        const uint64_t bands = (uint64_t)plan.bands + 2 * plan.reach + 1;
        const uint32_t samples = (uint32_t)(plan.groups * K::SAMPLES);
        const dim3 starts(blocks_for(samples), (plan.bands - 1) / BANDS_TOGETHER + 1);
        auto *kernel = starts_kernel<uint16_t>;
        if (K::SIZE == 2)
            kernel = starts_kernel<uint32_t>;
        IMG_LAUNCH_EARLY(parts_kernel<K>, blocks_for(bands * plan.groups), THREADS, 0, stream,
                         task);
        IMG_LAUNCH_EARLY(kernel, starts, THREADS, 0, stream, task, samples);
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus box_start(const BoxTask &task, void *stream, ImgError *err)
{
    return with_kind(task.src.format,
                     [&](auto kind) { return start_for<decltype(kind)>(task, stream, err); });
}
