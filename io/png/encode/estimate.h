/* Private: estimates a window of a strip by estimate_rule.h. Estimates the size of the window with
 * run-length encoding (deflate_runs.h), and the number of bits that LZ77 saves. */
#ifndef IMGTOOL_IO_PNG_ENCODE_ESTIMATE_H
#define IMGTOOL_IO_PNG_ENCODE_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/runs.h"
#include "io/png/encode/estimate_rule.h"

/* Working memory for the estimates of one thread. */
typedef struct ImgEstimator {
    const ImgRunsLoops *loops; /* the inner loops to use, from img_runs_loops */
    ImgRunsBlock block;        /* the last window that was estimated, and its runs */
    ImgRun runs[IMG_WINDOW_MOST / IMG_RUN_LEAST];
    uint32_t literals;            /* number of bytes of the window that are outside runs */
    uint32_t costs[IMG_LITERALS]; /* cost of each literal in sixteenths of a bit */
    /* Cost in sixteenths of a bit of a match that encodes a run. */
    uint32_t run_cost;
    /* Table: the last position that was entered in each slot. */
    uint16_t places[IMG_ESTIMATE_SLOTS];
} ImgEstimator;

/* Returns the estimated size of a window in sixteenths of a bit if it is deflated with run-length
 * encoding. `size` is the size of the window in bytes, at most IMG_WINDOW_MOST. */
uint32_t img_estimate_runs(ImgEstimator *estimator, const uint8_t *data, size_t size);

/* Returns the number of bits that LZ77 saves, compared with run-length encoding, in the window of
 * the last call of img_estimate_runs. The rows of the window are `stride` bytes apart. */
uint32_t img_estimate_matches(ImgEstimator *estimator, uint32_t stride);

#endif
