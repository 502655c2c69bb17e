/* The texts of a plot, kept until it is drawn. */
#ifndef IMGTOOL_APP_PLOT_LABELS_H
#define IMGTOOL_APP_PLOT_LABELS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

typedef struct PlotLabels {
    char **items;
    size_t count, capacity;
    bool failed; /* there was no memory; stays so */
} PlotLabels;

#define PLOT_LABELS_NONE ((PlotLabels){.items = NULL})

/* A copy made by plot_clean_text, good until plot_labels_free. Never NULL: "" without memory, and
 * `failed` says so. */
const char *plot_labels_keep(PlotLabels *labels, const char *text);

/* The same of up to 1023 bytes that are put together first. */
const char *plot_labels_format(PlotLabels *labels, const char *format, ...) IMG_PRINTF(2, 3);

void plot_labels_free(PlotLabels *labels);

#endif
