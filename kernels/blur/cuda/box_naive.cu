/* boxblur on CUDA, simple version: computes sums along columns, then sums of these column sums
 * along rows. */
#include "kernels/blur/box.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

/* A thread computes the sums of PLACES consecutive positions: the first one from all samples of its
 * window, and each other one from the sum before it. Fewer positions give more threads; more
 * positions spread the cost of the first sum. */
constexpr int THREADS = 128, PLACES = 64, CHANNELS_MOST = 4;

struct Task {
    ImgBox box;
    ImgView src, dst;
    uint32_t *sums; /* column sums, one per sample of the picture */
};

template <typename Sample>
__device__ void load(const Task &task, int32_t x, int64_t y, uint32_t (&value)[CHANNELS_MOST])
{
    const int32_t line = img_border_place(y, task.src.height, task.box.border);
    uint32_t sample[CHANNELS_MOST] = {0, 0, 0, 0};
    const Sample *pixel = reinterpret_cast<const Sample *>(
                              task.src.data + (size_t)(line < 0 ? 0 : line) * task.src.stride) +
                          (size_t)x * task.box.lift.channels;
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < task.box.lift.channels)
            sample[c] = pixel[c];
    img_box_load(&task.box, sample, value);
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        value[c] = line < 0 ? task.box.background[c] : value[c];
}

template <typename Sample> __global__ void __launch_bounds__(THREADS) down_kernel(Task task)
{
    const uint32_t across = (uint32_t)((task.src.width - 1) / THREADS + 1);
    const int32_t x = (int32_t)(blockIdx.x % across) * THREADS + (int32_t)threadIdx.x;
    const int64_t first = (int64_t)(blockIdx.x / across) * PLACES, radius = task.box.radius;
    const int64_t end = first + PLACES < task.src.height ? first + PLACES : task.src.height;
    const int32_t channels = task.box.lift.channels;
    uint32_t sum[CHANNELS_MOST] = {0, 0, 0, 0}, in[CHANNELS_MOST], out[CHANNELS_MOST];
    if (x >= task.src.width)
        return;
    for (int64_t y = first - radius - 1; y < first + radius; y++) {
        load<Sample>(task, x, y, in);
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            sum[c] += in[c];
    }
    for (int64_t y = first; y < end; y++) {
        load<Sample>(task, x, y + radius, in);
        load<Sample>(task, x, y - radius - 1, out);
        uint32_t *to = task.sums + ((size_t)y * task.src.width + x) * channels;
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++) {
            sum[c] += in[c] - out[c];
            if (c < channels)
                to[c] = sum[c];
        }
    }
}

__device__ void add_column(const Task &task, int64_t x, int32_t y, int64_t sign,
                           int64_t (&sum)[CHANNELS_MOST])
{
    const int32_t place = img_border_place(x, task.src.width, task.box.border);
    const int32_t channels = task.box.lift.channels;
    const uint32_t *from =
        task.sums + ((size_t)y * task.src.width + (place < 0 ? 0 : place)) * channels;
    const uint32_t side = 2 * (uint32_t)task.box.radius + 1;
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < channels)
            sum[c] += sign * (place < 0 ? task.box.background[c] * side : from[c]);
}

template <typename Result> __global__ void __launch_bounds__(THREADS) across_kernel(Task task)
{
    const uint32_t runs = (uint32_t)((task.src.width - 1) / PLACES + 1);
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const int32_t channels = task.box.lift.channels;
    const int64_t first = (int64_t)(number % runs) * PLACES, radius = task.box.radius;
    const int64_t y = (int64_t)(number / runs);
    const int64_t end = first + PLACES < task.src.width ? first + PLACES : task.src.width;
    int64_t sum[CHANNELS_MOST] = {0, 0, 0, 0};
    if (y >= task.src.height)
        return;
    for (int64_t x = first - radius - 1; x < first + radius; x++)
        add_column(task, x, (int32_t)y, 1, sum);
    for (int64_t x = first; x < end; x++) {
        add_column(task, x + radius, (int32_t)y, 1, sum);
        add_column(task, x - radius - 1, (int32_t)y, -1, sum);
        uint32_t mean[CHANNELS_MOST], sample[CHANNELS_MOST];
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            mean[c] = img_box_mean(&task.box, (uint64_t)sum[c]);
        img_box_store(&task.box, mean, sample);
        Result *to = reinterpret_cast<Result *>(task.dst.data + (size_t)y * task.dst.stride) +
                     (size_t)x * channels;
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            if (c < channels)
                to[c] = (Result)sample[c];
    }
}

} // namespace

size_t img_box_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    (void)params;
    return (size_t)src.width * (size_t)src.height * (size_t)img_format_channels(src.format) *
           sizeof(uint32_t);
}

ImgStatus img_box_cuda_naive(const ImgCall *call, ImgError *err)
{
    Task task;
    task.box = *static_cast<const ImgBox *>(call->constants.bytes);
    task.src = call->src;
    task.dst = call->dst;
    task.sums = static_cast<uint32_t *>(call->workspace);
    const bool wide = call->src.format.bits == 16;
    const uint64_t down = (uint64_t)((call->src.width - 1) / THREADS + 1) *
                          (uint64_t)((call->src.height - 1) / PLACES + 1);
    const uint64_t runs =
        (uint64_t)((call->src.width - 1) / PLACES + 1) * (uint64_t)call->src.height;
    auto *down_columns = wide ? down_kernel<uint16_t> : down_kernel<uint8_t>;
    auto *along_rows = wide ? across_kernel<uint16_t> : across_kernel<uint8_t>;
    IMG_LAUNCH(down_columns, (unsigned)down, THREADS, 0, call->stream, task);
    IMG_LAUNCH(along_rows, (unsigned)((runs - 1) / THREADS + 1), THREADS, 0, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
