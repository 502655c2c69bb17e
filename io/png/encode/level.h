/* Private: what each level of PNG compression means. */
#ifndef IMGTOOL_IO_PNG_ENCODE_LEVEL_H
#define IMGTOOL_IO_PNG_ENCODE_LEVEL_H

#include <stdbool.h>

#include "io/png/deflate/lz77.h"
#include "kernels/core/image.h"

/* Strips of so many bytes, filtered, are encoded alike by the levels from 1 to the default. */
enum {
    IMG_STRIP_SMALL = 1 << 19,
    IMG_STRIP_SMALL_INDICES = 1 << 20, /* of indices and bits */
};

/* How much of what might be the smallest is tried. */
typedef enum ImgTrying {
    IMG_TRY_SAMPLES, /* samples of a strip tell what suits it, and that is done */
    IMG_TRY_ALL,     /* all of the strip is deflated by every strategy that the level has */
    IMG_TRY_COSTS,   /* and with filters chosen by what bytes came to cost */
    IMG_TRY_FILTERS, /* and with each filter alone */
} ImgTrying;

typedef struct ImgPngLevel {
    unsigned filters; /* a bit 1 << IMG_FILTER_X for each that may be chosen */
    bool by_value;    /* pixels that are close in value are close in bytes; not so in indices and
                       * where pixels share a byte */
    bool matches;     /* LZ77, where it may pay */
    ImgTrying trying;
    unsigned runs;     /* literals and run lengths (RLE), and of how many pieces one is sampled; 0:
                        * nothing is deflated */
    int search;        /* libdeflate's level; 0: none */
    int second_search; /* that of the level below, for rows that are not filtered, where a deeper
                        * parse may find less; 0: none */
} ImgPngLevel;

/* A deeper LZ77, of the levels above the default. */
extern const ImgLz77Effort IMG_LZ77_DEEP;

/* `level` is 0..9. */
ImgPngLevel img_png_level(int level, ImgFormat format);

#endif
