/* Private: deflate with literals and run lengths (RLE) only. Filtered photographs gain almost
 * nothing from other matches. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_DEFLATE_RUNS_H
#define IMGTOOL_IO_PNG_DEFLATE_DEFLATE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/runs.h"

enum {
    IMG_RUNS_BLOCK_BYTES = 1 << 17, /* largest data of a deflate block, in bytes */
    IMG_RUNS_MOST = IMG_RUNS_BLOCK_BYTES / IMG_RUN_LEAST,
};

/* Working memory. Keeps no data between calls. */
typedef struct ImgRunsScratch {
    const ImgRunsLoops *loops; /* img_runs_loops() */
    /* Every n-th piece of the literals is counted for codes, n being this value. 1: all pieces,
     * which is slower and makes the output slightly smaller. */
    unsigned sample_step;
    ImgRun runs[IMG_RUNS_MOST];
    ImgRunsCodes codes;
} ImgRunsScratch;

/* Returns the largest output size for `size` bytes of data. */
size_t img_deflate_runs_bound(size_t size);

/* Deflates `size` bytes, 1 to UINT32_MAX. If `last` is true the stream ends after them; otherwise
 * an empty stored block pads it to a whole byte, so that more data can follow. Blocks that do not
 * shrink are stored. Returns the number of bytes written. `starts` receives the starts of the
 * blocks, or is NULL; it needs room for img_block_starts_most(size) entries, and then `size` is at
 * most 2^28. */
size_t img_deflate_runs(ImgRunsScratch *work, const uint8_t *data, size_t size, bool last,
                        uint8_t *out, ImgBlockStarts *starts);

/* Writes stored blocks only. The arguments are those of img_deflate_runs. */
size_t img_deflate_stored(const uint8_t *data, size_t size, bool last, uint8_t *out);

#endif
