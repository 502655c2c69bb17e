#include "app/plot/bars_cell.h"

#include <stdio.h>

#include "app/plot/ticks.h"

static const double PADDING = 5;

static const PlotColor white = {1, 1, 1};

/* --- Marks ------------------------------------------------------------------------------------ */

const PlotColor plot_bar_colors[2] = {{0.76, 0.80, 0.84}, {0.00, 0.36, 0.66}};
const PlotColor plot_bar_limit = {0.84, 0.33, 0.00}, plot_bar_alarm = {0.75, 0.05, 0.15};

void plot_bar_fill(cairo_t *cairo, PlotColor color, double x, double y, double width, double height)
{
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
    cairo_rectangle(cairo, x, y, width, height);
    cairo_fill(cairo);
}

/* Draws a vertical line of the given width from y0 to y1, centred on x. */
static void plot_bar_upright(cairo_t *cairo, PlotColor color, double x, double y0, double y1,
                             double width)
{
    plot_bar_fill(cairo, color, x - width / 2, y0, width, y1 - y0);
}

void plot_bar_whisker(cairo_t *cairo, double x0, double x1, double y)
{
    plot_bar_fill(cairo, white, x0 - 1.5, y - 1.5, x1 - x0 + 3, 3);
    plot_bar_upright(cairo, white, x0, y - 4, y + 4, 3);
    plot_bar_upright(cairo, white, x1, y - 4, y + 4, 3);
    plot_bar_fill(cairo, plot_ink, x0, y - 0.5, x1 - x0, 1);
    plot_bar_upright(cairo, plot_ink, x0, y - 3, y + 3, 1);
    plot_bar_upright(cairo, plot_ink, x1, y - 3, y + 3, 1);
}

/* --- The axis and the limit ------------------------------------------------------------------- */

static const PlotColor grid = {0.92, 0.93, 0.94};

/* Returns the x coordinate at which a bar of this value ends. Values past the end of the axis give
 * the end of the axis. */
static double plot_bar_place(const PlotBarCell *cell, double value)
{
    double part = value / cell->bars->columns[cell->column].top;
    return cell->left + cell->width * (part > 1 ? 1 : part);
}

/* Draws the vertical lines of the axis, and their numbers. */
static void plot_bar_ticks(const PlotBarCell *cell)
{
    PlotText style = {PLOT_BAR_AXIS_SIZE, plot_pale_ink, PLOT_CENTER, false};
    double top = cell->bars->columns[cell->column].top,
           step = plot_step(top, cell->width < 200 ? 3 : 6, 0);
    double right = cell->left + cell->width + 2, taken = cell->left - PLOT_BAR_GAP;
    for (int i = 0; i * step <= top * 1.0001; i++) {
        char text[PLOT_BAR_NUMBER];
        if (i * step < 99999.5)
            (void)snprintf(text, sizeof text, "%.5g", i * step);
        else
            (void)plot_number_text(i * step, text);
        double x = plot_bar_place(cell, i * step),
               half = plot_text_width(cell->cairo, style, text) / 2;
        plot_bar_upright(cell->cairo, grid, x, cell->top, cell->bottom + 3, 1);
        x = x + half > right ? right - half : x;
        if (x - half < taken + 4)
            continue;
        plot_text(cell->cairo, x, cell->bottom + 14, style, text);
        taken = x + half;
    }
}

/* Draws the line that marks the limit of the column, and the text above the line, if the column has
 * a limit. */
static void plot_bar_limit_line(const PlotBarCell *cell)
{
    const PlotBarColumn *column = &cell->bars->columns[cell->column];
    if (column->limit <= 0)
        return;
    PlotText style = {PLOT_BAR_VALUE_SIZE, plot_bar_limit, PLOT_CENTER, true};
    double x = plot_bar_place(cell, column->limit), middle = x;
    double half = plot_text_width(cell->cairo, style, column->limit_text) / 2;
    if (middle + half > cell->left + cell->width)
        middle = cell->left + cell->width - half;
    if (middle - half < cell->left)
        middle = cell->left + half;
    plot_bar_upright(cell->cairo, plot_bar_limit, x, cell->top - 3, cell->bottom, 2);
    plot_text(cell->cairo, middle, cell->top - 7, style, column->limit_text);
}

/* --- Bars and their texts --------------------------------------------------------------------- */

double plot_bar_top(double top, int row)
{
    return top + 2 + PLOT_BAR_PITCH * (double)row;
}

/* The x coordinates of the end of a bar and of both ends of its whisker. If the whisker is too
 * short to be visible, all three are equal. */
typedef struct Reach {
    double low, end, high;
} Reach;

static Reach find_reach(const PlotBarCell *cell, const PlotBar *bar)
{
    double noise = bar->noise < 1 ? bar->noise : 1, end = plot_bar_place(cell, bar->value);
    /* The bar of a value above 0 is at least one unit long, so that it is visible. */
    end = end - cell->left > 1 ? end : cell->left + 1;
    Reach reach = {plot_bar_place(cell, bar->value * (1 - noise)), end,
                   plot_bar_place(cell, bar->value * (1 + noise))};
    if (reach.high - reach.low < 3)
        reach.low = reach.high = end;
    return reach;
}

static void draw_bar(const PlotBarCell *cell, const PlotBar *bar, double y)
{
    Reach reach = find_reach(cell, bar);
    plot_bar_fill(cell->cairo, plot_bar_colors[bar->kind == PLOT_BAR_BEST], cell->left, y,
                  reach.end - cell->left, PLOT_BAR_HEIGHT);
    if (reach.high > reach.low)
        plot_bar_whisker(cell->cairo, reach.low, reach.high, y + PLOT_BAR_HEIGHT / 2.0);
}

