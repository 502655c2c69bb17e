/* Decides whether a strip (a group of rows) is deflated only with run-length encoding or also with
 * LZ77. Estimates two windows of the strip (estimate_rule.h). */
#include "io/png/encode/estimate.h"
#include "io/png/encode/rows.h"
#include "io/png/encode/strip_priv.h"

enum { PAETH = 1 << IMG_FILTER_PAETH };

size_t img_strip_filter_window(ImgStripWorker *worker, const ImgStripState *strip,
                               const ImgWindow *window, unsigned filters)
{
    ImgStripFilter *filter = &worker->filter;
    const uint8_t *above = NULL;
    uint8_t *out = worker->second;
    if (window->from > strip->rows->from)
        above = img_png_row(filter->view, window->from - 1, filter->rows[(window->from - 1) & 1]) +
                window->offset;
    for (int32_t y = window->from; y < window->from + window->rows; y++) {
        const uint8_t *row = img_png_row(filter->view, y, filter->rows[y & 1]) + window->offset;
        img_png_filter_best(img_strip_filters_of_row(filters, above == NULL), filter->pixel,
                            window->bytes, row, above, out);
        out += 1 + window->bytes;
        above = row;
    }
    return (size_t)(out - worker->second);
}

size_t img_strip_filter_sample(ImgStripWorker *worker, const ImgStripState *strip, unsigned filters)
{
    const ImgStripFilter *filter = &worker->filter;
    const ImgStrip *rows = strip->rows;
    const ImgWindow sample = img_sample(filter->row_bytes, filter->pixel, rows->from,
                                        rows->to - rows->from, worker->level.by_value);
    return img_strip_filter_window(worker, strip, &sample, filters);
}

ImgStripEstimate img_strip_estimate(ImgStripWorker *worker, const ImgStripState *strip)
{
    const unsigned filters = worker->level.filters;
    const int32_t from = strip->rows->from, rows = strip->rows->to - from;
    uint32_t runs = 0, by_paeth = 0, saved = 0, bytes = 0;
    for (int32_t i = 0; i < IMG_WINDOWS; i++) {
        const ImgWindow window =
            img_window(worker->filter.row_bytes, worker->filter.pixel, from, rows, i);
        size_t size = img_strip_filter_window(worker, strip, &window, PAETH);
        bytes += (uint32_t)size;
        by_paeth += img_estimate_runs(&worker->estimator, worker->second, size);
        saved += img_estimate_matches(&worker->estimator, 1 + window.bytes);
        if (filters == PAETH)
            continue;
        size = img_strip_filter_window(worker, strip, &window, filters);
        runs += img_estimate_runs(&worker->estimator, worker->second, size);
    }
    return (ImgStripEstimate){
        filters == PAETH || img_estimate_is_for_paeth(by_paeth, runs) ? PAETH : filters,
        img_estimate_pays(saved, by_paeth, bytes)};
}
