/* Kernel for any program of point operations in any format, stage by stage, with four pixels per
 * thread. It reads and writes the bytes of four pixels as words, in vectors as wide as the format
 * allows. It is limited by the number of instructions; frequent programs have kernels of their
 * own. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/point/cuda/point_fast.h"
#include "kernels/point/cuda/point_stages.cuh"

namespace
{

constexpr int THREADS = 128;

struct Task {
    ImgPointProgram program;
    const uint16_t *tables;
    Form from, to;
    int32_t height, groups; /* rows of the picture, and groups of four pixels per row */
    int32_t lanes_shift;    /* log2 of the number of groups that a block processes in a row */
    uint32_t blocks_across; /* number of blocks for each row */
};

/* Applies a cube or dithering. Only kernels for programs with such a stage contain this function.
 * Other kernels thus need fewer registers and run more warps at the same time. */
__device__ void change_rarely(const Task &task, const ImgPointStage &stage, int64_t x, int64_t y,
                              Pixels &pixels)
{
    if (stage.kind == IMG_POINT_DITHER)
        change_by_dither(stage, task.tables, x, y, pixels);
    else if (stage.from_bits == 16)
        change_by_cube<0xFFFF>(stage, task.tables, pixels);
    else
        change_by_cube<0xFF>(stage, task.tables, pixels);
}

template <bool RARE>
__device__ void change(const Task &task, const ImgPointStage &stage, int64_t x, int64_t y,
                       Pixels &pixels)
{
    if (stage.kind == IMG_POINT_TABLE)
        change_by_tables(stage, task.tables, pixels);
    else if (stage.kind == IMG_POINT_MATRIX && stage.is_narrow != 0)
        change_by_matrix<int32_t>(stage, pixels);
    else if (stage.kind == IMG_POINT_MATRIX)
        change_by_matrix<int64_t>(stage, pixels);
    else if (RARE && (stage.kind == IMG_POINT_CUBE || stage.kind == IMG_POINT_DITHER))
        change_rarely(task, stage, x, y, pixels);
    else if (stage.from_bits == 16)
        change_by_alpha<0xFFFF>(stage, pixels);
    else
        change_by_alpha<0xFF>(stage, pixels);
}

template <typename From, typename To, bool RARE>
__global__ void __launch_bounds__(THREADS) point_fast_kernel(Task task)
{
    const int32_t lanes = 1 << task.lanes_shift, lane = (int32_t)threadIdx.x & (lanes - 1);
    const uint32_t part = blockIdx.x % task.blocks_across, band = blockIdx.x / task.blocks_across;
    const int64_t group = (int64_t)part * lanes + lane;
    const int64_t y =
        (int64_t)band * (THREADS >> task.lanes_shift) + ((int32_t)threadIdx.x >> task.lanes_shift);
    if (group >= task.groups || y >= task.height)
        return;
    const int64_t x = group * TOGETHER;
    Pixels pixels;
    task.from.load<From>(x, y, pixels);
#pragma unroll 1
    for (int32_t i = 0; i < task.program.count; i++)
        change<RARE>(task, task.program.stages[i], x, y, pixels);
    task.to.store<To>(x, y, pixels);
}

Form form_of(const ImgView &view)
{
    Form form;
    form.data = view.data;
    form.stride = view.stride;
    form.pixel = (int32_t)img_format_pixel_size(view.format);
    form.row_bytes = (int64_t)view.width * form.pixel;
    form.channels = img_format_channels(view.format);
    return form;
}

bool has_rare(const ImgPointProgram &program)
{
    bool any = false;
    for (int32_t i = 0; i < program.count; i++)
        any |=
            program.stages[i].kind == IMG_POINT_CUBE || program.stages[i].kind == IMG_POINT_DITHER;
    return any;
}

template <typename From, typename To>
ImgStatus launch(const Task &task, void *stream, ImgError *err)
{
    auto *kernel = has_rare(task.program) ? point_fast_kernel<From, To, true>
                                          : point_fast_kernel<From, To, false>;
    const int32_t rows = THREADS >> task.lanes_shift;
    const uint64_t blocks =
        (uint64_t)task.blocks_across * (((uint64_t)task.height + rows - 1) / rows);
    if (blocks > INT32_MAX)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    IMG_LAUNCH(kernel, (unsigned)blocks, THREADS, 0, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_point_cuda_general(const ImgCall *call, ImgError *err)
{
    const uint8_t *on_device = static_cast<const uint8_t *>(call->device_constants);
    Task task;
    task.program = *static_cast<const ImgPointProgram *>(call->constants.bytes);
    task.tables = reinterpret_cast<const uint16_t *>(on_device + task.program.tables_at);
    task.from = form_of(call->src);
    task.to = form_of(call->dst);
    task.height = call->src.height;
    task.groups = (call->src.width - 1) / TOGETHER + 1;
    /* finds the smallest power of two, at most THREADS, that covers the groups of a row; if rows
     * are narrow, a block takes several rows */
    task.lanes_shift = 0;
    while (1 << task.lanes_shift < THREADS && 1 << task.lanes_shift < task.groups)
        task.lanes_shift++;
    task.blocks_across = (((uint32_t)task.groups - 1) >> task.lanes_shift) + 1;
    const bool from_16 = task.program.from.bits == 16, to_16 = task.program.to.bits == 16;
    if (from_16)
        return to_16 ? launch<uint16_t, uint16_t>(task, call->stream, err)
                     : launch<uint16_t, uint8_t>(task, call->stream, err);
    return to_16 ? launch<uint8_t, uint16_t>(task, call->stream, err)
                 : launch<uint8_t, uint8_t>(task, call->stream, err);
}
