/* Private to the morphology family: minima of samples that are packed in words, and access to words
 * of rows, including those beyond the edges. Maxima are computed as minima of inverted samples. */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_WORDS_CUH
#define IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_WORDS_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/morphology/cuda/morphology_cuda.cuh"

constexpr int WORD = 4;

/* Returns the minimum of each sample in two words. Bytes are not unpacked: the minimum of two
 * 16-bit halves has the smaller upper byte, whatever the lower bytes are. The lower bytes are
 * shifted up for a second comparison. */
template <typename Sample> __device__ inline uint32_t packed_minimum(uint32_t a, uint32_t b)
{
    if (sizeof(Sample) == 2)
        return __vminu2(a, b);
    return __byte_perm(__vminu2(a << 8, b << 8), __vminu2(a, b), 0x7351);
}

__device__ inline uint32_t inversion(const ImgMorphologyStep &step)
{
    return step.is_maximum != 0 ? ~0u : 0;
}

/* Returns the word at byte `offset` of row `row`. A part of the word may be beyond the ends of the
 * row, where the border defines the samples, so it is assembled sample by sample. Row -1 stands for
 * the background. */
template <typename Sample>
__device__ inline uint32_t edge_word(const MorphologyTask &task, int32_t row, int64_t offset)
{
    constexpr int EACH = WORD / (int)sizeof(Sample), BITS = 32 / EACH;
    uint32_t word = 0;
#pragma unroll 1
    for (int i = 0; i < EACH; i++) {
        const int64_t sample = offset / (int)sizeof(Sample) + i;
        int64_t x = sample / task.channels;
        int32_t channel = (int32_t)(sample - x * task.channels);
        if (channel < 0)
            channel += task.channels, x--;
        const int32_t place = img_border_place(x, task.width, task.step.border);
        const Sample *samples =
            reinterpret_cast<const Sample *>(task.src + (size_t)max(row, 0) * task.src_stride);
        const uint32_t value = row < 0 || place < 0
                                   ? morphology_background(task, channel)
                                   : samples[(size_t)place * task.channels + channel];
        word |= value << i * BITS;
    }
    return word;
}

/* Stores the part of a word that is inside a row of `row_bytes` bytes. `offset` is its position in
 * the row, in bytes. */
__device__ inline void store_word(uint8_t *row, int64_t offset, int64_t row_bytes, uint32_t word)
{
    if (offset + WORD <= row_bytes) {
        *reinterpret_cast<uint32_t *>(row + offset) = word;
        return;
    }
    for (int i = 0; offset + i < row_bytes; i++)
        row[offset + i] = (uint8_t)(word >> 8 * i);
}

/* --- Columns ---------------------------------------------------------------------------------- */

template <int WORDS> struct alignas(WORDS *WORD) Words {
    uint32_t word[WORDS];
};

template <int WORDS> __device__ inline Words<WORDS> load_words(const uint8_t *from)
{
    Words<WORDS> words;
    if (WORDS == 4)
        take_piece(words.word, *reinterpret_cast<const uint4 *>(from));
    else
        words.word[0] = *reinterpret_cast<const uint32_t *>(from);
    return words;
}

template <typename Sample, int WORDS>
__device__ inline void lower(Words<WORDS> &best, const Words<WORDS> &more)
{
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        best.word[i] = packed_minimum<Sample>(best.word[i], more.word[i]);
}

/* The words at byte `offset` of each row, which one thread processes. Samples are inverted for
 * maxima. */
template <typename Sample, int WORDS> struct Column {
    const MorphologyTask &task;
    int64_t offset;
    uint32_t inverted;
    Words<WORDS> background;

    __device__ Column(const MorphologyTask &own, int64_t at)
        : task(own), offset(at), inverted(inversion(own.step)), background()
    {
        for (int i = 0; i < WORDS && own.step.border == IMG_BORDER_CONSTANT; i++)
            background.word[i] = edge_word<Sample>(own, -1, at + i * WORD) ^ inverted;
    }
    __device__ Words<WORDS> load(int64_t y) const
    {
        const int32_t row = img_border_place(y, task.height, task.step.border);
        if (row < 0)
            return background;
        Words<WORDS> words = load_words<WORDS>(task.src + (size_t)row * task.src_stride + offset);
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words.word[i] ^= inverted;
        return words;
    }
    __device__ uint8_t *result(int64_t y) const
    {
        return task.dst + (size_t)y * task.dst_stride;
    }
    __device__ void store(int64_t y, Words<WORDS> words) const
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words.word[i] ^= inverted;
        if (WORDS == 4)
            store_wide(result(y), offset, task.written,
                       make_uint4(words.word[0], words.word[WORDS / 2 - WORDS / 4],
                                  words.word[WORDS / 2], words.word[WORDS - 1]));
        else
            store_word(result(y), offset, task.written, words.word[0]);
    }
    /* Returns the words that this thread has stored in row `y` of the result, inverted for
     * maxima. */
    __device__ Words<WORDS> stored(int64_t y) const
    {
        Words<WORDS> words = load_words<WORDS>(result(y) + offset);
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words.word[i] ^= inverted;
        return words;
    }
};

/* Computes minima down columns. `task.src` must have the minima along rows. */
ImgStatus morphology_down_columns(const MorphologyTask &task, ImgFormat format, void *stream,
                                  ImgError *err);

/* Performs one step, for any rectangle, in two passes: along rows, then down columns. `between`
 * must have room for a picture, the result of the first pass. */
ImgStatus morphology_two_passes(const ImgCall *call, const ImgMorphologyStep &step,
                                const ImgView &src, const ImgView &dst, uint8_t *between,
                                ImgError *err);

#endif
