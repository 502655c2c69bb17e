/* Basic parts of plots, drawn with Cairo: text, a frame with axes and grid, a legend.
 *
 * Coordinates are in units of a PlotPage; y grows downwards and is the baseline of text. A frame is
 * the area inside the axes. Errors remain in the cairo_t until plot_page_finish reports them. */
#ifndef IMGTOOL_APP_PLOT_H
#define IMGTOOL_APP_PLOT_H

#include <cairo.h>
#include <stdbool.h>

typedef struct PlotColor {
    double red, green, blue; /* components from 0 to 1 */
} PlotColor;

extern const PlotColor plot_ink, plot_pale_ink; /* colours of text: normal and pale */

/* Position of the text relative to x: left means that the text starts at x. */
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

/* Scale of the amounts at the left side of a frame. Amounts grow from the bottom upwards. */
typedef struct PlotScale {
    double high; /* amount at the top of the frame, above 0 */
    /* true for a logarithmic scale. It starts at 1/2 so that an amount of 1 is visible */
    bool log;
} PlotScale;

typedef struct PlotTick {
    double x;
    const char *text; /* borrowed */
} PlotTick;

typedef enum PlotMark {
    PLOT_MARK_AREA,   /* filled area with an outline */
    PLOT_MARK_LINE,   /* solid line */
    PLOT_MARK_DASHED, /* dashed line */
} PlotMark;

enum { PLOT_LEGEND_COLUMNS = 2 };

typedef struct PlotLegendRow {
    const char *label;
    const char *letter; /* letter on the badge of the entry's curve; NULL: no badge */
    PlotMark mark;
    PlotColor line, fill;
    const char *columns[PLOT_LEGEND_COLUMNS]; /* texts of the columns after the label,
                                                 right-aligned; may be NULL */
} PlotLegendRow;

/* Returns a copy that every font and terminal can show on one line; the caller frees it. Control
 * characters and marks of the writing direction become '?'; invalid UTF-8 and noncharacters become
 * U+FFFD. NULL if memory is short. */
char *plot_clean_text(const char *text);

/* Draws `text`, which must be a result of plot_clean_text or a constant of the program. */
void plot_text(cairo_t *cairo, double x, double y, PlotText style, const char *text);

double plot_text_width(cairo_t *cairo, PlotText style, const char *text);

/* Draws text, with an ellipsis in the middle if it is wider than `width`. */
void plot_text_within(cairo_t *cairo, double x, double y, double width, PlotText style,
                      const char *text);

/* Draws a letter in a disc with the centre (x, y). */
enum { PLOT_BADGE_RADIUS = 8 };
void plot_badge(cairo_t *cairo, double x, double y, PlotColor color, const char *letter);

void plot_line_style(cairo_t *cairo, PlotColor color, PlotMark mark);

/* Returns the height in units of an amount above the bottom of the frame. The result can exceed the
 * frame. */
double plot_scale_height(const PlotFrame *frame, PlotScale scale, double amount);

/* Fills the frame white, and draws grid lines at round amounts, their numbers at the left, and the
 * label at the side. `least` is the smallest distance between lines, for example 1 for counts. */
void plot_scale_left(const PlotFrame *frame, PlotScale scale, double least, const char *label);

/* Draws ticks and their texts below the frame, and vertical grid lines. */
void plot_ticks_below(const PlotFrame *frame, const PlotTick *ticks, int count, const char *label);

/* Draws the border of the frame. Call it last, so that curves do not cover the border. */
void plot_frame_border(const PlotFrame *frame);

/* Draws a legend. `head` has the titles of the columns; NULL: no titles. The right edge of column i
 * is at x + column_ends[i]. */
void plot_legend(cairo_t *cairo, double x, double y, const char *title,
                 const char *const head[PLOT_LEGEND_COLUMNS],
                 const double column_ends[PLOT_LEGEND_COLUMNS], const PlotLegendRow *rows,
                 int count);

#endif
