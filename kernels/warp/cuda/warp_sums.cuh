/* Private to the fast image warp on CUDA: computes the weighted sums of windows. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_SUMS_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_SUMS_CUH

#include "kernels/core/cuda/byte_pairs.cuh"
#include "kernels/warp/cuda/warp_load.cuh"
#include "kernels/warp/cuda/warp_results.cuh"
#include "kernels/warp/cuda/warp_task.cuh"

namespace warp_tiles
{

/* --- Weights ---------------------------------------------------------------------------------- */

/* Bilinear weights are computed; other weights are in a table in shared memory. */

/* The 2 * HALF weights of a phase, two per word. Bilinear weights are computed without a table. */
template <int HALF> struct Weights {
    /* words per phase in the table; 0: there is no table */
    static constexpr int WORDS = HALF == 1 ? 0 : HALF == 2 ? 2 : 4;
    uint32_t pair[HALF];

    template <int THREADS> static __device__ void make_table(const ImgWarp *warp, uint32_t *table)
    {
        const int thread = (int)(threadIdx.y * LANES + threadIdx.x);
#pragma unroll
        for (int i = 0; WORDS > 0 && i < IMG_WARP_PHASES; i += THREADS) {
            const int phase = i + thread;
            if (HALF == 2)
                reinterpret_cast<uint2 *>(table)[phase] =
                    __ldg(reinterpret_cast<const uint2 *>(warp->weights[phase]));
            else
                reinterpret_cast<uint4 *>(table)[phase] =
                    __ldg(reinterpret_cast<const uint4 *>(warp->weights[phase]));
        }
    }

    __device__ Weights(const uint32_t *table, uint32_t phase)
    {
        if (HALF == 1) {
            constexpr uint32_t UNIT = 1 << (IMG_WARP_WEIGHT_PLACES - IMG_WARP_PHASE_PLACES);
            pair[0] = (1u << IMG_WARP_WEIGHT_PLACES) + phase * ((UNIT << 16) - UNIT);
        } else if (HALF == 2) {
            const uint2 two = *reinterpret_cast<const uint2 *>(table + phase * WORDS);
            pair[0] = two.x;
            pair[1 % HALF] = two.y;
        } else {
            const uint4 four = *reinterpret_cast<const uint4 *>(table + phase * WORDS);
            pair[0] = four.x;
            pair[1 % HALF] = four.y;
            pair[2 % HALF] = four.z;
            /* lanczos4 has four pairs of weights, lanczos3 has three */
            pair[HALF - 1] = HALF == 4 ? four.w : four.z;
        }
    }
};

/* Weights of a phase along a row, each in its own register. */
template <int HALF> struct RowWeights {
    int32_t weight[2 * HALF];

    __device__ RowWeights(const uint32_t *table, uint32_t phase)
    {
        if (HALF == 1) {
            weight[1] = (int32_t)phase;
            weight[0] = IMG_WARP_PHASES - weight[1];
        } else {
            const Weights<HALF> pairs(table, phase);
#pragma unroll
            for (int i = 0; i < HALF; i++) {
                weight[2 * i] = (int16_t)(pairs.pair[i] & 0xffff);
                weight[2 * i + 1] = (int32_t)pairs.pair[i] >> 16;
            }
        }
    }
};

/* --- Columns ---------------------------------------------------------------------------------- */

/* Initial value of column sums, which saves an addition when they are rounded. */
template <typename K> struct Start {
    static constexpr uint32_t SUM = K::IS_PLAIN  ? ROUNDING >> IMG_LIFT_PLACES
                                    : K::IS_WIDE ? ROUNDING
                                                 : 0;
};

/* Rounds the sum of a column like img_warp_round; weights are multiples of 2^-14. 8-bit samples
 * without alpha are also multiplied by 64, which lifts them (window/lift.h). */
template <typename K> __device__ inline int32_t round_column(uint32_t sum)
{
    constexpr int PLACES = IMG_WARP_WEIGHT_PLACES;
    if (K::IS_PLAIN)
        return (int32_t)sum >> (PLACES - IMG_LIFT_PLACES);
    return (int32_t)(K::IS_WIDE ? sum : sum * 255 + ROUNDING) >> PLACES;
}

