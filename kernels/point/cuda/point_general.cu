/* Kernel for any program of point operations in any format, stage by stage, with four pixels per
 * thread. It reads and writes the bytes of four pixels as words, in vectors as wide as the format
 * allows. It is limited by the number of instructions; frequent programs have kernels of their
 * own. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/point/cuda/point_fast.h"
#include "kernels/point/point_arithmetic.h"
#include "kernels/point/points.h"

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Loads and stores of pixels of any format, which the kernel keeps as samples in registers. */

namespace
{

/* Number of adjacent pixels that a thread processes. Their bytes are whole words in every
 * format. */
constexpr int TOGETHER = 4;

struct Pixels {
    /* samples of each pixel; 0 for channels that the format does not have */
    uint32_t sample[TOGETHER][IMG_POINT_CHANNELS];
};

/* Vector types of WORDS words; the functions below convert them from and to arrays. */
template <int WORDS> struct VectorOf;
template <> struct VectorOf<1> {
    using Type = uint32_t;
};
template <> struct VectorOf<2> {
    using Type = uint2;
};
template <> struct VectorOf<4> {
    using Type = uint4;
};

__device__ void unpack(uint32_t vector, uint32_t *word)
{
    word[0] = vector;
}

__device__ void unpack(uint2 vector, uint32_t *word)
{
    word[0] = vector.x;
    word[1] = vector.y;
}

__device__ void unpack(uint4 vector, uint32_t *word)
{
    word[0] = vector.x;
    word[1] = vector.y;
    word[2] = vector.z;
    word[3] = vector.w;
}

__device__ void pack(const uint32_t *word, uint32_t *vector)
{
    *vector = word[0];
}

__device__ void pack(const uint32_t *word, uint2 *vector)
{
    *vector = make_uint2(word[0], word[1]);
}

__device__ void pack(const uint32_t *word, uint4 *vector)
{
    *vector = make_uint4(word[0], word[1], word[2], word[3]);
}

template <typename Sample, int CHANNELS> struct Group {
    static constexpr int BYTES = TOGETHER * CHANNELS * (int)sizeof(Sample), WORDS = BYTES / 4;
    /* words per vector access */
    static constexpr int EACH = WORDS % 4 == 0 ? 4 : WORDS % 2 == 0 ? 2 : 1;
    static constexpr int IN_WORD = 4 / (int)sizeof(Sample), BITS = 32 / IN_WORD;
    using Vector = typename VectorOf<EACH>::Type;

    /* Loads pixels from byte `start` of a row on; bytes past the end of the row are zero. */
    __device__ static void load(const uint8_t *row, int64_t start, int64_t row_bytes,
                                Pixels &pixels)
    {
        const uint32_t *from = reinterpret_cast<const uint32_t *>(row + start);
        uint32_t word[WORDS] = {};
#pragma unroll
        for (int i = 0; i < WORDS; i += EACH)
            if (start + 4 * i < row_bytes)
                unpack(__ldg(reinterpret_cast<const Vector *>(from + i)), word + i);
#pragma unroll
        for (int p = 0; p < TOGETHER; p++)
#pragma unroll
            for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
                const int i = p * CHANNELS + c;
                pixels.sample[p][c] =
                    c < CHANNELS ? word[i / IN_WORD] >> i % IN_WORD * BITS & (Sample)-1 : 0;
            }
    }

    /* Stores pixels from byte `start` of a row on; bytes past the end of the row are not
     * written. */
    __device__ static void store(uint8_t *row, int64_t start, int64_t row_bytes,
                                 const Pixels &pixels)
    {
        if (start + BYTES > row_bytes) {
            Sample *to = reinterpret_cast<Sample *>(row + start);
#pragma unroll
            for (int i = 0; i < TOGETHER * CHANNELS; i++)
                if (start + i * (int)sizeof(Sample) < row_bytes)
                    to[i] = (Sample)pixels.sample[i / CHANNELS][i % CHANNELS];
            return;
        }
        uint32_t word[WORDS] = {};
#pragma unroll
        for (int i = 0; i < TOGETHER * CHANNELS; i++)
            word[i / IN_WORD] |= pixels.sample[i / CHANNELS][i % CHANNELS] << i % IN_WORD * BITS;
#pragma unroll
        for (int i = 0; i < WORDS; i += EACH)
            pack(word + i, reinterpret_cast<Vector *>(row + start + 4 * i));
    }
};

/* A picture, with functions that access the four pixels from column `x` of row `y` on. All threads
 * have the same number of channels, so branches on it cost almost nothing. */
struct Form {
    uint8_t *data;
    size_t stride;
    int64_t row_bytes;
    int32_t pixel, channels; /* bytes per pixel, and samples per pixel */