/* Draws `text` on a rectangle of the colour `ground`, so that no line is visible behind the
 * text. */
static void draw_value(const PlotBarCell *cell, double x, double y, PlotText style,
                       PlotColor ground, const char *text)
{
    double width = plot_text_width(cell->cairo, style, text);
    plot_bar_fill(cell->cairo, ground, x - 2, y + 1, width + 4, PLOT_BAR_HEIGHT - 2);
    plot_text(cell->cairo, x, y + PLOT_BAR_HEIGHT - 3.8, style, text);
}

static PlotText value_style(const PlotBar *bar, bool inside)
{
    bool best = bar->kind == PLOT_BAR_BEST;
    return (PlotText){PLOT_BAR_VALUE_SIZE, best && inside ? white : plot_ink, PLOT_LEFT, best};
}

static double text_width(const PlotBarCell *cell, const PlotBar *bar, const char *text)
{
    return plot_text_width(cell->cairo, value_style(bar, true), text);
}

/* Returns true if the text, drawn at the left end of the bar, ends before x = `end` and before the
 * line that marks the limit of the column. */
static bool fits_in_bar(const PlotBarCell *cell, const PlotBar *bar, double end, const char *text)
{
    double limit = cell->bars->columns[cell->column].limit,
           right = cell->left + PADDING + text_width(cell, bar, text);
    return right + PADDING <= end && (limit <= 0 || plot_bar_place(cell, limit) >= right + 3);
}

static bool fits_after_bar(const PlotBarCell *cell, const PlotBar *bar, const char *text)
{
    return find_reach(cell, bar).high + PADDING + text_width(cell, bar, text) <=
           cell->left + cell->width + PLOT_BAR_GAP / 2.0;
}

static void draw_in_bar(const PlotBarCell *cell, const PlotBar *bar, double y, const char *text)
{
    draw_value(cell, cell->left + PADDING, y, value_style(bar, true),
               plot_bar_colors[bar->kind == PLOT_BAR_BEST], text);
}

/* Draws the text after the bar. If there is too little space, draws it at the right edge of the
 * column. */
static void draw_after_bar(const PlotBarCell *cell, const PlotBar *bar, double y, const char *text)
{
    double x = find_reach(cell, bar).high + PADDING;
    if (!fits_after_bar(cell, bar, text))
        x = cell->left + cell->width + PLOT_BAR_GAP / 2.0 - text_width(cell, bar, text);
    draw_value(cell, x, y, value_style(bar, false), white, text);
}

typedef enum Place { INSIDE, SPLIT, AFTER } Place;

/* Chooses where the two texts of a bar are drawn: its value and its share of the limit. INSIDE:
 * both in the bar. AFTER: both after the bar. SPLIT: the value in the bar, the share after it. The
 * texts cover the whisker only if they fit nowhere else. */
static Place find_place(const PlotBarCell *cell, const PlotBar *bar, const char *both)
{
    Reach reach = find_reach(cell, bar);
    bool shared = bar->share[0] != '\0';
    if (fits_in_bar(cell, bar, reach.low, both))
        return INSIDE;
    if (shared && fits_in_bar(cell, bar, reach.low, bar->text) &&
        fits_after_bar(cell, bar, bar->share))
        return SPLIT;
    if (fits_after_bar(cell, bar, both))
        return AFTER;
    if (fits_in_bar(cell, bar, reach.end, both))
        return INSIDE;
    return shared && fits_in_bar(cell, bar, reach.end, bar->text) ? SPLIT : AFTER;
}

static void draw_texts(const PlotBarCell *cell, const PlotBar *bar, double y)
{
    char both[2 * PLOT_BAR_NUMBER];
    (void)snprintf(both, sizeof both, "%s%s%s", bar->text,
                   bar->share[0] != '\0' ? " \xC2\xB7 " : "", bar->share);
    Place place = find_place(cell, bar, both);
    if (place != AFTER)
        draw_in_bar(cell, bar, y, place == SPLIT ? bar->text : both);
    if (place != INSIDE)
        draw_after_bar(cell, bar, y, place == SPLIT ? bar->share : both);
}

static void draw_without_bar(const PlotBarCell *cell, const PlotBar *bar, double y)
{
    bool failed = bar->kind == PLOT_BAR_FAILED, number = bar->kind != PLOT_BAR_MISSING;
    PlotColor ink = number ? plot_ink : plot_pale_ink;
    PlotText style = {PLOT_BAR_VALUE_SIZE, failed ? plot_bar_alarm : ink, PLOT_LEFT,
                      failed || bar->kind == PLOT_BAR_BEST};
    draw_value(cell, cell->left + 4, y, style, white, bar->text);
}

void plot_bar_cell(const PlotBarCell *cell, double name)
{
    PlotText head = {PLOT_BAR_NAME_SIZE, plot_ink, PLOT_LEFT, true};
    const PlotBars *bars = cell->bars;
    plot_text_within(cell->cairo, cell->left, name, cell->width, head,
                     cell->bars->columns[cell->column].name);
    plot_bar_ticks(cell);
    for (int r = 0; r < bars->row_count; r++)
        if (bars->rows[r].bars[cell->column].value > 0)
            draw_bar(cell, &bars->rows[r].bars[cell->column], plot_bar_top(cell->top, r));
    plot_bar_limit_line(cell);
    for (int r = 0; r < bars->row_count; r++) {
        const PlotBar *bar = &bars->rows[r].bars[cell->column];
        if (bar->value > 0)
            draw_texts(cell, bar, plot_bar_top(cell->top, r));
        else
            draw_without_bar(cell, bar, plot_bar_top(cell->top, r));
    }
    plot_bar_upright(cell->cairo, plot_pale_ink, cell->left, cell->top, cell->bottom, 1);
}
