/* Private to the stream kernel of resize on CUDA: functions that compute vertical sums. They read
 * source rows from a ring in shared memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_DOWN_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_DOWN_CUH

#include "kernels/resize/cuda/resize_down.cuh"
#include "kernels/resize/cuda/resize_stream_rows.cuh"

namespace resize
{

/* --- Pixels with alpha ------------------------------------------------------------------------ */

/* Vertical sums of pixels with alpha. Colours are multiplied by alpha when they are loaded as
 * operands of products. */

constexpr int UNIT = 8; /* number of pixels whose sums a warp computes together */

/* Loads pixel lane / 4 of four of 16 source rows. With q = lane % 4, these are rows 2 q, 2 q + 1,
 * 2 q + 8 and 2 q + 9, as in load_columns. Row 0 is in slot `slot`. Multiplies colours by alpha,
 * and alpha by 255, so that each product has two bytes. Each output word has the same byte of all
 * four rows. red_blue[0] and [1] have the low and the high byte of red, red_blue[2] and [3] those
 * of blue. green_alpha has green and alpha in the same way. */
__device__ inline void load_premultiplied(const StreamTask &task, const uint8_t *pixels, int slot,
                                          uint32_t (&red_blue)[4], uint32_t (&green_alpha)[4])
{
    const int lane = (int)threadIdx.x % 32, pitch = task.plan.pitch;
    uint32_t both[2][4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int own = slot + lane % 4 * 2 + i / 2 * 8;
        own -= own >= task.plan.rows ? task.plan.rows : 0;
        const uint32_t pixel =
            *reinterpret_cast<const uint32_t *>(pixels + lane / 4 * 4 + (own + i % 2) * pitch);
        const uint32_t alpha = pixel >> 24;
        both[0][i] = (pixel & 0xff00ff) * alpha;
        both[1][i] = __byte_perm(pixel, 255, 0x5451) * alpha;
    }
    turn_words(both[0], red_blue);
    turn_words(both[1], green_alpha);
}

template <typename K> struct PixelSums {
    Sums sum[K::CHANNELS][K::WEIGHT + 1];
};

template <typename K, int DEPTH, bool FIRST>
__device__ inline void add_pixels(PixelSums<K> &sums, const StreamTask &task, const uint8_t *pixels,
                                  const uint32_t *down, int slot)
{
    const Sums none = {0, 0, 0, 0};
    uint32_t column[2][2][4] = {};
    DownWeights<K> weights;
    weights.load(down, 0);
#pragma unroll
    for (int i = 0; i < DEPTH / 16; i++)
        load_premultiplied(task, pixels,
                           slot + 16 * i - (slot + 16 * i >= task.plan.rows ? task.plan.rows : 0),
                           column[i][0], column[i][1]);
#pragma unroll
    for (int i = 0; i < K::CHANNELS * 2 * K::WEIGHT; i++) {
        const int c = i / 2 / K::WEIGHT, s = i / K::WEIGHT % 2, b = i % K::WEIGHT;
        const uint32_t own_bytes[2] = {column[0][c % 2][c / 2 * 2 + s],
                                       column[1][c % 2][c / 2 * 2 + s]};
        Sums &own = sums.sum[c][s + b];
        const Sums &now = own;
        const bool is_first = s == 0 || b + 1 == K::WEIGHT;
        if (b + 1 < K::WEIGHT)
            multiply<DEPTH, false, false>(own, FIRST && is_first ? none : now, weights.word[b],
                                          own_bytes);
        else
            multiply<DEPTH, true, false>(own, FIRST && is_first ? none : now, weights.word[b],
                                         own_bytes);
    }
}

/* Stores the vertical sums of two adjacent pixels of a lane in shared memory. The sums are split
 * into bytes, and each byte of each channel's sum has its own plane. */
