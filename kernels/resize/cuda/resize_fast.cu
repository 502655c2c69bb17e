/* resize on CUDA, both axes in one kernel: sums are products of matrices of bytes
 * (resize_bytes.cuh).
 *
 * A block goes down a strip of the result, BAND rows per step. Rows of the source come to shared
 * memory once per strip, and stay while any step needs them; a step multiplies them by its rows of
 * weights, writes the middle to shared memory as bytes, multiplies that by the strip's columns of
 * weights, and writes rows of the result. Weights and the middle are split into bytes, of which the
 * highest of a weight has a sign; of the middle none has, as a constant is added, whose weighted
 * sum is known because weights add up to one. Sums of bytes of equal worth are one sum.
 *
 * Limited by tensor cores and instructions of the sums' ends (kernels/README.md). */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/resize/cuda/resize_weights.cuh"

namespace
{

using namespace resize;

constexpr int WIDE_DOWN = 10, WIDE_END = 34; /* places that sums of 22 places drop */
constexpr uint32_t WIDE_BIAS = 1u << 29;     /* makes wide numbers of the middle positive */
/* Rounds, and takes what the bias adds, as weights of 22 places sum to one. */
constexpr uint64_t WIDE_END_START =
    ((uint64_t)1 << (WIDE_END - 1)) - ((uint64_t)WIDE_BIAS << IMG_RESIZE_WIDE_PLACES);
constexpr unsigned BLOCKS_WANTED = 1056, STEPS_MOST = 32;

/* --- Downwards -------------------------------------------------------------------------------- */

/* Which byte of what `middle_of` gives is the lowest of a number. */
template <typename K> constexpr int LOWEST = K::WIDE ? 0 : K::ALPHA ? 2 : 1;

/* Numbers of the middle, none negative, from sums of bytes by worth. Narrow ones end in the middle
 * of the word rather than being shifted. */
template <typename K, int WORTHS>
__device__ inline uint32_t middle_of(const Task &task, const Sums (&sum)[WORTHS], int i)
{
    if (K::WIDE) /* the two lowest are not negative */
        return (sum[3 % WORTHS][i] << 14) + (sum[2 % WORTHS][i] << 6) +
               (((sum[1][i] << 8) + sum[0][i] + (1u << (WIDE_DOWN - 1))) >> WIDE_DOWN) + WIDE_BIAS;
    const uint32_t factor = task.down_factor;
    const uint32_t lower = sum[1][i] * (factor << 8) + (sum[0][i] * factor + task.down_start);
    return WORTHS == 3 ? sum[2 % WORTHS][i] * (factor << 16) + lower : lower;
}

/* Byte `b` of two numbers; of four. */
__device__ inline uint32_t two_bytes(uint32_t first, uint32_t second, int b)
{
    return __byte_perm(first, second, (uint32_t)(b | (b + 4) << 4));
}

__device__ inline uint32_t four_bytes(const uint32_t (&number)[4], int b)
{
    return __byte_perm(two_bytes(number[0], number[1], b), two_bytes(number[2], number[3], b),
                       0x5410);
}

/* Weights of a chunk for a lane. */
template <typename K> struct DownWeights {
    uint32_t word[K::WEIGHT][4];

    __device__ void load(const uint32_t *down, int chunk)
    {
#pragma unroll
        for (int b = 0; b < K::WEIGHT; b++)
            take_piece(word[b],
                       *reinterpret_cast<const uint4 *>(
                           down + ((chunk * K::WEIGHT + b) * 32 + (int)threadIdx.x % 32) * 4));
    }
};

/* Adds the products of weights and what two columns of bytes hold; `worth` is that of the columns.
 * What has no sum yet begins with 0. */
template <typename K, int WORTHS, bool FIRST, int WORTH>
__device__ inline void add_down(Sums (&sum)[WORTHS], const DownWeights<K> &weights,
                                const uint32_t (&column)[2])
{
    const Sums none = {0, 0, 0, 0};
#pragma unroll
    for (int b = 0; b < K::WEIGHT; b++) {
        Sums &own = sum[(b + WORTH) % WORTHS];
        const Sums &now = own;
        const Sums &from = FIRST && (WORTH == 0 || b + 1 == K::WEIGHT) ? none : now;
        if (b + 1 < K::WEIGHT)
            multiply<32, false, false>(own, from, weights.word[b], column);
        else
            multiply<32, true, false>(own, from, weights.word[b], column);
    }
}

/* TILES times 16 columns of bytes: one plane of samples of 8 bits, whose even and odd columns are
 * summed apart, or 8 columns of samples of 16 bits, whose lower and upper bytes are. */
constexpr int TILES = 2;

template <typename K> struct Number {
    uint32_t part[2][4];
};

template <typename K> struct DownSums {
    static constexpr bool PAIRS = K::SAMPLE == 2;
    static constexpr int WORTHS = PAIRS ? K::WEIGHT + 1 : K::WEIGHT;
    Sums sum[TILES][PAIRS ? 1 : 2][WORTHS];
};

/* A chunk of 32 rows from `slot` on. */
template <typename K, bool FIRST>
__device__ inline void add_chunk(const Task &task, DownSums<K> &sums, const uint8_t *columns,
                                 const uint32_t *down, int chunk, int slot)
{
    constexpr bool PAIRS = DownSums<K>::PAIRS;
    constexpr int WORTHS = DownSums<K>::WORTHS;
    DownWeights<K> weights;
    weights.load(down, chunk);
#pragma unroll
    for (int tile = 0; tile < TILES; tile++) {
        uint32_t pair[4], column[2][2];
        load_rows(pair, columns + tile * 16, task.layout.pitch, slot, task.layout.rows);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            column[0][half] = __byte_perm(pair[2 * half], pair[2 * half + 1], 0x6420);
            column[1][half] = __byte_perm(pair[2 * half], pair[2 * half + 1], 0x7531);
        }
        add_down<K, WORTHS, FIRST, 0>(sums.sum[tile][0], weights, column[0]);
        add_down<K, WORTHS, FIRST, PAIRS ? 1 : 0>(sums.sum[tile][PAIRS ? 0 : 1], weights,
                                                  column[1]);
    }
}

