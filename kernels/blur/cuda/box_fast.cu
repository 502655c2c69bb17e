/* Means of squares on CUDA in one pass over memory, of pictures without alpha.
 *
 * A team of threads goes down a strip (box_plan.cuh), each with the sums of 8 pixels' columns in
 * registers: a row comes in at the bottom of the window and one goes out at the top. Sums of all
 * columns to the left of each, by a scan over the team, are in shared memory; a square's sum is the
 * difference of two. They lie there by their number modulo 4, so that lanes that want four
 * neighbours each, of any first one, find them in different banks. A team is a warp, or a block
 * whose warps wait for each other once in each row: sums are put down when all that come before
 * them are known, and the row before is written. */
#include "kernels/blur/cuda/box_rows.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/core/cuda/wide_access.cuh"

namespace
{

constexpr int THREADS_MOST = 384, WARPS_MOST = THREADS_MOST / 32;
constexpr int WARP_THREADS = 128, WARP_BLOCKS = 6; /* of teams that are warps */

/* Sums of the columns of a warp before each thread's; what whole warps have goes to `warps`. */
template <typename K, typename T>
__device__ void scan(const uint32_t (&sums)[K::SUMS], typename K::Total (*warps)[K::CHANNELS],
                     typename K::Total (&before)[K::CHANNELS])
{
    typedef typename K::Total Total;
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        before[c] = 0;
#pragma unroll
    for (int i = 0; i < K::SAMPLES; i++)
        before[i % K::CHANNELS] = add_column<K>(before[i % K::CHANNELS], sums, i);
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++) {
        Total all = before[c];
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const Total more = __shfl_up_sync(~0u, all, step);
            all += lane >= step ? more : 0;
        }
        before[c] = all - before[c];
        if (!T::IS_WARP && lane == 31)
            warps[warp][c] = all;
    }
}

/* Puts the sums of all columns of the strip up to each of a thread's to `planes`. */
template <typename K, typename T>
__device__ void
put_sums(const uint32_t (&sums)[K::SUMS], const typename K::Total (*warps)[K::CHANNELS],
         typename K::Total (&before)[K::CHANNELS], typename K::Total *planes, int plane)
{
    typename K::Total up_to[K::SAMPLES];
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

/* Sums of the rows that the window of row `top` has, without its last. */
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
            sums[i] = start[K::SIZE == 1 ? packed_place(i) : i];
}

template <typename K, typename T>
__global__ void __launch_bounds__(T::IS_WARP ? WARP_THREADS : THREADS_MOST,
                                  T::IS_WARP                       ? WARP_BLOCKS
                                  : sizeof(typename K::Total) == 8 ? 1
                                                                   : 2) fast_kernel(BoxTask task)
{
    typedef typename K::Total Total;
    typedef typename K::Sample Sample;
    IMG_SHARED_DYNAMIC(uint64_t, memory);
    IMG_SHARED(Total, warps, [2][WARPS_MOST][K::CHANNELS]);
    const int plane = T::size() * K::PART + 4;
    Total *own = reinterpret_cast<Total *>(memory) +
                 (T::IS_WARP ? (int)threadIdx.x / 32 * (2 * TOGETHER * plane) : 0);
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
        Total before[K::CHANNELS];
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
    const int bytes =
        teams * 2 * TOGETHER * (plan.team * K::PART + 4) * (int)sizeof(typename K::Total);
    const uint32_t all = (uint32_t)plan.strips * (uint32_t)plan.bands;
    auto *kernel = fast_kernel<K, T>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), err);
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

/* Sums of columns fit 16 bits up to a radius of 127, and quotients have divide_exactly; those of
 * squares that are narrow fit 32. */
template <int CHANNELS> ImgStatus launch_for(const BoxTask &task, void *stream, ImgError *err)
{
    if (task.src.format.bits == 16)
        return task.box.is_narrow != 0
                   ? launch_kind<Kind<uint16_t, CHANNELS, false, uint32_t>>(task, stream, err)
                   : launch_kind<Kind<uint16_t, CHANNELS, false, uint64_t>>(task, stream, err);
    return task.box.radius < 128
               ? launch_kind<Kind<uint8_t, CHANNELS, true, uint32_t>>(task, stream, err)
               : launch_kind<Kind<uint8_t, CHANNELS, false, uint32_t>>(task, stream, err);
}

/* Of bytes and an area below 2^16: floor(sum * m / 2^shift), m = ceil(2^shift / area), is exact for
 * sums up to S = 255.5 * area, as S * (m * area - 2^shift) < S * area < 2^shift (see boxblur.c).
 * With a shift of 32 or 40 the quotient is the lowest byte of the product's upper half, or the
 * next. */
void divide_exactly(BoxTask &task)
{
    const int place = task.box.area < 256 ? 0 : 1;
    const uint64_t one = (uint64_t)1 << (32 + 8 * place);
    task.quotients = place == 0 ? 0x0040 : 0x0051;
    task.box.multiplier = (uint32_t)((one + task.box.area - 1) / task.box.area);
}

/* Blocks may need up to 197 KB of shared memory, which GPUs have from an H100 on, and an A100 not
 * for all radii: others take two passes. */
bool has_room()
{
    ImgError err;
    int shared;
    return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, &err) == IMG_OK &&
           shared >= 204 * 1024;
}

} // namespace

size_t img_box_fast_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    ImgConstants constants;
    ImgError err;
    BoxPlan plan;
    if (!has_room())
        return img_box_cuda_workspace(op, src, params);
    if (img_op_prepare(op, src, params, &constants, nullptr) != IMG_OK)
        return 0;
    const ImgStatus status =
        plan_box(*static_cast<const ImgBox *>(constants.bytes), src, plan, &err);
    img_constants_free(&constants);
    return status == IMG_OK ? plan.bytes : 0;
}

ImgStatus img_box_cuda_fast(const ImgCall *call, ImgError *err)
{
    BoxTask task;
    if (!has_room())
        return img_box_cuda_naive(call, err);
    task.box = *static_cast<const ImgBox *>(call->constants.bytes);
    ImgStatus status = plan_box(task.box, img_view_shape(&call->src), task.plan, err);
    if (status != IMG_OK)
        return status;
    task.src = call->src;
    task.dst = call->dst;
    task.inverse = 1.0 / task.box.area;
    if (task.src.format.bits < 16 && task.box.radius < 128)
        divide_exactly(task);
    task.background = static_cast<uint8_t *>(call->workspace);
    task.sides = task.background + task.plan.sides_at;
    task.parts = task.background + task.plan.parts_at;
    task.starts = reinterpret_cast<uint32_t *>(task.background + task.plan.starts_at);
    status = box_start(task, call->stream, err);
    if (status != IMG_OK)
        return status;
    return img_format_channels(call->src.format) == 3 ? launch_for<3>(task, call->stream, err)
                                                      : launch_for<1>(task, call->stream, err);
}
