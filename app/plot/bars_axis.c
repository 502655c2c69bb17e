/* What stands around the bars of a column: its scale, and the line of the limit. */
#include <stdio.h>

#include "app/plot/bar_marks.h"
#include "app/plot/bars_cell.h"
#include "app/plot/ticks.h"

static const PlotColor grid = {0.92, 0.93, 0.94};

double plot_bar_place(const PlotBarCell *cell, double value)
{
    double part = value / cell->bars->columns[cell->column].top;
    return cell->left + cell->width * (part > 1 ? 1 : part);
}

void plot_bar_ticks(const PlotBarCell *cell)
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

void plot_bar_limit_line(const PlotBarCell *cell)
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
