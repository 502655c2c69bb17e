/* A histogram as a picture: channels overlaid, so that all stay readable.
 *
 * Where there are more bins than fit, a column of the plot is the sum of several, and the axis says
 * so. On the linear scale, columns far above all others would flatten them: each channel's columns
 * that are more than three times its 95th percentile, black and white at the ends left aside, are
 * cut off and marked, and the plot says that and how high the highest is. Alpha never sets the
 * scale. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Draws to `path` (.png or .svg by its ending, "-": PNG on standard output, IMG_E_USAGE otherwise;
 * plot_page_check tells beforehand); the file appears whole or not at all. Messages do not name the
 * file. The same data give the same PNG; an SVG's ids depend on what was drawn before. */
ImgStatus plot_histogram(const PlotHistogram *what, const char *path, ImgError *err);

#endif
