#include "app/bench/changes/compare.h"

#include <string.h>

#include "app/bench/print/fields.h"
#include "app/bench/print/tables.h"
#include "app/bench/print/text.h"

/* --- Rows without a counterpart --------------------------------------------------------------- */

static const char *state(BenchEntryRow row)
{
    if (row.verdict == BENCH_FAILED || row.verdict == BENCH_SKIPPED)
        return bench_verdict_name(row.verdict);
    return row.timing->samples > 0 ? "timed" : "not timed";
}

/* Writes a line to `text` if row `index` of `entry` cannot be compared with the row of the same
 * name in `other`. Either `other` has no such row, or only one of the two was timed, for example
 * because the other failed. The second case is reported only for the new entry, so that it appears
 * once. Returns false if there is nothing to report. */
static bool unmatched_text(BenchEntry entry, BenchEntry other, bool entry_is_new, size_t index,
                           char text[BENCH_HEADING])
{
    char clean[BENCH_CLEAN];
    BenchEntryRow row = bench_entry_row(entry, index), partner;
    BenchChange change;
    if (!bench_entry_row_exists(entry, row))
        return false;
    bench_clean_text(row.name, clean);
    if (!bench_entry_find_row(other, row.name, &partner) ||
        !bench_entry_row_exists(other, partner)) {
        snprintf(text, BENCH_HEADING, "%s: only %s", clean, entry_is_new ? "now" : "before");
        return true;
    }
    if (!entry_is_new || bench_change(other, entry, index, &change))
        return false;
    const char *before = state(partner), *now = state(row);
    snprintf(text, BENCH_HEADING, "%s: %s before, %s now", clean, before, now);
    return strcmp(before, now) != 0;
}

static void entry_text(BenchEntry entry, char text[BENCH_HEADING])
{
    char title[BENCH_CLEAN], subject[BENCH_CLEAN];
    snprintf(text, BENCH_HEADING, "%s, %s, %s%s", bench_clean_text(entry.title, title),
             bench_clean_text(entry.subject, subject), bench_backend_label(entry.backend),
             entry.job != NULL ? ", whole jobs" : "");
}

/* Writes to `text` how the property `what` (such as the GPU's name) differs between two reports.
 * Writes "" if the values are equal. */
static void difference_text(const char *what, const char *old, const char *new_,
                            char text[BENCH_HEADING])
{
    char before[BENCH_CLEAN], now[BENCH_CLEAN];
    text[0] = '\0';
    if (strcmp(old, new_) != 0)
        snprintf(text, BENCH_HEADING, "%s differs: %s before, %s now", what,
                 old[0] != '\0' ? bench_clean_text(old, before) : "none or unknown",
                 new_[0] != '\0' ? bench_clean_text(new_, now) : "none or unknown");
}

/* --- Output: the same lines for a terminal and for Markdown ----------------------------------- */

typedef struct Page {
    FILE *out;
    const BenchStyle *style; /* style of text for a terminal; NULL: the page is Markdown */
} Page;

static void page_heading(const Page *page, const char *text)
{
    if (page->style != NULL) {
        bench_print_wrapped(page->out, 0, 2, BENCH_BOLD, text, page->style);
        return;
    }
    fputs("### ", page->out);
    bench_markdown_text(page->out, text);
    fputs("\n\n", page->out);
}

static void page_table(const Page *page, const BenchTable *table)
{
    if (page->style != NULL) {
        bench_table_print(page->out, table, page->style);
        return;
    }
    bench_table_markdown(page->out, table);
    fputc('\n', page->out);
}

static void page_line(const Page *page, const char *text)
{
    if (page->style != NULL) {
        bench_print_wrapped(page->out, BENCH_INDENT, BENCH_INDENT + 4, BENCH_DIM, text,
                            page->style);
        return;
    }
    fputs("- ", page->out);
    bench_markdown_text(page->out, text);
    fputc('\n', page->out);
}