template <typename K>
__device__ inline void sum_down(const Task &task, const uint8_t *columns, const uint32_t *down,
                                int slot, Number<K> (&number)[TILES])
{
    constexpr bool PAIRS = DownSums<K>::PAIRS;
    constexpr int WORTHS = DownSums<K>::WORTHS;
    DownSums<K> sums;
    add_chunk<K, true>(task, sums, columns, down, 0, slot);
    for (int chunk = 1; chunk * 32 < task.layout.rows; chunk++) {
        slot += 32;
        slot -= slot >= task.layout.rows ? task.layout.rows : 0;
        add_chunk<K, false>(task, sums, columns, down, chunk, slot);
    }
#pragma unroll
    for (int i = 0; i < TILES * (PAIRS ? 1 : 2) * 4; i++) {
        const int tile = i % TILES, part = i / TILES / 4;
        number[tile].part[part][i / TILES % 4] =
            middle_of<K, WORTHS>(task, sums.sum[tile][part], i / TILES % 4);
    }
}

/* A tile's numbers to shared memory, BAND rows for each of their bytes. */
template <typename K>
__device__ inline void put_middle(const Number<K> &number, uint8_t *to, int pitch)
{
#pragma unroll
    for (int b = 0; b < K::MIDDLE; b++)
#pragma unroll
        for (int row = 0; row < 2; row++) {
            uint8_t *at = to + (b * BAND + row * 8) * pitch;
            const uint32_t four[4] = {number.part[0][2 * row], number.part[1][2 * row],
                                      number.part[0][2 * row + 1], number.part[1][2 * row + 1]};
            if (K::SAMPLE == 1)
                *reinterpret_cast<uint32_t *>(at) = four_bytes(four, b + LOWEST<K>);
            else
                *reinterpret_cast<uint16_t *>(at) =
                    (uint16_t)two_bytes(four[0], four[2], b + LOWEST<K>);
        }
}

template <typename K>
__device__ inline void make_middle(const Task &task, const uint8_t *tile, const uint32_t *down,
                                   uint8_t *middle, int slot)
{
    constexpr int COLUMNS = 16 / K::SAMPLE;
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
    const int count = task.layout.columns / (COLUMNS * TILES), pitch = task.layout.middle_pitch;
    int plane = 0, group = (int)threadIdx.x / 32;
    while (true) {
        for (; group >= count && plane < K::CHANNELS; plane++)
            group -= count;
        if (plane >= K::CHANNELS)
            break;
        Number<K> number[TILES] = {};
        sum_down<K>(task,
                    tile + plane * task.layout.rows * task.layout.pitch + group * (16 * TILES),
                    down, slot, number);
        uint8_t *to = middle + (plane * K::MIDDLE * BAND + g) * pitch + group * (COLUMNS * TILES) +
                      q * (COLUMNS / 4);
#pragma unroll
        for (int i = 0; i < TILES; i++)
            put_middle<K>(number[i], to + i * COLUMNS, pitch);
        group += WARPS;
    }
}

