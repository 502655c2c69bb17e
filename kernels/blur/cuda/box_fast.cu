/* Means of squares on CUDA in one pass over memory, of pictures without alpha.
 *
 * A block goes down a strip, a thread with the sums of 8 pixels' columns in registers: a row comes
 * in at the bottom of the window and one goes out at the top. Sums of all columns to the left of
 * each, by a scan over the block, are in shared memory; a square's sum is the difference of two.
 * They lie there by their number modulo 4, so that threads that want four neighbours each, of any
 * first one, find them in different banks. */
#include "kernels/blur/cuda/box_columns.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int THREADS_MOST = 512, WARPS_MOST = THREADS_MOST / 32;
constexpr int SHARED_MOST = 200 * 1024, SHARED_WANTED = 56 * 1024;

/* Sums of all columns of the strip up to each of a thread's. */
template <typename K>
__device__ void scan(const uint32_t (&sums)[K::SUMS], typename K::Total (*warps)[K::CHANNELS],
                     typename K::Total (&up_to)[K::SAMPLES])
{
    typedef typename K::Total Total;
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    Total before[K::CHANNELS];
#pragma unroll
    for (int i = 0; i < K::SAMPLES; i++)
        up_to[i] = column_sum<K>(sums, i) + (i < K::CHANNELS ? 0 : up_to[i - K::CHANNELS]);
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++) {
        const Total own = up_to[K::SAMPLES - K::CHANNELS + c];
        Total all = own;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const Total more = __shfl_up_sync(~0u, all, step);
            all += lane >= step ? more : 0;
        }
        before[c] = all - own;
        if (lane == 31)
            warps[warp][c] = all;
    }
    __syncthreads();
    for (int w = 0; w < warp; w++)
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++)
            before[c] += warps[w][c];
#pragma unroll
    for (int i = 0; i < K::SAMPLES; i++)
        up_to[i] += before[i % K::CHANNELS];
}

template <typename K>
__device__ void put_sums(const typename K::Total (&up_to)[K::SAMPLES], typename K::Total *planes,
                         int plane)
{
#pragma unroll
    for (int i = 0; i < TOGETHER; i++)
#pragma unroll
        for (int k = 0; k < K::PART; k++)
            planes[i * plane + (int)threadIdx.x * K::PART + k] = up_to[k * TOGETHER + i];
}

template <typename K> __device__ uint32_t mean_of(const BoxTask &task, typename K::Total sum)
{
    if (sizeof(typename K::Total) == 8) /* an odd area: no ties */
        return (uint32_t)((double)sum * task.inverse + 0.5);
    const uint32_t rounded = (uint32_t)sum + task.box.area / 2;
    return (uint32_t)((uint64_t)rounded * task.box.multiplier >> 32) >> (task.box.shift - 32);
}

/* The results of a row, which begins at `to`; `ends` is the number of its samples. */
template <typename K>
__device__ void write_row(const BoxTask &task, const typename K::Total *planes, int plane,
                          typename K::Sample *to, int64_t ends)
{
    const int32_t right = (task.margin + task.box.radius) * K::CHANNELS;
    const int32_t left = (task.margin - task.box.radius - 1) * K::CHANNELS;
    const typename K::Total *upper[TOGETHER], *lower[TOGETHER];
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
        upper[i] = planes + (right + i) % TOGETHER * plane + (right + i) / TOGETHER;
        lower[i] = planes + (left + i) % TOGETHER * plane + (left + i) / TOGETHER;
    }
    const int groups = task.columns * K::CHANNELS / TOGETHER;
#pragma unroll 2
    for (int k = (int)threadIdx.x; k < groups; k += (int)blockDim.x) {
        uint32_t mean[TOGETHER];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            mean[i] = mean_of<K>(task, upper[i][k] - lower[i][k]);
        if (k * TOGETHER + TOGETHER > ends) {
            for (int i = 0; k * TOGETHER + i < ends; i++)
                to[k * TOGETHER + i] = (typename K::Sample)(i == 0   ? mean[0]
                                                            : i == 1 ? mean[1]
                                                                     : mean[2]);
        } else if (K::SIZE == 2) {
            reinterpret_cast<uint2 *>(to)[k] =
                make_uint2(mean[0] | mean[1] << 16, mean[2] | mean[3] << 16);
        } else {
            reinterpret_cast<uint32_t *>(to)[k] =
                mean[0] | mean[1] << 8 | mean[2] << 16 | mean[3] << 24;
        }
    }
}

