/* Private: the parameters of each level of PNG compression. */
#ifndef IMGTOOL_IO_PNG_ENCODE_LEVEL_H
#define IMGTOOL_IO_PNG_ENCODE_LEVEL_H

#include <stdbool.h>

#include "io/png/deflate/lz77.h"
#include "kernels/core/image.h"

/* Largest size in filtered bytes of strips that are encoded the same at all levels from 1 to the
 * default. */
enum {
    IMG_STRIP_SMALL = 1 << 19,
    IMG_STRIP_SMALL_INDICES = 1 << 20, /* the same for palette indices and samples below 8 bits */
};

/* Which alternatives are tried to find the smallest result. Each value includes the ones above
 * it. */
typedef enum ImgTrying {
    IMG_TRY_SAMPLES, /* a sample of each strip decides which strategy is used */
    IMG_TRY_ALL,     /* the whole strip is deflated by every strategy of the level */
    IMG_TRY_COSTS,   /* strategies also with filters chosen by the actual costs of bytes */
    IMG_TRY_FILTERS, /* strategies also with each filter alone */
} ImgTrying;

typedef struct ImgPngLevel {
    unsigned filters; /* filters that may be chosen, a bit 1 << IMG_FILTER_X each */
    /* True: similar pixels have similar bytes; false: palette indices, or pixels that share a
     * byte. */
    bool by_value;
    bool matches; /* true: use LZ77 where it may make the strip smaller */
    ImgTrying trying;
    /* Runs are used, and every n-th piece is counted for codes, n being this value; 0: nothing is
     * deflated. */
    unsigned runs;
    int search; /* level of libdeflate; 0: not used */
    /* Level of libdeflate for rows without filters; 0: not used. On these a deeper parse may find
     * less. */
    int second_search;
} ImgPngLevel;

/* Parameters of a deeper LZ77 search, for levels above the default. */
extern const ImgLz77Effort IMG_LZ77_DEEP;

/* Returns the parameters of `level`, 0 to 9, for pictures of this format. */
ImgPngLevel img_png_level(int level, ImgFormat format);

#endif
