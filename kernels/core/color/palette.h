/* The colours of a palette. Operations that copy palette indices use an ImgPalette to find the
 * index of a background colour, or to add that colour. */
#ifndef IMGTOOL_KERNELS_CORE_COLOR_PALETTE_H
#define IMGTOOL_KERNELS_CORE_COLOR_PALETTE_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_PALETTE_MAX = 256 };

typedef struct ImgPalette {
    uint8_t colors[IMG_PALETTE_MAX][4]; /* red, green, blue and alpha of each entry */
    int32_t count;                      /* number of colours in use */
    /* largest number of colours: 2 to the power of the bits of an index */
    int32_t room;
} ImgPalette;

/* Rounds `color` to 8 bits per component and returns 1 plus the index of the first palette entry
 * with that colour. All fully transparent colours count as equal. If no entry has the colour, the
 * function appends an entry. Returns 0 if the palette is too full for a new entry. */
int32_t img_palette_index(ImgPalette *palette, ImgRgba color);

#ifdef __cplusplus
}
#endif
#endif