template <typename K>
__device__ inline void put_pixels(const StreamTask &task, const PixelSums<K> &sums, uint8_t *to)
{
#pragma unroll
    for (int i = 0; i < K::CHANNELS * 2; i++) {
        const int c = i / 2, row = i % 2;
        const uint32_t first = middle_of<K, K::WEIGHT + 1>(task.base, sums.sum[c], 2 * row);
        const uint32_t second = middle_of<K, K::WEIGHT + 1>(task.base, sums.sum[c], 2 * row + 1);
#pragma unroll
        for (int b = 0; b < K::MIDDLE; b++)
            *reinterpret_cast<uint16_t *>(to + ((c * K::MIDDLE + b) * BAND + 8 * row) *
                                                   task.plan.middle_pitch) =
                (uint16_t)two_bytes(first, second, b + LOWEST<K>);
    }
}

/* Computes the vertical sums of all pixels of a slice and stores them, as sum_slice and put_slice
 * do for formats without alpha. */
template <typename K>
__device__ inline void make_pixels(const StreamTask &task, StreamRows &rows, const uint8_t *pixels,
                                   const uint32_t *down, int32_t base, int slot, int32_t kept,
                                   uint8_t *middle)
{
    const int lane = (int)threadIdx.x % 32;
    const int32_t end = base + 16 * task.plan.steps;
    middle +=
        lane / 4 * task.plan.middle_pitch + (int)threadIdx.x / 32 * SLICE_COLUMNS<K> + lane % 4 * 2;
#pragma unroll 1
    for (int unit = 0; unit < SLICE_COLUMNS<K> / UNIT; unit++) {
        const uint32_t *words = down;
        int own = slot;
        PixelSums<K> sums;
        rows.await(base + 32);
        add_pixels<K, 32, true>(sums, task, pixels, words, own);
#pragma unroll 1
        for (int32_t row = base + 32; row < end; row += 32) {
            words += K::WEIGHT * 128;
            own += 32;
            own -= own >= task.plan.rows ? task.plan.rows : 0;
            rows.await(min(row + 32, end));
            if (row + 32 <= end)
                add_pixels<K, 32, false>(sums, task, pixels, words, own);
            else
                add_pixels<K, 16, false>(sums, task, pixels, words, own);
        }
        put_pixels<K>(task, sums, middle + unit * UNIT);
        pixels += UNIT * COLUMN<K>;
    }
    rows.ask(kept);
}

/* --- Samples without alpha -------------------------------------------------------------------- */

/* Vertical sums of the columns of a warp (a slice), for each unit of 16 bytes of a source row. Even
 * and odd columns of 8-bit samples have separate sums. */
template <typename K> struct SliceSums {
    static constexpr int UNITS = SLICE / WIDE_BYTES, PARTS = 3 - K::SAMPLE;
    static constexpr int WORTHS = K::WEIGHT + K::SAMPLE - 1;
    Sums sum[UNITS][PARTS][WORTHS];
};

template <typename K, int DEPTH, bool FIRST>
__device__ inline void add_slice(SliceSums<K> &sums, const StreamTask &task, const uint8_t *columns,
                                 const uint32_t *down, int slot)
{
    const Sums none = {0, 0, 0, 0};
    DownWeights<K> weights;
    weights.load(down, 0);
#pragma unroll
    for (int unit = 0; unit < SliceSums<K>::UNITS; unit++) {
        uint32_t pair[4], column[2][2];
        load_columns<DEPTH>(pair, columns + unit * WIDE_BYTES, task.plan.pitch, slot,
                            task.plan.rows);
#pragma unroll
        for (int i = 0; i < 4; i++)
            column[i % 2][i / 2] =
                __byte_perm(pair[i / 2 * 2], pair[i / 2 * 2 + 1], i % 2 == 0 ? 0x6420 : 0x7531);
#pragma unroll
        for (int i = 0; i < 2 * K::WEIGHT; i++) {
            const int c = i / K::WEIGHT, b = i % K::WEIGHT, worth = K::SAMPLE == 2 ? c + b : b;
            Sums &own = sums.sum[unit][K::SAMPLE == 2 ? 0 : c][worth];
            const Sums &now = own;
            const bool is_first = K::SAMPLE == 1 || c == 0 || b + 1 == K::WEIGHT;
            if (b + 1 < K::WEIGHT)
                multiply<DEPTH, false, false>(own, FIRST && is_first ? none : now, weights.word[b],
                                              column[c]);
            else
                multiply<DEPTH, true, false>(own, FIRST && is_first ? none : now, weights.word[b],
                                             column[c]);
        }
    }
}

