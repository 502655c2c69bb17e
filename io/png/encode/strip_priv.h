/* Private: declarations that are shared by the files which encode strips. strip.h describes strips,
 * estimate_rule.h windows, and sample_rule.h samples. */
#ifndef IMGTOOL_IO_PNG_ENCODE_STRIP_PRIV_H
#define IMGTOOL_IO_PNG_ENCODE_STRIP_PRIV_H

#include "io/png/encode/deflaters.h"
#include "io/png/encode/estimate.h"
#include "io/png/encode/level.h"
#include "io/png/encode/sample_rule.h"
#include "io/png/encode/small_rule.h"
#include "io/png/encode/strip.h"
#include "io/png/encode/strip_filter.h"
#include "io/png/filter/filter.h"

enum { IMG_STRIP_ALL_FILTERS = (1 << IMG_FILTERS) - 1 };

typedef struct ImgStripWorker {
    ImgPngLevel level;
    ImgStripFilter filter;
    ImgDeflaters *deflaters;
    ImgMatchRows rows; /* properties of the rows that img_try_matches needs */
    ImgEstimator estimator;
    uint8_t *filtered; /* the rows of the strip after filtering */
    /* A second buffer, for the strip with other filters or for a part of the strip. */
    uint8_t *second;
} ImgStripWorker;

/* The state of a strip while it is encoded. */
typedef struct ImgStripState {
    const ImgStrip *rows;
    size_t size; /* size of the filtered strip in bytes */
    ImgSmallest smallest;
} ImgStripState;

/* Filters a window of the strip as if no pixels were left of it. The window's first row refers to
 * the row above only if this row belongs to the strip. Writes the rows with their filter types to
 * worker->second. Returns the number of bytes written. */
size_t img_strip_filter_window(ImgStripWorker *worker, const ImgStripState *strip,
                               const ImgWindow *window, unsigned filters);

/* Filters the sample of a strip (sample_rule.h) in the same way as img_strip_filter_window. */
size_t img_strip_filter_sample(ImgStripWorker *worker, const ImgStripState *strip,
                               unsigned filters);

/* The result of estimating a strip with the rule in estimate_rule.h. */
typedef struct ImgStripEstimate {
    /* Filters that may be chosen if the strip is deflated with run-length encoding, one bit
     * each. */
    unsigned filters;
    bool matches; /* true if LZ77 may make the strip smaller */
} ImgStripEstimate;

/* Estimates a strip by its two windows (estimate_rule.h). Overwrites worker->second. */
ImgStripEstimate img_strip_estimate(ImgStripWorker *worker, const ImgStripState *strip);

/* Each img_strip_encode function filters a strip, deflates it with the strategies of the level, and
 * keeps the smallest result. img_strip_encode_small is for small strips and works in the same way
 * at all levels. */
void img_strip_encode_small(ImgStripWorker *worker, ImgStripState *strip);
void img_strip_encode_values(ImgStripWorker *worker, ImgStripState *strip);
void img_strip_encode_indices(ImgStripWorker *worker, ImgStripState *strip);

/* Filter the strip into `filtered`, which is worker->filtered or worker->second.
 * img_strip_filter_by_sum chooses for each row the filter with the smallest sum of absolute values.
 * img_strip_filter_by_cost chooses for each row the filter whose bytes need the fewest bits. The
 * number of bits is estimated from how often each byte occurs in worker->filtered, the result of an
 * earlier filtering. */
void img_strip_filter_by_sum(ImgStripWorker *worker, const ImgStripState *strip, unsigned filters,
                             uint8_t *filtered);
void img_strip_filter_by_cost(ImgStripWorker *worker, const ImgStripState *strip,
                              uint8_t *filtered);

/* Tries each single filter, filters chosen by sums of absolute values, and filters chosen by costs.
 * A quick search finds the variant that compresses best. This variant is then deflated with
 * run-length encoding and with the searches of the level. If it is the variant chosen by costs,
 * nothing is left to do, because the caller has already deflated it. */
void img_strip_try_filters(ImgStripWorker *worker, ImgStripState *strip);

/* Both functions deflate the strip `data`. img_strip_try_searches tries each of the libdeflate
 * levels that belong to the user's compression level. img_strip_try_lz77 tries the matches of
 * match_rule.h, and then a deeper LZ77 search. */
void img_strip_try_searches(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data);
void img_strip_try_lz77(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data);

#endif
