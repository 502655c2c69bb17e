/* Private: deflate with literals and run lengths (RLE) only, which is all that filtered photographs
 * need. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_DEFLATE_RUNS_H
#define IMGTOOL_IO_PNG_DEFLATE_DEFLATE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/runs.h"

enum {
    IMG_RUNS_BLOCK_BYTES = 1 << 17, /* largest data of a block */
    IMG_RUNS_MOST = IMG_RUNS_BLOCK_BYTES / IMG_RUN_LEAST,
};

/* Working memory; keeps nothing between calls. */
typedef struct ImgRunsScratch {
    const ImgRunsLoops *loops; /* img_runs_loops() */
    unsigned sample_step;      /* every so many-th piece of the literals is counted for codes; 1:
                                * all, which is slower and gives slightly smaller output */
    ImgRun runs[IMG_RUNS_MOST];
    ImgRunsCodes codes;
} ImgRunsScratch;

/* Returns the output size that suffices for `size` bytes of data. */
size_t img_deflate_runs_bound(size_t size);

/* Deflates `size` bytes, 1 to UINT32_MAX. With `last` the stream ends there; otherwise an empty
 * stored block pads it to a whole byte, so that another piece can follow. A block that does not
 * shrink is stored. Returns the bytes written. `starts` may be NULL; else it has room for
 * img_block_starts_most(size) entries, and `size` is at most 2^28. */
size_t img_deflate_runs(ImgRunsScratch *work, const uint8_t *data, size_t size, bool last,
                        uint8_t *out, ImgBlockStarts *starts);

/* Like img_deflate_runs, without compression and working memory. */
size_t img_deflate_stored(const uint8_t *data, size_t size, bool last, uint8_t *out);

#endif
