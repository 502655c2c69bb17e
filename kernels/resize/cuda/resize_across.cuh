/* Private to the fast resize on CUDA: functions that compute horizontal sums. They read the middle
 * (the vertical sums) from shared memory. Rows of the result go to shared memory and are copied to
 * the picture from there. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_ACROSS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_ACROSS_CUH

#include "kernels/resize/cuda/resize_down.cuh"
#include "kernels/resize/cuda/resize_weights.cuh"

namespace resize
{

/* number of fractional bits that are shifted out of a complete horizontal wide sum */
constexpr int WIDE_END = 34;
/* Initial value of horizontal wide sums. It rounds the result and subtracts the contribution of
 * WIDE_BIAS, which is known because weights sum to 2^22. */
constexpr uint64_t WIDE_END_START =
    ((uint64_t)1 << (WIDE_END - 1)) - ((uint64_t)WIDE_BIAS << IMG_RESIZE_WIDE_PLACES);

/* Results of a lane: four pixels of its upper row and four pixels of its lower row. */
template <int CHANNELS> struct Results {
    int32_t value[CHANNELS][2][4];
};

/* Number of channels whose sums are in registers at the same time. */
template <typename K> constexpr int TOGETHER = K::WIDE || K::ALPHA ? 1 : K::CHANNELS;
template <typename K> constexpr int ACROSS_WORTHS = K::WEIGHT + K::MIDDLE - 1;

template <typename K> struct AcrossSums {
    /* indices: [channel][half of a group][power of 256 by which the products of bytes count] */
    Sums sum[TOGETHER<K>][2][ACROSS_WORTHS<K>];
};

/* Adds the products of 32 columns (DEPTH is 32), or of 16 columns (DEPTH is 16), to the sums. */
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

/* Computes the horizontal sums of the four columns that a lane has in a group, for TOGETHER
 * channels. `window` has the vertical sums of the first of these channels. */
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

/* Returns 1 / number with a relative error of at most 2^-22. */
__device__ inline float reciprocal(float number)
{
#if defined(__CUDA_ARCH__)
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(number));
    return result;
#else
    return 1.0f / number;
#endif
}

/* Bits of the float 2^23. In a float with the value 2^23 + n, for an integer n below 2^23, the last
 * 23 bits are n. */
constexpr uint32_t WHOLE_BITS = 0x4b000000;
constexpr float WHOLE = 8388608.0f;

/* Divides the colours of a pixel by its alpha, like img_resize_color. It multiplies by a factor
 * slightly above 255 / alpha and rounds down. This gives the quotient rounded to nearest, or one
 * less; the remainder decides between the two. */
struct AlphaDivisor {
    /* `most`: upper limit of colours, which is alpha itself and may be below 1; `alpha`: divisor,
     * at least 1 */
    int32_t most, alpha;
    float factor;

    __device__ AlphaDivisor(int32_t number) : most(number), alpha(max(number, 1))
    {
        const float whole = __uint_as_float(WHOLE_BITS | (uint32_t)alpha) - WHOLE;
        factor = reciprocal(whole) * (255.0f * (1.0f + 0x1p-21f));
    }

    /* Clamps the sum of `color` and `lift` to 0..most. Returns 255 times the clamped value, divided
     * by alpha and rounded. */
    __device__ int32_t divide(int32_t color, int32_t lift) const
    {
        const uint32_t cut = (uint32_t)__viaddmin_s32_relu(color, lift, most);
        const float whole = __uint_as_float(WHOLE_BITS | cut) - WHOLE;
        const uint32_t quotient = __float_as_uint(__fmaf_rz(whole, factor, WHOLE)) - WHOLE_BITS;
        const uint32_t rest = cut * 255 + (uint32_t)alpha / 2 - quotient * (uint32_t)alpha;
        return (int32_t)(quotient + (rest >= (uint32_t)alpha ? 1 : 0));
    }
};

/* Divides the colours of all pixels by their alpha, like img_resize_lower, and converts alpha to 8
 * bits. */
template <typename K> __device__ inline void lower(Results<K::CHANNELS> &results)
{
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int32_t alpha = results.value[K::CHANNELS - 1][i / 4][i % 4] + 32768;
        const AlphaDivisor divisor(alpha);
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            int32_t &own = results.value[c][i / 4][i % 4];
            own = c + 1 < K::CHANNELS ? divisor.divide(own, 32768)
                                      : (min(max(alpha, 0), 255 * 255) + 127) / 255;
        }
    }
}

/* Packs four pixels of a row of `results` in the format of the picture and stores them at `to`. */
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

/* Computes BAND rows of the result of a strip, from column `column` on, and stores them in shared
 * memory at `out`. `left` is the source column at which `middle` begins. */
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

/* Copies the results of a strip from shared memory to the picture, from row `row` and column
 * `column` on. It copies 16 bytes at a time, except at edges. */
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

} // namespace resize

#endif
