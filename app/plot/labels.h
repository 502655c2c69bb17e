/* Owner of the texts in a plot, until the plot is drawn. */
#ifndef IMGTOOL_APP_PLOT_LABELS_H
#define IMGTOOL_APP_PLOT_LABELS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

typedef struct PlotLabels {
    char **items;
    size_t count, capacity;
    bool failed; /* true if memory was short for any of the texts */
} PlotLabels;

#define PLOT_LABELS_NONE ((PlotLabels){.items = NULL})

/* Stores a copy of `text`, made by plot_clean_text, and returns it. The copy is valid until
 * plot_labels_free. If memory is short, returns "" and sets `failed`. */
const char *plot_labels_keep(PlotLabels *labels, const char *text);

/* Same as plot_labels_keep, for a formatted text of at most 1023 bytes. */
const char *plot_labels_format(PlotLabels *labels, const char *format, ...) IMG_PRINTF(2, 3);

void plot_labels_free(PlotLabels *labels);

#endif
