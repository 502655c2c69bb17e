/* Private: deflate by literals and run lengths (RLE), which is all that filtered photographs need.
 */
#ifndef IMGTOOL_IO_PNG_DEFLATE_DEFLATE_RUNS_H
#define IMGTOOL_IO_PNG_DEFLATE_DEFLATE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/runs.h"

enum {
    IMG_RUNS_BLOCK_BYTES = 1 << 17, /* data of a block at the most */
    IMG_RUNS_MOST = IMG_RUNS_BLOCK_BYTES / IMG_RUN_LEAST,
};

/* Memory to work in; keeps nothing from one call to the next. */
typedef struct ImgRunsWork {
    const ImgRunsLoops *loops; /* img_runs_loops() */
    unsigned sample_step;      /* codes come from every so many-th piece of the literals; 1: from
                                * all, slower and a little smaller */
    ImgRun runs[IMG_RUNS_MOST];
    ImgRunsCodes codes;
} ImgRunsWork;

/* Bytes of `out` that are enough for `size` bytes of data. */
size_t img_deflate_runs_bound(size_t size);

/* Deflates `size` bytes (at most UINT32_MAX), more than none. Where `last`, the stream ends there;
 * otherwise an empty stored block brings it to a whole byte, and the next piece may follow. A block
 * that does not shrink is stored. Returns the bytes written. `starts` may be NULL; else it has room
 * for img_block_starts_most(size), of which `size` is at most 2^28. */
size_t img_deflate_runs(ImgRunsWork *work, const uint8_t *data, size_t size, bool last,
                        uint8_t *out, ImgBlockStarts *starts);

/* The same without compression; no memory to work in is needed. */
size_t img_deflate_stored(const uint8_t *data, size_t size, bool last, uint8_t *out);

#endif
