/* Basic parts of plots, drawn with Cairo: text, a frame with axes and grid, and a legend.
 *
 * Coordinates are in units of a PlotPage, and y grows downwards. For text, y is the baseline. A
 * frame is the area inside the axes. Errors remain in the cairo_t until plot_page_finish reports
 * them. */
#ifndef IMGTOOL_APP_PLOT_PLOT_H
#define IMGTOOL_APP_PLOT_PLOT_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

typedef struct PlotColor {
    double red, green, blue; /* components, each from 0 to 1 */
} PlotColor;

extern const PlotColor plot_ink, plot_pale_ink; /* colours of normal text and of pale text */

/* Position of a text relative to x. PLOT_LEFT: its left end is at x. */
typedef enum PlotAlign { PLOT_LEFT, PLOT_CENTER, PLOT_RIGHT } PlotAlign;

typedef struct PlotText {
    double size;
    PlotColor color;
    PlotAlign align;
    bool bold;
} PlotText;

typedef struct PlotFrame {
    cairo_t *cairo;
    double left, top, width, height;
} PlotFrame;

/* Scale of the amounts along the left side of a frame. Amounts grow from the bottom upwards. */
typedef struct PlotScale {
    double high; /* amount at the top of the frame, greater than 0 */
    /* true for a logarithmic scale. It starts at 1/2, so that an amount of 1 is visible */
    bool log;
} PlotScale;

typedef struct PlotTick {
    double x;
    const char *text; /* text below the tick; borrowed */
} PlotTick;

typedef enum PlotMark {
    PLOT_MARK_AREA,   /* an area with an outline */
    PLOT_MARK_LINE,   /* a solid line */
    PLOT_MARK_DASHED, /* a dashed line */
} PlotMark;

enum { PLOT_LEGEND_COLUMNS = 2 };

typedef struct PlotLegendRow {
    const char *label;
    /* letter that is drawn on the legend's example of the curve; NULL: there is none */
    const char *letter;
    PlotMark mark;
    PlotColor line, fill;
    /* texts in the columns after the label, right-aligned; may be NULL */
    const char *columns[PLOT_LEGEND_COLUMNS];
} PlotLegendRow;

/* Returns a copy of `text` that every font and terminal can show on one line; the caller frees it.
 * Control characters and marks of the writing direction become '?'. Invalid UTF-8 and noncharacters
 * become U+FFFD. NULL if memory is short. */
char *plot_clean_text(const char *text);

/* Draws `text`, which must be a result of plot_clean_text or a constant of the program. */
void plot_text(cairo_t *cairo, double x, double y, PlotText style, const char *text);

double plot_text_width(cairo_t *cairo, PlotText style, const char *text);

/* Draws text, shortened by an ellipsis in the middle if it is wider than `width`. */
void plot_text_within(cairo_t *cairo, double x, double y, double width, PlotText style,
                      const char *text);

/* plot_badge draws a letter on a disc of this radius, in units. The centre of the disc is at (x,
 * y). */
enum { PLOT_BADGE_RADIUS = 8 };
void plot_badge(cairo_t *cairo, double x, double y, PlotColor color, const char *letter);

void plot_line_style(cairo_t *cairo, PlotColor color, PlotMark mark);

/* Returns the height of an amount above the bottom of the frame, in units. It can be larger than
 * the frame. */
double plot_scale_height(const PlotFrame *frame, PlotScale scale, double amount);

/* Fills the frame with white. Draws horizontal grid lines at round amounts, the amounts as numbers
 * to the left, and `label` beside them. `least` is the minimum distance between two lines, for
 * example 1 for counts. */
void plot_scale_left(const PlotFrame *frame, PlotScale scale, double least, const char *label);

/* Draws the ticks and `label` below the frame, and a vertical grid line at each tick. */
void plot_ticks_below(const PlotFrame *frame, const PlotTick *ticks, int count, const char *label);

/* Draws the border of the frame. Call it after drawing the curves, because they would cover the
 * border. */
void plot_frame_border(const PlotFrame *frame);

/* Draws a legend with `count` entries. `head` has the headings of the columns; NULL: there are
 * none. The right edge of column i is at x + column_ends[i]. */
void plot_legend(cairo_t *cairo, double x, double y, const char *title,
                 const char *const head[PLOT_LEGEND_COLUMNS],
                 const double column_ends[PLOT_LEGEND_COLUMNS], const PlotLegendRow *rows,
                 int count);

/* Owner of the texts in a plot, until the plot is drawn. */
typedef struct PlotLabels {
    char **items;
    size_t count;
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
