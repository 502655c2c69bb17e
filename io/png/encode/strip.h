/* Private: filters and deflates one strip of a picture, so that all strips together form one
 * stream. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/encode/deflaters.h"
#include "io/png/encode/level.h"
#include "kernels/core/image.h"

/* The rows of a picture that form a strip. */
typedef struct ImgStrip {
    int32_t from, to; /* first row, and the one after the last */
    bool last;        /* the stream ends with this strip; other strips end with a full flush */
} ImgStrip;

/* The buffers of a thread for the strips of one picture. */
typedef struct ImgStripWorker ImgStripWorker;

typedef struct ImgStripResult {
    size_t size;    /* bytes of deflated data */
    uint32_t adler; /* of the filtered data */
    size_t data;    /* bytes of filtered data */
    ImgStripStrategy strategy;
    size_t blocks; /* number of blocks whose start is known; 0: unknown */
} ImgStripResult;

/* For strips of up to `rows` rows. `view` is borrowed and must not change. Returns NULL if memory
 * is short. */
ImgStripWorker *img_strip_worker_create(const ImgView *view, const ImgPngLevel *level,
                                        int32_t rows);
/* Returns the most bytes of memory that a worker needs. */
uint64_t img_strip_worker_bytes(const ImgView *view, const ImgPngLevel *level, int32_t rows);
void img_strip_worker_free(ImgStripWorker *worker);

/* Returns the output size that suffices for a strip of so many rows. */
size_t img_strip_bound(const ImgView *view, int32_t rows);

/* Returns the largest number of block starts of such a strip. */
size_t img_strip_blocks_most(const ImgView *view, int32_t rows);

/* Encodes a strip. Its first row refers to no other. A strip gives the same bytes with every
 * instruction set. `starts` receives the bit positions of its blocks from the first bit of `out`,
 * without empty stored blocks. Returns false if memory is short. */
bool img_strip_encode(ImgStripWorker *worker, const ImgStrip *strip, uint8_t *out, uint32_t *starts,
                      ImgStripResult *result);

#endif
