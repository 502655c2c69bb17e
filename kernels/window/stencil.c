#include "kernels/window/stencil.h"

#include "kernels/core/sample.h"

ImgStencil img_stencil_of(ImgFormat src, const ImgBorderParams *border)
{
    ImgStencil stencil = {border->border,
                          img_format_channels(src),
                          img_format_has_alpha(src),
                          src.bits < 8 ? 8 : src.bits,
                          img_window_scale(src),
                          {0, 0, 0, 0}};
    uint16_t samples[4];
    img_border_samples(src, border, samples);
    for (int32_t c = 0; c < stencil.channels; c++)
        stencil.background[c] =
            (uint16_t)img_stencil_load(&stencil, samples[c], samples[stencil.channels - 1]);
    return stencil;
}

bool img_stencil_applies_to_plain(const ImgOp *op, ImgShape src, const void *params)
{
    (void)op;
    (void)params;
    return !img_format_has_alpha(src.format) && src.format.bits >= 8;
}

/* Returns the bytes that all threads need together: for each thread, three rows of the source and
 * one of the result. */
uint64_t img_stencil_scratch(ImgShape src, const void *params, int threads)
{
    (void)params;
    return 4 * (uint64_t)src.width * (uint64_t)img_format_channels(src.format) * sizeof(uint16_t) *
           (uint64_t)img_op_band_threads(src, src.height, threads);
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Defines functions that convert rows of pixels with alpha. Bits and channels are constants, so
 * that the compiler can specialise the loops. */
#define ROWS_WITH_ALPHA(name, Sample, depth, channels)                                             \
    static void load_##name(const ImgStencil *stencil, const Sample *row, uint16_t *words,         \
                            int32_t width)                                                         \
    {                                                                                              \
        ImgStencil own = *stencil;                                                                 \
        own.has_alpha = own.scale = 1;                                                             \
        own.bits = (depth);                                                                        \
        for (int32_t x = 0; x < width; x++, row += (channels), words += (channels))                \
            for (int32_t c = 0; c < (channels); c++)                                               \
                words[c] = (uint16_t)img_stencil_load(&own, row[c], row[(channels)-1]);            \
    }                                                                                              \
    static void store_##name(const ImgStencil *stencil, const uint16_t *words, const Sample *row,  \
                             Sample *to, int32_t width)                                            \
    {                                                                                              \
        ImgStencil own = *stencil;                                                                 \
        own.has_alpha = own.scale = 1;                                                             \
        own.bits = (depth);                                                                        \
        for (int32_t x = 0; x < width;                                                             \
             x++, row += (channels), words += (channels), to += (channels)) {                      \
            for (int32_t c = 0; c + 1 < (channels); c++)                                           \
                to[c] = (Sample)img_stencil_store(&own, words[c]);                                 \
            to[(channels)-1] = (Sample)(row[(channels)-1] * own.scale);                            \
        }                                                                                          \
    }

ROWS_WITH_ALPHA(bytes_2, uint8_t, 8, 2)
ROWS_WITH_ALPHA(bytes_4, uint8_t, 8, 4)
ROWS_WITH_ALPHA(words_2, ImgSample16, 16, 2)
ROWS_WITH_ALPHA(words_4, ImgSample16, 16, 4)

void img_stencil_load_row(const ImgStencil *stencil, const ImgView *src, int64_t y, uint16_t *words)
{
    const int32_t line = img_border_place(y, src->height, stencil->border), width = src->width;
    const size_t channels = (size_t)stencil->channels, samples = (size_t)width * channels;
    const uint8_t *bytes = src->data + (size_t)(line < 0 ? 0 : line) * src->stride;
    const ImgSample16 *own = (const ImgSample16 *)(const void *)bytes;
    if (line < 0)
        for (size_t i = 0; i < samples; i++)
            words[i] = stencil->background[i % channels];
    else if (stencil->has_alpha == 0)
        for (size_t i = 0; i < samples; i++)
            words[i] = (uint16_t)(bytes[i] * stencil->scale);
    else if (src->format.bits == 16)
        (channels == 2 ? load_words_2 : load_words_4)(stencil, own, words, width);
    else
        (channels == 2 ? load_bytes_2 : load_bytes_4)(stencil, bytes, words, width);
}

void img_stencil_store_row(const ImgStencil *stencil, const ImgView *src, int32_t y,
                           const uint16_t *words, const ImgView *dst)
{
    const uint8_t *row = src->data + (size_t)y * src->stride;
    uint8_t *to = dst->data + (size_t)y * dst->stride;
    const int32_t width = src->width, channels = stencil->channels;
    if (stencil->has_alpha == 0)
        for (size_t i = 0; i < (size_t)width * (size_t)channels; i++)
            to[i] = (uint8_t)words[i];
    else if (src->format.bits == 16)
        (channels == 2 ? store_words_2 : store_words_4)(stencil, words,
                                                        (const ImgSample16 *)(const void *)row,
                                                        (ImgSample16 *)(void *)to, width);
    else
        (channels == 2 ? store_bytes_2 : store_bytes_4)(stencil, words, row, to, width);
}
