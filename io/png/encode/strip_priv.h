/* Private: declarations that the files for encoding strips share. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_PRIV_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_PRIV_H

#include "io/png/encode/deflaters.h"
#include "io/png/encode/estimate.h"
#include "io/png/encode/level.h"
#include "io/png/encode/sample_rule.h"
#include "io/png/encode/strip.h"
#include "io/png/encode/strip_filter.h"
#include "io/png/filter/filter.h"

enum {
    IMG_STRIP_ALL_FILTERS = (1 << IMG_FILTERS) - 1,
    IMG_STRIP_TINY = 1 << 14, /* filtered bytes; even optimal parsing takes next to no time */
};

typedef struct ImgStripWorker {
    ImgPngLevel level;
    ImgStripFilter filter;
    ImgDeflaters *deflaters;
    ImgMatchRows rows; /* for img_try_matches */
    ImgEstimator estimator;
    uint8_t *filtered; /* the filtered strip */
    uint8_t *second;   /* the strip with other filters */
} ImgStripWorker;

/* The state of a strip that is being encoded. */
typedef struct ImgStripState {
    const ImgStrip *rows;
    size_t size; /* bytes, filtered */
    ImgSmallest smallest;
} ImgStripState;

/* Filters a part of some rows as if there were no others, and writes them with their types to the
 * second buffer. Returns the bytes written. */
size_t img_strip_filter_window(ImgStripWorker *worker, const ImgStripState *strip,
                               const ImgWindow *window, unsigned filters);

/* Like img_strip_filter_window, for the sample of a strip. */
size_t img_strip_filter_sample(ImgStripWorker *worker, const ImgStripState *strip,
                               unsigned filters);

/* The result of estimating a strip. */
typedef struct ImgStripEstimate {
    unsigned filters; /* filters for encoding by runs */
    bool matches;     /* matches may pay */
} ImgStripEstimate;

/* Overwrites the second buffer. */
ImgStripEstimate img_strip_estimate(ImgStripWorker *worker, const ImgStripState *strip);

/* Each function filters the strip, deflates it as the level says, and keeps the smallest result.
 * Small strips are encoded the same at all levels. */
void img_strip_encode_small(ImgStripWorker *worker, ImgStripState *strip);
void img_strip_encode_values(ImgStripWorker *worker, ImgStripState *strip);
void img_strip_encode_indices(ImgStripWorker *worker, ImgStripState *strip);

/* Filters into `filtered`, one of the worker's buffers: by sums, or by the costs of bytes in
 * worker->filtered. */
void img_strip_filter_by_sum(ImgStripWorker *worker, const ImgStripState *strip, unsigned filters,
                             uint8_t *filtered);
void img_strip_filter_by_cost(ImgStripWorker *worker, const ImgStripState *strip,
                              uint8_t *filtered);

/* Tries every filter alone, the choice by sums, and that by costs. The one that a quick search
 * compresses best is then deflated with the level's search, except the choice by costs, for which
 * that was already done. */
void img_strip_try_filters(ImgStripWorker *worker, ImgStripState *strip);

/* By the level's optimal parsers; by matches and a deeper LZ77. */
void img_strip_try_searches(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data);
void img_strip_try_lz77(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data);

#endif
