/* Marks the columns of a histogram that exceed the scale, and explains the marks. */
#include <stdio.h>

#include "app/plot/histogram/curves.h"
#include "app/plot/ticks.h"

enum { MARK_HEIGHT = 8 };

static bool is_cut(const Drawing *drawing, int which, int column)
{
    return column < drawing->columns.count &&
           drawing->curves[which].sums[column] > drawing->scale.high;
}

static bool any_cut(const Drawing *drawing, int column)
{
    for (int i = 0; i < drawing->count; i++)
        if (is_cut(drawing, i, column))
            return true;
    return false;
}

static void draw_triangle(cairo_t *cairo, double x, double bottom, PlotColor color)
{
    cairo_move_to(cairo, x, bottom - MARK_HEIGHT + 1);
    cairo_line_to(cairo, x + 5, bottom);
    cairo_line_to(cairo, x - 5, bottom);
    cairo_close_path(cairo);
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
    cairo_fill(cairo);
}

/* Draws one triangle above the frame for each curve that exceeds the scale in the columns from
 * `first` to `end - 1`. Several triangles are stacked. */
static void mark_run(const Drawing *drawing, int first, int end)
{
    double x = (plot_column_left(drawing, first) + plot_column_left(drawing, end)) / 2;
    double bottom = drawing->frame.top - 3;
    for (int i = drawing->count - 1; i >= 0; i--) {
        bool cut = false;
        for (int c = first; c < end; c++)
            cut = cut || is_cut(drawing, i, c);
        if (!cut)
            continue;
        draw_triangle(drawing->frame.cairo, x, bottom, drawing->curves[i].look->line);
        bottom -= MARK_HEIGHT;
    }
}

static void explain_cuts(const Drawing *drawing, double y)
{
    char amount[PLOT_NUMBER_SIZE], first[PLOT_NUMBER_SIZE], last[PLOT_NUMBER_SIZE], text[256];
    const Curve *highest = &drawing->curves[0];
    int at = 0;
    for (int i = 0; i < drawing->count; i++)
        for (int c = 0; c < drawing->columns.count; c++)
            if (drawing->curves[i].sums[c] > highest->sums[at]) {
                highest = &drawing->curves[i];
                at = c;
            }
    const PlotHistogram *what = drawing->what;
    uint64_t values = (uint64_t)what->maximum + 1, bins = (uint64_t)what->bins;
    uint64_t low = values * (uint64_t)at * (uint64_t)drawing->columns.group / bins;
    uint64_t high = values * (uint64_t)(at + 1) * (uint64_t)drawing->columns.group / bins;
    high = high > values ? values : high;
    plot_exact_text(low, first);
    plot_exact_text(high > low + 1 ? high - 1 : low, last);
    bool range = high > low + 1;
    snprintf(
        text, sizeof text,
        "Bars that are more than three times the 95th percentile of their channel are cut off; "
        "the highest: %s at %s%s%s, %s pixels.",
        highest->name, first, range ? " to " : "", range ? last : "",
        plot_exact_text((uint64_t)highest->sums[at], amount));
    double x = drawing->frame.left;
    draw_triangle(drawing->frame.cairo, x + 5, y - 1, plot_pale_ink);
    plot_text(drawing->frame.cairo, x + 16, y, (PlotText){11.5, plot_pale_ink, PLOT_LEFT, false},
              text);
}

void plot_cuts(const Drawing *drawing, double y)
{
    bool any = false;
    for (int c = 0; c < drawing->columns.count; c++) {
        int first = c;
        while (any_cut(drawing, c))
            c++;
        if (c > first) {
            mark_run(drawing, first, c);
            any = true;
        }
    }
    if (any)
        explain_cuts(drawing, y);
}
