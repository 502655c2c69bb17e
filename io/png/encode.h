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
 * strip starts the zlib stream; the last one ends it with an Adler-32, which img_png_encode
 * corrects if it is wrong. */
typedef struct ImgPngEncodedStrip {
    const uint8_t *chunk; /* NULL: encode the strip from the pixels */
    size_t size;
    uint32_t adler; /* of the filtered data */
    ImgStripStrategy strategy;
    const uint32_t
        *blocks;        /* start of each deflate block, in the form of img_png_block_index_add */
    size_t block_count; /* 0: unknown */
} ImgPngEncodedStrip;

/* The strips of a whole picture, as img_png_encode_strips divides it. Only the rows of strips
 * without a chunk are read from the image. */
typedef struct ImgPngEncodedStrips {
    ImgView view; /* those rows; no pixels if all strips are encoded */
    uint32_t count;
    const ImgPngEncodedStrip *strips;
} ImgPngEncodedStrips;

typedef struct ImgPngEncodeOptions {
    int level;     /* 0..9; level.c says what they mean */
    int threads;   /* at least 1; the bytes do not depend on it */
    bool index;    /* write indexes of strips, and of deflate blocks if known, so that they can be
                    * decoded in parallel; only if there are several strips */
    ImgTeam *team; /* supplies the threads; may be NULL */
    const ImgPngEncodedStrips *pre_encoded; /* NULL: encode all strips from the pixels */
    ImgProgress *progress;                  /* receives the progress; NULL: not wanted */
} ImgPngEncodeOptions;

/* Describes how a picture was encoded. */
typedef struct ImgPngEncodeReport {
    bool by_libpng; /* written by libpng in sequence; the fields below are unused */
    bool index;
    int threads;
    uint32_t strips;
    uint32_t pre_encoded;                       /* of these, encoded elsewhere */
    uint32_t by_strategy[IMG_STRIP_STRATEGIES]; /* number of strips by strategy */
} ImgPngEncodeReport;

/* Returns the division of a picture into strips; each strip becomes one IDAT chunk. */
ImgStrips img_png_encode_strips(ImgShape shape, int level);

/* Returns true if libpng writes such a picture; then nothing here about strips applies. */
bool img_png_encode_is_by_libpng(ImgShape shape, bool interlaced);

/* Returns an upper bound of the bytes that encoding needs besides the picture, if it is not
 * interlaced. */
uint64_t img_png_encode_bytes(ImgShape shape, int level, int threads);

/* Writes the file to `output`, with only a few strips per thread in memory. Indexes of strips in
 * `metadata` are dropped, because they describe another file. `report` may be NULL. */
ImgStatus img_png_encode(const ImgImage *image, const ImgMetadata *metadata,
                         const ImgPngEncodeOptions *options, ImgOutput *output,
                         ImgPngEncodeReport *report, ImgError *err);

#endif
