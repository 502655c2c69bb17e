#include "app/plot/labels.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/plot/plot.h"

const char *plot_labels_keep(PlotLabels *labels, const char *text)
{
    if (labels->count == labels->capacity) {
        size_t wanted = labels->capacity == 0 ? 64 : labels->capacity * 2;
        char **grown = realloc(labels->items, wanted * sizeof *grown);
        if (grown == NULL) {
            labels->failed = true;
            return "";
        }
        labels->items = grown;
        labels->capacity = wanted;
    }
    char *clean = plot_clean_text(text);
    if (clean == NULL) {
        labels->failed = true;
        return "";
    }
    labels->items[labels->count++] = clean;
    return clean;
}

const char *plot_labels_format(PlotLabels *labels, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return plot_labels_keep(labels, text);
}

void plot_labels_free(PlotLabels *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        free(labels->items[i]);
    free(labels->items);
    *labels = PLOT_LABELS_NONE;
}
