/* Private: what each level of PNG compression means. */
#ifndef IMGTOOL_IO_PNG_LEVEL_H
#define IMGTOOL_IO_PNG_LEVEL_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/image.h"

typedef struct ImgPngLevel {
    unsigned filters;   /* those to choose from: a bit 1 << IMG_FILTER_X each */
    bool runs;          /* Huffman codes and runs */
    int matches;        /* ISA-L's level, where that promises to be smaller; 0: not tried */
    int search;         /* libdeflate's level instead of both; 0: none */
    bool try_filters;   /* a strip is searched with several ways to filter, and the best is kept */
    size_t strip_bytes; /* of filtered data, about */
} ImgPngLevel;

/* `level` is 0..9. */
ImgPngLevel img_png_level(int level, ImgFormat format);

#endif
