/* Private: what each level of PNG compression means. */
#ifndef IMGTOOL_IO_PNG_ENCODE_LEVEL_H
#define IMGTOOL_IO_PNG_ENCODE_LEVEL_H

#include <stdbool.h>

#include "kernels/core/image.h"

/* How the filters of rows are chosen. */
typedef enum ImgFilterChoice {
    IMG_CHOOSE_BY_SUM,   /* the least sum of absolute values */
    IMG_CHOOSE_BY_COST,  /* and then by what bytes came to cost */
    IMG_CHOOSE_BY_TRIAL, /* and other ways; for each strip that which is smallest, deflated */
} ImgFilterChoice;

typedef struct ImgPngLevel {
    unsigned filters; /* a bit 1 << IMG_FILTER_X for each that may be chosen */
    ImgFilterChoice choice;
    unsigned runs; /* Huffman codes and runs, and of how many pieces one is sampled for them; 0:
                    * nothing is deflated */
    int matches;   /* ISA-L's level, where a trial says that it is smaller; 0: none */
    int search;    /* libdeflate's level, beside runs; 0: none */
} ImgPngLevel;

/* `level` is 0..9. */
ImgPngLevel img_png_level(int level, ImgFormat format);

#endif
