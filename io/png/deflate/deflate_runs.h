/* Private: deflate with run-length encoding only: the only matches are those at distance 1. For
 * filtered photographs other matches save almost nothing. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_DEFLATE_RUNS_H
#define IMGTOOL_IO_PNG_DEFLATE_DEFLATE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/runs.h"

enum {
    IMG_RUNS_BLOCK_BYTES = 1 << 17, /* largest size of the data of a deflate block, in bytes */
    IMG_RUNS_MOST = IMG_RUNS_BLOCK_BYTES / IMG_RUN_LEAST,
};

/* Working memory of img_deflate_runs. Between calls it keeps only `literals`. */
typedef struct ImgRunsScratch {
    const ImgRunsLoops *loops; /* the inner loops to use, from img_runs_loops */
    /* The literals are counted in every sample_step-th section of 512 bytes. 1: all literals are
     * counted, which is slower and makes the output slightly smaller. */
    unsigned sample_step;
    uint32_t literals; /* result: number of bytes of the data that are outside runs */
    ImgRun runs[IMG_RUNS_MOST];
    ImgRunsCodes codes;
} ImgRunsScratch;

/* Returns the largest possible output size in bytes for `size` bytes of data. */
size_t img_deflate_runs_bound(size_t size);

/* Deflates `size` bytes, 1 to UINT32_MAX, and returns the number of bytes written. If `last` is
 * true, the stream ends with this data. Otherwise an empty stored block pads the output to a byte
 * boundary, so that more data can follow. Blocks that do not shrink are stored.
 *
 * `starts` receives the starts of the blocks, or is NULL. If it is not NULL, it must have room for
 * img_block_starts_most(size) entries, and `size` must be at most 2^28. */
size_t img_deflate_runs(ImgRunsScratch *work, const uint8_t *data, size_t size, bool last,
                        uint8_t *out, ImgBlockStarts *starts);

/* Writes the data uncompressed, as stored blocks. `size`, `last`, `out` and the result are as in
 * img_deflate_runs. */
size_t img_deflate_stored(const uint8_t *data, size_t size, bool last, uint8_t *out);

#endif
