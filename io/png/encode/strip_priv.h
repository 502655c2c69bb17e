/* Private: what the files of this directory that encode strips share. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_PRIV_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_PRIV_H

#include "io/png/encode/deflaters.h"
#include "io/png/encode/estimate.h"
#include "io/png/encode/level.h"
#include "io/png/encode/sample_rule.h"
#include "io/png/encode/strip_filter.h"
#include "io/png/encode/strip_rows.h"
#include "io/png/filter/filter.h"

enum {
    IMG_STRIP_ALL_FILTERS = (1 << IMG_FILTERS) - 1,
    IMG_STRIP_TINY = 1 << 14, /* bytes, filtered: even an optimal parse takes next to no time */
};

typedef struct ImgStripWorker {
    ImgPngLevel level;
    ImgStripFilter filter;
    ImgDeflaters *deflaters;
    ImgMatchRows rows; /* as matches see them */
    ImgEstimator estimator;
    uint8_t *filtered; /* the strip */
    uint8_t *second;   /* with other filters */
} ImgStripWorker;

/* A strip that is being encoded. */
typedef struct ImgStripWork {
    const ImgStrip *rows;
    size_t size; /* bytes, filtered */
    ImgSmallest smallest;
} ImgStripWork;

/* Filters part of some rows as if there were no others, with their types, to the second buffer.
 * Returns the bytes. */
size_t img_strip_filter_window(ImgStripWorker *worker, const ImgStripWork *strip,
                               const ImgWindow *window, unsigned filters);

/* The same for the sample of a strip. */
size_t img_strip_filter_sample(ImgStripWorker *worker, const ImgStripWork *strip, unsigned filters);

/* An estimate's advice for a strip. */
typedef struct ImgStripEstimate {
    unsigned filters; /* for runs */
    bool matches;     /* may pay */
} ImgStripEstimate;

/* Overwrites the second buffer. */
ImgStripEstimate img_strip_estimate(ImgStripWorker *worker, const ImgStripWork *strip);

/* Each filters the strip and deflates it as the level says; what is smallest is kept. That of
 * small strips is the same for all levels. */
void img_strip_encode_small(ImgStripWorker *worker, ImgStripWork *strip);
void img_strip_encode_values(ImgStripWorker *worker, ImgStripWork *strip);
void img_strip_encode_indices(ImgStripWorker *worker, ImgStripWork *strip);

/* Filters to `filtered`, one of the worker's buffers: by sums, or by what the bytes cost that sums
 * led to. */
void img_strip_filter_by_sum(ImgStripWorker *worker, const ImgStripWork *strip, unsigned filters,
                             uint8_t *filtered);
void img_strip_filter_by_cost(ImgStripWorker *worker, const ImgStripWork *strip, uint8_t *filtered);

/* Every filter alone, the choice by sums and that by costs, which has been deflated: that which a
 * quick search likes best. */
void img_strip_try_filters(ImgStripWorker *worker, ImgStripWork *strip);

/* By the level's optimal parses; by matches and a deeper LZ77. */
void img_strip_try_searches(ImgStripWorker *worker, ImgStripWork *strip, const uint8_t *data);
void img_strip_try_lz77(ImgStripWorker *worker, ImgStripWork *strip, const uint8_t *data);

#endif
