/* Converts samples to 8 bits, rounded to the nearest value: (value * 255 + max / 2) / max. `max` is
 * the largest value of the bit depth. The same formula serves all depths from 1 to 16 bits. */
#include "io/export/export.h"

#include <string.h>

#include "io/bytes.h"

static uint8_t scale(uint32_t value, int bits)
{
    uint32_t max = (1U << bits) - 1;
    if (value > max)
        value = max;
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): every format has at least 1 bit
    return (uint8_t)((value * 255 + max / 2) / max);
}

static bool is_gray(const ImgView *view)
{
    return view->format.color == IMG_COLOR_GRAY || view->format.color == IMG_COLOR_GRAY_ALPHA;
}

/* Sets the colours of all 256 palette indices. Indices without a palette entry become opaque
 * black. */
static void palette_colors(ImgEightBits *eight, const ImgMetadata *metadata, const ImgChunk *trns)
{
    for (int i = 0; i < 256; i++) {
        bool known = i < metadata->palette_size;
        const uint8_t *entry = metadata->palette[i];
        uint8_t alpha = known && trns != NULL && (uint32_t)i < trns->size ? trns->data[i] : 255;
        uint8_t color[4] = {known ? entry[0] : 0, known ? entry[1] : 0, known ? entry[2] : 0,
                            alpha};
        memcpy(eight->colors[i], color, sizeof color);
    }
}

static void gray_colors(ImgEightBits *eight)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint8_t gray = scale(i, eight->view->format.bits);
        uint8_t alpha = eight->has_key && eight->key[0] == i ? 0 : 255;
        uint8_t color[4] = {gray, gray, gray, alpha};
        memcpy(eight->colors[i], color, sizeof color);
    }
}

static void read_key(ImgEightBits *eight, const ImgChunk *trns)
{
    ImgColor color = eight->view->format.color;
    uint32_t samples = color == IMG_COLOR_GRAY ? 1 : color == IMG_COLOR_RGB ? 3 : 0;
    if (samples == 0 || trns == NULL || trns->size != 2 * samples)
        return;
    eight->has_key = true;
    /* Clears the bits of the transparent colour above the bit depth, as libpng does. */
    for (uint32_t i = 0; i < samples; i++)
        eight->key[i] =
            (uint16_t)(img_get_be16(trns->data + 2 * i) & img_format_maximum(eight->view->format));
}

static void read_background(ImgEightBits *eight, const ImgChunk *bkgd)
{
    const int bits = eight->view->format.bits;
    /* Clears the bits of the background colour above the bit depth, as libpng does. */
    const uint32_t mask = img_format_maximum(eight->view->format);
    uint8_t *out = eight->background;
    memset(out, 255, 3);
    if (bkgd == NULL)
        return;
    eight->has_background = true;
    if (eight->view->format.color == IMG_COLOR_PALETTE && bkgd->size == 1)
        memcpy(out, eight->colors[bkgd->data[0]], 3);
    else if (is_gray(eight->view) && bkgd->size == 2)
        memset(out, scale(img_get_be16(bkgd->data) & mask, bits), 3);
    else if (bkgd->size == 6)
        for (int i = 0; i < 3; i++)
            out[i] = scale(img_get_be16(bkgd->data + 2 * i) & mask, bits);
    else
        eight->has_background = false;
}

void img_eight_bits_init(ImgEightBits *eight, const ImgView *view, const ImgMetadata *metadata)
{
    *eight = (ImgEightBits){.view = view};
    const ImgChunk *trns = img_metadata_find(metadata, "tRNS");
    read_key(eight, trns);
    if (view->format.color == IMG_COLOR_PALETTE)
        palette_colors(eight, metadata, trns);
    else if (view->format.color == IMG_COLOR_GRAY && view->format.bits <= 8)
        gray_colors(eight);
    read_background(eight, img_metadata_find(metadata, "bKGD"));
}

bool img_eight_bits_has_alpha(const ImgEightBits *eight, const ImgMetadata *metadata)
{
    ImgColor color = eight->view->format.color;
    if (color == IMG_COLOR_PALETTE)
        return img_metadata_find(metadata, "tRNS") != NULL;
    return color == IMG_COLOR_GRAY_ALPHA || color == IMG_COLOR_RGBA || eight->has_key;
}

/* Converts one pixel of two or more bytes to RGBA. One-byte pixels use the table `colors`
 * instead. */
static void convert_pixel(const ImgEightBits *eight, const uint8_t *pixel, uint8_t rgba[4])
{
    ImgFormat format = eight->view->format;
    int channels = img_format_channels(format);
    uint16_t wide[4] = {0};
    uint8_t sample[4] = {0};
    for (int i = 0; i < channels; i++) {
        if (format.bits == 16)
            memcpy(&wide[i], pixel + 2 * i, 2);
        else
            wide[i] = pixel[i];
        sample[i] = scale(wide[i], format.bits);
    }
    bool keyed = eight->has_key && wide[0] == eight->key[0];
    if (channels >= 3) {
        keyed = keyed && wide[1] == eight->key[1] && wide[2] == eight->key[2];
        memcpy(rgba, sample, 3);
    } else {
        memset(rgba, sample[0], 3);
    }
    rgba[3] = keyed ? 0 : channels == 2 ? sample[1] : channels == 4 ? sample[3] : 255;
}

static void get_pixel(const ImgEightBits *eight, const uint8_t *row, int32_t x, uint8_t rgba[4])
{
    size_t size = img_format_pixel_size(eight->view->format);
    if (size == 1)
        memcpy(rgba, eight->colors[row[x]], 4);
    else
        convert_pixel(eight, row + (size_t)x * size, rgba);
}

bool img_eight_bits_is_transparent(const ImgEightBits *eight)
{
    const ImgView *view = eight->view;
    for (int32_t y = 0; y < view->height; y++) {
        const uint8_t *row = view->data + (size_t)y * view->stride;
        for (int32_t x = 0; x < view->width; x++) {
            uint8_t rgba[4];
            get_pixel(eight, row, x, rgba);
            if (rgba[3] != 255)
                return true;
        }
    }
    return false;
}

static void lay_over(const uint8_t background[3], uint8_t rgba[4])
{
    unsigned alpha = rgba[3];
    for (int i = 0; i < 3; i++)
        rgba[i] = (uint8_t)((rgba[i] * alpha + background[i] * (255 - alpha) + 127) / 255);
}

void img_eight_bits_row(const ImgEightBits *eight, int32_t y, int channels, uint8_t *out)
{
    const ImgView *view = eight->view;
    const uint8_t *row = view->data + (size_t)y * view->stride;
    for (int32_t x = 0; x < view->width; x++, out += channels) {
        uint8_t rgba[4];
        get_pixel(eight, row, x, rgba);
        if (channels != 4 && rgba[3] != 255)
            lay_over(eight->background, rgba);
        memcpy(out, rgba, (size_t)channels);
    }
}
