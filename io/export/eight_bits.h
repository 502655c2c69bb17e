/* Private: converts any picture to 8-bit samples, for file formats that store only 8-bit
 * samples. */
#ifndef IMGTOOL_IO_EXPORT_EIGHT_BITS_H
#define IMGTOOL_IO_EXPORT_EIGHT_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

typedef struct ImgEightBits {
    const ImgView *view;
    /* RGBA colour of each possible value of a one-byte gray or palette pixel. */
    uint8_t colors[256][4];
    /* True if pixels of the colour `key` are transparent (a gray or RGB picture with a tRNS
     * chunk). */
    bool has_key;
    uint16_t key[3];
    /* RGB colour of the bKGD chunk; white if the picture has no bKGD chunk. */
    uint8_t background[3];
    bool has_background;
} ImgEightBits;

/* Prepares the conversion of `view`, which must outlive `eight`. */
void img_eight_bits_init(ImgEightBits *eight, const ImgView *view, const ImgMetadata *metadata);

/* Returns true if at least one pixel is not fully opaque. May read all pixels. */
bool img_eight_bits_is_transparent(const ImgEightBits *eight);

/* Returns true if the pixel format or a tRNS chunk allows transparent pixels. Reads no pixels. */
bool img_eight_bits_has_alpha(const ImgEightBits *eight, const ImgMetadata *metadata);

/* Writes row `y` to `out` with `channels` samples per pixel: 1 (gray), 3 (RGB) or 4 (RGBA). With 1
 * or 3 channels, transparent pixels are blended with the background: (color * alpha + background *
 * (255 - alpha) + 127) / 255. */
void img_eight_bits_row(const ImgEightBits *eight, int32_t y, int channels, uint8_t *out);

#endif
