/* Preparation of the "far" box on CUDA (boxblur with a large radius): fills the workspace with the
 * pieces of rows that are not completely inside the picture. */
#include "kernels/blur/cuda/box_far.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int THREADS = 128;

/* A thread fills one piece in each of `rows` rows. `rows` is 1 if rows have few pieces outside the
 * picture, so that there are enough threads. */
template <typename Sample, int CHANNELS> __global__ void sides_kernel(BoxFarTask task, int32_t rows)
{
    constexpr int SAMPLES = BOX_PIECE / (int)sizeof(Sample), PER_WORD = 4 / (int)sizeof(Sample);
    const BoxFarPlan &plan = task.plan;
    const uint32_t slots = (uint32_t)(plan.right_slots + plan.left_slots);
    const uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
    const int32_t slot = (int32_t)(number % slots), height = task.src.height;
    const int32_t first = (int32_t)(number / slots) * rows;
    const int32_t piece =
        slot < plan.right_slots ? plan.right_first + slot : plan.right_slots - 1 - slot;
    int32_t places[SAMPLES];
#pragma unroll
    for (int i = 0; i < SAMPLES; i++) {
        const int32_t at = piece * SAMPLES + i, c = box_rest(at, CHANNELS);
        const int32_t place = box_place((at - c) / CHANNELS, task.src.width, task.box.border);
        places[i] = place < 0 ? -1 - c : place * CHANNELS + c;
    }
#pragma unroll 1
    for (int32_t y = first; y < min(first + rows, height + 1); y++) {
        const Sample *row =
            reinterpret_cast<const Sample *>(task.src.data + (size_t)y * task.src.stride);
        uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < SAMPLES; i++) {
            const int32_t below = -1 - box_rest(slot * SAMPLES + i, CHANNELS);
            const int32_t place = y < height ? places[i] : below;
            const uint32_t sample =
                place < 0 ? task.box.background[-1 - place] : __ldg(row + place);
            words[i / PER_WORD] |= sample << i % PER_WORD * 8 * (int)sizeof(Sample);
        }
        *reinterpret_cast<uint4 *>(task.sides + (size_t)y * plan.side_stride + slot * BOX_PIECE) =
            make_uint4(words[0], words[1], words[2], words[3]);
    }
}

template <typename G> ImgStatus launch(const BoxFarTask &task, void *stream, ImgError *err)
{
    const BoxFarPlan &plan = task.plan;
    const int32_t rows = plan.repeats ? 1 : 16;
    const uint64_t slots = (uint64_t)(plan.right_slots + plan.left_slots);
    const uint64_t threads = slots * (uint64_t)(task.src.height / rows + 1);
    auto *kernel = sides_kernel<typename G::Sample, G::CHANNELS>;
    IMG_LAUNCH(kernel, (uint32_t)((threads - 1) / THREADS + 1), THREADS, 0, stream, task, rows);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus far_box_sides(const BoxFarTask &task, void *stream, ImgError *err)
{
    return with_box_group(task.src.format,
                          [&](auto group) { return launch<decltype(group)>(task, stream, err); });
}