template <typename K> __global__ void __launch_bounds__(THREADS_MOST, 1) fast_kernel(BoxTask task)
{
    typedef typename K::Total Total;
    IMG_SHARED_DYNAMIC(uint64_t, memory);
    IMG_SHARED(Total, warps, [2][WARPS_MOST][K::CHANNELS]);
    const int plane = (int)blockDim.x * K::PART + 4;
    const int64_t x = (int64_t)(blockIdx.x % task.strips) * task.columns;
    const int64_t top = (int64_t)(blockIdx.x / task.strips) * task.rows;
    const int64_t end = top + task.rows < task.src.height ? top + task.rows : task.src.height;
    const int64_t radius = task.box.radius;
    const Columns columns = columns_at(task, x - task.margin + (int)threadIdx.x * PIXELS);
    uint32_t sums[K::SUMS] = {}, in[K::WORDS], out[K::WORDS] = {};
#pragma unroll 4
    for (int64_t y = top - radius; y < top + radius; y++) {
        load_row<K>(task, columns, y, in);
        slide<K>(sums, in, out);
    }
    load_row<K>(task, columns, top + radius, in);
    for (int64_t y = top; y < end; y++) {
        Total up_to[K::SAMPLES];
        Total *planes = reinterpret_cast<Total *>(memory) + (y - top) % 2 * TOGETHER * plane;
        slide<K>(sums, in, out);
        if (y + 1 < end) {
            load_row<K>(task, columns, y + 1 + radius, in);
            load_row<K>(task, columns, y - radius, out);
        }
        scan<K>(sums, warps[(y - top) % 2], up_to);
        put_sums<K>(up_to, planes, plane);
        __syncthreads();
        write_row<K>(
            task, planes, plane,
            reinterpret_cast<typename K::Sample *>(task.dst.data + (size_t)y * task.dst.stride) +
                x * K::CHANNELS,
            (task.src.width - x) * K::CHANNELS);
    }
}

/* The threads of a block that leave the fewest columns of strips without results, among those whose
 * sums leave room for other blocks where the window lets them. */
template <typename K> int threads_for(const BoxTask &task)
{
    constexpr int PER_THREAD = 2 * K::SAMPLES * (int)sizeof(typename K::Total);
    int best = 0;
    double least = 0;
    for (int threads = 64; threads <= THREADS_MOST; threads += 32) {
        const int columns = threads * PIXELS - 2 * task.margin;
        if (threads * PER_THREAD > SHARED_MOST || columns <= 0)
            continue;
        const int32_t strips = (task.src.width - 1) / columns + 1;
        const double crowded = threads * PER_THREAD > SHARED_WANTED ? 1.5 : 1;
        const double cost = (double)strips * threads * crowded;
        if (best == 0 || cost < least) {
            best = threads;
            least = cost;
        }
    }
    return best;
}

template <typename K> ImgStatus launch(BoxTask &task, void *stream, ImgError *err)
{
    constexpr int BLOCK_ROWS = 24;
    const int threads = threads_for<K>(task);
    const int bytes = 2 * TOGETHER * (threads * K::PART + 4) * (int)sizeof(typename K::Total);
    int processors;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &processors, err);
    if (status != IMG_OK)
        return status;
    task.columns = threads * PIXELS - 2 * task.margin;
    task.strips = (uint32_t)((task.src.width - 1) / task.columns + 1);
    /* All processors busy: 768 threads each, which is what registers allow. */
    const int64_t together = (int64_t)processors * (threads < 768 ? 768 / threads : 1);
    const int64_t rows = (int64_t)task.src.height * task.strips / together + 1;
    task.rows = (int32_t)(rows < BLOCK_ROWS ? BLOCK_ROWS : rows);
    const uint32_t blocks = task.strips * (uint32_t)((task.src.height - 1) / task.rows + 1);
    CUDA_TRY(
        cudaFuncSetAttribute(fast_kernel<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        err);
    IMG_LAUNCH(fast_kernel<K>, blocks, threads, (size_t)bytes, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <int CHANNELS> ImgStatus launch_for(BoxTask &task, void *stream, ImgError *err)
{
    if (task.src.format.bits == 16)
        return task.box.is_narrow != 0
                   ? launch<Kind<uint16_t, CHANNELS, false, uint32_t>>(task, stream, err)
                   : launch<Kind<uint16_t, CHANNELS, false, uint64_t>>(task, stream, err);
    return task.box.radius < 128
               ? launch<Kind<uint8_t, CHANNELS, true, uint32_t>>(task, stream, err)
               : launch<Kind<uint8_t, CHANNELS, false, uint32_t>>(task, stream, err);
}

} // namespace

/* GPUs whose blocks may not have all of the shared memory that some radius needs take two passes.
 */
static bool has_room()
{
    ImgError err;
    int shared;
    return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, &err) == IMG_OK &&
           shared >= SHARED_MOST + 4096;
}

size_t img_box_fast_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    return has_room() ? 0 : img_box_cuda_workspace(op, src, params);
}

ImgStatus img_box_cuda_fast(const ImgCall *call, ImgError *err)
{
    BoxTask task;
    if (!has_room())
        return img_box_cuda_naive(call, err);
    task.box = *static_cast<const ImgBox *>(call->constants.bytes);
    task.src = call->src;
    task.dst = call->dst;
    task.margin = (task.box.radius / PIXELS + 1) * PIXELS;
    task.inverse = 1.0 / task.box.area;
    return img_format_channels(call->src.format) == 3 ? launch_for<3>(task, call->stream, err)
                                                      : launch_for<1>(task, call->stream, err);
}
