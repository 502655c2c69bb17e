/* Private: writes a PNG file, including all ancillary chunks of the metadata. */
#ifndef IMGTOOL_IO_PNG_ENCODE_H
#define IMGTOOL_IO_PNG_ENCODE_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/encode/strip.h"
#include "io/png/index/index.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/row_source.h"

/* Bytes of the codec's buffers that do not count against limits: they are regarded as part of the
 * program. For most compression levels this amount suffices for one thread. */
enum { IMG_PNG_OWN_BYTES = 6 << 20 };

/* A strip (a group of rows) that was encoded elsewhere, for example on a GPU, as a complete IDAT
 * chunk. The first strip contains the zlib header. The last strip ends with an Adler-32, which
 * img_png_encode corrects if it is wrong. */
typedef struct ImgPngEncodedStrip {
    /* The whole IDAT chunk; NULL if img_png_encode must encode the strip from the pixels. */
    const uint8_t *chunk;
    size_t size;
    uint32_t adler; /* Adler-32 of the filtered data of the strip */
    ImgStripStrategy strategy;
    /* Start of each deflate block, in the form that img_png_block_index_add requires. */
    const uint32_t *blocks;
    size_t block_count; /* number of deflate blocks; 0 if unknown */
} ImgPngEncodedStrip;

/* The strips of a whole picture, divided as by img_png_encode_strips. img_png_encode reads only the
 * rows of strips without a chunk from the image. */
typedef struct ImgPngEncodedStrips {
    /* Contains the rows of the strips without a chunk. It needs no pixels if all strips have a
     * chunk. */
    ImgView view;
    uint32_t count;
    const ImgPngEncodedStrip *strips;
} ImgPngEncodedStrips;

typedef struct ImgPngEncodeOptions {
    int level;   /* compression level, 0 to 9; encode/level.c lists the parameters */
    int threads; /* number of threads, at least 1; it does not affect the output bytes */
    /* True if the file should contain the indexes for parallel decoding. One lists the strips; the
     * other lists the deflate blocks, if their starts are known. A picture with a single strip gets
     * no index. */
    bool index;
    /* Existing threads to use instead of starting new ones; may be NULL. */
    ImgTeam *team;
    /* Strips that are already encoded; NULL: all strips are encoded from the pixels. */
    const ImgPngEncodedStrips *pre_encoded;
    /* Receives the progress, and can cancel the encoding; may be NULL. */
    ImgProgress *progress;
} ImgPngEncodeOptions;

/* Describes how a picture was encoded. */
typedef struct ImgPngEncodeReport {
    /* True if libpng wrote the file on one thread. The fields below are then unused. */
    bool by_libpng;
    bool index;
    int threads;
    uint32_t strips;
    /* Number of strips that had already been encoded elsewhere. */
    uint32_t pre_encoded;
    uint32_t by_strategy[IMG_STRIP_STRATEGIES]; /* number of strips that each strategy encoded */
} ImgPngEncodeReport;

/* Returns how img_png_encode divides a picture of this shape into strips. Each strip becomes one
 * IDAT chunk. */
ImgStrips img_png_encode_strips(ImgShape shape, int level);

/* Returns true if libpng must write the picture: it is interlaced or its rows are too long. Such
 * pictures are not divided into strips. */
bool img_png_encode_is_by_libpng(ImgShape shape, bool interlaced);

/* Returns an upper bound of the memory in bytes that encoding needs besides the picture. Does not
 * apply to interlaced pictures. `strips_at_a_time` is the number of strips in a band, or 1 if the
 * picture is in memory as a whole. */
uint64_t img_png_encode_bytes(ImgShape shape, int level, int threads, uint32_t strips_at_a_time);

/* Writes a PNG whose rows come in bands of whole strips, so that the whole picture is never in
 * memory. Must not be used for pictures that libpng writes (img_png_encode_is_by_libpng). */
typedef struct ImgPngEncoder ImgPngEncoder;

/* Returns the number of rows of a band of `strips` strips: for the first band, and for each other
 * band. */
ImgBandHeights img_png_encode_heights(ImgShape shape, int level, uint32_t strips);

/* Writes everything before the pixels. options->threads is the number of workers; each worker
 * encodes one band of up to `strips` strips at a time. All pointers are borrowed until
 * img_png_encoder_free, which must be called even after a failure. */
ImgStatus img_png_encoder_start(ImgShape shape, const ImgMetadata *metadata,
                                const ImgPngEncodeOptions *options, uint32_t strips,
                                ImgOutput *output, ImgPngEncoder **encoder, ImgError *err);

/* Encodes the band `rows`, which begins at row `first` of the picture, and writes the strips that
 * come next in the file. `worker` is the index of the worker, counted from 0; each worker has its
 * own thread. Workers must claim bands in the order of the picture, because a call may wait until
 * other workers have encoded earlier bands. */
ImgStatus img_png_encoder_rows(ImgPngEncoder *encoder, int worker, int32_t first,
                               const ImgView *rows, ImgError *err);

/* Encodes the next band with all threads, and writes it. Used instead of img_png_encoder_rows when
 * the bands come one after the other. `rows` begins at row `first` of the picture, where the
 * previous band ended, and has any number of whole strips. */
ImgStatus img_png_encoder_add(ImgPngEncoder *encoder, int32_t first, const ImgView *rows,
                              ImgError *err);

/* Called by a worker that cannot deliver its band. All calls of img_png_encoder_rows then fail
 * instead of waiting. */
void img_png_encoder_stop(ImgPngEncoder *encoder);

/* Writes everything after the pixels. Called after the last band. Fails with IMG_E_USAGE if rows
 * are missing. */
ImgStatus img_png_encoder_finish(ImgPngEncoder *encoder, ImgPngEncodeReport *report, ImgError *err);
void img_png_encoder_free(ImgPngEncoder *encoder);

/* Writes the whole file to `output`. Holds only a few strips per thread in memory. Drops indexes in
 * `metadata`, because they describe the file that was read. `report` may be NULL. */
ImgStatus img_png_encode(const ImgImage *image, const ImgMetadata *metadata,
                         const ImgPngEncodeOptions *options, ImgOutput *output,
                         ImgPngEncodeReport *report, ImgError *err);

#endif
