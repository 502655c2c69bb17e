#include "app/bench/plot.h"

#include <stdio.h>
#include <string.h>

#include "app/bench/plot_panel.h"
#include "app/plot/page.h"

enum { PAGE_WIDTH = 960, MARGIN = 20, HEAD = 96, BETWEEN = 22, HALF_COLUMNS = 2 };

/* Where the next panel goes. */
typedef struct Flow {
    double y;
    double beside; /* height of a half panel that awaits another one; 0: none */
} Flow;

static const double FULL = PAGE_WIDTH - 2.0 * MARGIN,
                    HALF = (PAGE_WIDTH - 2.0 * MARGIN - 1.5 * BETWEEN) / 2;

/* --- Layout --------------------------------------------------------------------------------------
 */

static bool is_narrow(const BenchPanels *panels, size_t index)
{
    return index < panels->count && panels->items[index].bars.column_count <= HALF_COLUMNS;
}

/* Two narrow panels that follow each other share a line. Returns the width, sets the corner. */
static double next_place(Flow *flow, const BenchPanels *panels, size_t index, double *x, double *y)
{
    double height = plot_bars_height(&panels->items[index].bars);
    *y = flow->y;
    if (flow->beside > 0) {
        *x = MARGIN + FULL - HALF;
        flow->y += (height > flow->beside ? height : flow->beside) + BETWEEN;
        flow->beside = 0;
        return HALF;
    }
    *x = MARGIN;
    if (is_narrow(panels, index) && is_narrow(panels, index + 1)) {
        flow->beside = height;
        return HALF;
    }
    flow->y += height + BETWEEN;
    return FULL;
}

static double page_height(const BenchPanels *panels)
{
    Flow flow = {HEAD, 0};
    double x, y;
    for (size_t i = 0; i < panels->count; i++)
        (void)next_place(&flow, panels, i, &x, &y);
    return flow.y;
}

/* --- The head of the page ------------------------------------------------------------------------
 */

static void append(char *line, size_t size, const char *before, const char *text, const char *after)
{
    size_t length = strlen(line);
    if (text[0] != '\0')
        (void)snprintf(line + length, size - length, "%s%s%s%s", length > 0 ? " \xC2\xB7 " : "",
                       before, text, after);
}

static const char *machine_text(const BenchMachine *machine, PlotWords *words)
{
    char line[512] = "", threads[24];
    append(line, sizeof line, "", machine->gpu, "");
    append(line, sizeof line, "driver ", machine->driver, "");
    append(line, sizeof line, "CUDA ", machine->runtime, "");
    append(line, sizeof line, "", machine->cpu, "");
    (void)snprintf(threads, sizeof threads, "%d", machine->threads);
    append(line, sizeof line, "", machine->threads > 0 ? threads : "",
           machine->threads == 1 ? " thread" : " threads");
    return plot_words_keep(words, line);
}

static const char *run_text(const BenchReport *report, PlotWords *words)
{
    char line[512] = "", date[11];
    (void)snprintf(date, sizeof date, "%.10s", report->machine.date);
    append(line, sizeof line, "imgtool ", report->machine.version, "");
    append(line, sizeof line, "", date, "");
    append(line, sizeof line, "imgtool ", report->machine.command, "");
    append(line, sizeof line, "", report->interrupted ? "interrupted: not all is here" : "", "");
    return plot_words_keep(words, line);
}

static double legend_bar(cairo_t *cairo, double x, double y, PlotBarKind kind, const char *text)
{
    PlotColor color = plot_bar_colors[kind == PLOT_BAR_BEST];
    PlotText style = {11, plot_ink, PLOT_LEFT, kind == PLOT_BAR_BEST};
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
    cairo_rectangle(cairo, x, y - 10, 24, 12);
    cairo_fill(cairo);
    plot_text(cairo, x + 30, y, style, text);
    return x + 30 + plot_text_width(cairo, style, text) + 22;
}

static bool has_failures(const BenchPanels *panels)
{
    for (size_t i = 0; i < panels->count; i++) {
        const PlotBars *bars = &panels->items[i].bars;
        for (int r = 0; r < bars->row_count; r++)
            for (int c = 0; c < bars->column_count; c++)
                if (bars->rows[r].bars[c].kind == PLOT_BAR_FAILED)
                    return true;
    }
    return false;
}