    template <typename Sample> __device__ void load(int64_t x, int64_t y, Pixels &pixels) const
    {
        const uint8_t *row = data + (size_t)y * stride;
        const int64_t start = x * pixel;
        if (channels == 1)
            Group<Sample, 1>::load(row, start, row_bytes, pixels);
        else if (channels == 2)
            Group<Sample, 2>::load(row, start, row_bytes, pixels);
        else if (channels == 3)
            Group<Sample, 3>::load(row, start, row_bytes, pixels);
        else
            Group<Sample, 4>::load(row, start, row_bytes, pixels);
    }

    template <typename Sample>
    __device__ void store(int64_t x, int64_t y, const Pixels &pixels) const
    {
        uint8_t *row = data + (size_t)y * stride;
        const int64_t start = x * pixel;
        if (channels == 1)
            Group<Sample, 1>::store(row, start, row_bytes, pixels);
        else if (channels == 2)
            Group<Sample, 2>::store(row, start, row_bytes, pixels);
        else if (channels == 3)
            Group<Sample, 3>::store(row, start, row_bytes, pixels);
        else
            Group<Sample, 4>::store(row, start, row_bytes, pixels);
    }
};

} // namespace

/* --- Stages ----------------------------------------------------------------------------------- */

/* Stages of point operations on pixels in registers, with the arithmetic of point_arithmetic.h.
 * Data that all pixels of a thread need is read only once. Divisors are compile-time constants. */

namespace
{

/* Applies a stage of tables to all pixels of the thread. The thread may also have read bytes past
 * the end of a row, whose values may exceed the number of table entries. So values are masked. */
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

/* Computes one row of a matrix for all pixels of the thread, clamped to valid samples. Sum must be
 * int64_t unless all sums fit 32 bits. After the shift every sum fits 32 bits, because weights are
 * below 128 and offsets below 1024. */
template <typename Sum>
__device__ void matrix_row(const ImgPointStage &stage, int row, const Pixels &pixels,
                           uint32_t (&result)[TOGETHER])
{
    const ImgPointSum &own = stage.sum[row];
    Sum sum[TOGETHER];
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        sum[p] = (Sum)own.offset;
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
        if (c >= stage.from)
            break;
#pragma unroll
        for (int p = 0; p < TOGETHER; p++)
            sum[p] += (Sum)own.weight[c] * (Sum)(int32_t)pixels.sample[p][c];
    }
    const int32_t maximum = (1 << stage.from_bits) - 1;
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        result[p] = (uint32_t)min(max((int32_t)(sum[p] >> stage.shift), 0), maximum);
}

template <typename Sum> __device__ void change_by_matrix(const ImgPointStage &stage, Pixels &pixels)
{
    uint32_t result[IMG_POINT_CHANNELS][TOGETHER];
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        if (c < stage.to)
            matrix_row<Sum>(stage, c, pixels, result[c]);
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
#pragma unroll
        for (int p = 0; p < TOGETHER; p++)
            if (c < stage.to)
                pixels.sample[p][c] = result[c][p];
}

template <uint32_t MAXIMUM>
__device__ void change_by_alpha(const ImgPointStage &stage, Pixels &pixels)
{
    const bool is_gray = stage.from == 2;
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        uint32_t(&sample)[IMG_POINT_CHANNELS] = pixels.sample[p];
        const uint32_t alpha = is_gray ? sample[1] : sample[3];
#pragma unroll
        for (int c = 0; c + 1 < IMG_POINT_CHANNELS; c++) {
            if (c > 0 && is_gray)
                continue;
            if (stage.kind == IMG_POINT_OVER)
                sample[c] = img_point_over(sample[c], stage.background[c], alpha, MAXIMUM);
            else if (stage.kind == IMG_POINT_PREMULTIPLY)
                sample[c] = img_point_share(sample[c], alpha, MAXIMUM);
            else
                sample[c] = img_point_unshare(sample[c], alpha, MAXIMUM);
        }
    }
}

/* Applies a lattice of colours to all pixels of the thread. One load reads all colours of a
 * node. */
template <uint32_t MAXIMUM>
__device__ void change_by_cube(const ImgPointStage &stage, const uint16_t *tables, Pixels &pixels)
{
    const uint2 *nodes = reinterpret_cast<const uint2 *>(tables + stage.table[0]);
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        uint32_t(&sample)[IMG_POINT_CHANNELS] = pixels.sample[p];
        const ImgPointCell cell =
            img_point_cell(sample[0], sample[1], sample[2], (uint32_t)stage.size, MAXIMUM);
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

/* Applies dithering to all pixels of the thread. The first pixel is in column `x` of row `y`. */
__device__ void change_by_dither(const ImgPointStage &stage, const uint16_t *tables, int64_t x,
                                 int64_t y, Pixels &pixels)
{
    const int32_t place = (int32_t)(x % IMG_POINT_DITHER_EDGE);
    const int32_t line = (int32_t)(y % IMG_POINT_DITHER_EDGE);
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        img_point_dither_stage(&stage, tables, place + p, line, pixels.sample[p]);
}

} // namespace

/* --- The kernel ------------------------------------------------------------------------------- */

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
