/* Private to the fast resize on CUDA: parameters of its kernels, and source rows in shared memory,
 * with one plane per channel. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_ROWS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_ROWS_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/resize/cuda/resize_bytes.cuh"
#include "kernels/resize/resize_strips.h"

namespace resize
{

constexpr int THREADS = 256, WARPS = THREADS / 32, BAND = IMG_RESIZE_BAND;
constexpr int DIVISION_PLACES = 20;

/* Divides a number by `by` with a multiplication. It is exact if number * by is below 2^20. */
struct Divisor {
    uint32_t by, factor;

    __device__ uint32_t divide(uint32_t number) const
    {
        return number * factor >> DIVISION_PLACES;
    }
};

struct Task {
    ImgView src, dst;
    const ImgResize *own; /* constants of the resize, in device memory */
    ImgResizeSpan across, down;
    int32_t across_taps, down_taps;
    /* offsets of the tables from `own`, in bytes */
    size_t across_first_at, across_weights_at, down_first_at, down_weights_at;
    ImgResizeStrips layout;
    /* number of columns of the first strip that lie to the left of the scaled picture */
    int32_t lead;
    int32_t end_shift;
    uint32_t down_factor, down_start, end_start; /* factor and initial values of narrow sums */
    /* factor that converts samples of fewer than 8 bits to 8 bits; 1 for others */
    uint32_t scale;
    /* number of strips in the picture; number of steps per block, of BAND rows each */
    uint32_t strips, steps;
    /* `units` divides by the number of units in a row of the source window, `pieces` by the number
     * of 16-byte pieces in a result row of a strip */
    Divisor units, pieces;

    __device__ const int32_t *first(size_t at) const
    {
        return reinterpret_cast<const int32_t *>(reinterpret_cast<const uint8_t *>(own) + at);
    }
};

template <bool WIDE> struct SampleOf {
    typedef uint8_t Type;
};
template <> struct SampleOf<true> {
    typedef uint16_t Type;
};

/* Format of the pictures, as constants of the compiler. SOURCE and SAMPLE are the bytes per sample
 * in the picture and in shared memory. WEIGHT is the bytes per weight, MIDDLE the bytes per
 * vertical sum. */
template <int CHANNELS_, bool ALPHA_, bool WIDE_> struct Kind {
    typedef typename SampleOf<WIDE_>::Type Stored;
    static constexpr int CHANNELS = CHANNELS_, SOURCE = WIDE_ ? 2 : 1;
    static constexpr bool ALPHA = ALPHA_, WIDE = WIDE_;
    static constexpr int SAMPLE = WIDE || ALPHA ? 2 : 1, WEIGHT = WIDE ? 3 : 2;
    static constexpr int MIDDLE = WIDE ? 4 : 2;
    /* pixels per unit; a unit is the part of a row that a thread loads */
    static constexpr int PIXELS = WIDE_BYTES / SAMPLE;
    static constexpr int UNIT_BYTES = PIXELS * CHANNELS * SOURCE;
    static constexpr int VECTORS = UNIT_BYTES / WIDE_BYTES;
};

/* --- Rows of the source ----------------------------------------------------------------------- */

/* Multiplies colours by alpha, and alpha by 255, for the 8 pixels of a unit. */
template <typename K>
__device__ inline void premultiply(const uint32_t *word, uint32_t (&plane)[K::CHANNELS][4])
{
#pragma unroll
    for (int i = 0; i < K::PIXELS; i++) {
        const uint32_t pixel =
            K::CHANNELS == 4 ? word[i % (4 * K::VECTORS)] : word[i / 2] >> 16 * (i % 2) & 0xffff;
        const uint32_t alpha = pixel >> 8 * (K::CHANNELS - 1);
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            const uint32_t value =
                c + 1 == K::CHANNELS ? alpha * 255 : (pixel >> 8 * c & 0xff) * alpha;
            plane[c][i / 2] = i % 2 == 0 ? value : plane[c][i / 2] | value << 16;
        }
    }
}

/* Splits a unit of pixels into 16 bytes for each plane (channel) and stores them in shared
 * memory. */
