/* resize on CUDA, fast version: both axes in one kernel. Sums are products of matrices of bytes
 * (resize_rows.cuh). This file chooses among three kernels: the direct kernel, the stream kernel,
 * and its own kernel. Its own kernel serves the remaining cases: gray with alpha, GPUs before
 * sm_80, and GPUs with little shared memory.
 *
 * A block moves down a strip of the result picture, BAND rows per step. It loads source rows to
 * shared memory once and keeps them while a step needs them. A step first multiplies source rows by
 * vertical weights. The vertical sums, called the middle (resize.h), are stored in shared memory as
 * bytes. Then the step multiplies the middle by horizontal weights and writes BAND rows of the
 * result picture.
 *
 * Weights and vertical sums are split into bytes. The highest byte of a weight is signed. A
 * constant is added to the vertical sums to make them unsigned. The weighted sum of this constant
 * is known, because weights sum to one. Products whose two bytes stand for the same power of 256
 * together are added to the same sum.
 *
 * The kernel is limited by tensor cores and by the instructions that combine the sums
 * (kernels/resize/MEASUREMENTS.md). */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/resize/cuda/resize_across.cuh"
#include "kernels/resize/cuda/resize_direct.h"
#include "kernels/resize/cuda/resize_plan.cuh"
#include "kernels/resize/cuda/resize_stream.h"

namespace
{

using namespace resize;

constexpr unsigned BLOCKS_WANTED = 1056, STEPS_MOST = 32;

/* --- Strips ----------------------------------------------------------------------------------- */

template <typename K> __global__ void __launch_bounds__(THREADS, 2) fast_kernel(Task task)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    const ImgResizeStrips &layout = task.layout;
    uint8_t *tile = reinterpret_cast<uint8_t *>(memory);
    uint32_t *down = reinterpret_cast<uint32_t *>(tile + layout.down_at);
    uint32_t *across = reinterpret_cast<uint32_t *>(tile + layout.across_at);
    const int32_t column = (int32_t)(blockIdx.x % task.strips) * layout.groups * BAND - task.lead;
    const int32_t left = window_of(task, column) & ~15;
    const int32_t *first = task.first(task.down_first_at);
    int32_t row = (int32_t)(blockIdx.x / task.strips * task.steps) * BAND, loaded = 0;
    const bool is_inside = column >= 0 && column + layout.groups * BAND <= task.across.count;
    clear_words(reinterpret_cast<uint32_t *>(tile + layout.middle_at),
                /* this size includes the bytes after the last vertical sum, because horizontal sums
                 * may read them */
                layout.out_at - layout.middle_at);
    __syncthreads();
    make_across<K>(task, column, across);
    for (uint32_t step = 0; step < task.steps && row < task.down.count; step++, row += BAND) {
        const int32_t base = __ldg(first + row), end = base + layout.rows;
        load_rows<K>(task, tile, left, max(base, loaded), end);
        make_down<K>(task, row, base, down);
        loaded = end;
        __syncthreads();
        if (row + BAND < task.down.count && step + 1 < task.steps)
            announce_rows<K>(task, left, end, __ldg(first + row + BAND) + layout.rows);
        make_middle<K>(task, tile, down, tile + layout.middle_at, base % layout.rows);
        __syncthreads();
        clear_words(down, layout.across_at - layout.down_at);
        make_rows<K>(task, tile + layout.middle_at, across, tile + layout.out_at, column, left);
        __syncthreads();
        if (is_inside)
            write_rows<K, true>(task, tile + layout.out_at, column, row);
        else
            write_rows<K, false>(task, tile + layout.out_at, column, row);
    }
}

/* --- Background around the picture ------------------------------------------------------------ */

constexpr int FILL_WIDE = 32, FILL_LOW = 8;
constexpr unsigned FILL_ROWS = 65535;

__global__ void __launch_bounds__(FILL_WIDE *FILL_LOW) fill_kernel(Task task)
{
    const ImgResize &own = *task.own;
    const int64_t x = (int64_t)blockIdx.x * FILL_WIDE + threadIdx.x;
    const bool is_across = x >= task.across.at && x < task.across.at + (int64_t)task.across.count;
    for (int64_t y = (int64_t)blockIdx.y * FILL_LOW + threadIdx.y; y < task.dst.height;
         y += (int64_t)gridDim.y * FILL_LOW) {
        const bool is_made =
            is_across && y >= task.down.at && y < task.down.at + (int64_t)task.down.count;
        uint8_t *row = task.dst.data + (size_t)y * task.dst.stride;
        for (int c = 0; x < task.dst.width && !is_made && c < own.channels; c++)
            if (own.bits == 16)
                reinterpret_cast<uint16_t *>(row)[x * own.channels + c] = own.background[c];
            else
                row[x * own.channels + c] = (uint8_t)own.background[c];
    }
}

