#include "app/plot/histogram/histogram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/plot/histogram/curves.h"
#include "app/plot/page.h"
#include "app/plot/ticks.h"

enum { PAGE_WIDTH = 1080, PAGE_HEIGHT = 560, LEGEND_LEFT = 870 };

static bool is_alpha(const Curve *curve)
{
    return curve->look->mark == PLOT_MARK_DASHED;
}

/* Sets the upper end of the scale. Alpha is left out unless it is the only curve above 0. Most
 * pixels are opaque, and the high last column of alpha would flatten the other curves. */
static void find_scale(Drawing *drawing)
{
    double high = 0, high_alpha = 0;
    for (int i = 0; i < drawing->count; i++) {
        const Curve *curve = &drawing->curves[i];
        double own = 0;
        if (!drawing->what->log_scale)
            own = plot_columns_limit(drawing->columns, curve->sums);
        for (int c = 0; drawing->what->log_scale && c < drawing->columns.count; c++)
            own = curve->sums[c] > own ? curve->sums[c] : own;
        double *most = is_alpha(curve) ? &high_alpha : &high;
        *most = own > *most ? own : *most;
    }
    if (high <= 0)
        high = high_alpha > 0 ? high_alpha : 1;
    drawing->scale =
        (PlotScale){drawing->what->log_scale ? high * 1.6 : high * 1.05, drawing->what->log_scale};
}

static void prepare(Drawing *drawing, const PlotHistogram *what, cairo_t *cairo)
{
    drawing->what = what;
    drawing->frame = (PlotFrame){cairo, 76, 84, 768, 380};
    drawing->columns = plot_columns(what->bins);
    drawing->count = (int)what->series_count;
    for (int i = 0; i < drawing->count; i++) {
        drawing->curves[i].name = what->series[i].name;
        drawing->curves[i].look = plot_look(what->series[i].name);
        plot_columns_sum(drawing->columns, what->series[i].counts, drawing->curves[i].sums);
    }
    find_scale(drawing);
}

static void draw_axes(const Drawing *drawing)
{
    const PlotHistogram *what = drawing->what;
    char amount[PLOT_NUMBER_SIZE], label[96];
    uint64_t values =
        ((uint64_t)what->maximum + 1) * (uint64_t)drawing->columns.group / (uint64_t)what->bins;
    if (values > 1)
        snprintf(label, sizeof label, "pixels per column of %s values%s",
                 plot_exact_text(values, amount), what->log_scale ? ", logarithmic" : "");
    else
        snprintf(label, sizeof label, "pixels%s", what->log_scale ? ", logarithmic" : "");
    plot_scale_left(&drawing->frame, drawing->scale, 1, label);

    uint32_t samples[PLOT_SAMPLE_TICKS];
    char texts[PLOT_SAMPLE_TICKS][PLOT_NUMBER_SIZE];
    PlotTick ticks[PLOT_SAMPLE_TICKS];
    int count = plot_sample_ticks(what->maximum, samples);
    for (int i = 0; i < count; i++) {
        /* A tick stands in the middle of the interval that its sample value has on the axis. */
        double at = ((double)samples[i] + 0.5) / ((double)what->maximum + 1);
        ticks[i] = (PlotTick){drawing->frame.left + drawing->frame.width * at,
                              plot_exact_text(samples[i], texts[i])};
    }
    plot_ticks_below(&drawing->frame, ticks, count, "sample value");
}

static void draw_legend(const Drawing *drawing)
{
    static const double ends[PLOT_LEGEND_COLUMNS] = {132, 192};
    const PlotHistogram *what = drawing->what;
    PlotLegendRow rows[PLOT_SERIES_MAX];
    char shares[PLOT_SERIES_MAX][PLOT_LEGEND_COLUMNS][PLOT_NUMBER_SIZE];
    for (int i = 0; i < drawing->count; i++) {
        const Look *look = drawing->curves[i].look;
        const uint64_t *counts = what->series[i].counts;
        rows[i] = (PlotLegendRow){
            .label = drawing->curves[i].name,
            .letter = drawing->count > 1 ? look->letter : NULL,
            .mark = look->mark,
            .line = look->line,
            .fill = plot_tints[look->light],
            .columns = {plot_share_text(counts[0], what->pixels, shares[i][0]),
                        plot_share_text(counts[what->bins - 1], what->pixels, shares[i][1])},
        };
    }
    char maximum[PLOT_NUMBER_SIZE];
    bool exact = (uint64_t)what->bins == (uint64_t)what->maximum + 1;
    plot_exact_text(what->maximum, maximum);
    const char *const head[] = {exact ? "0" : "lowest", exact ? maximum : "highest"};
    plot_legend(drawing->frame.cairo, LEGEND_LEFT, drawing->frame.top + 10,
                exact ? "pixels at" : "pixels in the bin", head, ends, rows, drawing->count);
}

static ImgStatus draw_title(const Drawing *drawing, ImgError *err)
{
    const PlotFrame *frame = &drawing->frame;
    char *title = plot_clean_text(drawing->what->title);
    if (title == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    plot_text_within(frame->cairo, frame->left, 32, frame->width,
                     (PlotText){17, plot_ink, PLOT_LEFT, true}, title);
    free(title);
    char exact[PLOT_NUMBER_SIZE], line[96];
    uint64_t pixels = drawing->what->pixels;
    snprintf(line, sizeof line, "%s pixel%s", plot_exact_text(pixels, exact),
             pixels == 1 ? "" : "s");
    plot_text(frame->cairo, PAGE_WIDTH - 18, 32, (PlotText){12, plot_pale_ink, PLOT_RIGHT, false},
              line);
    return IMG_OK;
}

static ImgStatus draw(Drawing *drawing, ImgError *err)
{
    cairo_t *cairo = drawing->frame.cairo;
    const PlotFrame *frame = &drawing->frame;
    draw_axes(drawing);
    cairo_save(cairo);
    cairo_rectangle(cairo, frame->left, frame->top, frame->width, frame->height);
    cairo_clip(cairo);
    plot_curves(drawing);
    cairo_restore(cairo);
    plot_frame_border(frame);
    plot_letters(drawing);
    plot_cuts(drawing, PAGE_HEIGHT - 18);
    draw_legend(drawing);
    return draw_title(drawing, err);
}

ImgStatus plot_histogram(const PlotHistogram *what, bool svg, PlotBytes *picture, ImgError *err)
{
    *picture = PLOT_BYTES_NONE;
    if (what->bins < 1 || what->series_count < 1 || what->series_count > PLOT_SERIES_MAX)
        return img_fail(err, IMG_E_USAGE, "a plot takes 1 to %d series of at least one bin",
                        PLOT_SERIES_MAX);
    Drawing *drawing = calloc(1, sizeof *drawing);
    if (drawing == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    PlotPage *page = NULL;
    ImgStatus status = plot_page_open(svg, PAGE_WIDTH, PAGE_HEIGHT, &page, err);
    if (status == IMG_OK) {
        prepare(drawing, what, plot_page_cairo(page));
        status = draw(drawing, err);
    }
    if (status == IMG_OK)
        status = plot_page_finish(&page, picture, err);
    plot_page_discard(&page);
    free(drawing);
    return status;
}