template <typename K>
__device__ inline void put_unit(const Task &task, const uint4 (&piece)[K::VECTORS], uint8_t *to,
                                int plane_bytes)
{
    uint32_t word[4 * K::VECTORS], plane[K::CHANNELS][4];
#pragma unroll
    for (int v = 0; v < K::VECTORS; v++)
        take_piece(word + 4 * v, piece[v]);
    if (K::ALPHA) {
        premultiply<K>(word, plane);
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint32_t three[3] = {word[i] * task.scale, 0, 0};
            if (K::CHANNELS == 3) /* RGB has at least 8 bits per sample, so `scale` is 1 */
                separate<typename K::Stored>(word[3 * i % (4 * K::VECTORS)],
                                             word[(3 * i + 1) % (4 * K::VECTORS)],
                                             word[(3 * i + 2) % (4 * K::VECTORS)], three);
#pragma unroll
            for (int c = 0; c < K::CHANNELS && c < 3; c++)
                plane[c][i] = three[c];
        }
    }
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        *reinterpret_cast<uint4 *>(to + c * plane_bytes) =
            make_uint4(plane[c][0], plane[c][1], plane[c][2], plane[c][3]);
}

/* Loads rows `from` to `end` - 1 of the source, from column `left` on, to shared memory. Row y goes
 * to slot y modulo the number of slots. Positions beyond the picture repeat the last unit of a row,
 * and their weights are 0. */
template <typename K, int THREADS = resize::THREADS>
__device__ inline void load_rows(const Task &task, uint8_t *tile, int32_t left, int32_t from,
                                 int32_t end)
{
    constexpr int TOGETHER = K::VECTORS > 2 ? 2 : 4;
    const int count = (end - from) * (int)task.units.by;
    const int plane_bytes = task.layout.rows * task.layout.pitch;
    const int64_t row_bytes = (int64_t)task.src.width * (K::CHANNELS * K::SOURCE);
    const int64_t last = (row_bytes - 1) / WIDE_BYTES * WIDE_BYTES;
    const int64_t start = (int64_t)left * (K::CHANNELS * K::SOURCE);
    /* the number of rows to load is at most the number of slots */
    const int slot = from % task.layout.rows;
#pragma unroll 1
    for (int base = (int)threadIdx.x; base < count; base += THREADS * TOGETHER) {
        uint4 piece[TOGETHER][K::VECTORS];
        int row[TOGETHER], unit[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
            const int i = min(base + k * THREADS, count - 1);
            row[k] = (int)task.units.divide((uint32_t)i);
            unit[k] = i - row[k] * (int)task.units.by;
            const int32_t y = min(from + row[k], task.src.height - 1);
            const uint8_t *line = task.src.data + (size_t)y * task.src.stride;
#pragma unroll
            for (int v = 0; v < K::VECTORS; v++)
                piece[k][v] = __ldg(reinterpret_cast<const uint4 *>(
                    line + min(last, start + unit[k] * K::UNIT_BYTES + v * WIDE_BYTES)));
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            if (base + k * THREADS < count) {
                const int after = slot + row[k];
                const int own = after < task.layout.rows ? after : after - task.layout.rows;
                put_unit<K>(task, piece[k], tile + own * task.layout.pitch + unit[k] * WIDE_BYTES,
                            plane_bytes);
            }
    }
}

/* Prefetches rows `from` to `end` - 1 of the source, from column `left` on. */
template <typename K, int THREADS = resize::THREADS>
__device__ inline void announce_rows(const Task &task, int32_t left, int32_t from, int32_t end)
{
    const int64_t row_bytes = (int64_t)task.src.width * (K::CHANNELS * K::SOURCE);
    const int64_t start = (int64_t)left * (K::CHANNELS * K::SOURCE);
    const int64_t readable = (row_bytes + WIDE_BYTES - 1) / WIDE_BYTES * WIDE_BYTES - start;
    const int64_t bytes = min(readable, (int64_t)task.units.by * K::UNIT_BYTES);
    for (int32_t y = from + (int32_t)threadIdx.x; y < min(end, task.src.height); y += THREADS)
        announce_bytes(task.src.data + (size_t)y * task.src.stride + start, (uint32_t)bytes);
}

} // namespace resize

#endif
