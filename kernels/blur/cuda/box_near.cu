/* boxblur on CUDA for small squares (the "near" box), in one pass over memory, for pictures without
 * alpha.
 *
 * A team of threads moves down a strip of columns (box_near.cuh). Each thread has the column sums
 * of 8 or 16 pixels in registers. For each row of the result, it adds one row of the picture to
 * these sums and subtracts another. A scan over the team stores running sums of the column sums in
 * shared memory. The sum of a square is the difference of two running sums.
 *
 * Running sums are stored in four planes: sum i is in plane i modulo 4. So lanes that read four
 * neighbours each use different banks, for any first position. A team is a warp, or a block whose
 * warps synchronise once per row. While a team computes the running sums of a row, it writes the
 * results of the row before. */
#include "kernels/blur/cuda/box_near.cuh"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/core/cuda/wide_access.cuh"

/* --- Rows of means from running sums in shared memory ----------------------------------------- */

/* The threads that process a strip together: a warp or a block. */
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
    /* Returns the index of this team among the teams of all blocks. */
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

/* Returns sum / area, rounded to nearest. If column sums are packed, the mean is only one byte of
 * the returned word; `task.quotients` selects this byte. */
template <typename K> __device__ inline uint32_t mean_of(const BoxTask &task, uint32_t sum)
{
    const uint32_t rounded = sum + task.box.area / 2;
    const uint32_t high = (uint32_t)((uint64_t)rounded * task.box.multiplier >> 32);
    return K::PACKED ? high : high >> (task.box.shift - 32);
}

/* Positions of running sums, in the planes of a row, for four adjacent squares. The sum of a square
 * is the running sum at `upper` minus the running sum at `lower`. Positions for the next four
 * squares follow at constant distances. */
struct Corners {
    int upper[TOGETHER], lower[TOGETHER];
};

template <typename K> __device__ inline Corners corners_of(const BoxTask &task, int plane)
{
    const int right = (task.plan.margin + task.box.radius) * K::CHANNELS;
    const int left = (task.plan.margin - task.box.radius - 1) * K::CHANNELS;
    Corners corners;
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
        corners.upper[i] = (right + i) % TOGETHER * plane + (right + i) / TOGETHER;
        corners.lower[i] = (left + i) % TOGETHER * plane + (left + i) / TOGETHER;
    }
    return corners;
}

/* Returns four means packed in the format of the picture. */
template <typename K>
__device__ inline uint2 pack_four(const BoxTask &task, const uint32_t (&mean)[TOGETHER])
{
    if (K::SIZE == 2)
        return make_uint2(mean[0] | mean[1] << 16, mean[2] | mean[3] << 16);
    return make_uint2(__byte_perm(__byte_perm(mean[0], mean[1], task.quotients),
                                  __byte_perm(mean[2], mean[3], task.quotients), 0x5410),
                      0);
}

/* Stores four results at `to`. `left` is the number of samples from `to` to the end of the row;
 * results beyond the end are not stored. */
template <typename K>
__device__ inline void put_four(typename K::Sample *to, uint2 four, int64_t left)
{
    if (left < TOGETHER) {
        for (int i = 0; i < (int)left; i++)
            to[i] =
                (typename K::Sample)((i * K::SIZE < 4 ? four.x : four.y) >> i * K::SIZE % 4 * 8);
    } else if (K::SIZE == 2) {
        *reinterpret_cast<uint2 *>(to) = four;
    } else {
        *reinterpret_cast<uint32_t *>(to) = four.x;
    }
}

template <typename K, typename T, bool IS_WHOLE>
__device__ inline void write_samples(const BoxTask &task, const uint32_t *planes,
                                     const Corners &corners, typename K::Sample *to, int64_t left)
{
    const int groups = task.plan.columns * K::CHANNELS / TOGETHER;
    const uint32_t *own = planes + T::self();
#pragma unroll
    for (int j = 0; j < K::PART; j++) {
        const int k = j * T::size(), number = T::self() + k;
        if (number >= groups || (!IS_WHOLE && number * TOGETHER >= left))
            break;
        uint32_t mean[TOGETHER];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            mean[i] = mean_of<K>(task, (own + corners.upper[i])[k] - (own + corners.lower[i])[k]);
        put_four<K>(to + number * TOGETHER, pack_four<K>(task, mean),
                    IS_WHOLE ? TOGETHER : left - number * TOGETHER);
    }
}

