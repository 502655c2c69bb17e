/* Private: declarations that the files for encoding strips share. See strip.h for strips,
 * estimate_rule.h for windows and sample_rule.h for samples. */
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
    /* Filtered bytes; below this size even optimal parsing takes almost no time. */
    IMG_STRIP_TINY = 1 << 14,
};

typedef struct ImgStripWorker {
    ImgPngLevel level;
    ImgStripFilter filter;
    ImgDeflaters *deflaters;
    ImgMatchRows rows; /* sizes of rows for img_try_matches */
    ImgEstimator estimator;
    uint8_t *filtered; /* the filtered strip */
    uint8_t *second;   /* second buffer: the strip with other filters, or a part of it */
} ImgStripWorker;

/* The state of a strip that is being encoded. */
typedef struct ImgStripState {
    const ImgStrip *rows;
    size_t size; /* size in bytes of the filtered strip */
    ImgSmallest smallest;
} ImgStripState;

/* Filters a window of the strip as if nothing surrounded it. Writes the rows with their filter
 * types to the second buffer. Returns the number of bytes written. */
size_t img_strip_filter_window(ImgStripWorker *worker, const ImgStripState *strip,
                               const ImgWindow *window, unsigned filters);

/* Filters the sample of a strip, as img_strip_filter_window does a window. */
size_t img_strip_filter_sample(ImgStripWorker *worker, const ImgStripState *strip,
                               unsigned filters);

/* The result of estimating a strip. */
typedef struct ImgStripEstimate {
    unsigned filters; /* candidate filters for encoding by runs, a bit each */
    bool matches;     /* true if matches may make the strip smaller */
} ImgStripEstimate;

/* Estimates a strip by its windows. Overwrites the second buffer. */
ImgStripEstimate img_strip_estimate(ImgStripWorker *worker, const ImgStripState *strip);

/* Each img_strip_encode function filters the strip, deflates it by the strategies of the level, and
 * keeps the smallest result. Small strips are encoded the same at all levels. */
void img_strip_encode_small(ImgStripWorker *worker, ImgStripState *strip);
void img_strip_encode_values(ImgStripWorker *worker, ImgStripState *strip);
void img_strip_encode_indices(ImgStripWorker *worker, ImgStripState *strip);

/* Filter the strip into `filtered`, one of the worker's buffers. img_strip_filter_by_sum chooses
 * filters by the smallest sums; img_strip_filter_by_cost by the costs of the bytes in
 * worker->filtered. */
void img_strip_filter_by_sum(ImgStripWorker *worker, const ImgStripState *strip, unsigned filters,
                             uint8_t *filtered);
void img_strip_filter_by_cost(ImgStripWorker *worker, const ImgStripState *strip,
                              uint8_t *filtered);

/* Tries every filter alone, filters chosen by sums, and filters chosen by costs. The variant that a
 * quick search compresses best is then deflated with the level's search; for filters chosen by
 * costs that was already done. */
void img_strip_try_filters(ImgStripWorker *worker, ImgStripState *strip);

/* Deflate the strip by the level's optimal parsers (img_strip_try_searches), or by matches and a
 * deeper LZ77 (img_strip_try_lz77). */
void img_strip_try_searches(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data);
void img_strip_try_lz77(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data);

#endif