/* Computes the vertical sums of the source rows from `base` on; row `base` is in slot `slot`. Later
 * bands need only rows from `kept` on, so new rows may replace the rows before `kept`. */
template <typename K>
__device__ inline void sum_slice(const StreamTask &task, StreamRows &rows, const uint8_t *columns,
                                 const uint32_t *down, int32_t base, int slot, int32_t kept,
                                 SliceSums<K> &sums)
{
    const int32_t end = base + 16 * task.plan.steps;
    rows.await(base + 32);
    add_slice<K, 32, true>(sums, task, columns, down, slot);
    rows.ask(min(base + 32, kept));
#pragma unroll 1
    for (int32_t row = base + 32; row < end; row += 32) {
        down += K::WEIGHT * 128;
        slot += 32;
        slot -= slot >= task.plan.rows ? task.plan.rows : 0;
        rows.await(min(row + 32, end));
        if (row + 32 <= end)
            add_slice<K, 32, false>(sums, task, columns, down, slot);
        else
            add_slice<K, 16, false>(sums, task, columns, down, slot);
        rows.ask(min(row + 32, kept));
    }
}

/* --- The middle ------------------------------------------------------------------------------- */

/* Sets word[0] to byte `b` of each of the four numbers, and word[1] to byte `b` + 1 of each. */
__device__ inline void split_bytes(const uint32_t (&number)[4], int b, uint32_t (&word)[2])
{
    const uint32_t both = (uint32_t)(b | (b + 4) << 4 | (b + 1) << 8 | (b + 5) << 12);
    const uint32_t left = __byte_perm(number[0], number[1], both);
    const uint32_t right = __byte_perm(number[2], number[3], both);
    word[0] = __byte_perm(left, right, 0x5410);
    word[1] = __byte_perm(left, right, 0x7632);
}

/* Stores the vertical sums of a slice in shared memory: BAND rows for each byte of the sums. For
 * 16-bit samples a lane has two adjacent samples of each unit of 8. Therefore 16 samples are stored
 * in the order 0, 1, 8, 9, 2, 3, 10, 11 and so on. */
template <typename K>
__device__ inline void put_slice(const StreamTask &task, const SliceSums<K> &sums, uint8_t *middle)
{
    constexpr int WORTHS = SliceSums<K>::WORTHS;
    const int lane = (int)threadIdx.x % 32, pitch = task.plan.middle_pitch;
    uint8_t *to =
        middle + lane / 4 * pitch + (int)threadIdx.x / 32 * SLICE_COLUMNS<K> + lane % 4 * 4;
#pragma unroll
    for (int i = 0; i < SLICE / WIDE_BYTES / K::SAMPLE * 2; i++) {
        const int block = i / 2, row = i % 2;
        uint32_t number[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int unit = K::SAMPLE == 1 ? block : 2 * block + k / 2;
            const int part = K::SAMPLE == 1 ? k % 2 : 0, column = K::SAMPLE == 1 ? k / 2 : k % 2;
            number[k] = middle_of<K, WORTHS>(task.base, sums.sum[unit][part], 2 * row + column);
        }
#pragma unroll
        for (int b = 0; b < K::MIDDLE; b += 2) {
            uint32_t word[2];
            split_bytes(number, b + LOWEST<K>, word);
#pragma unroll
            for (int k = 0; k < 2; k++)
                *reinterpret_cast<uint32_t *>(to + ((b + k) * BAND + 8 * row) * pitch +
                                              block * 16) = word[k];
        }
    }
}

/* Computes the vertical sums of the warp's slice and stores them in shared memory. */
template <typename K>
__device__ inline void make_slice(const StreamTask &task, StreamRows &rows, const uint8_t *slice,
                                  const uint32_t *down, int32_t base, int slot, int32_t kept,
                                  uint8_t *middle)
{
    if constexpr (K::ALPHA) {
        make_pixels<K>(task, rows, slice, down, base, slot, kept, middle);
    } else {
        SliceSums<K> sums;
        sum_slice<K>(task, rows, slice, down, base, slot, kept, sums);
        put_slice<K>(task, sums, middle);
    }
}

} // namespace resize

#endif
