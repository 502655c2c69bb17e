/* Private: converts any picture to 8-bit samples, for formats that store only these. */
#ifndef IMGTOOL_IO_EXPORT_EIGHT_BITS_H
#define IMGTOOL_IO_EXPORT_EIGHT_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

typedef struct ImgEightBits {
    const ImgView *view;
    uint8_t colors[256][4]; /* RGBA of each value of a one-byte gray or palette pixel */
    /* True if the colour `key` is transparent (a tRNS chunk of a gray or RGB picture). */
    bool has_key;
    uint16_t key[3];
    uint8_t background[3]; /* colour of bKGD; white if there is no bKGD */
    bool has_background;
} ImgEightBits;

/* Prepares the conversion of `view`, which must outlive `eight`. */
void img_eight_bits_init(ImgEightBits *eight, const ImgView *view, const ImgMetadata *metadata);

/* Returns true if any pixel is not opaque. Reads all pixels. */
bool img_eight_bits_is_transparent(const ImgEightBits *eight);

/* Returns true if the format or tRNS allows transparent pixels. Reads no pixels. */
bool img_eight_bits_has_alpha(const ImgEightBits *eight, const ImgMetadata *metadata);

/* Writes one row as 1 (gray), 3 (RGB) or 4 (RGBA) samples per pixel. Without an alpha channel,
 * pixels are blended with the background: (color * alpha + background * (255 - alpha) + 127) /
 * 255. */
void img_eight_bits_row(const ImgEightBits *eight, int32_t y, int channels, uint8_t *out);

#endif
