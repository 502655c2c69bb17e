#include "app/plot/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/plot/plot.h"

const char *plot_words_keep(PlotWords *words, const char *text)
{
    if (words->count == words->capacity) {
        size_t wanted = words->capacity == 0 ? 64 : words->capacity * 2;
        char **grown = realloc(words->items, wanted * sizeof *grown);
        if (grown == NULL) {
            words->failed = true;
            return "";
        }
        words->items = grown;
        words->capacity = wanted;
    }
    char *clean = plot_clean_text(text);
    if (clean == NULL) {
        words->failed = true;
        return "";
    }
    words->items[words->count++] = clean;
    return clean;
}

const char *plot_words_format(PlotWords *words, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return plot_words_keep(words, text);
}

void plot_words_free(PlotWords *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    free(words->items);
    *words = PLOT_WORDS_NONE;
}
