/* What a caller may choose when a PNG is optimized. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_OPTIONS_H
#define IMGTOOL_IO_PNG_OPTIMIZE_OPTIONS_H

#include <stdbool.h>

enum { IMG_OPTIMIZE_LEAST = 1, IMG_OPTIMIZE_MOST = 9, IMG_OPTIMIZE_DEFAULT = 4 };

typedef struct ImgOptimizeOptions {
    int effort;         /* IMG_OPTIMIZE_LEAST to IMG_OPTIMIZE_MOST: how much is tried */
    bool clears_hidden; /* colours under alpha 0 may change */
    bool keeps_type;    /* colour type and depth stay */
    bool keeps_alpha;   /* an alpha channel or tRNS stays, even if all pixels are opaque */
    bool keeps_colour;  /* colours do not become gray */
} ImgOptimizeOptions;

#endif
