/* Private: filters and deflates one strip of a picture. A strip is a group of rows; its first row
 * refers to no row above, so that strips can be encoded in parallel. All strips together form one
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
    int32_t from, to; /* index of the first row; index after the last row */
    /* True: the stream ends with this strip; false: the strip ends with a full flush. */
    bool last;
} ImgStrip;

/* The working memory of one thread for the strips of one picture. */
typedef struct ImgStripWorker ImgStripWorker;

typedef struct ImgStripResult {
    size_t size;    /* bytes of deflated data */
    uint32_t adler; /* Adler-32 of the filtered data */
    size_t data;    /* bytes of filtered data */
    ImgStripStrategy strategy;
    size_t blocks; /* number of deflate blocks whose start is known; 0: unknown */
} ImgStripResult;

/* Creates a worker for strips of up to `rows` rows. `view` is borrowed and must not change. Returns
 * NULL if memory is short. */
ImgStripWorker *img_strip_worker_create(const ImgView *view, const ImgPngLevel *level,
                                        int32_t rows);
/* Returns the largest amount of memory in bytes that a worker needs. */
uint64_t img_strip_worker_bytes(const ImgView *view, const ImgPngLevel *level, int32_t rows);
void img_strip_worker_free(ImgStripWorker *worker);

/* Returns the largest output size of a strip of `rows` rows. */
size_t img_strip_bound(const ImgView *view, int32_t rows);

/* Returns the largest number of block starts of a strip of `rows` rows. */
size_t img_strip_blocks_most(const ImgView *view, int32_t rows);

/* Encodes a strip. A strip gives the same bytes with every instruction set. `starts` receives the
 * start of each deflate block, in bits from the start of `out`, except empty stored blocks. Returns
 * false if memory is short. */
bool img_strip_encode(ImgStripWorker *worker, const ImgStrip *strip, uint8_t *out, uint32_t *starts,
                      ImgStripResult *result);

#endif
