/* Private: filters and deflates one strip of a picture. A strip is a group of rows. Its first row
 * refers to no row above, so that strips can be encoded in parallel. All strips together form one
 * zlib stream. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/encode/deflaters.h"
#include "io/png/encode/level.h"
#include "kernels/core/image.h"

/* The rows of a picture that form one strip. */
typedef struct ImgStrip {
    int32_t from, to; /* `from`: index of the first row; `to`: index after the last row */
    /* True if the stream ends with this strip. Otherwise the strip ends with a full flush, so that
     * the next strip can follow. */
    bool last;
} ImgStrip;

/* The working memory of one thread, used for one strip of a picture after another. */
typedef struct ImgStripWorker ImgStripWorker;

typedef struct ImgStripResult {
    size_t size;    /* size of the deflated data in bytes */
    uint32_t adler; /* Adler-32 of the filtered data */
    size_t data;    /* size of the filtered data in bytes */
    ImgStripStrategy strategy;
    size_t blocks; /* number of deflate blocks whose start is known; 0 if unknown */
} ImgStripResult;

/* Creates the working memory for strips of up to `rows` rows. `view` is borrowed and must not
 * change. Returns NULL if memory is short. */
ImgStripWorker *img_strip_worker_create(const ImgView *view, const ImgPngLevel *level,
                                        int32_t rows);
/* Returns the largest amount of memory in bytes that an ImgStripWorker needs. */
uint64_t img_strip_worker_bytes(const ImgView *view, const ImgPngLevel *level, int32_t rows);
void img_strip_worker_free(ImgStripWorker *worker);

/* Returns the largest possible output size in bytes for a strip of `rows` rows. */
size_t img_strip_bound(const ImgView *view, int32_t rows);

/* Returns the largest possible number of deflate blocks in a strip of `rows` rows. */
size_t img_strip_blocks_most(const ImgView *view, int32_t rows);

/* Encodes a strip to `out`. The bytes do not depend on the instruction set. `starts` receives the
 * start of each deflate block, except empty stored blocks, as a bit position from the start of
 * `out`. Returns false if memory is short. */
bool img_strip_encode(ImgStripWorker *worker, const ImgStrip *strip, uint8_t *out, uint32_t *starts,
                      ImgStripResult *result);

#endif
