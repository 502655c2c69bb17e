/* Private: estimates a window of a strip by estimate_rule.h: its size by runs, and the bits that
 * matches save. */
#ifndef IMGTOOL_IO_PNG_ENCODE_ESTIMATE_H
#define IMGTOOL_IO_PNG_ENCODE_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/runs.h"
#include "io/png/encode/estimate_rule.h"

/* Working memory for estimates. */
typedef struct ImgEstimator {
    const ImgRunsLoops *loops; /* img_runs_loops() */
    ImgRunsBlock block;        /* the last window estimated, with its runs */
    ImgRun runs[IMG_WINDOW_MOST / IMG_RUN_LEAST];
    uint32_t literals;                   /* number of bytes outside runs */
    uint32_t costs[IMG_LITERALS];        /* cost of each literal, in sixteenths of a bit */
    uint32_t run_cost;                   /* cost of a match for a run, in sixteenths of a bit */
    uint16_t places[IMG_ESTIMATE_SLOTS]; /* [slot]: last position entered */
} ImgEstimator;

/* Returns the size of a window by runs in sixteenths of a bit. `size` is at most
 * IMG_WINDOW_MOST. */
uint32_t img_estimate_runs(ImgEstimator *estimator, const uint8_t *data, size_t size);

/* Returns the bits that matches save in the window that img_estimate_runs estimated last. Its rows
 * are `stride` bytes apart. */
uint32_t img_estimate_matches(ImgEstimator *estimator, uint32_t stride);

#endif
