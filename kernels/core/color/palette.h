/* The colours of a palette. Operations that copy palette indices use it to find the index of a
 * background colour, or to add that colour. */
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

/* Returns 1 plus the index of the palette's first entry that equals `color`, rounded to 8 bits. All
 * fully transparent colours count as equal. If no entry equals `color`, the function appends one.
 * Returns 0 if the palette is full. */
int32_t img_palette_index(ImgPalette *palette, ImgRgba color);

#ifdef __cplusplus
}
#endif
#endif
