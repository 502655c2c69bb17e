/* Private: writing a PNG, with every other chunk exactly as it was read. */
#ifndef IMGTOOL_IO_PNG_ENCODE_H
#define IMGTOOL_IO_PNG_ENCODE_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/encode/strip.h"
#include "io/png/index/index.h"
#include "io/png/watch.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* A strip that was made elsewhere, as on a GPU: its IDAT chunk, whole. That of the first begins the
 * zlib stream; that of the last ends it, with an Adler-32 that is put right where it is not. */
typedef struct ImgPngMadeStrip {
    const uint8_t *chunk; /* NULL: it is made of the pixels */
    size_t size;
    uint32_t adler; /* of its filtered data */
    ImgStripWay way;
    const uint32_t *blocks; /* where they begin, as img_png_block_index_add has it */
    size_t block_count;     /* 0: not known */
} ImgPngMadeStrip;

/* As img_png_encode_strips divides the picture. Of the image only those rows are read whose strips
 * are not made. */
typedef struct ImgPngMade {
    ImgView view; /* these rows; no pixels where all is made */
    uint32_t count;
    const ImgPngMadeStrip *strips;
} ImgPngMade;

typedef struct ImgPngEncodeOptions {
    int level;   /* 0..9; level.c says what they mean */
    int threads; /* at least 1; the bytes are the same with any number */
    bool index;  /* chunks that let strips, and their blocks as far as they are known, be decoded at
                  * the same time, where there are several strips */
    ImgTeam *team;          /* where threads come from; may be NULL */
    const ImgPngMade *made; /* NULL: nothing is */
    ImgWatch *watch;        /* NULL: nobody asks how far it is */
} ImgPngEncodeOptions;

/* How it went. */
typedef struct ImgPngEncodeReport {
    bool by_libpng; /* in sequence, and nothing of what follows */
    bool index;
    int threads;
    uint32_t strips;
    uint32_t made;                   /* of which were made elsewhere */
    uint32_t by_way[IMG_STRIP_WAYS]; /* strips */
} ImgPngEncodeReport;

/* The strips that a picture is divided into, each an IDAT chunk. */
ImgStrips img_png_encode_strips(ImgShape shape, int level);

/* Is such a picture left to libpng? Nothing of what is said above about strips is true of it then.
 */
bool img_png_encode_is_by_libpng(ImgShape shape, bool interlaced);

/* What encoding takes beside the picture, at most, if it is not to be interlaced. */
uint64_t img_png_encode_bytes(ImgShape shape, int level, int threads);

/* Streams to `output`: no more than a few strips per thread are in memory. A chunk of `metadata`
 * that is an index of strips is left out: it speaks of another file. `report` may be NULL. */
ImgStatus img_png_encode(const ImgImage *image, const ImgMetadata *metadata,
                         const ImgPngEncodeOptions *options, ImgOutput *output,
                         ImgPngEncodeReport *report, ImgError *err);

#endif
