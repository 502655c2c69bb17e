#include "app/plot/bars_cell.h"

#include <stdio.h>

#include "app/plot/bar_marks.h"

static const double PADDING = 5;

static const PlotColor white = {1, 1, 1};

double plot_bar_top(double top, int row)
{
    return top + 2 + PLOT_BAR_PITCH * (double)row;
}

/* Where a bar ends and its noise lies; all the same where too little of that is to be seen. */
typedef struct Reach {
    double low, end, high;
} Reach;

static Reach find_reach(const PlotBarCell *cell, const PlotBar *bar)
{
    double noise = bar->noise < 1 ? bar->noise : 1, end = plot_bar_place(cell, bar->value);
    /* Hardly anything is still something. */
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

/* On its own ground, so that no line runs through it. */
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

/* Is there room for the text from the left of the bar to `end`, clear of the limit? */
static bool fits_inside(const PlotBarCell *cell, const PlotBar *bar, double end, const char *text)
{
    double limit = cell->bars->columns[cell->column].limit,
           right = cell->left + PADDING + text_width(cell, bar, text);
    return right + PADDING <= end && (limit <= 0 || plot_bar_place(cell, limit) >= right + 3);
}

static bool fits_behind(const PlotBarCell *cell, const PlotBar *bar, const char *text)
{
    return find_reach(cell, bar).high + PADDING + text_width(cell, bar, text) <=
           cell->left + cell->width + PLOT_BAR_GAP / 2.0;
}

static void draw_inside(const PlotBarCell *cell, const PlotBar *bar, double y, const char *text)
{
    draw_value(cell, cell->left + PADDING, y, value_style(bar, true),
               plot_bar_colors[bar->kind == PLOT_BAR_BEST], text);
}

/* At the right edge where there is too little room after the bar. */
static void draw_behind(const PlotBarCell *cell, const PlotBar *bar, double y, const char *text)
{
    double x = find_reach(cell, bar).high + PADDING;
    if (!fits_behind(cell, bar, text))
        x = cell->left + cell->width + PLOT_BAR_GAP / 2.0 - text_width(cell, bar, text);
    draw_value(cell, x, y, value_style(bar, false), white, text);
}

typedef enum Place { INSIDE, SPLIT, BEHIND } Place;

/* Where nothing gets in the way: inside the bar before its noise, else after it, or one part
 * here and one there. Where there is no such place, noise is what is covered. */
static Place find_place(const PlotBarCell *cell, const PlotBar *bar, const char *both)
{
    Reach reach = find_reach(cell, bar);
    bool shared = bar->share[0] != '\0';
    if (fits_inside(cell, bar, reach.low, both))
        return INSIDE;
    if (shared && fits_inside(cell, bar, reach.low, bar->text) &&
        fits_behind(cell, bar, bar->share))
        return SPLIT;
    if (fits_behind(cell, bar, both))
        return BEHIND;
    if (fits_inside(cell, bar, reach.end, both))
        return INSIDE;
    return shared && fits_inside(cell, bar, reach.end, bar->text) ? SPLIT : BEHIND;
}

static void draw_texts(const PlotBarCell *cell, const PlotBar *bar, double y)
{
    char both[2 * PLOT_BAR_NUMBER];
    (void)snprintf(both, sizeof both, "%s%s%s", bar->text,
                   bar->share[0] != '\0' ? " \xC2\xB7 " : "", bar->share);
    Place place = find_place(cell, bar, both);
    if (place != BEHIND)
        draw_inside(cell, bar, y, place == SPLIT ? bar->text : both);
    if (place != INSIDE)
        draw_behind(cell, bar, y, place == SPLIT ? bar->share : both);
}

static void draw_instead(const PlotBarCell *cell, const PlotBar *bar, double y)
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
            draw_instead(cell, bar, plot_bar_top(cell->top, r));
    }
    plot_bar_upright(cell->cairo, plot_pale_ink, cell->left, cell->top, cell->bottom, 1);
}
