/* The colours of a palette, for operations that copy indices and add pixels of another colour. */
#ifndef IMGTOOL_KERNELS_CORE_COLOR_PALETTE_H
#define IMGTOOL_KERNELS_CORE_COLOR_PALETTE_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_PALETTE_MAX = 256 };

typedef struct ImgPalette {
    uint8_t colors[IMG_PALETTE_MAX][4]; /* red, green, blue and alpha of each entry */
    int32_t count;                      /* number of colours */
    int32_t room;                       /* capacity: 2 to the power of the bits of an index */
} ImgPalette;

/* Returns 1 plus the index of the first entry of that colour, rounded to 8 bits. All fully
 * transparent colours count as equal. If no entry has the colour, one is added. Returns 0 if the
 * palette is full. */
int32_t img_palette_index(ImgPalette *palette, ImgRgba color);

#ifdef __cplusplus
}
#endif
#endif
