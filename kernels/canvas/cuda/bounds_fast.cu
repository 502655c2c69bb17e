/* bounds on the GPU, fast version. It is limited by the bandwidth of reading. A few blocks walk
 * over the whole picture in groups of pixels. Each thread keeps four maxima, one per bound, in
 * registers. The pixels of a group that differ from the background form a mask, so threads do not
 * diverge. Maxima are combined by shuffles, then in shared memory, and once per block in global
 * memory. */
#include "kernels/canvas/cuda/canvas_cuda.cuh"

namespace
{

constexpr int THREADS = 256, WARPS = THREADS / 32, BLOCKS_PER_MULTIPROCESSOR = 8;

/* Number of groups of pixels that a thread loads before it compares the first of them. Together
 * they have about 64 bytes. */
template <typename Group> constexpr int AHEAD = Group::VECTORS >= 3 ? 1 : 4 / Group::VECTORS;

/* Returns a mask with one bit per pixel of the group; a bit is set if the pixel differs from the
 * background. Only the first `bytes` bytes of the group are inside the row; the bits of all pixels
 * after them are 0. */
template <typename Sample, int CHANNELS>
__device__ uint32_t mask_of(const Group<Sample, CHANNELS> &group, int bytes,
                            const ImgTrimTest &test, const uint32_t (&background)[4])
{
    constexpr int PIXEL = CHANNELS * (int)sizeof(Sample);
    uint32_t mask = 0;
#pragma unroll
    for (int p = 0; p < group.PIXELS; p++) {
        uint32_t pixel[4] = {};
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            pixel[c] = group.sample(p * CHANNELS + c);
        const bool differs = img_trim_differs(&test, pixel, background, CHANNELS);
        mask |= (uint32_t)(differs & (p * PIXEL < bytes)) << p;
    }
    return mask;
}

/* Raises the thread's maxima so that the bounds include the pixels in `mask`. The mask belongs to a
 * group whose first pixel is (x, y). */
__device__ void raise(const BoundsTask &task, uint32_t mask, int32_t x, int32_t y,
                      int32_t (&own)[IMG_BOUNDS_COUNT])
{
    const bool any = mask != 0;
    const int32_t found[IMG_BOUNDS_COUNT] = {task.width - x - (__ffs((int)mask) - 1),
                                             task.height - y, x + 32 - __clz((int)mask), y + 1};
#pragma unroll
    for (int i = 0; i < IMG_BOUNDS_COUNT; i++)
        own[i] = any && found[i] > own[i] ? found[i] : own[i];
}

__device__ int32_t warp_maximum(int32_t value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
        const int32_t other = __shfl_down_sync(0xffffffffu, value, distance);
        value = other > value ? other : value;
    }
    return value;
}

template <typename Sample, int CHANNELS>
__global__ void __launch_bounds__(THREADS) bounds_fast_kernel(BoundsTask task, Groups groups)
{
    using Pixels = Group<Sample, CHANNELS>;
    IMG_SHARED(int32_t, shared, [IMG_BOUNDS_COUNT][WARPS]);
    uint32_t background[4];
    int32_t own[IMG_BOUNDS_COUNT] = {};
    read_background<Sample, CHANNELS>(task, background);
    Walk walk(task, groups.a_row, Pixels::BYTES, (uint64_t)blockIdx.x * THREADS + threadIdx.x,
              (uint64_t)gridDim.x * THREADS);
    while (walk.y < (uint32_t)task.height) {
        Pixels group[AHEAD<Pixels>];
        int bytes[AHEAD<Pixels>];
        uint32_t unit[AHEAD<Pixels>], y[AHEAD<Pixels>];
#pragma unroll
        for (int k = 0; k < AHEAD<Pixels>; k++) {
            const int of_row = walk.unit + 1 < groups.a_row ? Pixels::BYTES : groups.last_bytes;
            unit[k] = walk.unit;
            y[k] = walk.y;
            bytes[k] = walk.y < (uint32_t)task.height ? of_row : 0;
            group[k].load(walk.at, bytes[k]);
            walk.advance();
        }
#pragma unroll
        for (int k = 0; k < AHEAD<Pixels>; k++)
            raise(task, mask_of<Sample, CHANNELS>(group[k], bytes[k], task.test, background),
                  (int32_t)unit[k] * Pixels::PIXELS, (int32_t)y[k], own);
    }
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < IMG_BOUNDS_COUNT; i++) {
        const int32_t value = warp_maximum(own[i]);
        if (lane == 0)
            shared[i][warp] = value;
    }
    __syncthreads();
    if (threadIdx.x >= IMG_BOUNDS_COUNT)
        return;
    int32_t most = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        most = shared[threadIdx.x][w] > most ? shared[threadIdx.x][w] : most;
    atomicMax(task.bounds + threadIdx.x, (Bound)most);
}

template <typename Sample, int CHANNELS> ImgStatus launch(const ImgCall *call, ImgError *err)
{
    int multiprocessors = 0;
    BoundsTask task = {};
    ImgStatus status = bounds_task(call, &task, err);
    if (status == IMG_OK)
        status = device_attribute(cudaDevAttrMultiProcessorCount, &multiprocessors, err);
    if (status != IMG_OK)
        return status;
    const Groups groups = cut_in_groups<Group<Sample, CHANNELS>>(task);
    auto kernel = bounds_fast_kernel<Sample, CHANNELS>;
    IMG_LAUNCH(kernel, multiprocessors * BLOCKS_PER_MULTIPROCESSOR, THREADS, 0, call->stream, task,
               groups);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_bounds_cuda_fast(const ImgCall *call, ImgError *err)
{
    return with_samples(call->src.format, [&](auto sample, auto channels) {
        return launch<decltype(sample), decltype(channels)::VALUE>(call, err);
    });
}