/* Computes and stores the results of a row of a strip, from `to` on. `left` is the number of
 * samples from `to` to the end of the row of the picture. */
template <typename K, typename T>
__device__ inline void write_row(const BoxTask &task, const uint32_t *planes,
                                 const Corners &corners, typename K::Sample *to, int64_t left)
{
    if (left >= task.plan.columns * K::CHANNELS)
        write_samples<K, T, true>(task, planes, corners, to, left);
    else
        write_samples<K, T, false>(task, planes, corners, to, left);
}

namespace
{

constexpr int THREADS_MOST = 384, WARPS_MOST = THREADS_MOST / 32;
/* launch bounds of the kernel if a team is one warp: threads per block, and blocks per
 * multiprocessor */
constexpr int WARP_THREADS = 128, WARP_BLOCKS = 6;

/* Computes `before`: for each channel, the sum of the columns of this warp that come before the
 * columns of this thread. If a team has several warps, stores the sum of each warp in `warps`. */
template <typename K, typename T>
__device__ void scan(const uint32_t (&sums)[K::SUMS], uint32_t (*warps)[K::CHANNELS],
                     uint32_t (&before)[K::CHANNELS])
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        before[c] = 0;
#pragma unroll
    for (int i = 0; i < K::SAMPLES; i++)
        before[i % K::CHANNELS] = add_column<K>(before[i % K::CHANNELS], sums, i);
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++) {
        uint32_t all = before[c];
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const uint32_t more = __shfl_up_sync(~0u, all, step);
            all += lane >= step ? more : 0;
        }
        before[c] = all - before[c];
        if (!T::IS_WARP && lane == 31)
            warps[warp][c] = all;
    }
}

/* Stores the running sums of the strip in `planes`, up to and including each column of this
 * thread. */
template <typename K, typename T>
__device__ void put_sums(const uint32_t (&sums)[K::SUMS], const uint32_t (*warps)[K::CHANNELS],
                         uint32_t (&before)[K::CHANNELS], uint32_t *planes, int plane)
{
    uint32_t up_to[K::SAMPLES];
    if (!T::IS_WARP)
        for (int warp = 0; warp < (int)threadIdx.x / 32; warp++)
#pragma unroll
            for (int c = 0; c < K::CHANNELS; c++)
                before[c] += warps[warp][c];
#pragma unroll
    for (int i = 0; i < K::SAMPLES; i++)
        up_to[i] = add_column<K>(i < K::CHANNELS ? before[i % K::CHANNELS] : up_to[i - K::CHANNELS],
                                 sums, i);
#pragma unroll
    for (int i = 0; i < TOGETHER; i++)
#pragma unroll
        for (int k = 0; k < K::PART; k++)
            planes[i * plane + T::self() * K::PART + k] = up_to[k * TOGETHER + i];
}

/* Computes the column sums of the square around row `top`, without the last row of the square,
 * which the caller adds. */
template <typename K>
__device__ void begin_sums(const BoxTask &task, const Columns &columns, uint32_t strip,
                           uint32_t band, int32_t top, bool is_inside, int self,
                           uint32_t (&sums)[K::SUMS])
{
    const BoxPlan &plan = task.plan;
    if (!plan.starts_first) {
        const uint32_t none[K::WORDS] = {};
#pragma unroll 4
        for (int32_t y = top - task.box.radius; y < top + task.box.radius; y++) {
            uint32_t in[K::WORDS];
            load_row<K>(task, columns, y, is_inside, in);
            slide<K>(sums, in, none);
        }
        return;
    }
    const size_t group =
        (size_t)band * plan.groups + (size_t)strip * (plan.columns / K::PIXELS) + self;
    const uint4 *from = reinterpret_cast<const uint4 *>(task.starts + group * K::SAMPLES);
    uint32_t start[K::SAMPLES];
#pragma unroll
    for (int i = 0; i < K::SAMPLES / 4; i++)
        take_piece(start + 4 * i, __ldg(from + i));
#pragma unroll
    for (int i = 0; i < K::SUMS; i++)
        if (K::PACKED)
            sums[i] = start[2 * i % K::SAMPLES] | start[(2 * i + 1) % K::SAMPLES] << 16;
        else
            sums[i] = start[i];
}

