/* Any program of point operations, stage by stage, 16 pixels per thread, whatever their format. A
 * warp's bytes are read and written 16 by each lane side by side, and change places in shared
 * memory, so that a lane has its pixels whole, also those of 3 and 6 bytes. Limited by
 * instructions: what comes often has kernels of its own. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/point/cuda/point_fast.h"
#include "kernels/core/point/cuda/point_stages.cuh"

namespace
{

constexpr int THREADS_MOST = 256;
constexpr int PIXELS = 16; /* of a thread */

struct Task {
    ImgPointProgram program;
    const uint16_t *tables;
    Form from, to;
    int32_t height;
    uint32_t runs_a_row; /* of a warp */
};

/* RARE: cubes and dithering, whose code takes registers that the kernels without them have for more
 * warps. */
template <bool RARE>
__device__ void change(const Task &task, const uint32_t *column, int32_t y, Pixels &pixels)
{
    const ImgPointProgram &program = task.program;
    for (int32_t i = 0; i < program.count; i++) {
        const ImgPointStage &stage = program.stages[i];
        if (stage.kind == IMG_POINT_TABLE && column != nullptr)
            change_by_column(stage, column, pixels);
        else if (stage.kind == IMG_POINT_TABLE)
            change_by_tables(stage, task.tables, pixels);
        else if (stage.kind == IMG_POINT_MATRIX && stage.is_narrow != 0 && stage.from == 3 &&
                 stage.to == 3)
            change_by_narrow<3, 3>(stage, pixels);
        else if (stage.kind == IMG_POINT_MATRIX && stage.is_narrow != 0 && stage.from == 3 &&
                 stage.to == 1)
            change_by_narrow<3, 1>(stage, pixels);
        else if (RARE && stage.kind == IMG_POINT_CUBE)
            change_by_cube(stage, task.tables, pixels);
        else if (RARE && stage.kind == IMG_POINT_DITHER)
            change_by_dither(stage, task.tables, y, pixels);
        else
            change_otherwise(stage, pixels);
    }
}

/* Nothing from beyond the row's end. */
__device__ void fetch(const Form &form, int64_t start, int32_t y, uint4 *staged)
{
    const int32_t lane = (int32_t)threadIdx.x % LANES;
    const uint8_t *row = form.data + (size_t)y * form.stride;
    for (int32_t q = 0; q < form.pixel; q++) {
        const int32_t piece = lane + LANES * q;
        const int64_t offset = start + (int64_t)piece * WIDE_BYTES;
        staged[form.place_of(piece)] =
            offset < form.row_bytes ? load_wide(row + offset) : make_uint4(0, 0, 0, 0);
    }
}

__device__ void send(const Form &form, int64_t start, int32_t y, const uint4 *staged)
{
    const int32_t lane = (int32_t)threadIdx.x % LANES;
    uint8_t *row = form.data + (size_t)y * form.stride;
    for (int32_t q = 0; q < form.pixel; q++) {
        const int32_t piece = lane + LANES * q;
        store_wide(row, start + (int64_t)piece * WIDE_BYTES, form.row_bytes,
                   staged[form.place_of(piece)]);
    }
}

/* A lane's pixels, some at a time. */
template <bool RARE>
__device__ void work(const Task &task, const uint32_t *column, int32_t y, const uint4 *before,
                     uint4 *after)
{
    const int32_t lane = (int32_t)threadIdx.x % LANES;
    const uint4 *own = before + lane * task.from.lane_pieces();
    const uint32_t *in = reinterpret_cast<const uint32_t *>(own);
    uint32_t *out = reinterpret_cast<uint32_t *>(after + lane * task.to.lane_pieces());
#pragma unroll 1
    for (int done = 0; done < PIXELS; done += TOGETHER) {
        Pixels pixels;
        load_pixels(task.from, in + done * task.from.pixel / 4, pixels);
        change<RARE>(task, column, y, pixels);
        store_pixels(task.to, pixels, out + done * task.to.pixel / 4);
    }
}

