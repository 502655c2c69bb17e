/* Makes text safe to draw, and shortens and draws it. Owns the texts of a plot. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/plot/page.h"
#include "app/plot/plot.h"
#include "app/text/list.h"
#include "app/text/text.h"

static const char REPLACEMENT[] = "\xEF\xBF\xBD"; /* U+FFFD in UTF-8 */

/* Returns the number of bytes of a UTF-8 character from its first byte, which must be valid. */
static size_t sequence_length(uint8_t first)
{
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static uint32_t code_point(const uint8_t *at)
{
    size_t length = sequence_length(at[0]);
    uint32_t code = length == 1 ? at[0] : at[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (at[i] & 0x3F);
    return code;
}

/* Returns true for a Unicode noncharacter. Cairo rejects text that contains one, and draws nothing
 * after it. */
static bool is_noncharacter(uint32_t code)
{
    return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
}

char *plot_clean_text(const char *text)
{
    char *clean = text_mark_bytes(text);
    if (clean == NULL)
        return NULL;
    /* The result is never longer than the text, because a noncharacter has at least the three bytes
     * of its replacement. */
    const uint8_t *from = (const uint8_t *)clean;
    char *to = clean;
    while (*from != '\0') {
        uint32_t code = code_point(from);
        size_t length = sequence_length(*from);
        if (text_is_control(code)) {
            *to++ = '?';
        } else if (is_noncharacter(code)) {
            memcpy(to, REPLACEMENT, 3);
            to += 3;
        } else {
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    *to = '\0';
    return clean;
}

static void select_font(cairo_t *cairo, PlotText style)
{
    cairo_select_font_face(cairo, PLOT_FONT, CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, style.size);
    cairo_set_source_rgb(cairo, style.color.red, style.color.green, style.color.blue);
}

static double text_width(cairo_t *cairo, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

double plot_text_width(cairo_t *cairo, PlotText style, const char *text)
{
    select_font(cairo, style);
    return text_width(cairo, text);
}

void plot_text(cairo_t *cairo, double x, double y, PlotText style, const char *text)
{
    select_font(cairo, style);
    if (style.align != PLOT_LEFT)
        x -= text_width(cairo, text) * (style.align == PLOT_CENTER ? 0.5 : 1);
    cairo_move_to(cairo, x, y);
    cairo_show_text(cairo, text);
    cairo_new_path(cairo);
}

/* Joins the first `left` and the last `right` bytes of `text` by an ellipsis. Both parts are
 * shortened if they would begin or end within a character. */
static void join_parts(const char *text, size_t left, size_t right, char *joined, size_t size)
{
    const char *end = text + strlen(text) - right;
    while (left > 0 && ((uint8_t)text[left] & 0xC0) == 0x80)
        left--;
    while (((uint8_t)*end & 0xC0) == 0x80)
        end++;
    snprintf(joined, size, "%.*s\xE2\x80\xA6%s", (int)left, text, end);
}

void plot_text_within(cairo_t *cairo, double x, double y, double width, PlotText style,
                      const char *text)
{
    select_font(cairo, style);
    size_t length = strlen(text), fits = 0, over = length;
    char *joined = malloc(length + 4);
    if (joined == NULL || text_width(cairo, text) <= width) {
        plot_text(cairo, x, y, style, text);
        free(joined);
        return;
    }
    /* Binary search for the number of bytes that fit. A text with more characters is never
     * narrower. */
    while (over - fits > 1) {
        size_t kept = fits + (over - fits) / 2;
        join_parts(text, kept - kept / 2, kept / 2, joined, length + 4);
        if (text_width(cairo, joined) <= width)
            fits = kept;
        else
            over = kept;
    }
    join_parts(text, fits - fits / 2, fits / 2, joined, length + 4);
    plot_text(cairo, x, y, style, joined);
    free(joined);
}

const char *plot_labels_keep(PlotLabels *labels, const char *text)
{
    char **items = list_grow(labels->items, labels->count, sizeof *items);
    if (items != NULL)
        labels->items = items;
    char *clean = items != NULL ? plot_clean_text(text) : NULL;
    if (clean == NULL) {
        labels->failed = true;
        return "";
    }
    items[labels->count++] = clean;
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
