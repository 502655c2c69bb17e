/* Private to the morphology family: declarations that its CUDA implementations have in common. */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_CUDA_CUH
#define IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/morphology/morphology.h"

/* largest number of rows of blocks in a grid; a loop in the kernels processes further rows */
constexpr unsigned MORPHOLOGY_GRID_ROWS = 65535;

/* Parameters of the kernels for one step, minima or maxima over one rectangle, on the whole
 * picture. */
struct MorphologyTask {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int32_t width, height;
    int32_t channels, pixel; /* number of samples and of bytes per pixel */
    int64_t written;         /* number of bytes to write per row of the result */
    ImgMorphologyStep step;
    /* Samples of the background: 16 bits per channel, packed in one number, because the compiler
     * would place an array in local memory. */
    uint64_t background;
};

__device__ inline uint32_t morphology_background(const MorphologyTask &task, int32_t channel)
{
    return (uint32_t)(task.background >> 16 * channel) & 0xffff;
}

inline MorphologyTask morphology_task(const ImgMorphologyStep &step, const ImgView &src,
                                      const ImgView &dst)
{
    MorphologyTask task;
    task.src = src.data;
    task.dst = dst.data;
    task.src_stride = src.stride;
    task.dst_stride = dst.stride;
    task.width = src.width;
    task.height = src.height;
    task.channels = img_format_channels(src.format);
    task.pixel = (int32_t)img_format_pixel_size(src.format);
    task.written = (int64_t)src.width * task.pixel;
    task.step = step;
    task.background = 0;
    for (int c = 0; c < task.channels; c++)
        task.background |= (uint64_t)step.background[c] << 16 * c;
    return task;
}

/* Returns sample number `channel` of pixel (x, y). Beyond the picture, the border defines it. */
template <typename Sample>
__device__ inline uint32_t morphology_sample(const MorphologyTask &task, int64_t x, int64_t y,
                                             int32_t channel)
{
    const int32_t column = img_border_place(x, task.width, task.step.border);
    const int32_t row = img_border_place(y, task.height, task.step.border);
    if (column < 0 || row < 0)
        return morphology_background(task, channel);
    const uint8_t *samples = task.src + (size_t)row * task.src_stride;
    return reinterpret_cast<const Sample *>(samples)[(size_t)column * task.channels + channel];
}

__device__ inline uint32_t morphology_better(uint32_t a, uint32_t b, int32_t is_maximum)
{
    return is_maximum != 0 ? max(a, b) : min(a, b);
}

/* Runs the prepass, and then calls `step(step, src, dst)` for each of the one or two steps of the
 * operation. The first of two steps writes an intermediate picture, which the second one reads. The
 * workspace contains the copy that the prepass makes, the intermediate picture, and the memory of a
 * step, in this order. */
template <typename Step> ImgStatus morphology_steps(const ImgCall *call, Step step, ImgError *err)
{
    ImgCall own;
    ImgStatus status = img_prepass_cuda(img_morphology_prepass(call->op), call, &own, err);
    if (status != IMG_OK)
        return status;
    const ImgShape shape = img_view_shape(&own.src);
    const ImgMorphology all = img_morphology(own.op, shape, own.params);
    if (all.count == 1)
        return step(all.steps[0], own.src, own.dst);
    const ImgView between = img_view_make(own.workspace, img_device_pitch(shape), shape);
    status = step(all.steps[0], own.src, between);
    return status == IMG_OK ? step(all.steps[1], between, own.dst) : status;
}

/* Returns the start of the memory that each step uses, the last part of the workspace. */
inline uint8_t *morphology_step_memory(const ImgCall *call)
{
    const ImgShape src = img_view_shape(&call->src);
    return static_cast<uint8_t *>(call->workspace) +
           img_prepass_workspace(img_morphology_prepass(call->op), src) +
           img_morphology_cuda_between(call->op, src);
}

/* --- Words ------------------------------------------------------------------------------------ */

/* Minima of samples that are packed in words, and access to words of rows, including those beyond
 * the edges. Maxima are computed as minima of inverted samples. */

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