ImgStatus fill(const ImgCall *call, const Task &task, ImgError *err)
{
    const unsigned rows = (unsigned)((call->dst.height - 1) / FILL_LOW + 1);
    if (task.across.count == call->dst.width && task.down.count == call->dst.height)
        return IMG_OK;
    IMG_LAUNCH(fill_kernel,
               dim3((unsigned)((call->dst.width - 1) / FILL_WIDE + 1),
                    rows < FILL_ROWS ? rows : FILL_ROWS),
               dim3(FILL_WIDE, FILL_LOW), 0, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* Chooses the number of steps per block, of BAND rows each, so that there are just enough blocks to
 * keep a large GPU busy. With more blocks, more rows would be read twice, because each block reads
 * some rows before its first step. */
void divide(Task *task)
{
    const uint32_t wide = (uint32_t)(task->layout.groups * BAND);
    const uint32_t rows = (uint32_t)((task->down.count - 1) / BAND + 1);
    const uint64_t columns = (uint64_t)task->across.count + (uint64_t)task->lead;
    task->strips = (uint32_t)((columns - 1) / wide + 1);
    const uint64_t steps = task->strips * (uint64_t)rows / BLOCKS_WANTED + 1;
    task->steps = (uint32_t)(steps < STEPS_MOST ? steps : STEPS_MOST);
}

template <typename K> ImgStatus launch(const ImgCall *call, Task &task, ImgError *err)
{
    const uint32_t rows = (uint32_t)((task.down.count - 1) / BAND + 1);
    divide(&task);
    task.units = divisor(task.layout.columns / K::PIXELS);
    task.pieces = divisor(task.layout.groups * BAND * K::CHANNELS * K::SOURCE / WIDE_BYTES);
    CUDA_TRY(allow_shared_memory(fast_kernel<K>), err);
    IMG_LAUNCH(fast_kernel<K>, task.strips * ((rows - 1) / task.steps + 1), THREADS,
               (size_t)task.layout.bytes, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* Chooses the width of strips. If possible, three blocks, or else two, run on a multiprocessor at
 * the same time. Strips must not become so narrow that reading columns twice costs more than this
 * gains. */
ImgResizeStrips best_strips(const ImgResize *own, int64_t down, int64_t across, int32_t most)
{
    const int32_t wanted[] = {74000, 112000, most};
    ImgResizeStrips best = {};
    for (int i = 0; i < 3; i++) {
        const int32_t bytes = wanted[i] < most ? wanted[i] : most;
        const ImgResizeStrips strips = img_resize_strips(own, down, across, bytes);
        const int64_t halo = strips.columns - (int64_t)strips.groups * BAND * own->across.span.src /
                                                  own->across.span.full;
        best = strips.groups > best.groups ? strips : best;
        if (strips.groups > 0 && halo * 5 <= strips.columns)
            break;
    }
    return best;
}

/* Sets `has` to true if the GPU is sm_80 or newer. On older GPUs a product of bytes takes so many
 * instructions (resize_rows.cuh) that the direct and stream kernels do not support them. */
ImgStatus has_tensor_bytes(bool *has, ImgError *err)
{
#ifdef IMGTOOL_EMULATOR
    (void)err;
    *has = true;
    return IMG_OK;
#else
    int major = 0;
    const ImgStatus status = device_attribute(cudaDevAttrComputeCapabilityMajor, &major, err);
    *has = major >= 8;
    return status;
#endif
}

} // namespace

ImgStatus img_resize_cuda_fast(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    Task task = task_of(call, own);
    int shared = 0;
    ImgStatus status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err);
    if (status != IMG_OK)
        return status;
    bool can_direct = false;
    status = has_tensor_bytes(&can_direct, err);
    if (status != IMG_OK)
        return status;
    const ImgResizeDirect direct = img_resize_plan_direct(own, shared);
    if (can_direct && direct.warp_pairs > 0) {
        status = fill(call, task, err);
        return status == IMG_OK ? img_resize_cuda_direct(call, &direct, err) : status;
    }
    const ImgResizeStream stream = img_resize_plan_stream(own, shared);
    if (can_direct && stream.tiles > 0) {
        status = fill(call, task, err);
        return status == IMG_OK ? img_resize_cuda_stream(call, &stream, err) : status;
    }
    task.layout = best_strips(own, window_most(own, &own->down, 0, BAND, 1),
                              window_most(own, &own->across, task.lead, BAND, 1), shared);
    /* no strip fits, because the GPU has less shared memory than IMG_RESIZE_STRIP_MOST bytes */
    if (task.layout.groups == 0)
        return img_resize_cuda_separable(call, err);
    status = fill(call, task, err);
    if (status != IMG_OK)
        return status;
    return with_kind(own, [&](auto kind) { return launch<decltype(kind)>(call, task, err); });
}
