/* Last of three kernels of the "far" boxblur on CUDA, which is for large radii: computes rows of
 * means from the sums that the other kernels have stored. */
#include "kernels/blur/cuda/box_far_lines.cuh"
#include "kernels/blur/cuda/box_far_rows.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/wide_access.cuh"

namespace
{

/* BLOCKS: blocks that a multiprocessor runs at the same time */
constexpr int THREADS = 128, WARPS = THREADS / BOX_LANES, BLOCKS = 5;

/* Computes `sums` for the row above the band. For each sample, this is the sum of the last column
 * of its square, minus the sum of the column before the square. */
template <typename G>
__device__ inline void begin(const BoxFarTask &task, int32_t strip, int32_t band, int32_t lane,
                             uint32_t (&sums)[G::SAMPLES])
{
    const uint32_t *right =
        task.starts + (size_t)band * task.plan.samples +
        (size_t)((strip + task.plan.across.back) * BOX_LANES + lane) * G::SAMPLES;
    const uint32_t *left = right - (2 * task.box.radius + 1) * G::CHANNELS;
#pragma unroll
    for (int i = 0; i < G::SAMPLES; i += 4)
        take_piece(sums + i, __ldg(reinterpret_cast<const uint4 *>(right + i)));
#pragma unroll
    for (int i = 0; i < G::SAMPLES; i++)
        sums[i] -= __ldg(left + i);
}

template <typename K>
__global__ void __launch_bounds__(THREADS, BLOCKS) means_kernel(BoxFarTask task)
{
    typedef typename K::G G;
    typedef Bases<typename K::Total, G::CHANNELS> Base;
    IMG_SHARED_DYNAMIC(uint4, memory);
    const BoxFarPlan &plan = task.plan;
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / BOX_LANES;
    const int32_t lane = (int32_t)threadIdx.x % BOX_LANES, radius = task.box.radius;
    const int32_t strip = (int32_t)(warp % (uint32_t)plan.across.count);
    const int32_t band = (int32_t)(warp / (uint32_t)plan.across.count);
    const int32_t top = band * plan.down.size, group = strip * BOX_LANES + lane;
    const int32_t end = min(top + plan.down.size, task.src.height);
    if (band >= plan.down.count)
        return;
    IMG_AWAIT_PREVIOUS();
    const BoxRange<G> right(task, box_right_column(strip * BOX_LANES, G::PIXELS, radius));
    const BoxRange<G> left(task, box_left_column(strip * BOX_LANES, G::PIXELS, radius));
    const int64_t samples_left =
        ((int64_t)task.src.width - (int64_t)group * G::PIXELS) * G::CHANNELS;
    const int32_t count = (int32_t)min(max(samples_left, (int64_t)0), (int64_t)G::SAMPLES);
    const Base *bases =
        static_cast<const Base *>(task.bases) + (size_t)strip * task.src.height + top;
    uint8_t *to = task.dst.data + (size_t)top * task.dst.stride + (size_t)group * G::BYTES;
    const int32_t *outs = task.lines + top, *ins = outs + 2 * radius + 1;
    uint8_t *own = reinterpret_cast<uint8_t *>(memory) +
                   threadIdx.x / BOX_LANES * (K::STAGES * 4 * BoxRange<G>::BYTES);
    const int32_t right_at =
        (box_right_column(0, G::PIXELS, radius) * G::PIXEL & 8) + lane * G::BYTES;
    const int32_t left_at =
        (box_left_column(0, G::PIXELS, radius) * G::PIXEL & 8) + lane * G::BYTES;
    const bool is_constant = task.box.border == IMG_BORDER_CONSTANT;
    const auto copy_row = [&](int32_t line, uint8_t *at) {
        if (is_constant && line < 0) {
            right.copy_background(task, at);
            left.copy_background(task, at + 2 * BoxRange<G>::BYTES);
        } else {
            right.copy(line, at);
            left.copy(line, at + 2 * BoxRange<G>::BYTES);
        }
    };
    const auto copy = [&](int32_t row, int32_t stage) {
        uint8_t *at = own + stage * (4 * BoxRange<G>::BYTES);
        if (row < end - top) {
            copy_row(__ldg(ins + row), at);
            copy_row(__ldg(outs + row), at + BoxRange<G>::BYTES);
        }
        end_copy_group();
    };
    uint32_t sums[G::SAMPLES];
#pragma unroll
    for (int i = 0; i + 1 < K::STAGES; i++)
        copy(i, i);
    begin<G>(task, strip, band, lane, sums);
    int32_t stage = 0, filled = K::STAGES - 1;
    for (int32_t row = 0; row < end - top; row++) {
        const Base base = *bases++;
        Words<G, K::RIGHT> right_in, right_out;
        Words<G, K::LEFT> left_in, left_out;
        const uint8_t *at = own + stage * (4 * BoxRange<G>::BYTES);
        await_all_but<K::STAGES - 2>();
        __syncwarp();
        copy(row + K::STAGES - 1, filled);
        load<G, K::RIGHT>(at + right_at, right_in);
        load<G, K::RIGHT>(at + right_at + BoxRange<G>::BYTES, right_out);
        load<G, K::LEFT>(at + left_at + 2 * BoxRange<G>::BYTES, left_in);
        load<G, K::LEFT>(at + left_at + 3 * BoxRange<G>::BYTES, left_out);
#pragma unroll
        for (int i = 0; i < G::SAMPLES; i++)
            sums[i] = change<G, K::LEFT>(change<G, K::RIGHT>(sums[i], right_in, right_out, i),
                                         left_out, left_in, i);
        typename K::Total before[G::CHANNELS];
        uint32_t words[G::WORDS];
        scan<K>(sums, base.sum, before);
        make_words<K>(task, sums, before, words);
        put<G>(to, words, count);
        to += task.dst.stride;
        stage = stage + 1 == K::STAGES ? 0 : stage + 1;
        filled = filled + 1 == K::STAGES ? 0 : filled + 1;
    }
}

template <typename K> ImgStatus launch(const BoxFarTask &task, void *stream, ImgError *err)
{
    const uint64_t warps = (uint64_t)task.plan.across.count * (uint64_t)task.plan.down.count;
    const int bytes = WARPS * K::STAGES * 4 * BoxRange<typename K::G>::BYTES;
    auto *kernel = means_kernel<K>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), err);
    IMG_LAUNCH_EARLY(kernel, (uint32_t)((warps - 1) / WARPS + 1), THREADS, (size_t)bytes, stream,
                     task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename G, int PHASE = 0>
ImgStatus launch_group(const BoxFarTask &task, void *stream, ImgError *err)
{
    constexpr int PHASES = 8 / G::SIZE;
    if constexpr (PHASE + 1 < PHASES)
        if (task.box.radius % PHASES != PHASE)
            return launch_group<G, PHASE + 1>(task, stream, err);
    return launch<Kind<G, PHASE>>(task, stream, err);
}

} // namespace

ImgStatus far_box_means(const BoxFarTask &task, void *stream, ImgError *err)
{
    return with_box_group(task.src.format, [&](auto group) {
        return launch_group<decltype(group)>(task, stream, err);
    });
}