/* --- Across ----------------------------------------------------------------------------------- */

/* Results of a lane: of its upper and lower row four pixels. */
template <int CHANNELS> struct Results {
    int32_t value[CHANNELS][2][4];
};

/* Channels whose sums are in registers together. */
template <typename K> constexpr int TOGETHER = K::WIDE || K::ALPHA ? 1 : K::CHANNELS;
template <typename K> constexpr int ACROSS_WORTHS = K::WEIGHT + K::MIDDLE - 1;

template <typename K> struct AcrossSums {
    Sums sum[TOGETHER<K>][2][ACROSS_WORTHS<K>]; /* by channel, half of a group, and worth */
};

/* One chunk of 32 columns, or the 16 of a half. */
template <typename K, int DEPTH, bool FIRST>
__device__ inline void add_across(AcrossSums<K> &sums, const Sums &start, const uint8_t *window,
                                  int pitch, const uint32_t *across)
{
    const int lane = (int)threadIdx.x % 32;
    const Sums none = {0, 0, 0, 0};
    uint32_t column[2][K::WEIGHT][2];
#pragma unroll
    for (int i = 0; i < 2 * K::WEIGHT; i++) {
        const uint2 two = *reinterpret_cast<const uint2 *>(across + (i * 32 + lane) * 2);
        column[i / K::WEIGHT][i % K::WEIGHT][0] = two.x;
        column[i / K::WEIGHT][i % K::WEIGHT][1] = two.y;
    }
#pragma unroll
    for (int c = 0; c < TOGETHER<K>; c++)
#pragma unroll
        for (int b = 0; b < K::MIDDLE; b++) {
            uint32_t part[4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                part[i] = DEPTH == 16 && i >= 2
                              ? 0
                              : *reinterpret_cast<const uint32_t *>(
                                    window + ((c * K::MIDDLE + b) * BAND + i % 2 * 8) * pitch +
                                    i / 2 * 16);
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int w = 0; w < K::WEIGHT; w++) {
                    Sums &own = sums.sum[c][half][w + b];
                    const Sums &now = own, &begin = b + w == 0 ? start : none;
                    const Sums &from = FIRST && (b == 0 || w + 1 == K::WEIGHT) ? begin : now;
                    if (w + 1 < K::WEIGHT)
                        multiply<DEPTH, false, false>(own, from, part, column[half][w]);
                    else
                        multiply<DEPTH, false, true>(own, from, part, column[half][w]);
                }
        }
}

template <typename K, int WORTHS>
__device__ inline int32_t end_of(const Task &task, const Sums (&sum)[WORTHS], int i)
{
    if (K::WIDE) {
        const uint64_t upper = (uint64_t)((sum[5 % WORTHS][i] << 8) + sum[4 % WORTHS][i]) << 32;
        const int64_t lower = (int64_t)(int32_t)sum[3 % WORTHS][i] * (1 << 24) +
                              (int64_t)(int32_t)sum[2][i] * (1 << 16) +
                              (int64_t)sum[1][i] * (1 << 8) + sum[0][i];
        return (int32_t)((int64_t)(upper + (uint64_t)lower + WIDE_END_START) >> WIDE_END);
    }
    return (int32_t)((sum[2][i] << 16) + (sum[1][i] << 8) + sum[0][i]) >> task.end_shift;
}

/* Of a lane's four columns of a group, TOGETHER channels from `window` on. */
template <typename K>
__device__ inline void sum_across(const Task &task, const uint8_t *window, const uint32_t *across,
                                  int32_t (*value)[2][4])
{
    const Sums start = {task.end_start, task.end_start, task.end_start, task.end_start};
    const int pitch = task.layout.middle_pitch;
    AcrossSums<K> sums;
    int chunk = 2;
    if (task.layout.chunks == 1)
        add_across<K, 16, true>(sums, start, window, pitch, across);
    else
        add_across<K, 32, true>(sums, start, window, pitch, across);
    for (; chunk + 1 < task.layout.chunks; chunk += 2)
        add_across<K, 32, false>(sums, start, window + chunk * 16, pitch,
                                 across + chunk * (K::WEIGHT * 64));
    if (chunk < task.layout.chunks)
        add_across<K, 16, false>(sums, start, window + chunk * 16, pitch,
                                 across + chunk * (K::WEIGHT * 64));
#pragma unroll
    for (int c = 0; c < TOGETHER<K>; c++)
#pragma unroll
        for (int i = 0; i < 8; i++)
            value[c][i / 4][i % 4] =
                end_of<K, ACROSS_WORTHS<K>>(task, sums.sum[c][i / 2 % 2], i / 4 * 2 + i % 2);
}

