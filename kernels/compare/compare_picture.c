/* Converts pictures to a common format, and computes pictures of differences. Memory bandwidth
 * limits the conversion and the difference. Threads divide the rows among themselves. */
#include <string.h>

#include "kernels/compare/compare.h"

static bool has_color(ImgFormat format)
{
    return format.color == IMG_COLOR_RGB || format.color == IMG_COLOR_RGBA;
}

ImgFormat img_compare_format(ImgFormat a, ImgFormat b)
{
    bool alpha = img_format_has_alpha(a) || img_format_has_alpha(b);
    int bits = a.bits == 16 || b.bits == 16 ? 16 : 8;
    if (has_color(a) || has_color(b))
        return (ImgFormat){alpha ? IMG_COLOR_RGBA : IMG_COLOR_RGB, bits};
    return (ImgFormat){alpha ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_GRAY, bits};
}

static uint32_t load(const uint8_t *at, int bits)
{
    uint16_t wide;
    if (bits < 16)
        return *at;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static void store(uint8_t *at, int bits, uint32_t sample)
{
    uint16_t wide = (uint16_t)sample;
    if (bits < 16)
        *at = (uint8_t)sample;
    else
        memcpy(at, &wide, sizeof wide);
}

/* Returns the index, within a pixel of `format`, of the channel `channel` of RGBA. Returns -1 if
 * the format does not have it. In gray formats, the index of all three colours is 0. */
static int place_of(ImgFormat format, int channel)
{
    if (channel == 3)
        return img_format_has_alpha(format) ? img_format_channels(format) - 1 : -1;
    return has_color(format) ? channel : 0;
}

typedef struct Pixels {
    const uint8_t *data;
    size_t step;
    int bits;
} Pixels;

/* Converts one channel of `count` pixels of a row. If `from` is NULL, the channel is alpha and the
 * source has none. Then each sample becomes `scale`, which must be the value of an opaque pixel. */
static void convert_channel(const Pixels *from, uint32_t scale, uint8_t *to, size_t step, int bits,
                            int32_t count)
{
    for (int32_t x = 0; x < count; x++, to += step)
        store(to, bits,
              from == NULL ? scale : load(from->data + (size_t)x * from->step, from->bits) * scale);
}

static void convert_row(const ImgView *src, const ImgView *dst, int32_t y)
{
    size_t from_sample = src->format.bits == 16 ? 2 : 1, to_sample = dst->format.bits == 16 ? 2 : 1;
    size_t step = img_format_pixel_size(dst->format);
    uint32_t maximum = img_format_maximum(dst->format);
    uint32_t scale = maximum / img_format_maximum(src->format);
    for (int channel = 0; channel < 4; channel++) {
        int to = place_of(dst->format, channel), from = place_of(src->format, channel);
        if (to < 0 || (channel > 0 && to == place_of(dst->format, channel - 1)))
            continue;
        uint8_t *out = dst->data + (size_t)y * dst->stride + (size_t)to * to_sample;
        Pixels in = {src->data + (size_t)y * src->stride +
                         (size_t)(from < 0 ? 0 : from) * from_sample,
                     img_format_pixel_size(src->format), src->format.bits};
        convert_channel(from < 0 ? NULL : &in, from < 0 ? maximum : scale, out, step,
                        dst->format.bits, dst->width);
    }
}

typedef struct Conversion {
    const ImgView *src, *dst;
} Conversion;

static void convert_rows(void *context, int64_t first, int64_t end)
{
    const Conversion *conversion = context;
    for (int64_t y = first; y < end; y++)
        convert_row(conversion->src, conversion->dst, (int32_t)y);
}

void img_compare_convert(const ImgView *src, const ImgView *dst, ImgTeam *team, int threads)
{
    Conversion conversion = {src, dst};
    img_parallel_for(team, threads, src->height, convert_rows, &conversion);
}

ImgFormat img_compare_picture_format(ImgFormat format)
{
    return (ImgFormat){has_color(format) ? IMG_COLOR_RGB : IMG_COLOR_GRAY, format.bits};
}

static uint32_t difference(const uint8_t *a, const uint8_t *b, int bits)
{
    uint32_t first = load(a, bits), second = load(b, bits);
    return first > second ? first - second : second - first;
}

typedef struct Picture {
    const ImgView *a, *b, *dst;
    uint64_t factor;
} Picture;

static void picture_row(const Picture *picture, int32_t y)
{
    ImgFormat format = picture->a->format;
    int bits = format.bits, colors = has_color(format) ? 3 : 1;
    size_t sample = bits == 16 ? 2 : 1, step = img_format_pixel_size(format);
    bool has_alpha = img_format_has_alpha(format);
    const uint8_t *a = picture->a->data + (size_t)y * picture->a->stride;
    const uint8_t *b = picture->b->data + (size_t)y * picture->b->stride;
    uint8_t *to = picture->dst->data + (size_t)y * picture->dst->stride;
    uint64_t maximum = img_format_maximum(format);
    for (int32_t x = 0; x < picture->a->width; x++, a += step, b += step) {
        size_t alpha_at = (size_t)colors * sample;
        uint32_t alpha = has_alpha ? difference(a + alpha_at, b + alpha_at, bits) : 0;
        bool hidden = has_alpha && load(a + alpha_at, bits) == 0 && load(b + alpha_at, bits) == 0;
        for (int c = 0; c < colors; c++, to += sample) {
            uint32_t size = difference(a + (size_t)c * sample, b + (size_t)c * sample, bits);
            size = hidden ? 0 : size > alpha ? size : alpha;
            uint64_t shown = size * picture->factor;
            store(to, bits, (uint32_t)(shown < maximum ? shown : maximum));
        }
    }
}

static void picture_rows(void *context, int64_t first, int64_t end)
{
    for (int64_t y = first; y < end; y++)
        picture_row(context, (int32_t)y);
}

void img_compare_picture(const ImgView *a, const ImgView *b, uint32_t factor, const ImgView *dst,
                         ImgTeam *team, int threads)
{
    Picture picture = {a, b, dst, factor};
    img_parallel_for(team, threads, a->height, picture_rows, &picture);
}