/* Loads the words of a pixel of a box from shared memory. */
template <typename K> __device__ inline void load_pixel(const uint8_t *from, uint32_t *words)
{
    const uint32_t *at = reinterpret_cast<const uint32_t *>(from);
    if (K::WORDS == 2) {
        const uint2 two = *reinterpret_cast<const uint2 *>(at);
        words[0] = two.x;
        words[1] = two.y;
    } else if (K::WORDS == 4) {
        const uint4 four = *reinterpret_cast<const uint4 *>(at);
        words[0] = four.x;
        words[1] = four.y;
        words[2] = four.z;
        words[3] = four.w;
    } else {
#pragma unroll
        for (int i = 0; i < K::WORDS; i++)
            words[i] = at[i];
    }
}

/* Computes the weighted sums of one column of a window, or of two adjacent columns for 8-bit
 * gray. */
template <typename K, int HALF>
__device__ inline void sum_column(const uint8_t *at, uint32_t pitch, const Weights<HALF> &down,
                                  uint32_t (&sum)[4])
{
    uint32_t high[4] = {0, 0, 0, 0}, words[4] = {0, 0, 0, 0};
#pragma unroll
    for (int c = 0; c < 4; c++)
        sum[c] = Start<K>::SUM;
#pragma unroll
    for (int k = 0; k < HALF; k++) {
        load_pixel<K>(at + 2 * k * pitch, words);
        if (K::IS_WIDE) {
#pragma unroll
            for (int c = 0; c < K::CHANNELS; c++) {
                sum[c] = add_two<false>(down.pair[k], words[c], sum[c]);
                high[c] = add_two<true>(down.pair[k], words[c], high[c]);
            }
        } else {
            sum[0] = add_two<false>(down.pair[k], words[0], sum[0]);
            sum[1] = add_two<true>(down.pair[k], words[0], sum[1]);
            if (K::CHANNELS == 3)
                sum[2] = add_two<false>(down.pair[k], words[1], sum[2]);
        }
    }
    if (K::IS_WIDE)
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++)
            sum[c] += high[c] * 256;
}

/* Returns a * b + sum, modulo 2^32. No overflow occurs, because the sum of a window is below 2^31.
 * Along each axis the positive weights add up to at most 1.36, and the negative weights to at least
 * -0.36. */
__device__ inline int32_t add_product(int32_t a, int32_t b, int32_t sum)
{
    return (int32_t)((uint32_t)a * (uint32_t)b + (uint32_t)sum);
}

/* Returns the weighted sum of two adjacent columns for the bilinear filter. */
__device__ inline int32_t between(int32_t left, int32_t right, uint32_t phase)
{
    return (int32_t)phase * (right - left) + left * IMG_WARP_PHASES;
}

/* Computes the sums of a window of 8-bit samples without alpha, for filters other than bilinear.
 * Columns are rounded by dropping the lowest byte, and packed as pairs of 16 bits. The lower and
 * the upper bytes of these pairs are then summed separately with the weights of the row. */
template <typename K, int HALF>
__device__ inline void sum_pairs(const uint8_t *at, uint32_t pitch, const uint32_t *table,
                                 const Weights<HALF> &down, uint32_t x_phase,
                                 int32_t (&sum)[K::CHANNELS])
{
    const Weights<HALF> across(table, x_phase);
    uint32_t low[K::CHANNELS] = {}, high[K::CHANNELS] = {};
#pragma unroll
    for (int i = 0; i < HALF; i++) {
        const uint32_t first = across.pair[i / 2 * 2];
        const uint32_t second = across.pair[i / 2 * 2 + 1 < HALF ? i / 2 * 2 + 1 : i];
        const uint32_t low_bytes = __byte_perm(first, second, 0x6420);
        const uint32_t high_bytes = __byte_perm(first, second, 0x7531);
        uint32_t left[4], right[4];
        sum_column<K, HALF>(at + 8 * i * K::WORDS, pitch, down, left);
        if (!K::HAS_NEXT)
            sum_column<K, HALF>(at + (8 * i + 4) * K::WORDS, pitch, down, right);
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            const uint32_t two = __byte_perm(left[c], K::HAS_NEXT ? left[1] : right[c], 0x6521);
            low[c] = i % 2 == 0 ? add_two<false>(two, low_bytes, low[c])
                                : add_two<true>(two, low_bytes, low[c]);
            high[c] = i % 2 == 0 ? add_two_signed<false>(two, high_bytes, high[c])
                                 : add_two_signed<true>(two, high_bytes, high[c]);
        }
    }
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        sum[c] = (int32_t)(low[c] + (high[c] << 8));
}

