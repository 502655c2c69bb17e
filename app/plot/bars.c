#include "app/plot/bar_table.h"

#include <stdio.h>

#include "app/plot/bars_cell.h"
#include "app/plot/ticks.h"

enum { BAND_COLUMNS = 6, HEAD = 50, NAME_LINE = 14, LIMIT_LINE = 20, BAND_FOOT = 26 };

/* Minimum and maximum width of the column of names, in units of a PlotPage. Tables with short names
 * all have the minimum. */
static const double NAMES = 146, NAMES_MOST = 190;

/* Maximum width of the text at the right above the table, relative to the width of the table. */
static const double ASIDE_MOST = 0.4;

static int band_count(const PlotBars *bars)
{
    return (bars->column_count + BAND_COLUMNS - 1) / BAND_COLUMNS;
}

static bool has_limits(const PlotBars *bars)
{
    return bars->limit_name[0] != '\0';
}

/* Returns the height of the texts above a column: its name, and the limit if the table has
 * limits. */
static double head_height(const PlotBars *bars)
{
    return NAME_LINE + (has_limits(bars) ? LIMIT_LINE : 6);
}

static double rows_height(const PlotBars *bars)
{
    return PLOT_BAR_PITCH * (double)bars->row_count + 1;
}

static double band_height(const PlotBars *bars)
{
    return head_height(bars) + rows_height(bars) + BAND_FOOT;
}

double plot_bars_height(const PlotBars *bars)
{
    return HEAD + band_count(bars) * band_height(bars);
}

const char *plot_bar_number(double value, char text[PLOT_BAR_NUMBER])
{
    if (value >= 99999.5)
        return plot_number_text(value, text);
    if (value < 0.995)
        (void)snprintf(text, PLOT_BAR_NUMBER, "%.3g", value);
    else
        (void)snprintf(text, PLOT_BAR_NUMBER, "%.*f",
                       value >= 99.95   ? 0
                       : value >= 9.995 ? 1
                                        : 2,
                       value);
    return text;
}

static PlotText name_style(bool best)
{
    return (PlotText){PLOT_BAR_NAME_SIZE, best ? plot_bar_colors[1] : plot_ink, PLOT_LEFT, best};
}

static double names_width(cairo_t *cairo, const PlotBars *bars)
{
    double most = NAMES - PLOT_BAR_GAP;
    for (int r = 0; r < bars->row_count; r++) {
        double width = plot_text_width(cairo, name_style(bars->rows[r].best), bars->rows[r].name);
        most = width > most ? width : most;
    }
    return most < NAMES_MOST - PLOT_BAR_GAP ? most : NAMES_MOST - PLOT_BAR_GAP;
}

static void draw_names(cairo_t *cairo, double x, double top, double width, const PlotBars *bars)
{
    PlotText limit = {PLOT_BAR_VALUE_SIZE, plot_bar_limit, PLOT_LEFT, true};
    PlotText unit = {PLOT_BAR_AXIS_SIZE, plot_pale_ink, PLOT_LEFT, false};
    plot_text_within(cairo, x, top - 7, width, limit, bars->limit_name);
    for (int r = 0; r < bars->row_count; r++)
        plot_text_within(cairo, x, plot_bar_top(top, r) + PLOT_BAR_HEIGHT - 3.5, width,
                         name_style(bars->rows[r].best), bars->rows[r].name);
    plot_text_within(cairo, x, top + rows_height(bars) + 14, width, unit, bars->unit);
}

/* Styles of the texts above the table: title, right text, headline and note. */
static PlotText title_style(void)
{
    return (PlotText){14, plot_ink, PLOT_LEFT, true};
}

static PlotText aside_style(void)
{
    return (PlotText){11.5, plot_ink, PLOT_RIGHT, false};
}

static PlotText headline_style(void)
{
    return (PlotText){12, plot_bar_colors[1], PLOT_LEFT, true};
}

static PlotText note_style(void)
{
    return (PlotText){PLOT_BAR_VALUE_SIZE, plot_pale_ink, PLOT_LEFT, false};
}

bool plot_bars_fit(cairo_t *cairo, double width, const PlotBars *bars)
{
    double title = plot_text_width(cairo, title_style(), bars->title),
           aside = plot_text_width(cairo, aside_style(), bars->aside);
    return aside < ASIDE_MOST * width && title + PLOT_BAR_GAP + aside <= width &&
           plot_text_width(cairo, headline_style(), bars->headline) <= width &&
           plot_text_width(cairo, note_style(), bars->note) <= width;
}

static void draw_head(cairo_t *cairo, double x, double y, double width, const PlotBars *bars)
{
    double taken = plot_text_width(cairo, aside_style(), bars->aside);
    taken = taken < ASIDE_MOST * width ? taken : ASIDE_MOST * width;
    plot_text_within(cairo, x, y + 11, width - taken - PLOT_BAR_GAP, title_style(), bars->title);
    plot_text_within(cairo, x + width, y + 11, taken + 1, aside_style(), bars->aside);
    plot_text_within(cairo, x, y + 30, width, headline_style(), bars->headline);
    plot_text_within(cairo, x, y + 45, width, note_style(), bars->note);
}

void plot_bars(cairo_t *cairo, double x, double y, double width, const PlotBars *bars)
{
    draw_head(cairo, x, y, width, bars);
    double names = names_width(cairo, bars), left = x + names + PLOT_BAR_GAP;
    int bands = band_count(bars), each = (bars->column_count + bands - 1) / bands;
    double room = (x + width + PLOT_BAR_GAP - left) / each;
    for (int c = 0; c < bars->column_count; c++) {
        int above = c / each;
        double band = y + HEAD + above * band_height(bars), top = band + head_height(bars);
        if (c % each == 0)
            draw_names(cairo, x, top, names, bars);
        PlotBarCell cell = {cairo,
                            bars,
                            c,
                            left + room * (c % each),
                            top,
                            room - PLOT_BAR_GAP,
                            top + rows_height(bars)};
        plot_bar_cell(&cell, band + NAME_LINE);
    }
}
