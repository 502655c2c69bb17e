/* Private: the parameters of each level of PNG compression. */
#ifndef IMGTOOL_IO_PNG_ENCODE_LEVEL_H
#define IMGTOOL_IO_PNG_ENCODE_LEVEL_H

#include <stdbool.h>

#include "io/png/deflate/lz77.h"
#include "kernels/core/image.h"

/* Up to this many bytes, filtered, strips are encoded the same at all levels from 1 to the
 * default. */
enum {
    IMG_STRIP_SMALL = 1 << 19,
    IMG_STRIP_SMALL_INDICES = 1 << 20, /* for palette indices and samples below 8 bits */
};

/* How many alternatives are tried to find the smallest. */
typedef enum ImgTrying {
    IMG_TRY_SAMPLES, /* samples of a strip decide which strategy is used */
    IMG_TRY_ALL,     /* the whole strip is deflated by every strategy of the level */
    IMG_TRY_COSTS,   /* and also with filters chosen by the actual costs of bytes */
    IMG_TRY_FILTERS, /* and also with each filter alone */
} ImgTrying;

typedef struct ImgPngLevel {
    unsigned filters; /* a bit 1 << IMG_FILTER_X for each filter that may be chosen */
    bool by_value;    /* pixels of similar value have similar bytes: not so for palette indices, and
                       * if pixels share a byte */
    bool matches;     /* use LZ77 if it may pay */
    ImgTrying trying;
    unsigned runs;     /* use literals and run lengths (RLE); one of so many pieces is sampled. 0:
                        * nothing is deflated */
    int search;        /* level of libdeflate; 0: not used */
    int second_search; /* level of libdeflate for rows without filters, for which a deeper parse may
                        * find less; 0: not used */
} ImgPngLevel;

/* A deeper LZ77, for levels above the default. */
extern const ImgLz77Effort IMG_LZ77_DEEP;

/* `level` is 0 to 9. */
ImgPngLevel img_png_level(int level, ImgFormat format);

#endif
