#include "app/plot/plot.h"

#include <math.h>
#include <stddef.h>

#include "app/plot/ticks.h"

const PlotColor plot_ink = {0.13, 0.15, 0.17}, plot_pale_ink = {0.40, 0.43, 0.46};

static const PlotColor grid = {0.90, 0.91, 0.92}, border = {0.55, 0.58, 0.61}, white = {1, 1, 1};
static const double LABEL_SIZE = 12, TICK_SIZE = 11.5, LOG_LOW = 0.5;

static void set_color(cairo_t *cairo, PlotColor color)
{
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
}

static void draw_line(cairo_t *cairo, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cairo, x0, y0);
    cairo_line_to(cairo, x1, y1);
    cairo_stroke(cairo);
}

void plot_badge(cairo_t *cairo, double x, double y, PlotColor color, const char *letter)
{
    cairo_arc(cairo, x, y, PLOT_BADGE_RADIUS, 0, 6.283185307179586);
    set_color(cairo, color);
    cairo_fill_preserve(cairo);
    set_color(cairo, white);
    cairo_set_line_width(cairo, 1.2);
    cairo_stroke(cairo);
    plot_text(cairo, x, y + 3.9, (PlotText){10.5, white, PLOT_CENTER, true}, letter);
}

void plot_line_style(cairo_t *cairo, PlotColor color, PlotMark mark)
{
    static const double dashes[] = {5, 3};
    set_color(cairo, color);
    cairo_set_line_width(cairo, mark == PLOT_MARK_LINE ? 1.6 : 1.2);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(cairo, dashes, mark == PLOT_MARK_DASHED ? 2 : 0, 0);
}

double plot_scale_height(const PlotFrame *frame, PlotScale scale, double amount)
{
    if (!scale.log)
        return frame->height * amount / scale.high;
    if (amount <= LOG_LOW)
        return 0;
    return frame->height * log(amount / LOG_LOW) / log(scale.high / LOG_LOW);
}

static void draw_amount(const PlotFrame *frame, PlotScale scale, double amount)
{
    char text[PLOT_NUMBER_SIZE];
    cairo_t *cairo = frame->cairo;
    double y = frame->top + frame->height - plot_scale_height(frame, scale, amount);
    set_color(cairo, grid);
    cairo_set_line_width(cairo, 1);
    draw_line(cairo, frame->left, y, frame->left + frame->width, y);
    plot_text(cairo, frame->left - 8, y + 4, (PlotText){TICK_SIZE, plot_ink, PLOT_RIGHT, false},
              plot_number_text(amount, text));
}

void plot_scale_left(const PlotFrame *frame, PlotScale scale, double least, const char *label)
{
    cairo_t *cairo = frame->cairo;
    cairo_rectangle(cairo, frame->left, frame->top, frame->width, frame->height);
    set_color(cairo, white);
    cairo_fill(cairo);
    if (scale.log) {
        double amount = 1;
        while (amount <= scale.high) {
            draw_amount(frame, scale, amount);
            amount *= 10;
        }
    } else {
        double step = plot_step(scale.high, 6, least);
        for (int i = 0; i * step <= scale.high; i++)
            draw_amount(frame, scale, i * step);
    }
    cairo_save(cairo);
    cairo_translate(cairo, frame->left - 58, frame->top + frame->height / 2);
    cairo_rotate(cairo, -1.5707963267948966);
    plot_text(cairo, 0, 0, (PlotText){LABEL_SIZE, plot_pale_ink, PLOT_CENTER, false}, label);
    cairo_restore(cairo);
}

void plot_ticks_below(const PlotFrame *frame, const PlotTick *ticks, int count, const char *label)
{
    cairo_t *cairo = frame->cairo;
    double bottom = frame->top + frame->height;
    for (int i = 0; i < count; i++) {
        cairo_set_line_width(cairo, 1);
        set_color(cairo, grid);
        draw_line(cairo, ticks[i].x, frame->top, ticks[i].x, bottom);
        set_color(cairo, border);
        draw_line(cairo, ticks[i].x, bottom, ticks[i].x, bottom + 5);
        plot_text(cairo, ticks[i].x, bottom + 19,
                  (PlotText){TICK_SIZE, plot_ink, PLOT_CENTER, false}, ticks[i].text);
    }
    plot_text(cairo, frame->left + frame->width / 2, bottom + 40,
              (PlotText){LABEL_SIZE, plot_pale_ink, PLOT_CENTER, false}, label);
}

void plot_frame_border(const PlotFrame *frame)
{
    cairo_t *cairo = frame->cairo;
    double right = frame->left + frame->width, bottom = frame->top + frame->height;
    cairo_set_dash(cairo, NULL, 0, 0);
    cairo_set_line_width(cairo, 1);
    set_color(cairo, grid);
    draw_line(cairo, frame->left, frame->top, right, frame->top);
    draw_line(cairo, right, frame->top, right, bottom);
    set_color(cairo, border);
    draw_line(cairo, frame->left, frame->top, frame->left, bottom);
    draw_line(cairo, frame->left, bottom, right, bottom);
}

static void draw_sample(cairo_t *cairo, double x, double y, const PlotLegendRow *row)
{
    if (row->mark == PLOT_MARK_AREA) {
        cairo_rectangle(cairo, x + 0.5, y - 6.5, 25, 13);
        set_color(cairo, row->fill);
        cairo_fill_preserve(cairo);
        plot_line_style(cairo, row->line, row->mark);
        cairo_stroke(cairo);
    } else {
        plot_line_style(cairo, row->line, row->mark);
        draw_line(cairo, x - 2, y, x + 28, y);
    }
    cairo_set_dash(cairo, NULL, 0, 0);
    if (row->letter != NULL)
        plot_badge(cairo, x + 13, y, row->line, row->letter);
}

void plot_legend(cairo_t *cairo, double x, double y, const char *title,
                 const char *const head[PLOT_LEGEND_COLUMNS],
                 const double column_ends[PLOT_LEGEND_COLUMNS], const PlotLegendRow *rows,
                 int count)
{
    PlotText pale = {TICK_SIZE, plot_pale_ink, PLOT_RIGHT, false};
    PlotText text = {LABEL_SIZE, plot_ink, PLOT_LEFT, false};
    PlotText number = {TICK_SIZE, plot_ink, PLOT_RIGHT, false};
    if (title != NULL)
        plot_text(cairo, x + column_ends[PLOT_LEGEND_COLUMNS - 1], y, pale, title);
    for (int c = 0; head != NULL && c < PLOT_LEGEND_COLUMNS; c++)
        plot_text(cairo, x + column_ends[c], y + 18, pale, head[c]);
    for (int i = 0; i < count; i++) {
        double line = y + 42 + 26 * i;
        draw_sample(cairo, x, line - 4, &rows[i]);
        plot_text(cairo, x + 36, line, text, rows[i].label);
        for (int c = 0; c < PLOT_LEGEND_COLUMNS; c++)
            if (rows[i].columns[c] != NULL)
                plot_text(cairo, x + column_ends[c], line, number, rows[i].columns[c]);
    }
}
