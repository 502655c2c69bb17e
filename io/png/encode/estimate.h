/* Private: what a window of a strip promises, as estimate_rule.h says: its size by runs, and what
 * matches would save. */
#ifndef IMGTOOL_IO_PNG_ENCODE_ESTIMATE_H
#define IMGTOOL_IO_PNG_ENCODE_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/runs.h"
#include "io/png/encode/estimate_rule.h"

/* Memory to work in. */
typedef struct ImgEstimator {
    const ImgRunsLoops *loops; /* img_runs_loops() */
    ImgRunsBlock block;        /* the window that was estimated last, and its runs */
    ImgRun runs[IMG_WINDOW_MOST / IMG_RUN_LEAST];
    uint32_t literals;                   /* outside runs */
    uint32_t costs[IMG_LITERALS];        /* of literals, in sixteenths of a bit */
    uint32_t run_cost;                   /* of a match for a run */
    uint16_t places[IMG_ESTIMATE_SLOTS]; /* positions */
} ImgEstimator;

/* Sixteenths of a bit by runs. At most IMG_WINDOW_MOST bytes. */
uint32_t img_estimate_runs(ImgEstimator *estimator, const uint8_t *data, size_t size);

/* Bits that matches would save of that window, whose rows are `stride` bytes apart. */
uint32_t img_estimate_matches(ImgEstimator *estimator, uint32_t stride);

#endif
