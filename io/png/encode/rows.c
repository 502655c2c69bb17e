#include "io/png/encode/rows.h"

#include <string.h>

#include "io/png/deflate/bits.h"

size_t img_png_row_bytes(int32_t width, ImgFormat format)
{
    if (format.bits < 8)
        return ((size_t)width * (size_t)format.bits + 7) / 8;
    return (size_t)width * img_format_pixel_size(format);
}

static void put_big_endian(const uint8_t *samples, size_t count, uint8_t *buffer)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t sample;
        memcpy(&sample, samples + 2 * i, 2);
        buffer[2 * i] = (uint8_t)(sample >> 8);
        buffer[2 * i + 1] = (uint8_t)sample;
    }
}

/* Packs `count` samples of `bits` bits into bytes. Inlined below, so that the compiler makes a loop
 * for each number of bits. */
static inline void pack(const uint8_t *samples, size_t count, size_t bits, uint8_t *buffer)
{
    size_t each = 8 / bits, whole = count / each;
    for (size_t i = 0; i < whole; i++) {
        unsigned byte = 0;
        for (size_t k = 0; k < each; k++)
            byte = byte << bits | samples[i * each + k];
        buffer[i] = (uint8_t)byte;
    }
    unsigned rest = 0;
    for (size_t k = whole * each; k < count; k++)
        rest |= (unsigned)samples[k] << (8 - bits * (k % each + 1));
    if (whole * each < count)
        buffer[whole] = (uint8_t)rest;
}

/* Packs samples of one bit. The multiplication moves the low bit of each of eight bytes to its
 * place in the highest byte, without carries. */
static void pack_bits(const uint8_t *samples, size_t count, uint8_t *buffer)
{
    size_t whole = count / 8;
    for (size_t i = 0; i < whole; i++)
        buffer[i] = (uint8_t)(img_get_le64(samples + 8 * i) * UINT64_C(0x8040201008040201) >> 56);
    pack(samples + 8 * whole, count % 8, 1, buffer + whole);
}

const uint8_t *img_png_row(const ImgView *view, int32_t y, uint8_t *buffer)
{
    const uint8_t *row = view->data + (size_t)y * view->stride;
    size_t samples = (size_t)view->width * (size_t)img_format_channels(view->format);
    if (view->format.bits == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        put_big_endian(row, samples, buffer);
        return buffer;
    }
    if (view->format.bits >= 8)
        return row;
    if (view->format.bits == 1)
        pack_bits(row, samples, buffer);
    else if (view->format.bits == 2)
        pack(row, samples, 2, buffer);
    else
        pack(row, samples, 4, buffer);
    return buffer;
}
