#include "app/stats/picture_counts.h"

#include <string.h>

#include "kernels/histogram/statistics.h"

static bool is_rgb(ImgFormat format)
{
    return format.color == IMG_COLOR_RGB || format.color == IMG_COLOR_RGBA;
}

/* Reads the transparent colour of a gray or RGB picture from tRNS. Returns false if there is none.
 * tRNS has two bytes per sample, high byte first. If samples have fewer than 16 bits, only the low
 * bits count (PNG specification, third edition, 11.3.1.1). */
static bool find_key(const ImgMetadata *metadata, ImgFormat format, uint32_t key[3])
{
    const ImgChunk *chunk = img_metadata_find(metadata, "tRNS");
    uint32_t channels = (uint32_t)img_format_channels(format);
    if (chunk == NULL || chunk->size != 2 * channels ||
        (format.color != IMG_COLOR_GRAY && format.color != IMG_COLOR_RGB))
        return false;
    for (uint32_t c = 0; c < channels; c++)
        key[c] = (chunk->data[2 * c] * 256U + chunk->data[2 * c + 1]) & img_format_maximum(format);
    return true;
}

/* Returns the number of pixels that have the transparent colour `key`. Pixels are compared byte by
 * byte; 16-bit samples are in the byte order of this machine. */
static uint64_t count_key(const ImgView *picture, const uint32_t key[3])
{
    uint8_t wanted[6];
    size_t size = img_format_pixel_size(picture->format);
    for (size_t c = 0; c < 3; c++) {
        uint16_t wide = (uint16_t)key[c];
        if (picture->format.bits == 16)
            memcpy(wanted + 2 * c, &wide, sizeof wide);
        else
            wanted[c] = (uint8_t)key[c];
    }
    uint64_t count = 0;
    for (int32_t y = 0; y < picture->height; y++) {
        const uint8_t *pixel = picture->data + (size_t)y * picture->stride;
        for (int32_t x = 0; x < picture->width; x++, pixel += size)
            count += memcmp(pixel, wanted, size) == 0;
    }
    return count;
}

PictureCounts picture_counts_begin(ImgFormat format, const ImgMetadata *metadata,
                                   const ImgHistogramParams *how)
{
    PictureCounts counts = {.format = format, .how = *how, .metadata = metadata};
    counts.has_key = find_key(metadata, format, counts.key);
    return counts;
}

bool picture_counts_need_pixels(const PictureCounts *counts)
{
    return counts->has_key && counts->how.transparent == IMG_TRANSPARENT_SKIP &&
           is_rgb(counts->format);
}

void picture_counts_of_pixels(PictureCounts *counts, const ImgView *picture)
{
    if (picture_counts_need_pixels(counts))
        counts->key_pixels = count_key(picture, counts->key);
}

static unsigned bit(Channel channel)
{
    return 1U << channel;
}

static unsigned channels_of(const PictureCounts *picture)
{
    bool palette = picture->format.color == IMG_COLOR_PALETTE;
    unsigned channels = bit(CHANNEL_GRAY);
    if (palette || is_rgb(picture->format)) {
        channels = bit(CHANNEL_RED) | bit(CHANNEL_GREEN) | bit(CHANNEL_BLUE);
        if (picture->how.luma != IMG_LUMA_NONE)
            channels |= bit(CHANNEL_LUMA);
    }
    if (palette ? img_metadata_find(picture->metadata, "tRNS") != NULL
                : img_format_has_alpha(picture->format))
        channels |= bit(CHANNEL_ALPHA);
    return channels;
}

static void add(Tables *tables, Channel channel, uint32_t value, uint64_t count)
{
    if (tables->of[channel] != NULL)
        tables->of[channel][value] += count;
}

