/* Prints histograms: charts of characters, CSV, JSON. */
#ifndef IMGTOOL_APP_STATS_HISTOGRAM_H
#define IMGTOOL_APP_STATS_HISTOGRAM_H

#include <stdio.h>

#include "app/stats/subject.h"
#include "app/text/json.h"

/* Counts of a subject in the requested number of bins. Start with HISTOGRAM_NONE, end with
 * histogram_free. */
typedef struct Histogram {
    Subject subject; /* its borrowed data must stay valid */
    uint32_t bins;
    const uint64_t *of[CHANNEL_COUNT]; /* `bins` counts each; NULL: the channel does not exist */
    uint64_t *block;                   /* owned; NULL if the tables have the same number of bins */
} Histogram;

#define HISTOGRAM_NONE ((Histogram){.bins = 0})

/* Makes a histogram; `bins` 0: one per value. IMG_E_USAGE, with the possible numbers, if there are
 * fewer values than bins. */
ImgStatus histogram_make(const Subject *subject, uint32_t bins, Histogram *histogram,
                         ImgError *err);
void histogram_free(Histogram *histogram);

typedef struct ChartStyle {
    int width; /* of the terminal, in columns */
    bool utf8; /* use block characters instead of ASCII */
    bool log_scale;
} ChartStyle;

/* Prints a chart for each channel. */
void histogram_print(FILE *out, const Histogram *histogram, ImgLuma luma, const ChartStyle *style);

/* Print one row per bin: scope, file, first and last value, and counts of all channels. Counts of
 * missing channels are empty. */
void histogram_csv_heading(FILE *out);
void histogram_csv_rows(FILE *out, const Histogram *histogram);

/* Fills the object. "channels" has all channels; missing ones are null. */
void histogram_add_json(cJSON *object, const Histogram *histogram, ImgLuma luma, bool *failed);

#endif