/* As img_resize_color, of numbers that 32 bits hold 255 times. */
__device__ inline int32_t color_of(int32_t color, int32_t alpha)
{
    constexpr int32_t OPAQUE = 255 * 255;
    const uint32_t cut = (uint32_t)min(max(color, 0), alpha);
    if (alpha == OPAQUE) /* by a constant */
        return (int32_t)((cut * 255 + OPAQUE / 2) / OPAQUE);
    return alpha <= 0 ? 0 : (int32_t)((cut * 255 + (uint32_t)alpha / 2) / (uint32_t)alpha);
}

/* As img_resize_lower: colours by alpha. */
template <typename K> __device__ inline void lower(Results<K::CHANNELS> &results)
{
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int32_t alpha = results.value[K::CHANNELS - 1][i / 4][i % 4] + 32768;
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            int32_t &own = results.value[c][i / 4][i % 4];
            own = c + 1 < K::CHANNELS ? color_of(own + 32768, alpha)
                                      : (min(max(alpha, 0), 255 * 255) + 127) / 255;
        }
    }
}

/* Four pixels of a row as they are in memory. */
template <typename K>
__device__ inline void put_row(const Results<K::CHANNELS> &results, int row, uint32_t *to)
{
    constexpr int C = K::CHANNELS;
    if (K::WIDE) {
#pragma unroll
        for (int k = 0; k < 2 * C; k++) {
            const int a = 2 * k, b = 2 * k + 1;
            const int32_t first = min(max(results.value[a % C][row][a / C % 4], 0), 65535);
            const int32_t second = min(max(results.value[b % C][row][b / C % 4], 0), 65535);
            to[k] = (uint32_t)first | (uint32_t)second << 16;
        }
    } else {
#pragma unroll
        for (int k = 0; k < C; k++) {
            const int a = 4 * k;
            to[k] = pack_bytes(results.value[a % C][row][a / C % 4],
                               results.value[(a + 1) % C][row][(a + 1) / C % 4],
                               results.value[(a + 2) % C][row][(a + 2) / C % 4],
                               results.value[(a + 3) % C][row][(a + 3) / C % 4]);
        }
    }
}

/* Rows of the result to shared memory; `left` is the source's column there. */
template <typename K>
__device__ inline void make_rows(const Task &task, const uint8_t *middle, const uint32_t *across,
                                 uint8_t *out, int32_t column, int32_t left)
{
    constexpr int PIXEL = K::CHANNELS * K::SOURCE;
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
    const int pitch = task.layout.middle_pitch;
    for (int group = (int)threadIdx.x / 32; group < task.layout.groups; group += WARPS) {
        const int from = window_of(task, column + group * BAND) - left;
        const uint32_t *weights =
            across + group * ((task.layout.chunks + 1) / 2) * (2 * K::WEIGHT * 64);
        Results<K::CHANNELS> results;
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c += TOGETHER<K>)
            sum_across<K>(task, middle + (c * K::MIDDLE * BAND + g) * pitch + from + 4 * q, weights,
                          results.value + c);
        if (K::ALPHA)
            lower<K>(results);
#pragma unroll
        for (int row = 0; row < 2; row++)
            put_row<K>(results, row,
                       reinterpret_cast<uint32_t *>(out + (g + 8 * row) * task.layout.out_pitch +
                                                    (group * BAND + 4 * q) * PIXEL));
    }
}

/* What is made of rows `row` on of the strip from `column` on, 16 bytes at a time but at edges. */
template <typename K, bool IS_INSIDE>
__device__ inline void write_rows(const Task &task, const uint8_t *out, int32_t column, int32_t row)
{
    constexpr int PIXEL = K::CHANNELS * K::SOURCE;
    const int pieces = (int)task.pieces.by, rows = min(BAND, task.down.count - row);
    const int64_t start = ((int64_t)task.across.at + column) * PIXEL;
    const int64_t begin = (int64_t)task.across.at * PIXEL;
    const int64_t end = begin + (int64_t)task.across.count * PIXEL;
    uint8_t *data = task.dst.data + (size_t)(task.down.at + row) * task.dst.stride + start;
    for (int i = (int)threadIdx.x; i < rows * pieces; i += THREADS) {
        const int y = (int)task.pieces.divide((uint32_t)i);
        const int at = (i - y * pieces) * WIDE_BYTES;
        const uint8_t *from = out + y * task.layout.out_pitch + at;
        uint8_t *to = data + (size_t)y * task.dst.stride + at;
        const int64_t offset = start + at;
        if (IS_INSIDE || (offset >= begin && offset + WIDE_BYTES <= end))
            *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
        else
            for (int k = 0; k < WIDE_BYTES; k++)
                if (offset + k >= begin && offset + k < end)
                    to[k] = from[k];
    }
}

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
                layout.out_at - layout.middle_at); /* windows may reach past the middle's rows */
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

