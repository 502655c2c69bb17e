/* Point operations at the speed of memory: 16 pixels per thread, whatever their format. A warp's
 * bytes are read and written 16 by each lane side by side, and change places in shared memory, so
 * that a lane has its pixels whole, also those of 3 and 6 bytes. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/point/point_arithmetic.h"
#include "kernels/core/point/point_impls.h"

namespace
{

constexpr int THREADS_MOST = 256, LANES = 32;
constexpr int PIXELS = 16, TOGETHER = 8; /* of a thread; in registers at a time */
constexpr int ENTRIES = 256;

/* How a warp's run of pixels lies in memory and, with a gap that makes the pieces of a lane odd in
 * number, in shared memory: then lanes meet in no bank. A piece is 16 bytes; a lane has as many as
 * a pixel has bytes. */
struct Form {
    uint8_t *data;
    size_t stride;
    int64_t row_bytes;
    int32_t pixel, channels, bits;

    __device__ int32_t lane_pieces() const
    {
        return pixel | 1;
    }
    __device__ int32_t place_of(int32_t piece) const
    {
        const int32_t lane = piece / pixel;
        return lane * lane_pieces() + piece - lane * pixel;
    }
};

struct Task {
    ImgPointProgram program;
    const uint16_t *tables;
    Form from, to;
    int32_t height;
    uint32_t runs_a_row; /* of a warp */
};

/* --- Pixels in registers ---------------------------------------------------------------------- */

struct Pixels {
    uint32_t sample[TOGETHER][IMG_POINT_CHANNELS];
};

/* Sample i of words. */
template <typename Sample> __device__ uint32_t get(const uint32_t *words, int i)
{
    constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 32 / EACH;
    return words[i / EACH] >> i % EACH * BITS & (Sample)-1;
}

template <typename Sample> __device__ void put(uint32_t *words, int i, uint32_t value)
{
    constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 32 / EACH;
    words[i / EACH] |= value << i % EACH * BITS;
}

template <typename Sample, int CHANNELS>
__device__ void take_apart(const uint32_t *words, Pixels &pixels)
{
    constexpr int WORDS = TOGETHER * CHANNELS * (int)sizeof(Sample) / 4;
    uint32_t word[WORDS];
#pragma unroll
    for (int i = 0; i < WORDS; i += 2) {
        const uint2 pair = *reinterpret_cast<const uint2 *>(words + i);
        word[i] = pair.x;
        word[i + 1] = pair.y;
    }
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
#pragma unroll
        for (int c = 0; c < IMG_POINT_CHANNELS; c++)
            pixels.sample[p][c] = c < CHANNELS ? get<Sample>(word, p * CHANNELS + c) : 0;
}

template <typename Sample, int CHANNELS>
__device__ void put_together(const Pixels &pixels, uint32_t *words)
{
    constexpr int WORDS = TOGETHER * CHANNELS * (int)sizeof(Sample) / 4;
    uint32_t word[WORDS] = {};
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            put<Sample>(word, p * CHANNELS + c, pixels.sample[p][c]);
#pragma unroll
    for (int i = 0; i < WORDS; i += 2)
        *reinterpret_cast<uint2 *>(words + i) = make_uint2(word[i], word[i + 1]);
}

/* All threads have the same format, so these choices cost next to nothing. */
__device__ void load_pixels(const Form &form, const uint32_t *words, Pixels &pixels)
{
    if (form.bits == 16) {
        if (form.channels == 1)
            take_apart<uint16_t, 1>(words, pixels);
        else if (form.channels == 2)
            take_apart<uint16_t, 2>(words, pixels);
        else if (form.channels == 3)
            take_apart<uint16_t, 3>(words, pixels);
        else
            take_apart<uint16_t, 4>(words, pixels);
    } else {
        if (form.channels == 1)
            take_apart<uint8_t, 1>(words, pixels);
        else if (form.channels == 2)
            take_apart<uint8_t, 2>(words, pixels);
        else if (form.channels == 3)
            take_apart<uint8_t, 3>(words, pixels);
        else
            take_apart<uint8_t, 4>(words, pixels);
    }
}

__device__ void store_pixels(const Form &form, const Pixels &pixels, uint32_t *words)
{
    if (form.bits == 16) {
        if (form.channels == 1)
            put_together<uint16_t, 1>(pixels, words);
        else if (form.channels == 2)
            put_together<uint16_t, 2>(pixels, words);
        else if (form.channels == 3)
            put_together<uint16_t, 3>(pixels, words);
        else
            put_together<uint16_t, 4>(pixels, words);
    } else {
        if (form.channels == 1)
            put_together<uint8_t, 1>(pixels, words);
        else if (form.channels == 2)
            put_together<uint8_t, 2>(pixels, words);
        else if (form.channels == 3)
            put_together<uint8_t, 3>(pixels, words);
        else
            put_together<uint8_t, 4>(pixels, words);
    }
}