/* Computes the sums of a window, column by column, for formats and filters that sum_pairs does not
 * support. */
template <typename K, int HALF>
__device__ inline void sum_columns(const uint8_t *at, uint32_t pitch, const uint32_t *table,
                                   const Weights<HALF> &down, uint32_t x_phase,
                                   int32_t (&sum)[K::CHANNELS])
{
    constexpr int COLUMNS = K::HAS_NEXT ? 2 : 1;
    const RowWeights<HALF> across(table, x_phase);
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        sum[c] = 0;
#pragma unroll
    for (int i = 0; i < 2 * HALF; i += COLUMNS) {
        uint32_t column[4];
        sum_column<K, HALF>(at + 4 * i * K::WORDS, pitch, down, column);
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++)
            sum[c] = add_product(across.weight[i], round_column<K>(column[c]), sum[c]);
        if (COLUMNS == 2)
            sum[0] = add_product(across.weight[i + 1], round_column<K>(column[1]), sum[0]);
    }
}

/* Computes the sums of the window that begins at `at`; rows are `pitch` bytes apart. The sums have
 * the fractional bits of the weights along a row (RowWeight); the caller must round them. */
template <typename K, int HALF>
__device__ inline void sum_window(const uint8_t *at, uint32_t pitch, const uint32_t *table,
                                  uint32_t x_phase, uint32_t y_phase, int32_t (&sum)[K::CHANNELS])
{
    const Weights<HALF> down(table, y_phase);
    if (HALF == 1 && K::CHANNELS == 1) {
        uint32_t left[4], right[4];
        sum_column<K, HALF>(at, pitch, down, left);
        if (!K::HAS_NEXT)
            sum_column<K, HALF>(at + 4 * K::WORDS, pitch, down, right);
        sum[0] = between(round_column<K>(left[0]),
                         round_column<K>(K::HAS_NEXT ? left[1] : right[0]), x_phase);
    } else if (HALF > 1 && K::IS_PLAIN) {
        sum_pairs<K, HALF>(at, pitch, table, down, x_phase, sum);
    } else {
        sum_columns<K, HALF>(at, pitch, table, down, x_phase, sum);
    }
}

/* --- Positions in a box ----------------------------------------------------------------------- */

__device__ inline uint32_t phase_of(uint64_t spot)
{
    return (uint32_t)spot >> (32 - IMG_WARP_PHASE_PLACES);
}

/* Returns the integer part of a position, in pixels. The asm statement keeps it in a register of
 * its own, so that the compiler does not mix in bits of the fraction. */
__device__ inline uint32_t whole_of(uint64_t spot)
{
    uint32_t whole = (uint32_t)(spot >> 32);
#ifdef __CUDA_ARCH__
    asm("" : "+r"(whole));
#endif
    return whole;
}

/* Computes the sums of the window at the position `spot` of a box. */
template <typename K, int HALF>
__device__ inline void sum_spot(const Spot &spot, const Box &box, int32_t (&sum)[K::CHANNELS])
{
    const uint32_t at = whole_of(spot.y) * box.pitch + whole_of(spot.x) * (4 * K::WORDS);
    sum_window<K, HALF>(box.tile + at, box.pitch, box.table, phase_of(spot.x), phase_of(spot.y),
                        sum);
}

} // namespace warp_tiles

#endif
