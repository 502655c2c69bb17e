#include "app/bench/plot/panel.h"

#include <stdlib.h>
#include <string.h>

/* Returns the size in the subject of a group, such as "4001x3001" in "rgb8 4001x3001". Returns ""
 * if the subject has another form. */
static const char *size_of(const BenchGroup *group)
{
    size_t length = strlen(group->format);
    if (length == 0 || strncmp(group->subject, group->format, length) != 0 ||
        group->subject[length] != ' ')
        return "";
    return group->subject + length + 1;
}

static bool same_panel(const BenchGroup *a, const BenchGroup *b)
{
    return a->section == b->section && a->backend == b->backend &&
           strcmp(a->title, b->title) == 0 && strcmp(size_of(a), size_of(b)) == 0;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static int find_row(const PlotBars *bars, const char *name)
{
    for (int r = 0; r < bars->row_count; r++)
        if (strcmp(bars->rows[r].name, name) == 0)
            return r;
    return -1;
}

static size_t count_all_rows(const BenchPanel *panel)
{
    size_t count = 0;
    for (size_t g = 0; g < panel->group_count; g++)
        count += panel->groups[g]->count;
    return count;
}

static void insert_row(PlotBars *bars, int at, const char *name)
{
    for (int r = bars->row_count++; r > at; r--)
        bars->rows[r] = bars->rows[r - 1];
    bars->rows[at] = (PlotBarRow){.name = name};
}

/* Makes one row for each variant in any group of the panel. A variant that is missing in the first
 * group is inserted after the variant that precedes it in its own group. */
static void collect_rows(BenchPanel *panel)
{
    PlotBars *bars = &panel->bars;
    bars->row_count = 0;
    for (int c = 0; c < bars->column_count; c++) {
        const BenchGroup *group = panel->groups[c];
        int at = 0;
        for (size_t i = 0; i < group->count; i++) {
            if (group->rows[i].verdict == BENCH_LIMIT)
                continue;
            int found = find_row(bars, group->rows[i].name);
            if (found < 0) {
                found = at;
                insert_row(bars, at, group->rows[i].name);
            }
            at = found + 1;
        }
    }
}

/* --- Panels ----------------------------------------------------------------------------------- */

static const char *device_text(const BenchPanel *panel, const BenchMachine *machine,
                               PlotLabels *labels)
{
    if (panel->measure == BENCH_COUNT && strstr(panel->bars.unit, "model") != NULL)
        return "modelled";
    if (panel->groups[0]->backend == IMG_BACKEND_CUDA)
        return plot_labels_keep(labels, machine->gpu[0] != '\0' ? machine->gpu : "CUDA");
    if (machine->threads > 0)
        return plot_labels_format(labels, "CPU, %d thread%s", machine->threads,
                                  machine->threads == 1 ? "" : "s");
    return "CPU";
}

static const char *title_text(const BenchGroup *group, PlotLabels *labels)
{
    if (group->heading[0] != '\0' && group->format[0] == '\0')
        return plot_labels_keep(labels, group->heading);
    const char *size = size_of(group);
    return plot_labels_format(labels, "%s%s%s", group->title, size[0] != '\0' ? ", " : "", size);
}

static ImgStatus fill_panel(BenchPanel *panel, const BenchMachine *machine, PlotLabels *labels,
                            ImgError *err)
{
    PlotBars *bars = &panel->bars;
    size_t rows = count_all_rows(panel), columns = panel->group_count;
    bars->column_count = (int)columns;
    bars->columns = calloc(columns + 1, sizeof *bars->columns);
    bars->rows = calloc(rows + 1, sizeof *bars->rows);
    if (bars->columns == NULL || bars->rows == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    collect_rows(panel);
    for (int r = 0; r < bars->row_count; r++) {
        bars->rows[r].bars = calloc(columns + 1, sizeof *bars->rows[r].bars);
        if (bars->rows[r].bars == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    bench_panel_values(panel, labels);
    bench_panel_headline(panel, labels);
    for (int r = 0; r < bars->row_count; r++)
        bars->rows[r].name = plot_labels_keep(labels, bars->rows[r].name);
    bars->title = title_text(panel->groups[0], labels);
    bars->aside = device_text(panel, machine, labels);
    return IMG_OK;
}

static void free_panel(BenchPanel *panel)
{
    for (int r = 0; r < panel->bars.row_count; r++)
        free(panel->bars.rows[r].bars);
    free(panel->bars.rows);
    free(panel->bars.columns);
    free(panel->groups);
}

static bool same_counts(const BenchPanel *a, const BenchPanel *b)
{
    const PlotBars *first = &a->bars, *second = &b->bars;
    if (a->measure != BENCH_COUNT || b->measure != BENCH_COUNT || a->counter != b->counter ||
        strcmp(a->groups[0]->heading, b->groups[0]->heading) != 0 ||
        first->row_count != second->row_count || first->column_count != second->column_count)
        return false;
    for (int r = 0; r < first->row_count; r++)
        for (int c = 0; c < first->column_count; c++)
            if (strcmp(first->rows[r].name, second->rows[r].name) != 0 ||
                strcmp(first->rows[r].bars[c].text, second->rows[r].bars[c].text) != 0)
                return false;
    return true;
}

/* Removes the last panel if an earlier panel has the same counts, and adds its title to the title
 * of the earlier panel. Turns to the left and to the right, for example, often have the same
 * counts. */
static void merge_equal(BenchPanels *panels)
{
    BenchPanel *last = &panels->items[panels->count - 1];
    for (BenchPanel *panel = panels->items; panel < last; panel++) {
        if (!same_counts(panel, last))
            continue;
        panel->bars.title = plot_labels_format(&panels->labels, "%s, %s", last->groups[0]->title,
                                               panel->bars.title);
        free_panel(last);
        panels->count--;
        return;
    }
}

/* Adds the panel that begins with group `first`. It shows `counter`, or rates if that is
 * LAB_NO_COUNTER. Adds nothing if there is nothing to draw. */
static ImgStatus add_panel(BenchPanels *panels, const BenchReport *report, size_t first,
                           LabCounter counter, ImgError *err)
{
    BenchPanel *panel = &panels->items[panels->count];
    *panel = (BenchPanel){.measure = BENCH_COUNT,
                          .counter = counter,
                          .groups = calloc(report->group_count, sizeof(const BenchGroup *))};
    if (panel->groups == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t g = first; g < report->group_count; g++)
        if (same_panel(&report->groups[first], &report->groups[g]))
            panel->groups[panel->group_count++] = &report->groups[g];
    bool any =
        counter != LAB_NO_COUNTER ? bench_panel_has_values(panel) : bench_panel_find_rates(panel);
    if (!any) {
        free_panel(panel);
        return IMG_OK;
    }
    panels->count++;
    ImgStatus status = fill_panel(panel, &report->machine, &panels->labels, err);
    if (status == IMG_OK)
        merge_equal(panels);
    return status;
}

static ImgStatus add_panels(BenchPanels *panels, const BenchReport *report, size_t first,
                            ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (int i = 0; i < LAB_LESSON_COUNTERS && status == IMG_OK; i++)
        if (report->groups[first].counters[i] != LAB_NO_COUNTER)
            status = add_panel(panels, report, first, report->groups[first].counters[i], err);
    return status == IMG_OK ? add_panel(panels, report, first, LAB_NO_COUNTER, err) : status;
}

static bool is_first_of_panel(const BenchReport *report, size_t group)
{
    for (size_t g = 0; g < group; g++)
        if (same_panel(&report->groups[g], &report->groups[group]))
            return false;
    return true;
}

enum { PANELS_PER_GROUP = LAB_LESSON_COUNTERS + 1 };

ImgStatus bench_panels(const BenchReport *report, BenchPanels *panels, ImgError *err)
{
    ImgStatus status = IMG_OK;
    if (report->group_count == 0)
        return IMG_OK;
    panels->items = calloc(report->group_count * PANELS_PER_GROUP, sizeof *panels->items);
    if (panels->items == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t g = 0; g < report->group_count && status == IMG_OK; g++)
        if (is_first_of_panel(report, g))
            status = add_panels(panels, report, g, err);
    if (status == IMG_OK && panels->labels.failed)
        status = img_fail(err, IMG_E_MEMORY, "no memory");
    return status;
}

void bench_panels_free(BenchPanels *panels)
{
    for (size_t i = 0; i < panels->count; i++)
        free_panel(&panels->items[i]);
    free(panels->items);
    plot_labels_free(&panels->labels);
    *panels = BENCH_PANELS_NONE;
}
