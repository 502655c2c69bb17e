/* Private to box_fast.cu: rows of the picture, and sums of columns that rows are added to. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_COLUMNS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_COLUMNS_CUH

#include "kernels/blur/box.h"
#include "kernels/core/cuda/cuda_launch.cuh"

constexpr int PIXELS = 8, TOGETHER = 4; /* of a thread: columns; results next to each other */

struct BoxTask {
    ImgBox box;
    ImgView src, dst;
    uint32_t strips;
    int32_t columns, rows; /* of a block's results */
    int32_t margin;        /* columns of a strip before its results */
    double inverse;        /* of the area */
};

/* How sums are held. PACKED: those of columns in 16 bits; Total: those of squares. */
template <typename Sample_, int CHANNELS_, bool PACKED_, typename Total_> struct Kind {
    typedef Sample_ Sample;
    typedef Total_ Total;
    static constexpr int CHANNELS = CHANNELS_, SIZE = (int)sizeof(Sample);
    static constexpr bool PACKED = PACKED_;
    static constexpr int SAMPLES = PIXELS * CHANNELS, WORDS = SAMPLES * SIZE / 4;
    static constexpr int SUMS = PACKED ? SAMPLES / 2 : SAMPLES;
    static constexpr int PART = SAMPLES / TOGETHER; /* of a thread's sums, in one of four planes */
};

/* Where a thread's pixels come from. */
struct Columns {
    int64_t left;
    bool is_inside;
    int32_t place[PIXELS]; /* of each where they are not all inside */
};

__device__ inline Columns columns_at(const BoxTask &task, int64_t left)
{
    Columns columns;
    columns.left = left;
    columns.is_inside = left >= 0 && left + PIXELS <= task.src.width;
#pragma unroll
    for (int i = 0; i < PIXELS; i++)
        columns.place[i] =
            columns.is_inside ? 0 : img_border_place(left + i, task.src.width, task.box.border);
    return columns;
}

template <typename K>
__device__ inline void load_row(const BoxTask &task, const Columns &columns, int64_t y,
                                uint32_t (&words)[K::WORDS])
{
    typedef typename K::Sample Sample;
    const int32_t line = img_border_place(y, task.src.height, task.box.border);
    const uint8_t *row = task.src.data + (size_t)(line < 0 ? 0 : line) * task.src.stride;
    if (line >= 0 && columns.is_inside) {
        const uint2 *from =
            reinterpret_cast<const uint2 *>(row + columns.left * (K::CHANNELS * K::SIZE));
#pragma unroll
        for (int i = 0; i < K::WORDS / 2; i++) {
            const uint2 pair = __ldg(from + i);
            words[2 * i] = pair.x;
            words[2 * i + 1] = pair.y;
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < K::WORDS; i++)
        words[i] = 0;
#pragma unroll
    for (int i = 0; i < K::SAMPLES; i++) {
        const int32_t place = columns.place[i / K::CHANNELS];
        const int c = i % K::CHANNELS;
        uint32_t sample = task.box.background[c];
        if (line >= 0 && place >= 0)
            sample = reinterpret_cast<const Sample *>(row)[(size_t)place * K::CHANNELS + c];
        words[i * K::SIZE / 4] |= sample << i * K::SIZE % 4 * 8;
    }
}

/* Adds a row, and takes another one away. */
template <typename K>
__device__ inline void slide(uint32_t (&sums)[K::SUMS], const uint32_t (&in)[K::WORDS],
                             const uint32_t (&out)[K::WORDS])
{
    constexpr int PER_WORD = 4 / K::SIZE;
    if (K::PACKED) {
#pragma unroll
        for (int i = 0; i < K::WORDS; i++) {
            sums[2 * i % K::SUMS] += (in[i] & 0xff00ff) - (out[i] & 0xff00ff);
            sums[(2 * i + 1) % K::SUMS] +=
                __byte_perm(in[i], 0, 0x4341) - __byte_perm(out[i], 0, 0x4341);
        }
    } else {
#pragma unroll
        for (int i = 0; i < K::SUMS; i++) {
            const int shift = i % PER_WORD * 8 * K::SIZE;
            const uint32_t mask = K::SIZE == 2 ? 0xffff : 0xff;
            sums[i] += (in[i / PER_WORD % K::WORDS] >> shift & mask) -
                       (out[i / PER_WORD % K::WORDS] >> shift & mask);
        }
    }
}

template <typename K> __device__ inline uint32_t column_sum(const uint32_t (&sums)[K::SUMS], int i)
{
    if (!K::PACKED)
        return sums[i % K::SUMS];
    const uint32_t pair = sums[(i / 4 * 2 + i % 2) % K::SUMS];
    return i % 4 < 2 ? pair & 0xffff : pair >> 16;
}

#endif
