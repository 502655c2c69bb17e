/* A histogram that is to be drawn, and how one program hands it to the other. */
#ifndef IMGTOOL_APP_HELPER_PLOT_REQUEST_H
#define IMGTOOL_APP_HELPER_PLOT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/helper/plot_file.h"
#include "kernels/core/status.h"

typedef struct PlotSeries {
    const char *name; /* "red", "green", "blue", "luma", "gray", "alpha" */
    const uint64_t *counts;
} PlotSeries;

typedef struct PlotHistogram {
    const char *title; /* file name, may hold anything */
    const PlotSeries *series;
    size_t series_count; /* 1..PLOT_SERIES_MAX */
    int bins;            /* counts of each series, at least 1 */
    uint32_t maximum;    /* of a sample: 255, 65535 */
    uint64_t pixels;     /* the whole of which shares are given */
    bool log_scale;
} PlotHistogram;

enum { PLOT_SERIES_MAX = 8 };

/* All of it as bytes, for a program of the same build; to be freed. */
ImgStatus plot_request_pack(const PlotHistogram *what, PlotBytes *bytes, ImgError *err);

/* `what` and `series` borrow from the bytes, which are aligned as malloc aligns. IMG_E_FORMAT for
 * what plot_request_pack does not write. */
ImgStatus plot_request_unpack(const PlotBytes *bytes, PlotSeries series[PLOT_SERIES_MAX],
                              PlotHistogram *what, ImgError *err);

#endif
