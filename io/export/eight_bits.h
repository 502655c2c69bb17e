/* Private: any picture as 8-bit samples, for formats that hold nothing else. */
#ifndef IMGTOOL_IO_EXPORT_EIGHT_BITS_H
#define IMGTOOL_IO_EXPORT_EIGHT_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

typedef struct ImgEightBits {
    const ImgView *view;
    uint8_t colors[256][4]; /* RGBA of each value of a one-byte gray or palette pixel */
    bool has_key;           /* the colour `key` is transparent: tRNS of gray and RGB */
    uint16_t key[3];
    uint8_t background[3]; /* bKGD, or else white */
    bool has_background;
} ImgEightBits;

/* `view` must outlive it. */
void img_eight_bits_init(ImgEightBits *eight, const ImgView *view, const ImgMetadata *metadata);

/* True if some pixel is not opaque; looks at all of them. */
bool img_eight_bits_is_transparent(const ImgEightBits *eight);

/* True if pixels may be transparent by their format or tRNS. */
bool img_eight_bits_has_alpha(const ImgEightBits *eight, const ImgMetadata *metadata);

/* One row as 1 (gray), 3 (RGB) or 4 (RGBA) samples per pixel. Without alpha, pixels are laid over
 * the background: (color * alpha + background * (255 - alpha) + 127) / 255. */
void img_eight_bits_row(const ImgEightBits *eight, int32_t y, int channels, uint8_t *out);

#endif