static void draw_legend(cairo_t *cairo, double y, const BenchPanels *panels, bool rates,
                        bool counts, bool limits)
{
    PlotText style = {11, plot_ink, PLOT_LEFT, false};
    const char *best = rates && counts ? "best"
                       : rates         ? "fastest, or level within the noise"
                                       : "fewest";
    const char *rest = rates && counts ? "the others" : rates ? "slower" : "more";
    const char *line = "limit: a copy or plain read of the same bytes";
    double x = legend_bar(cairo, MARGIN, y, PLOT_BAR_BEST, best);
    x = legend_bar(cairo, x, y, PLOT_BAR_PLAIN, rest);
    if (limits) {
        cairo_set_source_rgb(cairo, plot_bar_limit.red, plot_bar_limit.green, plot_bar_limit.blue);
        cairo_rectangle(cairo, x + 2, y - 11, 2, 14);
        cairo_fill(cairo);
        plot_text(cairo, x + 11, y, style, line);
        x += 11 + plot_text_width(cairo, style, line) + 22;
    }
    if (rates) {
        plot_bar_whisker(cairo, x, x + 14, y - 4);
        x += 21;
        plot_text(cairo, x, y, style, "noise");
        x += plot_text_width(cairo, style, "noise") + 22;
    }
    if (has_failures(panels)) {
        PlotText alarm = {11, plot_bar_alarm, PLOT_LEFT, true};
        plot_text(cairo, x, y, alarm, "FAIL: wrong result or error");
    }
}

static void draw_head(cairo_t *cairo, const BenchPanels *panels, const char *machine,
                      const char *run)
{
    PlotText title = {18, plot_ink, PLOT_LEFT, true}, pale = {11, plot_pale_ink, PLOT_LEFT, false};
    bool rates = false, counts = false, limits = false;
    for (size_t i = 0; i < panels->count; i++) {
        bool counted = panels->items[i].measure == BENCH_WAVEFRONTS;
        counts |= counted;
        rates |= !counted;
        limits |= panels->items[i].bars.limit_name[0] != '\0';
    }
    plot_text_within(cairo, MARGIN, 30, FULL, title,
                     limits  ? "Which variant is fastest, and how near it comes to the limit"
                     : rates ? "Which variant is fastest"
                             : "Which variant needs the fewest wavefronts of shared memory");
    plot_text_within(cairo, MARGIN, 48, FULL, pale, machine);
    plot_text_within(cairo, MARGIN, 63, FULL, pale, run);
    draw_legend(cairo, 85, panels, rates, counts, limits);
}

/* --- The page ------------------------------------------------------------------------------------
 */

static void draw_panels(cairo_t *cairo, const BenchPanels *panels)
{
    Flow flow = {HEAD, 0};
    for (size_t i = 0; i < panels->count; i++) {
        double x, y, width = next_place(&flow, panels, i, &x, &y);
        cairo_set_source_rgb(cairo, 0.82, 0.84, 0.86);
        cairo_rectangle(cairo, x, y, width, 1);
        cairo_fill(cairo);
        plot_bars(cairo, x, y + 12, width, &panels->items[i].bars);
    }
}

static ImgStatus draw_page(const BenchReport *report, BenchPanels *panels, const char *path,
                           ImgError *err)
{
    const char *machine = machine_text(&report->machine, &panels->words);
    const char *run = run_text(report, &panels->words);
    double height = page_height(panels);
    if (panels->words.failed)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    if (height > plot_page_limit(path))
        return img_fail(err, IMG_E_LIMIT,
                        "%zu panels are more than one picture can hold: choose fewer operations, "
                        "formats or sizes, or a name that ends in .svg",
                        panels->count);
    PlotPage *page = NULL;
    ImgStatus status = plot_page_open(path, PAGE_WIDTH, (int)height + 1, &page, err);
    if (status != IMG_OK)
        return status;
    draw_head(plot_page_cairo(page), panels, machine, run);
    draw_panels(plot_page_cairo(page), panels);
    return plot_page_finish(&page, err);
}

ImgStatus bench_plot(const BenchReport *report, const char *path, ImgError *err)
{
    BenchPanels panels = BENCH_PANELS_NONE;
    ImgStatus status = plot_page_check(path, err);
    if (status == IMG_OK)
        status = bench_panels(report, &panels, err);
    if (status == IMG_OK && panels.count == 0)
        status = img_fail(err, IMG_E_USAGE,
                          "nothing was timed or counted that could be drawn: run an operation or "
                          "an experiment of the lab");
    if (status == IMG_OK)
        status = draw_page(report, &panels, path, err);
    bench_panels_free(&panels);
    return status;
}
