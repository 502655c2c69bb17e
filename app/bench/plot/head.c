#include "app/bench/plot/panel.h"

#include <stdio.h>
#include <string.h>

#include "app/bench/print/fields.h"
#include "app/plot/bars_cell.h"

enum { SPACE = 22 };

static const double SIZE = 11;

/* --- Lines ------------------------------------------------------------------------------------ */

/* Appends `before`, `text` and `after` to the line. A dot separates them from the words before.
 * Does nothing if `text` is empty. */
static void append(char *line, size_t size, const char *before, const char *text, const char *after)
{
    size_t length = strlen(line);
    if (text[0] != '\0')
        (void)snprintf(line + length, size - length, "%s%s%s%s", length > 0 ? " \xC2\xB7 " : "",
                       before, text, after);
}

static const char *machine_text(const BenchMachine *machine, PlotLabels *labels)
{
    char line[512] = "", threads[24];
    append(line, sizeof line, "", machine->gpu, "");
    append(line, sizeof line, "driver ", machine->driver, "");
    append(line, sizeof line, "CUDA ", machine->runtime, "");
    append(line, sizeof line, "", machine->cpu, "");
    (void)snprintf(threads, sizeof threads, "%d", machine->threads);
    append(line, sizeof line, "", machine->threads > 0 ? threads : "",
           machine->threads == 1 ? " thread" : " threads");
    return plot_labels_keep(labels, line);
}

static const char *run_text(const BenchReport *report, PlotLabels *labels)
{
    char line[512] = "", date[11];
    (void)snprintf(date, sizeof date, "%.10s", report->machine.date);
    append(line, sizeof line, "imgtool ", report->machine.version, "");
    append(line, sizeof line, "", date, "");
    append(line, sizeof line, "imgtool ", report->machine.command, "");
    append(line, sizeof line, "", report->interrupted ? "interrupted: results are incomplete" : "",
           "");
    return plot_labels_keep(labels, line);
}

static bool has_failures(const PlotBars *bars)
{
    for (int r = 0; r < bars->row_count; r++)
        for (int c = 0; c < bars->column_count; c++)
            if (bars->rows[r].bars[c].kind == PLOT_BAR_FAILED)
                return true;
    return false;
}

/* Returns a title for plots of counts. It names the counter if all panels show the same counter. */
static const char *fewest_text(BenchPanels *panels)
{
    LabCounter counter = panels->count > 0 ? panels->items[0].counter : LAB_NO_COUNTER;
    for (size_t i = 0; i < panels->count; i++)
        if (panels->items[i].counter != counter)
            return "Which variant has the fewest of what each lesson counts";
    return plot_labels_format(&panels->labels, "Which variant has the fewest %s",
                              bench_counter(counter)->name);
}

BenchHead bench_head(const BenchReport *report, BenchPanels *panels)
{
    BenchHead head = {.machine = machine_text(&report->machine, &panels->labels),
                      .run = run_text(report, &panels->labels)};
    for (size_t i = 0; i < panels->count; i++) {
        const BenchPanel *panel = &panels->items[i];
        bool counted = panel->measure == BENCH_COUNT;
        head.counts |= counted;
        head.rates |= !counted;
        head.limits |= panel->bars.limit_name[0] != '\0';
        head.failures |= has_failures(&panel->bars);
    }
    head.title = fewest_text(panels);
    if (head.limits)
        head.title = "Which variant is fastest, and how near it comes to the limit";
    else if (head.rates)
        head.title = "Which variant is fastest";
    return head;
}

/* --- Legend ----------------------------------------------------------------------------------- */

/* Draws the label of one entry of the legend. This function and those below return the x coordinate
 * of the next entry. */
static double draw_label(cairo_t *cairo, double x, double y, PlotColor color, bool bold,
                         const char *text)
{
    PlotText style = {SIZE, color, PLOT_LEFT, bold};
    plot_text(cairo, x, y, style, text);
    return x + plot_text_width(cairo, style, text) + SPACE;
}

static double draw_sample(cairo_t *cairo, double x, double y, bool best, const char *text)
{
    plot_bar_fill(cairo, plot_bar_colors[best], x, y - 10, 24, 12);
    return draw_label(cairo, x + 30, y, plot_ink, best, text);
}

static double draw_limit(cairo_t *cairo, double x, double y)
{
    plot_bar_fill(cairo, plot_bar_limit, x + 2, y - 11, 2, 14);
    return draw_label(cairo, x + 11, y, plot_ink, false,
                      "limit: a copy or plain read of the same bytes");
}

static void draw_legend(cairo_t *cairo, double x, double y, const BenchHead *head)
{
    const char *best = "fewest", *rest = "more";
    if (head->rates) {
        best =
            head->counts ? "best, or equal within the noise" : "fastest, or equal within the noise";
        rest = head->counts ? "others" : "slower";
    }
    x = draw_sample(cairo, x, y, true, best);
    x = draw_sample(cairo, x, y, false, rest);
    if (head->limits)
        x = draw_limit(cairo, x, y);
    if (head->rates) {
        plot_bar_whisker(cairo, x, x + 14, y - 4);
        x = draw_label(cairo, x + 21, y, plot_ink, false, "noise");
    }
    if (head->failures)
        (void)draw_label(cairo, x, y, plot_bar_alarm, true, "FAIL: wrong result or error");
}

void bench_head_draw(cairo_t *cairo, double x, double y, double width, const BenchHead *head)
{
    PlotText title = {18, plot_ink, PLOT_LEFT, true};
    PlotText pale = {SIZE, plot_pale_ink, PLOT_LEFT, false};
    plot_text_within(cairo, x, y + 30, width, title, head->title);
    plot_text_within(cairo, x, y + 48, width, pale, head->machine);
    plot_text_within(cairo, x, y + 63, width, pale, head->run);
    draw_legend(cairo, x, y + 85, head);
}
