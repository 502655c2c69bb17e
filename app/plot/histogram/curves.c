/* Draws the curves of a histogram: areas with blended colours, outlines, and a letter per curve.
 * Assigns the bins to columns. */
#include "app/plot/histogram/curves.h"

#include <stdlib.h>
#include <string.h>

static const Look looks[] = {
    {"red", "R", PLOT_MARK_AREA, 1, {0.80, 0.20, 0.07}},
    {"green", "G", PLOT_MARK_AREA, 2, {0.00, 0.55, 0.40}},
    {"blue", "B", PLOT_MARK_AREA, 4, {0.00, 0.40, 0.73}},
    {"gray", "K", PLOT_MARK_AREA, 7, {0.35, 0.37, 0.40}},
    {"luma", "L", PLOT_MARK_LINE, 0, {0.10, 0.10, 0.12}},
    {"alpha", "A", PLOT_MARK_DASHED, 0, {0.52, 0.32, 0.62}},
};
static const Look other_look = {"", NULL, PLOT_MARK_LINE, 0, {0.40, 0.30, 0.20}};

const PlotColor plot_tints[8] = {
    [1] = {0.95, 0.66, 0.59}, [2] = {0.57, 0.83, 0.72}, [3] = {0.89, 0.81, 0.46},
    [4] = {0.57, 0.75, 0.92}, [5] = {0.81, 0.64, 0.85}, [6] = {0.48, 0.79, 0.84},
    [7] = {0.76, 0.78, 0.80},
};

const Look *plot_look(const char *name)
{
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (strcmp(looks[i].name, name) == 0)
            return &looks[i];
    return &other_look;
}

double plot_column_left(const Drawing *drawing, int column)
{
    double bin = (double)column * drawing->columns.group;
    if (bin > drawing->columns.bins)
        bin = drawing->columns.bins;
    return drawing->frame.left + drawing->frame.width * bin / drawing->columns.bins;
}

static double column_middle(const Drawing *drawing, int column)
{
    return (plot_column_left(drawing, column) + plot_column_left(drawing, column + 1)) / 2;
}

static double column_y(const Drawing *drawing, double amount)
{
    return drawing->frame.top + drawing->frame.height -
           plot_scale_height(&drawing->frame, drawing->scale, amount);
}

/* Returns the smallest amount in one column among the curves that represent red, green or blue and
 * are selected by the bits in `lights` (Look.light). Returns a negative number if there is no such
 * curve. */
static double common_amount(const Drawing *drawing, unsigned lights, int column)
{
    double least = -1;
    for (int i = 0; i < drawing->count; i++) {
        const Curve *curve = &drawing->curves[i];
        if ((curve->look->light & lights) != 0 && (least < 0 || curve->sums[column] < least))
            least = curve->sums[column];
    }
    return least;
}

static void trace_steps(const Drawing *drawing, const double *sums)
{
    cairo_t *cairo = drawing->frame.cairo;
    for (int c = 0; c < drawing->columns.count; c++) {
        double y = column_y(drawing, sums[c]);
        cairo_line_to(cairo, plot_column_left(drawing, c), y);
        cairo_line_to(cairo, plot_column_left(drawing, c + 1), y);
    }
}

static void fill_area(const Drawing *drawing, unsigned lights)
{
    cairo_t *cairo = drawing->frame.cairo;
    double sums[PLOT_COLUMNS_MAX], bottom = drawing->frame.top + drawing->frame.height;
    for (int c = 0; c < drawing->columns.count; c++)
        sums[c] = common_amount(drawing, lights, c);
    cairo_move_to(cairo, drawing->frame.left, bottom);
    trace_steps(drawing, sums);
    cairo_line_to(cairo, drawing->frame.left + drawing->frame.width, bottom);
    cairo_close_path(cairo);
    cairo_set_source_rgb(cairo, plot_tints[lights].red, plot_tints[lights].green,
                         plot_tints[lights].blue);
    cairo_fill(cairo);
}

/* Fills the areas under the curves. First come areas under single curves, then those that two
 * curves have in common, then those that all three have in common. It does not use Cairo's blend
 * modes, because Cairo embeds their result as a bitmap in an SVG. */