static uint64_t spread_palette(const PictureCounts *picture, const uint64_t *indices,
                               Tables *tables)
{
    const ImgMetadata *metadata = picture->metadata;
    const ImgChunk *chunk = img_metadata_find(metadata, "tRNS");
    ImgLumaWeights weights = img_luma_weights((ImgLuma)picture->how.luma);
    uint64_t unknown = 0;
    for (size_t i = 0; i < img_counts_size(picture->format.bits); i++) {
        static const uint8_t black[3] = {0, 0, 0};
        bool known = i < (size_t)metadata->palette_size;
        const uint8_t *color = known ? metadata->palette[i] : black;
        uint8_t alpha = chunk != NULL && i < chunk->size ? chunk->data[i] : 255;
        if (alpha == 0 && picture->how.transparent == IMG_TRANSPARENT_SKIP)
            continue;
        add(tables, CHANNEL_RED, color[0], indices[i]);
        add(tables, CHANNEL_GREEN, color[1], indices[i]);
        add(tables, CHANNEL_BLUE, color[2], indices[i]);
        add(tables, CHANNEL_LUMA, img_luma(weights, color[0], color[1], color[2]), indices[i]);
        add(tables, CHANNEL_ALPHA, alpha, indices[i]);
        unknown += known ? 0 : indices[i];
    }
    return unknown;
}

/* Returns the channel that row number `row` of the counts belongs to. The rows are the channels in
 * order, then luma. */
static Channel channel_of(ImgFormat format, int row)
{
    int samples = img_format_channels(format);
    if (row >= samples)
        return CHANNEL_LUMA;
    if (img_format_has_alpha(format) && row == samples - 1)
        return CHANNEL_ALPHA;
    if (!is_rgb(format))
        return CHANNEL_GRAY;
    return row == 0 ? CHANNEL_RED : row == 1 ? CHANNEL_GREEN : CHANNEL_BLUE;
}

static void copy_rows(const PictureCounts *picture, const ImgView *rows, Tables *tables)
{
    size_t bytes = (size_t)rows->width * sizeof(uint64_t);
    for (int32_t y = 0; y < rows->height; y++)
        memcpy(tables->of[channel_of(picture->format, y)], img_view_counts(rows, y), bytes);
}

/* Subtracts the pixels with the transparent colour, which are skipped, from the counts. These
 * pixels are all equal, so it is known in which counts they are. */
static void remove_key(const PictureCounts *picture, Tables *tables)
{
    const uint32_t *key = picture->key;
    if (tables->of[CHANNEL_GRAY] != NULL) {
        tables->of[CHANNEL_GRAY][key[0]] = 0;
        return;
    }
    ImgLumaWeights weights = img_luma_weights((ImgLuma)picture->how.luma);
    for (size_t c = 0; c < 3; c++)
        tables->of[CHANNEL_RED + c][key[c]] -= picture->key_pixels;
    if (tables->of[CHANNEL_LUMA] != NULL)
        tables->of[CHANNEL_LUMA][img_luma(weights, key[0], key[1], key[2])] -= picture->key_pixels;
}

ImgStatus picture_counts_finish(const PictureCounts *picture, const ImgView *rows, Tables *tables,
                                uint64_t *unknown, ImgError *err)
{
    bool palette = picture->format.color == IMG_COLOR_PALETTE;
    *unknown = 0;
    ImgStatus status =
        tables_alloc(palette ? 8 : picture->format.bits, channels_of(picture), tables, err);
    if (status != IMG_OK)
        return status;
    if (palette)
        *unknown = spread_palette(picture, img_view_counts(rows, 0), tables);
    else
        copy_rows(picture, rows, tables);
    if (picture->has_key && picture->how.transparent == IMG_TRANSPARENT_SKIP)
        remove_key(picture, tables);
    const uint64_t *any =
        tables->of[is_rgb(picture->format) || palette ? CHANNEL_RED : CHANNEL_GRAY];
    for (size_t v = 0; v < img_counts_size(tables->bits); v++)
        tables->pixels += any[v];
    return IMG_OK;
}

bool picture_counts_transparent(const PictureCounts *picture, const Tables *tables)
{
    uint64_t pixels = tables->pixels;
    if (tables->of[CHANNEL_ALPHA] != NULL)
        return tables->of[CHANNEL_ALPHA][0] == pixels;
    if (!picture->has_key)
        return pixels == 0;
    if (tables->of[CHANNEL_GRAY] != NULL)
        return tables->of[CHANNEL_GRAY][picture->key[0]] == pixels;
    for (size_t c = 0; c < 3; c++)
        if (tables->of[CHANNEL_RED + c][picture->key[c]] != pixels)
            return false;
    return true;
}
