/* Histograms as people and programs read them: charts of characters, CSV, JSON. */
#ifndef IMGTOOL_APP_STATS_HISTOGRAM_H
#define IMGTOOL_APP_STATS_HISTOGRAM_H

#include <stdio.h>

#include "app/stats/subject.h"
#include "app/text/json.h"

/* A subject's tables with as many bins as were asked for. Start with HISTOGRAM_NONE, end with
 * histogram_free. */
typedef struct Histogram {
    Subject subject; /* what it borrows must stay */
    uint32_t bins;
    const uint64_t *of[CHANNEL_COUNT]; /* `bins` counts each; NULL: there is no such channel */
    uint64_t *block;                   /* owned; NULL where the tables have these bins already */
} Histogram;

#define HISTOGRAM_NONE ((Histogram){.bins = 0})

/* `bins` 0: one per value. IMG_E_USAGE, with what is possible, for more than there are values. */
ImgStatus histogram_make(const Subject *subject, uint32_t bins, Histogram *histogram,
                         ImgError *err);
void histogram_free(Histogram *histogram);

typedef struct ChartStyle {
    int width; /* columns of the terminal */
    bool utf8; /* block characters; else ASCII */
    bool log_scale;
} ChartStyle;

/* A chart for each channel. */
void histogram_print(FILE *out, const Histogram *histogram, ImgLuma luma, const ChartStyle *style);

/* One row per bin: scope, file, first and last value, counts of all channels, empty for those that
 * the picture does not have. */
void histogram_csv_heading(FILE *out);
void histogram_csv_rows(FILE *out, const Histogram *histogram);

/* Fills the object, "channels" with all of them: those that there are none of are null. */
void histogram_add_json(cJSON *object, const Histogram *histogram, ImgLuma luma, bool *failed);

#endif
