/* Histograms as pictures for people: axes, all channels over each other, PNG or SVG. */
#ifndef IMGTOOL_APP_PLOT_HISTOGRAM_H
#define IMGTOOL_APP_PLOT_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* One channel. */
typedef struct PlotSeries {
    const char *name;       /* "red", "green", "blue", "luma", "gray" or "alpha" */
    const uint64_t *counts; /* `bins` of them */
} PlotSeries;

/* Everything is borrowed. Bin i holds the values v with floor(v * bins / (maximum + 1)) = i. */
typedef struct PlotHistogram {
    const char *title; /* the name of a file: may hold anything */
    const PlotSeries *series;
    size_t series_count; /* at least 1 */
    int bins;            /* 2 to maximum + 1 */
    uint32_t maximum;    /* of a sample: 255, 65535 */
    uint64_t pixels;     /* counted; the sum of each series */
    bool log_scale;
} PlotHistogram;

/* Draws to `path` (.png or .svg by its ending, IMG_E_USAGE otherwise); the file appears whole or
 * not at all. IMG_E_IO if it cannot be written. Messages do not name the file: the caller puts its
 * name in front. */
ImgStatus plot_histogram(const PlotHistogram *what, const char *path, ImgError *err);

#endif
