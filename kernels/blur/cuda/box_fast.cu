/* Means of squares on CUDA in one pass over memory, of pictures without alpha.
 *
 * A warp goes down a strip, a lane with the sums of 8 pixels' columns in registers: a row comes in
 * at the bottom of the window and one goes out at the top. Sums of all columns to the left of each,
 * by a scan over the warp, are in shared memory; a square's sum is the difference of two. They lie
 * there by their number modulo 4, so that lanes that want four neighbours each, of any first one,
 * find them in different banks. Where windows take most of a warp's 256 columns, all warps of a
 * block go down a wider strip together, and wait for each other in each row. */
#include "kernels/blur/cuda/box_columns.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int THREADS_MOST = 512, WARPS_MOST = THREADS_MOST / 32;
constexpr int SHARED_MOST = 200 * 1024, SHARED_WANTED = 56 * 1024;
/* Where warps go alone: a block of some of them, and how many are to be on a multiprocessor. */
constexpr int WARP_THREADS = 128, WARP_BLOCKS = 6, WARP_MARGIN = 64;

/* The threads that go down a strip together. */
template <bool IS_WARP_> struct Team {
    static constexpr bool IS_WARP = IS_WARP_;
    static __device__ int self()
    {
        return IS_WARP ? (int)threadIdx.x % 32 : (int)threadIdx.x;
    }
    static __device__ int size()
    {
        return IS_WARP ? 32 : (int)blockDim.x;
    }
    /* Which of all teams this is, of any block. */
    static __device__ uint32_t number()
    {
        return IS_WARP ? blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32 : blockIdx.x;
    }
    static __device__ void wait()
    {
        if (IS_WARP)
            __syncwarp();
        else
            __syncthreads();
    }
};

/* Sums of all columns of the strip up to each of a thread's. */
template <typename K, typename T>
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
        if (!T::IS_WARP && lane == 31)
            warps[warp][c] = all;
    }
    if (!T::IS_WARP) {
        __syncthreads();
        for (int w = 0; w < warp; w++)
#pragma unroll
            for (int c = 0; c < K::CHANNELS; c++)
                before[c] += warps[w][c];
    }
#pragma unroll
    for (int i = 0; i < K::SAMPLES; i++)
        up_to[i] += before[i % K::CHANNELS];
}

template <typename K, typename T>
__device__ void put_sums(const typename K::Total (&up_to)[K::SAMPLES], typename K::Total *planes,
                         int plane)
{
#pragma unroll
    for (int i = 0; i < TOGETHER; i++)
#pragma unroll
        for (int k = 0; k < K::PART; k++)
            planes[i * plane + T::self() * K::PART + k] = up_to[k * TOGETHER + i];
}

template <typename K> __device__ uint32_t mean_of(const BoxTask &task, typename K::Total sum)
{
    if (sizeof(typename K::Total) == 8) /* an odd area: no ties */
        return (uint32_t)((double)sum * task.inverse + 0.5);
    const uint32_t rounded = (uint32_t)sum + task.box.area / 2;
    return (uint32_t)((uint64_t)rounded * task.box.multiplier >> 32) >> (task.box.shift - 32);
}

/* Where the sums are whose differences are the squares' of four neighbours, in the planes of a row;
 * further neighbours are further on by as many fours. */
struct Corners {
    int upper[TOGETHER], lower[TOGETHER];
};

template <typename K> __device__ Corners corners_of(const BoxTask &task, int plane)
{
    const int right = (task.margin + task.box.radius) * K::CHANNELS;
    const int left = (task.margin - task.box.radius - 1) * K::CHANNELS;
    Corners corners;
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
        corners.upper[i] = (right + i) % TOGETHER * plane + (right + i) / TOGETHER;
        corners.lower[i] = (left + i) % TOGETHER * plane + (left + i) / TOGETHER;
    }
    return corners;
}

/* Four results at `to`, where so many of a row's samples are left. */
template <typename Sample>
__device__ void put_four(Sample *to, const uint32_t (&mean)[TOGETHER], int64_t left)
{
    if (left < TOGETHER) {
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            if (i < left)
                to[i] = (Sample)mean[i];
    } else if (sizeof(Sample) == 2) {
        *reinterpret_cast<uint2 *>(to) =
            make_uint2(mean[0] | mean[1] << 16, mean[2] | mean[3] << 16);
    } else {
        *reinterpret_cast<uint32_t *>(to) = mean[0] | mean[1] << 8 | mean[2] << 16 | mean[3] << 24;
    }
}

/* The results of a row, which begins at `to`; so many samples of the picture's are left. */
template <typename K, typename T>
__device__ void write_row(const BoxTask &task, const typename K::Total *planes,
                          const Corners &corners, typename K::Sample *to, int64_t left)
{
    const int groups = task.columns * K::CHANNELS / TOGETHER;
    const int whole = (int)min((int64_t)groups, left / TOGETHER);
    const typename K::Total *own = planes + T::self();
#pragma unroll
    for (int j = 0; j < K::PART; j++) {
        const int k = j * T::size(), number = T::self() + k;
        if (number >= groups)
            break;
        uint32_t mean[TOGETHER];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            mean[i] = mean_of<K>(task, (own + corners.upper[i])[k] - (own + corners.lower[i])[k]);
        if (number < whole)
            put_four(to + number * TOGETHER, mean, TOGETHER);
        else
            put_four(to + number * TOGETHER, mean, left - number * TOGETHER);
    }
}