template <bool COLUMNS, bool RARE>
__global__ void __launch_bounds__(THREADS_MOST) point_fast_kernel(Task task)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    IMG_SHARED(uint32_t, columns, [COLUMNS ? ENTRIES * LANES : 1]);
    if (COLUMNS)
        for (int32_t i = 0; i < task.program.count; i++)
            if (task.program.stages[i].kind == IMG_POINT_TABLE)
                fill_columns(task.program.stages[i], task.tables, columns);
    const int32_t warp = (int32_t)threadIdx.x / LANES, warps = (int32_t)blockDim.x / LANES;
    uint4 *before = memory + warp * LANES * task.from.lane_pieces();
    uint4 *after = memory + (int32_t)blockDim.x * task.from.lane_pieces() +
                   warp * LANES * task.to.lane_pieces();
    const uint32_t *column = COLUMNS ? columns + threadIdx.x % LANES : nullptr;
    const uint64_t all = (uint64_t)task.runs_a_row * (uint64_t)task.height;
    for (uint64_t run = (uint64_t)blockIdx.x * warps + warp; run < all;
         run += (uint64_t)gridDim.x * warps) {
        const int32_t y = (int32_t)(run / task.runs_a_row);
        const int64_t start = (int64_t)(run % task.runs_a_row) * LANES * WIDE_BYTES;
        fetch(task.from, start * task.from.pixel, y, before);
        __syncwarp();
        work<RARE>(task, column, y, before, after);
        __syncwarp();
        send(task.to, start * task.to.pixel, y, after);
    }
}

Form form_of(const ImgView &view)
{
    Form form;
    form.data = view.data;
    form.stride = view.stride;
    form.pixel = (int32_t)img_format_pixel_size(view.format);
    form.row_bytes = (int64_t)view.width * form.pixel;
    form.channels = img_format_channels(view.format);
    form.bits = view.format.bits;
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

/* Columns hold the table of one stage, of bytes that become bytes. */
bool fits_columns(const ImgPointProgram &program)
{
    int tables = 0;
    for (int32_t i = 0; i < program.count; i++) {
        const ImgPointStage &stage = program.stages[i];
        if (stage.kind == IMG_POINT_TABLE)
            tables += stage.from_bits <= 8 && stage.to_bits <= 8 ? 1 : 2;
    }
    return tables == 1;
}

constexpr int WARPS_PER_MULTIPROCESSOR = 32, PIECES_OF_LARGE_BLOCKS = 8;

/* Large pixels get small blocks, so that none needs more than 64 KiB of shared memory, which is
 * what GPUs before compute capability 8.0 have. */
template <bool COLUMNS, bool RARE> ImgStatus launch(const Task &task, void *stream, ImgError *err)
{
    const int32_t pieces = (task.from.pixel | 1) + (task.to.pixel | 1);
    const int threads = pieces > PIECES_OF_LARGE_BLOCKS ? THREADS_MOST / 2 : THREADS_MOST;
    const int warps = threads / LANES, staged = threads * pieces * WIDE_BYTES;
    int device, multiprocessors;
    CUDA_TRY(cudaGetDevice(&device), err);
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), err);
    auto *kernel = point_fast_kernel<COLUMNS, RARE>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, staged),
             err);
    const uint64_t runs = (uint64_t)task.runs_a_row * (uint64_t)task.height;
    const uint64_t needed = (runs + warps - 1) / warps;
    const uint64_t fitting = (uint64_t)multiprocessors * WARPS_PER_MULTIPROCESSOR / warps;
    IMG_LAUNCH(kernel, (unsigned)(needed < fitting ? needed : fitting), threads, (size_t)staged,
               stream, task);
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
    task.runs_a_row = ((uint32_t)call->src.width - 1) / (LANES * PIXELS) + 1;
    if (has_rare(task.program))
        return launch<false, true>(task, call->stream, err);
    return fits_columns(task.program) ? launch<true, false>(task, call->stream, err)
                                      : launch<false, false>(task, call->stream, err);
}
