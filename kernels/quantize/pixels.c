/* What all implementations of quantize share: pixels as RGBA of 8 bits, the entries of a palette as
 * points, and palettes from files. */
#include <string.h>

#include "kernels/core/sample.h"
#include "kernels/quantize/quantize.h"

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Converts a sample to 8 bits, rounded to nearest. */
static uint32_t byte_of(uint32_t sample, uint32_t maximum)
{
    return (sample * 255 + maximum / 2) / maximum;
}

static uint32_t make_pixel(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    return alpha == 0 ? 0 : red | green << 8 | blue << 16 | alpha << 24;
}

static void load_bytes(const uint8_t *row, ImgColor color, int32_t width, uint32_t *pixels)
{
    for (int32_t x = 0; color == IMG_COLOR_GRAY && x < width; x++)
        pixels[x] = make_pixel(row[x], row[x], row[x], 255);
    for (int32_t x = 0; color == IMG_COLOR_GRAY_ALPHA && x < width; x++, row += 2)
        pixels[x] = make_pixel(row[0], row[0], row[0], row[1]);
    for (int32_t x = 0; color == IMG_COLOR_RGB && x < width; x++, row += 3)
        pixels[x] = make_pixel(row[0], row[1], row[2], 255);
    for (int32_t x = 0; color == IMG_COLOR_RGBA && x < width; x++, row += 4)
        pixels[x] = make_pixel(row[0], row[1], row[2], row[3]);
}

static void load_samples(const uint8_t *row, ImgFormat format, int32_t width, uint32_t *pixels)
{
    const size_t channels = (size_t)img_format_channels(format);
    const uint32_t maximum = img_format_maximum(format);
    for (int32_t x = 0; x < width; x++) {
        uint32_t bytes[4] = {0};
        for (size_t c = 0; c < channels; c++)
            bytes[c] = byte_of(img_sample(row, (size_t)x * channels + c, format.bits), maximum);
        const uint32_t alpha = channels % 2 == 0 ? bytes[channels - 1] : 255;
        pixels[x] = channels <= 2 ? make_pixel(bytes[0], bytes[0], bytes[0], alpha)
                                  : make_pixel(bytes[0], bytes[1], bytes[2], alpha);
    }
}

void img_quantize_load(const uint8_t *row, ImgFormat format, int32_t width, uint32_t *pixels)
{
    if (format.bits == 8)
        load_bytes(row, format.color, width, pixels);
    else
        load_samples(row, format, width, pixels);
}

void img_quantize_store(const ImgQuantizeConstants *own, const uint8_t *indices, int32_t width,
                        ImgFormat format, uint8_t *row)
{
    if (format.color == IMG_COLOR_PALETTE) {
        memcpy(row, indices, (size_t)width);
        return;
    }
    const int channels = img_format_channels(format);
    for (int32_t x = 0; x < width; x++)
        for (int c = 0; c < channels; c++)
            *row++ = (uint8_t)img_channel(own->colors[indices[x]], c);
}

/* --- Entries ---------------------------------------------------------------------------------- */

void img_color_entry_set(ImgColorEntries *entries, int32_t index, const int16_t point[4])
{
    memcpy(entries->low[index], point, sizeof entries->low[index]);
    memcpy(entries->high[index], point + 2, sizeof entries->high[index]);
}

void img_color_entries_fill(ImgColorEntries *entries)
{
    for (int32_t i = entries->count; i % IMG_ENTRIES_STEP != 0; i++) {
        memcpy(entries->low[i], entries->low[entries->count - 1], sizeof entries->low[i]);
        memcpy(entries->high[i], entries->high[entries->count - 1], sizeof entries->high[i]);
    }
}

void img_nearest_plain(const ImgColorPoints *points, size_t count, const ImgColorEntries *entries,
                       uint32_t *nearest)
{
    for (size_t i = 0; i < count; i++) {
        const int16_t *low = points->low[i], *high = points->high[i];
        const int16_t point[4] = {low[0], low[1], high[0], high[1]};
        nearest[i] = UINT32_MAX;
        for (int32_t k = 0; k < entries->count; k++) {
            const int16_t entry[4] = {entries->low[k][0], entries->low[k][1], entries->high[k][0],
                                      entries->high[k][1]};
            const uint32_t found = img_color_distance(point, entry) << 8 | (uint32_t)k;
            nearest[i] = found < nearest[i] ? found : nearest[i];
        }
    }
}

int img_quantize_bits(int32_t count)
{
    int bits = 1;
    while (bits < 8 && count > 1 << bits)
        bits *= 2;
    return bits;
}

/* --- Palettes from files ---------------------------------------------------------------------- */

/* Adds a colour to the table if it is new. Returns false if the table is full. */
static bool add_entry(uint64_t *table, uint64_t most, uint32_t color)
{
    const uint64_t count = table[IMG_PALETTE_COUNT];
    for (uint64_t i = 0; i < count; i++)
        if (table[IMG_PALETTE_ENTRIES + i] == color)
            return true;
    if (count == most)
        return false;
    table[IMG_PALETTE_ENTRIES + count] = color;
    table[IMG_PALETTE_COUNT]++;
    return true;
}

void img_palette_of_file(const ImgQuantizeParams *own, uint64_t *table)
{
    const ImgPicture *picture = own->palette.content;
    const ImgFormat format = picture->shape.format;
    const size_t size = img_format_pixel_size(format);
    const size_t count = (size_t)picture->shape.width * (size_t)picture->shape.height;
    const uint64_t most = own->bits > 0 ? UINT64_C(1) << own->bits : IMG_PALETTE_MAX;
    uint32_t before = 0;
    memset(table, 0, IMG_PALETTE_COLUMNS * sizeof *table);
    table[IMG_PALETTE_REACHED] = 100;
    for (size_t i = 0; i < count; i++) {
        uint32_t color = 0;
        img_quantize_load(picture->pixels + i * size, format, 1, &color);
        if (i > 0 && color == before)
            continue;
        before = color;
        if (!add_entry(table, most, color)) {
            table[IMG_PALETTE_COUNT] = UINT64_MAX;
            return;
        }
    }
}