/* --- Stages ----------------------------------------------------------------------------------- */

/* A table of bytes: a word for every value holds what all channels make of it, and each lane has a
 * column of its own, its own bank, so that no two lanes ever wait for each other. */
__device__ void fill_columns(const ImgPointStage &stage, const uint16_t *tables, uint32_t *columns)
{
    const int32_t entries = 1 << stage.from_bits;
    for (int32_t v = (int32_t)threadIdx.x; v < ENTRIES; v += (int32_t)blockDim.x) {
        uint32_t word = 0;
#pragma unroll
        for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
            const bool known = v < entries && c < stage.from && stage.table[c] >= 0;
            word |= (known ? tables[stage.table[c] + v] : (uint32_t)v) << 8 * c;
        }
        /* Each thread starts at a bank of its own. */
        for (int32_t i = 0; i < LANES; i++)
            columns[v * LANES + (i + v) % LANES] = word;
    }
    __syncthreads();
}

__device__ void change_by_column(const ImgPointStage &stage, const uint32_t *column, Pixels &pixels)
{
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
#pragma unroll
        for (int c = 0; c < IMG_POINT_CHANNELS; c++)
            if (c < stage.from)
                pixels.sample[p][c] = column[pixels.sample[p][c] * LANES] >> 8 * c & 255;
}

/* What lies past the end of a row may be no sample of few bits. */
__device__ void change_by_tables(const ImgPointStage &stage, const uint16_t *tables, Pixels &pixels)
{
    const uint32_t mask = (1u << stage.from_bits) - 1;
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
        if (c >= stage.from || stage.table[c] < 0)
            continue;
        const uint16_t *table = tables + stage.table[c];
#pragma unroll
        for (int p = 0; p < TOGETHER; p++)
            pixels.sample[p][c] = __ldg(table + (pixels.sample[p][c] & mask));
    }
}

/* As img_point_sum, in 32 bits. */
__device__ uint32_t narrow_sum(const ImgPointSum &sum, const uint32_t (&sample)[IMG_POINT_CHANNELS],
                               int32_t channels, int32_t shift, int32_t maximum)
{
    int32_t all = (int32_t)sum.offset;
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        all += c < channels ? sum.weight[c] * (int32_t)sample[c] : 0;
    return (uint32_t)min(max(all >> shift, 0), maximum);
}

template <int FROM, int TO>
__device__ void change_by_narrow(const ImgPointStage &stage, Pixels &pixels)
{
    const int32_t maximum = (1 << stage.from_bits) - 1;
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        uint32_t result[TO];
#pragma unroll
        for (int c = 0; c < TO; c++)
            result[c] = narrow_sum(stage.sum[c], pixels.sample[p], FROM, stage.shift, maximum);
#pragma unroll
        for (int c = 0; c < TO; c++)
            pixels.sample[p][c] = result[c];
    }
}

/* A node's colours in one load. */
__device__ void change_by_cube(const ImgPointStage &stage, const uint16_t *tables, Pixels &pixels)
{
    const uint2 *nodes = reinterpret_cast<const uint2 *>(tables + stage.table[0]);
    const uint32_t maximum = (1u << stage.from_bits) - 1;
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        uint32_t(&sample)[IMG_POINT_CHANNELS] = pixels.sample[p];
        const ImgPointCell cell =
            img_point_cell(sample[0], sample[1], sample[2], (uint32_t)stage.size, maximum);
        uint32_t sum[3] = {0, 0, 0};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint2 node = __ldg(nodes + cell.node[k]);
            sum[0] += cell.weight[k] * (node.x & 0xFFFF);
            sum[1] += cell.weight[k] * (node.x >> 16);
            sum[2] += cell.weight[k] * (node.y & 0xFFFF);
        }
#pragma unroll
        for (int c = 0; c < 3; c++)
            sample[c] = img_point_cube_rounded(sum[c]);
    }
}

/* Pixels in registers begin at a multiple of 8 in their row. */
__device__ void change_by_dither(const ImgPointStage &stage, const uint16_t *tables, int32_t y,
                                 Pixels &pixels)
{
    static_assert(TOGETHER == IMG_POINT_DITHER_EDGE,
                  "a pixel's place in registers is that in a row");
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        img_point_dither_stage(&stage, tables, p, y, pixels.sample[p]);
}

__device__ void change_otherwise(const ImgPointStage &stage, Pixels &pixels)
{
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        if (stage.kind == IMG_POINT_MATRIX)
            img_point_matrix_stage(&stage, pixels.sample[p]);
        else
            img_point_alpha_stage(&stage, pixels.sample[p]);
    }
}

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

/* --- Kernel ----------------------------------------------------------------------------------- */

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

ImgStatus img_point_cuda_fast(const ImgCall *call, ImgError *err)
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
