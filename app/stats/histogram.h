/* Prints histograms as text charts, as CSV or as JSON. */
#ifndef IMGTOOL_APP_STATS_HISTOGRAM_H
#define IMGTOOL_APP_STATS_HISTOGRAM_H

#include <stdio.h>

#include "app/stats/subject.h"
#include "app/text/json.h"

/* Counts of a subject in the requested number of bins. Initialise it with HISTOGRAM_NONE, and free
 * it with histogram_free. */
typedef struct Histogram {
    Subject subject; /* the file or total; its borrowed data must stay valid */
    uint32_t bins;
    /* Counts of each channel, `bins` numbers; NULL: the channel does not exist. */
    const uint64_t *of[CHANNEL_COUNT];
    /* counts that this struct owns; NULL if `of` points into the tables of the subject, because
     * they have the same number of bins */
    uint64_t *block;
} Histogram;

#define HISTOGRAM_NONE ((Histogram){.bins = 0})

/* Makes a histogram. If `bins` is 0, each sample value has its own bin. Fails with IMG_E_USAGE if
 * there are more bins than values; the message names the possible numbers of bins. */
ImgStatus histogram_make(const Subject *subject, uint32_t bins, Histogram *histogram,
                         ImgError *err);
void histogram_free(Histogram *histogram);

typedef struct ChartStyle {
    int width; /* width of the terminal in columns */
    bool utf8; /* use block characters instead of ASCII */
    bool log_scale;
} ChartStyle;

/* Prints a chart for each channel. */
void histogram_print(FILE *out, const Histogram *histogram, ImgLuma luma, const ChartStyle *style);

/* histogram_csv_heading prints a heading, and histogram_csv_rows one row per bin. A row has scope,
 * file, first and last value, and the count of each channel. The column of a channel that does not
 * exist is empty. */
void histogram_csv_heading(FILE *out);
void histogram_csv_rows(FILE *out, const Histogram *histogram);

/* Adds the histogram to the JSON object. "channels" has all channels; channels that do not exist
 * are null. */
void histogram_add_json(cJSON *object, const Histogram *histogram, ImgLuma luma, bool *failed);

#endif