static void fill_areas(const Drawing *drawing)
{
    static const unsigned order[] = {1, 2, 4, 3, 5, 6, 7};
    unsigned there = 0;
    for (int i = 0; i < drawing->count; i++) {
        if (drawing->curves[i].look->light == 7)
            fill_area(drawing, 7);
        else
            there |= drawing->curves[i].look->light;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (there != 0 && (order[i] & there) == order[i])
            fill_area(drawing, order[i]);
}

/* Traces the outline of a curve. The outline leaves out columns of 0, so that no colour is visible
 * along the axis. */
static void trace_outline(const Drawing *drawing, const double *sums)
{
    cairo_t *cairo = drawing->frame.cairo;
    double bottom = drawing->frame.top + drawing->frame.height;
    bool open = false;
    for (int c = 0; c < drawing->columns.count; c++) {
        double y = column_y(drawing, sums[c]), left = plot_column_left(drawing, c);
        if (sums[c] > 0 && !open)
            cairo_move_to(cairo, left, bottom);
        if (sums[c] > 0 || open)
            cairo_line_to(cairo, left, y);
        open = sums[c] > 0;
        if (open)
            cairo_line_to(cairo, plot_column_left(drawing, c + 1), y);
    }
    if (open)
        cairo_line_to(cairo, drawing->frame.left + drawing->frame.width, bottom);
}

static void draw_outlines(const Drawing *drawing)
{
    cairo_t *cairo = drawing->frame.cairo;
    for (int i = 0; i < drawing->count; i++) {
        const Curve *curve = &drawing->curves[i];
        trace_outline(drawing, curve->sums);
        plot_line_style(cairo, curve->look->line, curve->look->mark);
        cairo_stroke(cairo);
    }
    cairo_set_dash(cairo, NULL, 0, 0);
}

void plot_curves(const Drawing *drawing)
{
    fill_areas(drawing);
    draw_outlines(drawing);
}

static double shown_height(const Drawing *drawing, double amount)
{
    double height = plot_scale_height(&drawing->frame, drawing->scale, amount);
    return height < drawing->frame.height ? height : drawing->frame.height;
}

/* Returns how much higher the curve `which` is than all others in a column, in units of a PlotPage;
 * negative if another curve is higher. */
static double stands_out(const Drawing *drawing, int which, int column)
{
    double others = 0, own = shown_height(drawing, drawing->curves[which].sums[column]);
    for (int i = 0; i < drawing->count; i++) {
        double height = shown_height(drawing, drawing->curves[i].sums[column]);
        if (i != which && height > others)
            others = height;
    }
    return own - others;
}

typedef struct Spot {
    double x, y;
} Spot;

static bool is_free(const Spot *taken, int count, Spot spot)
{
    const double apart = 2 * PLOT_BADGE_RADIUS + 4;
    for (int i = 0; i < count; i++) {
        double dx = taken[i].x - spot.x, dy = taken[i].y - spot.y;
        if (dx * dx + dy * dy < apart * apart)
            return false;
    }
    return true;
}

static Spot spot_above(const Drawing *drawing, int which, int column)
{
    const PlotFrame *frame = &drawing->frame;
    const double margin = PLOT_BADGE_RADIUS + 3;
    Spot spot = {column_middle(drawing, column),
                 frame->top + frame->height - margin -
                     shown_height(drawing, drawing->curves[which].sums[column])};
    if (spot.x < frame->left + margin)
        spot.x = frame->left + margin;
    if (spot.x > frame->left + frame->width - margin)
        spot.x = frame->left + frame->width - margin;
    if (spot.y < frame->top + margin)
        spot.y = frame->top + margin;
    return spot;
}

void plot_letters(const Drawing *drawing)
{
    Spot taken[PLOT_SERIES_MAX];
    int count = 0;
    for (int i = 0; i < drawing->count && drawing->count > 1; i++) {
        const Look *look = drawing->curves[i].look;
        double most = 0;
        Spot best = {0, 0};
        for (int c = 0; c < drawing->columns.count && look->letter != NULL; c++) {
            Spot spot = spot_above(drawing, i, c);
            /* The height of the frame is added so that the score is positive. A curve that is never
             * the highest therefore gets a letter too, at one of its high columns. */
            double score = stands_out(drawing, i, c) + drawing->frame.height +
                           shown_height(drawing, drawing->curves[i].sums[c]) / 8;
            if (score > most && drawing->curves[i].sums[c] > 0 && is_free(taken, count, spot)) {
                most = score;
                best = spot;
            }
        }
        if (most > 0) {
            plot_badge(drawing->frame.cairo, best.x, best.y, look->line, look->letter);
            taken[count++] = best;
        }
    }
}

PlotColumns plot_columns(int bins)
{
    int group = 1;
    if (bins > PLOT_COLUMNS_MAX)
        group = bins % 256 == 0 ? bins / 256 : (bins + PLOT_COLUMNS_MAX - 1) / PLOT_COLUMNS_MAX;
    return (PlotColumns){bins, group, (bins + group - 1) / group};
}

void plot_columns_sum(PlotColumns columns, const uint64_t *counts, double *sums)
{
    for (int c = 0; c < columns.count; c++) {
        int first = c * columns.group, end = first + columns.group;
        if (end > columns.bins)
            end = columns.bins;
        uint64_t sum = 0;
        for (int bin = first; bin < end; bin++)
            sum += counts[bin];
        sums[c] = (double)sum * columns.group / (end - first);
    }
}

static int compare_falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

double plot_columns_limit(PlotColumns columns, const double *sums)
{
    enum { ENOUGH_INSIDE = 8 };
    double sorted[PLOT_COLUMNS_MAX];
    int inside = 0, all = 0;
    for (int c = 1; c < columns.count - 1; c++)
        if (sums[c] > 0)
            sorted[inside++] = sums[c];
    all = inside;
    if (inside < ENOUGH_INSIDE) {
        if (sums[0] > 0)
            sorted[all++] = sums[0];
        if (columns.count > 1 && sums[columns.count - 1] > 0)
            sorted[all++] = sums[columns.count - 1];
    }
    if (all == 0)
        return sums[0] > sums[columns.count - 1] ? sums[0] : sums[columns.count - 1];
    qsort(sorted, (size_t)all, sizeof *sorted, compare_falling);
    double most = 3 * sorted[(all * 5 + 50) / 100], limit = 0;
    for (int c = 0; c < columns.count; c++)
        if (sums[c] <= most && sums[c] > limit)
            limit = sums[c];
    return limit;
}
