/* What plots are made of: text, a frame with axes and grid, a legend. Drawn with Cairo.
 *
 * Units are those of a PlotPage, y grows downwards, text stands on its y. A frame is the area
 * inside the axes. Failures stay in the cairo_t until plot_page_finish reports them. */
#ifndef IMGTOOL_APP_PLOT_H
#define IMGTOOL_APP_PLOT_H

#include <cairo.h>
#include <stdbool.h>

typedef struct PlotColor {
    double red, green, blue; /* 0..1 */
} PlotColor;

extern const PlotColor plot_ink, plot_pale_ink; /* of text */

/* Where x is in relation to the text. */
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

/* A scale of amounts, from the bottom of a frame upwards. */
typedef struct PlotScale {
    double high; /* at the top of the frame, above 0 */
    bool log;    /* starts at 1/2, so that 1 is seen */
} PlotScale;

typedef struct PlotTick {
    double x;
    const char *text; /* borrowed */
} PlotTick;

typedef enum PlotMark {
    PLOT_MARK_AREA,   /* a filled area with an outline */
    PLOT_MARK_LINE,   /* a line */
    PLOT_MARK_DASHED, /* a dashed line */
} PlotMark;

enum { PLOT_LEGEND_COLUMNS = 2 };

typedef struct PlotLegendRow {
    const char *label;
    const char *letter; /* on the badge that the curve carries too; NULL: none */
    PlotMark mark;
    PlotColor line, fill;
    const char *columns[PLOT_LEGEND_COLUMNS]; /* after the label, right-aligned; may be NULL */
} PlotLegendRow;

/* A copy that every font and terminal can show on one line, to be freed: control characters and
 * what would change the direction of writing become '?', bytes that are not UTF-8 and code points
 * that are not characters become U+FFFD. NULL without memory. */
char *plot_clean_text(const char *text);

/* Text must be plot_clean_text's, or the program's own. */
void plot_text(cairo_t *cairo, double x, double y, PlotText style, const char *text);

double plot_text_width(cairo_t *cairo, PlotText style, const char *text);

/* plot_text, with an ellipsis in the middle where it would be wider than `width`. */
void plot_text_within(cairo_t *cairo, double x, double y, double width, PlotText style,
                      const char *text);

/* A letter in a disc with its centre at (x, y). */
enum { PLOT_BADGE_RADIUS = 8 };
void plot_badge(cairo_t *cairo, double x, double y, PlotColor color, const char *letter);

void plot_line_style(cairo_t *cairo, PlotColor color, PlotMark mark);

/* How far above the bottom of the frame an amount is; what is above the frame stays above it. */
double plot_scale_height(const PlotFrame *frame, PlotScale scale, double amount);

/* White ground; lines of the grid with their numbers at the left, at round amounts; the label at
 * the side. `least`: no finer than that (1 for what is counted). */
void plot_scale_left(const PlotFrame *frame, PlotScale scale, double least, const char *label);

/* Ticks and their texts below the frame, and lines of the grid. */
void plot_ticks_below(const PlotFrame *frame, const PlotTick *ticks, int count, const char *label);

/* Around everything, last, so that curves do not cover it. */
void plot_frame_border(const PlotFrame *frame);

/* `head`: what the columns are; NULL where there are none. Columns end at x + column_ends[i]. */
void plot_legend(cairo_t *cairo, double x, double y, const char *title,
                 const char *const head[PLOT_LEGEND_COLUMNS],
                 const double column_ends[PLOT_LEGEND_COLUMNS], const PlotLegendRow *rows,
                 int count);

#endif
