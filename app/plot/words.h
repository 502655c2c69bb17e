/* The texts of a plot, kept until it is drawn. */
#ifndef IMGTOOL_APP_PLOT_WORDS_H
#define IMGTOOL_APP_PLOT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

typedef struct PlotWords {
    char **items;
    size_t count, capacity;
    bool failed; /* there was no memory; stays so */
} PlotWords;

#define PLOT_WORDS_NONE ((PlotWords){.items = NULL})

/* A copy made by plot_clean_text, good until plot_words_free. Never NULL: "" without memory, and
 * `failed` says so. */
const char *plot_words_keep(PlotWords *words, const char *text);

/* The same of up to 1023 bytes that are put together first. */
const char *plot_words_format(PlotWords *words, const char *format, ...) IMG_PRINTF(2, 3);

void plot_words_free(PlotWords *words);

#endif
