/* Private: writes a PNG, with every ancillary chunk as it was read. */
#ifndef IMGTOOL_IO_PNG_ENCODE_H
#define IMGTOOL_IO_PNG_ENCODE_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/encode/strip.h"
#include "io/png/index/index.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* A strip that was encoded elsewhere, for example on a GPU, as a complete IDAT chunk. The first
 * strip starts the zlib stream. The last one ends it with an Adler-32, which img_png_encode
 * corrects if it is wrong. */
typedef struct ImgPngEncodedStrip {
    const uint8_t *chunk; /* NULL: encode the strip from the pixels */
    size_t size;
    uint32_t adler; /* Adler-32 of the filtered data */
    ImgStripStrategy strategy;
    const uint32_t *blocks; /* start of each deflate block, as for img_png_block_index_add */
    size_t block_count;     /* number of deflate blocks; 0: unknown */
} ImgPngEncodedStrip;

/* The strips of a whole picture, as img_png_encode_strips divides it. Only the rows of strips
 * without a chunk are read from the image. */
typedef struct ImgPngEncodedStrips {
    ImgView view; /* the rows of strips without a chunk; no pixels if all strips have a chunk */
    uint32_t count;
    const ImgPngEncodedStrip *strips;
} ImgPngEncodedStrips;

typedef struct ImgPngEncodeOptions {
    int level;   /* compression level, 0 to 9; level.c has its parameters */
    int threads; /* at least 1; the output bytes do not depend on it */
    /* True: write the indexes for parallel decoding: of strips, and of deflate blocks if known.
     * Only if there are several strips. */
    bool index;
    ImgTeam *team;                          /* threads that are reused; may be NULL */
    const ImgPngEncodedStrips *pre_encoded; /* NULL: encode all strips from the pixels */
    ImgProgress *progress;                  /* receives the progress; NULL: not wanted */
} ImgPngEncodeOptions;

/* Describes how a picture was encoded. */
typedef struct ImgPngEncodeReport {
    /* True if libpng wrote the file in sequence; the fields below are then unused. */
    bool by_libpng;
    bool index;
    int threads;
    uint32_t strips;
    /* Number of these strips that were encoded elsewhere. */
    uint32_t pre_encoded;
    uint32_t by_strategy[IMG_STRIP_STRATEGIES]; /* number of strips by strategy */
} ImgPngEncodeReport;

/* Returns the division of a picture into strips; each strip becomes one IDAT chunk. */
ImgStrips img_png_encode_strips(ImgShape shape, int level);

/* Returns true if libpng writes pictures of this shape; the functions for strips then do not
 * apply. */
bool img_png_encode_is_by_libpng(ImgShape shape, bool interlaced);

/* Returns an upper bound of the memory in bytes for encoding, besides the picture. Not for
 * interlaced pictures. */
uint64_t img_png_encode_bytes(ImgShape shape, int level, int threads);

/* Writes the file to `output`, with only a few strips per thread in memory. Indexes of strips in
 * `metadata` are dropped, because they describe another file. `report` may be NULL. */
ImgStatus img_png_encode(const ImgImage *image, const ImgMetadata *metadata,
                         const ImgPngEncodeOptions *options, ImgOutput *output,
                         ImgPngEncodeReport *report, ImgError *err);

#endif
