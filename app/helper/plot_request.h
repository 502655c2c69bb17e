/* A histogram that imgtool-plot draws, and its form as bytes that are sent to that program. */
#ifndef IMGTOOL_APP_HELPER_PLOT_REQUEST_H
#define IMGTOOL_APP_HELPER_PLOT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

typedef struct PlotSeries {
    const char *name; /* name of the channel: "red", "green", "blue", "luma", "gray" or "alpha" */
    const uint64_t *counts;
} PlotSeries;

typedef struct PlotHistogram {
    /* Title of the plot, which is the name of a file and may contain any bytes. */
    const char *title;
    const PlotSeries *series;
    size_t series_count; /* number of series, 1 to PLOT_SERIES_MAX */
    int bins;            /* number of counts of each series, at least 1 */
    uint32_t maximum;    /* largest sample value: 255 or 65535 */
    uint64_t pixels;     /* number of all pixels, for percentages */
    bool log_scale;
} PlotHistogram;

enum { PLOT_SERIES_MAX = 8 };

/* Packs a histogram into bytes for a program of the same build. The caller frees the bytes. */
ImgStatus plot_request_pack(const PlotHistogram *what, PlotBytes *bytes, ImgError *err);

/* Unpacks a request. `what` and `series` point into the bytes, which must be aligned like memory
 * from malloc. Fails with IMG_E_FORMAT if plot_request_pack cannot have written the bytes. */
ImgStatus plot_request_unpack(const PlotBytes *bytes, PlotSeries series[PLOT_SERIES_MAX],
                              PlotHistogram *what, ImgError *err);

#endif