template <typename K, typename T>
__global__ void __launch_bounds__(T::IS_WARP ? WARP_THREADS : THREADS_MOST,
                                  T::IS_WARP ? WARP_BLOCKS : 1) fast_kernel(BoxTask task)
{
    typedef typename K::Total Total;
    IMG_SHARED_DYNAMIC(uint64_t, memory);
    IMG_SHARED(Total, warps, [2][WARPS_MOST][K::CHANNELS]);
    const int plane = T::size() * K::PART + 4;
    Total *own = reinterpret_cast<Total *>(memory) +
                 (T::IS_WARP ? (int)threadIdx.x / 32 * (2 * TOGETHER * plane) : 0);
    const int64_t x = (int64_t)(T::number() % task.strips) * task.columns;
    const int64_t top = (int64_t)(T::number() / task.strips) * task.rows;
    const int64_t end = min(top + task.rows, (int64_t)task.src.height);
    const int64_t radius = task.box.radius;
    if (top >= end)
        return;
    const Columns columns = columns_at(task, x - task.margin + T::self() * PIXELS);
    const Corners corners = corners_of<K>(task, plane);
    uint32_t sums[K::SUMS] = {}, in[K::WORDS], out[K::WORDS] = {};
#pragma unroll 4
    for (int64_t y = top - radius; y < top + radius; y++) {
        load_row<K>(task, columns, y, in);
        slide<K>(sums, in, out);
    }
    load_row<K>(task, columns, top + radius, in);
    for (int64_t y = top; y < end; y++) {
        Total up_to[K::SAMPLES];
        Total *planes = own + (y - top) % 2 * TOGETHER * plane;
        slide<K>(sums, in, out);
        if (y + 1 < end) {
            load_row<K>(task, columns, y + 1 + radius, in);
            load_row<K>(task, columns, y - radius, out);
        }
        scan<K, T>(sums, warps[(y - top) % 2], up_to);
        put_sums<K, T>(up_to, planes, plane);
        T::wait();
        write_row<K, T>(
            task, planes, corners,
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

/* `threads` in each of as many blocks as are needed, `together` of whose teams are to be at work at
 * the same time. */
template <typename K, typename T>
ImgStatus launch_teams(BoxTask &task, int threads, int64_t together, void *stream, ImgError *err)
{
    constexpr int TEAM_ROWS = 24;
    const int size = T::IS_WARP ? 32 : threads, teams = threads / size;
    const int bytes = teams * 2 * TOGETHER * (size * K::PART + 4) * (int)sizeof(typename K::Total);
    task.columns = size * PIXELS - 2 * task.margin;
    task.strips = (uint32_t)((task.src.width - 1) / task.columns + 1);
    const int64_t rows = (int64_t)task.src.height * task.strips / together + 1;
    task.rows = (int32_t)(rows < TEAM_ROWS ? TEAM_ROWS : rows);
    const uint32_t all = task.strips * (uint32_t)((task.src.height - 1) / task.rows + 1);
    auto *kernel = fast_kernel<K, T>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), err);
    IMG_LAUNCH(kernel, (all - 1) / (uint32_t)teams + 1, threads, (size_t)bytes, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus processors_of(int64_t &processors, ImgError *err)
{
    int count = 0;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &count, err);
    processors = count;
    return status;
}

template <typename K> ImgStatus launch_warps(BoxTask &task, void *stream, ImgError *err)
{
    int64_t processors;
    ImgStatus status = processors_of(processors, err);
    if (status != IMG_OK)
        return status;
    return launch_teams<K, Team<true>>(task, WARP_THREADS,
                                       processors * WARP_BLOCKS * (WARP_THREADS / 32), stream, err);
}

/* All processors busy: 768 threads each, which is what registers allow. */
template <typename K> ImgStatus launch_blocks(BoxTask &task, void *stream, ImgError *err)
{
    const int threads = threads_for<K>(task);
    int64_t processors;
    ImgStatus status = processors_of(processors, err);
    if (status != IMG_OK)
        return status;
    return launch_teams<K, Team<false>>(
        task, threads, processors * (threads < 768 ? 768 / threads : 1), stream, err);
}

template <int CHANNELS> ImgStatus launch_for(BoxTask &task, void *stream, ImgError *err)
{
    const bool is_wide = task.src.format.bits == 16;
    if (task.margin <= WARP_MARGIN) /* no sum of such a square needs more than 32 bits */
        return is_wide ? launch_warps<Kind<uint16_t, CHANNELS, false, uint32_t>>(task, stream, err)
                       : launch_warps<Kind<uint8_t, CHANNELS, true, uint32_t>>(task, stream, err);
    if (is_wide)
        return task.box.is_narrow != 0
                   ? launch_blocks<Kind<uint16_t, CHANNELS, false, uint32_t>>(task, stream, err)
                   : launch_blocks<Kind<uint16_t, CHANNELS, false, uint64_t>>(task, stream, err);
    return task.box.radius < 128
               ? launch_blocks<Kind<uint8_t, CHANNELS, true, uint32_t>>(task, stream, err)
               : launch_blocks<Kind<uint8_t, CHANNELS, false, uint32_t>>(task, stream, err);
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
