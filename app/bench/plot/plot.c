#include "app/bench/plot/plot.h"

#include "app/bench/plot/panel.h"
#include "app/plot/bars_cell.h"
#include "app/plot/page.h"

enum { PAGE_WIDTH = 960, MARGIN = 20, BETWEEN = 10, RULE = 12, HALF_COLUMNS = 2 };

/* Position of the next panel on the page, in units of a PlotPage. */
typedef struct Flow {
    double y;
    /* height of a panel of half width, if the next panel is drawn to its right; otherwise 0 */
    double beside;
} Flow;

static const double FULL = PAGE_WIDTH - 2.0 * MARGIN,
                    HALF = (PAGE_WIDTH - 2.0 * MARGIN - 3.0 * BETWEEN) / 2;

/* --- Layout ----------------------------------------------------------------------------------- */

/* Marks a panel as narrow if it has at most HALF_COLUMNS columns and its texts fit in half the
 * width of the page. */
static ImgStatus find_narrow(BenchPanels *panels, ImgError *err)
{
    PlotPage *ruler = NULL;
    ImgStatus status = plot_page_open(true, 1, 1, &ruler, err);
    for (size_t i = 0; i < panels->count && status == IMG_OK; i++) {
        const PlotBars *bars = &panels->items[i].bars;
        panels->items[i].narrow =
            bars->column_count <= HALF_COLUMNS && plot_bars_fit(plot_page_cairo(ruler), HALF, bars);
    }
    plot_page_discard(&ruler);
    return status;
}

static bool is_narrow(const BenchPanels *panels, size_t index)
{
    return index < panels->count && panels->items[index].narrow;
}

/* Finds the place of panel `index`. Two narrow panels in succession are placed side by side.
 * Returns the width of the panel, and sets (*x, *y) to its upper left corner. */
static double next_place(Flow *flow, const BenchPanels *panels, size_t index, double *x, double *y)
{
    double height = RULE + plot_bars_height(&panels->items[index].bars);
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
    Flow flow = {BENCH_HEAD_HEIGHT, 0};
    double x, y;
    for (size_t i = 0; i < panels->count; i++)
        (void)next_place(&flow, panels, i, &x, &y);
    return flow.y;
}

/* --- The page --------------------------------------------------------------------------------- */

static void draw_panels(cairo_t *cairo, const BenchPanels *panels)
{
    Flow flow = {BENCH_HEAD_HEIGHT, 0};
    for (size_t i = 0; i < panels->count; i++) {
        double x, y, width = next_place(&flow, panels, i, &x, &y);
        plot_bar_fill(cairo, (PlotColor){0.82, 0.84, 0.86}, x, y, width, 1);
        plot_bars(cairo, x, y + RULE, width, &panels->items[i].bars);
    }
}

static ImgStatus draw_page(const BenchReport *report, BenchPanels *panels, bool svg,
                           PlotBytes *picture, ImgError *err)
{
    BenchHead head = bench_head(report, panels);
    ImgStatus status = find_narrow(panels, err);
    if (status != IMG_OK)
        return status;
    double height = page_height(panels);
    if (panels->labels.failed)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    if (height + 1 > plot_page_limit(svg))
        return img_fail(err, IMG_E_LIMIT,
                        "%zu panels are more than one picture can hold: choose fewer operations, "
                        "formats or sizes, or a name that ends in .svg",
                        panels->count);
    PlotPage *page = NULL;
    status = plot_page_open(svg, PAGE_WIDTH, (int)height + 1, &page, err);
    if (status != IMG_OK)
        return status;
    bench_head_draw(plot_page_cairo(page), MARGIN, 0, FULL, &head);
    draw_panels(plot_page_cairo(page), panels);
    return plot_page_finish(&page, picture, err);
}

ImgStatus bench_plot(const BenchReport *report, bool svg, PlotBytes *picture, ImgError *err)
{
    BenchPanels panels = BENCH_PANELS_NONE;
    *picture = PLOT_BYTES_NONE;
    ImgStatus status = bench_panels(report, &panels, err);
    if (status == IMG_OK && panels.count == 0)
        status = img_fail(err, IMG_E_USAGE,
                          "nothing was timed or counted that could be drawn: run an operation or "
                          "an experiment of the lab");
    if (status == IMG_OK)
        status = draw_page(report, &panels, svg, picture, err);
    bench_panels_free(&panels);
    return status;
}