template <typename K, typename T>
__global__ void __launch_bounds__(T::IS_WARP ? WARP_THREADS : THREADS_MOST,
                                  T::IS_WARP ? WARP_BLOCKS : 2) near_kernel(BoxTask task)
{
    typedef typename K::Sample Sample;
    IMG_SHARED_DYNAMIC(uint32_t, memory);
    IMG_SHARED(uint32_t, warps, [2][WARPS_MOST][K::CHANNELS]);
    const int plane = T::size() * K::PART + 4;
    uint32_t *own = memory + (T::IS_WARP ? (int)threadIdx.x / 32 * (2 * TOGETHER * plane) : 0);
    const uint32_t strip = T::number() % (uint32_t)task.plan.strips;
    const uint32_t band = T::number() / (uint32_t)task.plan.strips;
    const int64_t x = (int64_t)strip * task.plan.columns;
    const int64_t left = (task.src.width - x) * K::CHANNELS;
    const int32_t radius = task.box.radius, top = (int32_t)band * task.plan.rows;
    const int32_t end = min(top + task.plan.rows, task.src.height);
    const bool is_inside = are_inside(task, top - radius, end + radius);
    if (top >= end)
        return;
    IMG_AWAIT_PREVIOUS();
    const Columns columns = columns_at<K>(task, x - task.plan.margin + T::self() * K::PIXELS);
    const Corners corners = corners_of<K>(task, plane);
    Sample *to =
        reinterpret_cast<Sample *>(task.dst.data + (size_t)top * task.dst.stride) + x * K::CHANNELS;
    uint32_t sums[K::SUMS] = {}, in[K::WORDS], out[K::WORDS] = {};
    begin_sums<K>(task, columns, strip, band, top, is_inside, T::self(), sums);
    load_row<K>(task, columns, top + radius, is_inside, in);
    for (int32_t y = top; y <= end; y++) {
        const int which = (y - top) % 2;
        uint32_t before[K::CHANNELS];
        if (y < end) {
            slide<K>(sums, in, out);
            if (y + 1 < end) {
                load_row<K>(task, columns, y + 1 + radius, is_inside, in);
                load_row<K>(task, columns, y - radius, is_inside, out);
            }
            scan<K, T>(sums, warps[which], before);
        }
        T::wait();
        if (y < end)
            put_sums<K, T>(sums, warps[which], before, own + which * TOGETHER * plane, plane);
        if (y == top)
            continue;
        write_row<K, T>(task, own + (1 - which) * TOGETHER * plane, corners, to, left);
        to += task.dst.stride / sizeof(Sample);
    }
}

template <typename K, typename T> ImgStatus launch(const BoxTask &task, void *stream, ImgError *err)
{
    const BoxPlan &plan = task.plan;
    const int teams = plan.threads / plan.team;
    const int bytes = teams * 2 * TOGETHER * (plan.team * K::PART + 4) * (int)sizeof(uint32_t);
    const uint32_t all = (uint32_t)plan.strips * (uint32_t)plan.bands;
    auto *kernel = near_kernel<K, T>;
    CUDA_TRY(allow_shared_memory(kernel), err);
    IMG_LAUNCH_EARLY(kernel, (all - 1) / (uint32_t)teams + 1, plan.threads, (size_t)bytes, stream,
                     task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename K> ImgStatus launch_kind(const BoxTask &task, void *stream, ImgError *err)
{
    return task.plan.team == 32 ? launch<K, Team<true>>(task, stream, err)
                                : launch<K, Team<false>>(task, stream, err);
}

} // namespace

ImgStatus near_box_means(const BoxTask &task, void *stream, ImgError *err)
{
    return with_kind(task.src.format,
                     [&](auto kind) { return launch_kind<decltype(kind)>(task, stream, err); });
}