static void print_machines(const Page *page, const BenchMachine *old, const BenchMachine *new_)
{
    char text[BENCH_HEADING], run[BENCH_MACHINE_LINE], title[BENCH_MACHINE_LINE + 16];
    char threads[2][BENCH_UNIT];
    snprintf(threads[0], BENCH_UNIT, "%d", old->threads);
    snprintf(threads[1], BENCH_UNIT, "%d", new_->threads);
    const char *const parts[][3] = {{"GPU", old->gpu, new_->gpu},
                                    {"CPU", old->cpu, new_->cpu},
                                    {"threads", threads[0], threads[1]},
                                    {"driver", old->driver, new_->driver},
                                    {"runtime", old->runtime, new_->runtime}};
    bench_machine_run(old, run);
    snprintf(title, sizeof title, "Compared with %s",
             run[0] != '\0' ? run : "a run that has no name");
    page_heading(page, title);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        difference_text(parts[i][0], parts[i][1], parts[i][2], text);
        if (text[0] != '\0')
            page_line(page, text);
    }
    fputc('\n', page->out);
}

static void print_unmatched(const Page *page, BenchEntry entry, BenchEntry other, bool entry_is_new)
{
    char text[BENCH_HEADING];
    for (size_t r = 0; r < bench_entry_rows(entry); r++)
        if (unmatched_text(entry, other, entry_is_new, r, text))
            page_line(page, text);
}

static bool any_change(const BenchPair *pair)
{
    BenchChange change;
    for (size_t r = 0; r < bench_entry_rows(pair->new_); r++)
        if (bench_change(pair->old, pair->new_, r, &change))
            return true;
    return false;
}

static void print_pair(const Page *page, const BenchPair *pair)
{
    char text[BENCH_HEADING];
    BenchTable table = bench_pair_table(pair);
    entry_text(pair->new_, text);
    page_heading(page, text);
    if (any_change(pair))
        page_table(page, &table);
    print_unmatched(page, pair->old, pair->new_, false);
    print_unmatched(page, pair->new_, pair->old, true);
    fputc('\n', page->out);
}

/* Prints a line for each entry (group or job) of `report` that `other` lacks. Returns the number of
 * lines. */
static size_t print_missing(const Page *page, const BenchReport *report, const BenchReport *other,
                            const char *when)
{
    char text[BENCH_HEADING], line[BENCH_HEADING + 64];
    size_t missing = 0;
    for (size_t i = 0; i < bench_entry_count(report); i++) {
        BenchEntry entry = bench_entry_at(report, i), found;
        if (bench_entry_find(other, entry, &found))
            continue;
        entry_text(entry, text);
        if (entry.group != NULL)
            snprintf(line, sizeof line, "only %s: %s (%zu row%s)", when, text, entry.group->count,
                     entry.group->count == 1 ? "" : "s");
        else
            snprintf(line, sizeof line, "only %s: %s", when, text);
        page_line(page, line);
        missing++;
    }
    return missing;
}

static size_t print_totals(const Page *page, const BenchReport *old, const BenchReport *new_)
{
    char text[BENCH_HEADING];
    BenchTotals totals = bench_totals(old, new_);
    int length =
        snprintf(text, sizeof text, "%zu compared, %zu faster, %zu slower beyond the noise (*)",
                 totals.compared, totals.faster, totals.slower);
    if (totals.recounted > 0)
        snprintf(text + length, sizeof text - (size_t)length, ", %zu with other counts",
                 totals.recounted);
    if (page->style != NULL) {
        bench_print_wrapped(page->out, 0, 2, BENCH_BOLD, text, page->style);
    } else {
        bench_markdown_text(page->out, text);
        fputc('\n', page->out);
    }
    return totals.compared;
}

size_t bench_print_comparison(FILE *out, const BenchReport *old, const BenchReport *new_,
                              const BenchStyle *style)
{
    const Page *page = &(Page){out, style};
    print_machines(page, &old->machine, &new_->machine);
    for (size_t i = 0; i < bench_entry_count(new_); i++) {
        BenchPair pair = {.new_ = bench_entry_at(new_, i),
                          .utf8 = page->style == NULL || page->style->utf8};
        if (bench_entry_find(old, pair.new_, &pair.old))
            print_pair(page, &pair);
    }
    size_t missing = print_missing(page, old, new_, "before");
    missing += print_missing(page, new_, old, "now");
    if (missing > 0)
        fputc('\n', page->out);
    return print_totals(page, old, new_);
}
