/* Private: one strip of a picture, filtered and deflated, so that the strips together are one
 * stream. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/encode/deflaters.h"
#include "io/png/encode/level.h"
#include "io/png/encode/strip_rows.h"
#include "kernels/core/image.h"

/* What a thread needs to work on strips of one picture. */
typedef struct ImgStripWorker ImgStripWorker;

typedef struct ImgStripResult {
    size_t size;    /* deflated */
    uint32_t adler; /* of the filtered data */
    size_t data;    /* bytes of that */
    ImgStripWay way;
    size_t blocks; /* of which it is known where they begin; 0: it is not */
} ImgStripResult;

/* For strips of up to `rows` rows; `view` must stay as it is. NULL: no memory. */
ImgStripWorker *img_strip_worker_create(const ImgView *view, const ImgPngLevel *level,
                                        int32_t rows);
/* What it takes at most. */
uint64_t img_strip_worker_bytes(const ImgView *view, const ImgPngLevel *level, int32_t rows);
void img_strip_worker_free(ImgStripWorker *worker);

/* Bytes that the result of such a strip may take. */
size_t img_strip_bound(const ImgView *view, int32_t rows);

/* How many of its blocks may be told. */
size_t img_strip_blocks_most(const ImgView *view, int32_t rows);

/* The first row refers to no other. The same strip gives the same bytes on every machine's
 * instruction level. `starts` become the bits at which its blocks begin, from the first of `out`
 * on, without empty stored ones. False: no memory. */
bool img_strip_encode(ImgStripWorker *worker, const ImgStrip *strip, uint8_t *out, uint32_t *starts,
                      ImgStripResult *result);

#endif
