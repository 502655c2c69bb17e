/* The colours of a palette, for operations that copy indices and add pixels of a colour. */
#ifndef IMGTOOL_KERNELS_CORE_COLOR_PALETTE_H
#define IMGTOOL_KERNELS_CORE_COLOR_PALETTE_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_PALETTE_MAX = 256 };

typedef struct ImgPalette {
    uint8_t colors[IMG_PALETTE_MAX][4]; /* red, green, blue, alpha */
    int32_t count;                      /* of colours */
    int32_t room;                       /* how many there may be: 2 to the power of the bits */
} ImgPalette;

/* The index of the first entry of that colour, rounded to 8 bits, plus 1. All that are fully
 * transparent count as the same colour. A colour that is missing is added; 0: there is no room. */
int32_t img_palette_index(ImgPalette *palette, ImgRgba color);

#ifdef __cplusplus
}
#endif
#endif