/* --- Around what is made ---------------------------------------------------------------------- */

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

Divisor divisor(int32_t by)
{
    return {(uint32_t)by, (1u << DIVISION_PLACES) / (uint32_t)by + 1};
}

/* How many samples the new ones of any BAND that begin at a multiple of it, less `lead`, need. */
int64_t window_most(const ImgResize *own, const ImgResizeAxis *axis, int32_t lead)
{
    const int32_t *first = img_resize_first(own, axis);
    int64_t most = 0;
    for (int64_t i = -(int64_t)lead; i < axis->span.count; i += BAND) {
        const int64_t from = i > 0 ? i : 0, last = i + BAND - 1;
        const int64_t end = last < axis->span.count ? last : axis->span.count - 1;
        const int64_t window = (int64_t)first[end] + axis->taps - first[from];
        most = window > most ? window : most;
    }
    return most;
}

/* Starts and shifts of narrow sums. The middle gets 32768 more than it has in resize.h, and as
 * weights sum to one, so do sums of it; of samples without alpha the result's zero is in them. */
void set_narrow(Task *task, const ImgResize *own)
{
    const int32_t down = own->down.places, across = own->across.places;
    const int32_t shift = down - own->fraction; /* 7 or 8; with alpha 15 or 16 */
    task->down_factor = 1u << ((own->has_alpha ? 16 : 8) - shift);
    task->down_start =
        (((uint32_t)32768 << shift) - ((uint32_t)own->zero << down) + (1u << (shift - 1))) *
        task->down_factor;
    task->end_shift = across + own->fraction;
    task->end_start = (1u << (task->end_shift - 1)) - ((uint32_t)32768 << across) +
                      (own->has_alpha ? 0 : (uint32_t)own->zero << task->end_shift);
}

Task task_of(const ImgCall *call, const ImgResize *own)
{
    Task task = {};
    task.src = call->src;
    task.dst = call->dst;
    task.own = static_cast<const ImgResize *>(call->device_constants);
    task.across = own->across.span;
    task.down = own->down.span;
    task.across_taps = own->across.taps;
    task.down_taps = own->down.taps;
    task.across_first_at = own->across.first_at;
    task.across_weights_at = own->across.weights_at;
    task.down_first_at = own->down.first_at;
    task.down_weights_at = own->down.weights_at;
    task.lead = own->across.span.at % BAND;
    task.scale = own->scale;
    if (!own->wide)
        set_narrow(&task, own);
    return task;
}

/* As many blocks as keep a large GPU busy, and no more: each reads rows before its first step's. */
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
    CUDA_TRY(cudaFuncSetAttribute(fast_kernel<K>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  task.layout.bytes),
             err);
    IMG_LAUNCH(fast_kernel<K>, task.strips * ((rows - 1) / task.steps + 1), THREADS,
               (size_t)task.layout.bytes, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* Strips of what leaves room for three blocks, or two, or one, if those are not too narrow. */
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

} // namespace

ImgStatus img_resize_cuda_fast(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    Task task = task_of(call, own);
    int shared = 0;
    ImgStatus status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err);
    if (status != IMG_OK)
        return status;
    task.layout = best_strips(own, window_most(own, &own->down, 0),
                              window_most(own, &own->across, task.lead), shared);
    if (task.layout.groups == 0) /* a GPU with less than IMG_RESIZE_STRIP_MOST */
        return img_resize_cuda_separable(call, err);
    status = fill(call, task, err);
    if (status != IMG_OK)
        return status;
    if (own->wide)
        return own->channels == 3 ? launch<Kind<3, false, true>>(call, task, err)
                                  : launch<Kind<1, false, true>>(call, task, err);
    switch (own->channels) {
    case 1:
        return launch<Kind<1, false, false>>(call, task, err);
    case 2:
        return launch<Kind<2, true, false>>(call, task, err);
    case 3:
        return launch<Kind<3, false, false>>(call, task, err);
    default:
        return launch<Kind<4, true, false>>(call, task, err);
    }
}
