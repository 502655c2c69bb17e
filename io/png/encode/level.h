/* Private: the parameters of the compression levels of PNG. */
#ifndef IMGTOOL_IO_PNG_ENCODE_LEVEL_H
#define IMGTOOL_IO_PNG_ENCODE_LEVEL_H

#include <stdbool.h>

#include "io/png/deflate/lz77.h"
#include "kernels/core/image.h"

/* Largest size in filtered bytes of a small strip. Small strips are encoded in the same way at all
 * levels from 1 to the default. */
enum {
    IMG_STRIP_SMALL = 1 << 19,
    /* Largest size of a small strip of palette indices or samples below 8 bits. */
    IMG_STRIP_SMALL_INDICES = 1 << 20,
};

/* How many alternatives are tried to find the smallest result. Each value includes the alternatives
 * of the values above it. */
typedef enum ImgTrying {
    IMG_TRY_SAMPLES, /* a sample of each strip decides which strategy is used */
    IMG_TRY_ALL,     /* the whole strip is deflated by every strategy of the level */
    /* The strategies are also tried with filters chosen by the costs of bytes. */
    IMG_TRY_COSTS,
    IMG_TRY_FILTERS, /* the strategies are also tried with each single filter */
} ImgTrying;

typedef struct ImgPngLevel {
    unsigned filters; /* filters that may be chosen: one bit 1 << IMG_FILTER_X for each */
    /* True if similar pixels have similar bytes. False for palette indices, and for pixels that
     * share a byte. */
    bool by_value;
    bool matches; /* true: LZ77 is used if it may make the strip smaller */
    ImgTrying trying;
    /* 0: nothing is deflated. Otherwise run-length encoding is used, and the literals are counted
     * in every `runs`-th section of the data. */
    unsigned runs;
    int search; /* compression level of libdeflate; 0: libdeflate is not used */
    /* Compression level of libdeflate for a second search of rows without filters, for which the
     * deeper search may give a larger result. 0: there is no second search. */
    int second_search;
} ImgPngLevel;

/* Parameters of the deeper LZ77 search that levels above the default use. */
extern const ImgLz77Effort IMG_LZ77_DEEP;

/* Returns the parameters of compression level `level`, 0 to 9, for pictures of this format. */
ImgPngLevel img_png_level(int level, ImgFormat format);

#endif
