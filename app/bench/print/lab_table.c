/* Prints an experiment with several cases. There is one table per counter that the experiment
 * explains, with one row per variant and one column per case. */
#include <stdio.h>
#include <string.h>

#include "app/bench/print/fields.h"
#include "app/bench/print/tables.h"
#include "app/bench/print/text.h"

enum { ROWS_MAX = 64, CASES_MAX = BENCH_COLUMNS - 2 };

/* The cases of one experiment, which are the columns of a table. `counter` is LAB_NO_COUNTER for a
 * table of times. */
typedef struct CasesView {
    const BenchGroup *groups[CASES_MAX];
    size_t count;
    char headings[CASES_MAX][BENCH_SUBJECT];
    const char *names[ROWS_MAX]; /* names of the variants and of the limit, one per row */
    size_t row_count;
    LabCounter counter;
    /* true if no variant was timed or counted, so that the table can only show verdicts */
    bool verdicts;
} CasesView;

/* --- Rows and columns ------------------------------------------------------------------------- */

static const BenchRow *find_row(const BenchGroup *group, const char *name)
{
    for (size_t r = 0; r < group->count; r++)
        if (strcmp(group->rows[r].name, name) == 0)
            return &group->rows[r];
    return NULL;
}

static void add_names(CasesView *view, const BenchGroup *group)
{
    for (size_t r = 0; r < group->count; r++) {
        size_t known = 0;
        while (known < view->row_count && strcmp(view->names[known], group->rows[r].name) != 0)
            known++;
        if (known == view->row_count && known < ROWS_MAX)
            view->names[view->row_count++] = group->rows[r].name;
    }
}

/* Writes the heading of a column: the format, such as "rgb8", or the name of the case if there is
 * no format. In a table of counts that come from a smaller case, that case is named instead. A long
 * name is divided into two lines. */
static void name_case(const CasesView *view, const BenchGroup *group, char heading[BENCH_SUBJECT])
{
    char clean[BENCH_CLEAN];
    bool longer = strncmp(group->counted, group->subject, strlen(group->subject)) == 0;
    bool smaller = view->counter != LAB_NO_COUNTER && group->counted[0] != '\0' && !longer;
    const char *name = smaller ? group->counted : group->subject;
    bench_copy_text(heading, BENCH_SUBJECT,
                    bench_clean_text(group->format[0] != '\0' ? group->format : name, clean));
    char *second = strstr(heading, " by ");
    if (second == NULL && strstr(heading, " x ") == NULL)
        second = strrchr(heading, ' ');
    if (second != NULL && strlen(heading) > 8)
        *second = '\n';
}

/* --- Cells ------------------------------------------------------------------------------------ */

static void name_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const CasesView *view = context;
    bench_clean_text(view->names[row], text);
}

static void value_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    const CasesView *view = context;
    const BenchRow *of = find_row(view->groups[index], view->names[row]);
    if (of == NULL)
        return;
    if (of->verdict == BENCH_FAILED || of->verdict == BENCH_SKIPPED || view->verdicts)
        snprintf(text, BENCH_CLEAN, "%s",
                 of->verdict == BENCH_FAILED ? "FAIL" : bench_verdict_name(of->verdict));
    else if (view->counter == LAB_NO_COUNTER && bench_timed(&of->cold))
        bench_time_text(of->cold.median, text);
    else if (view->counter != LAB_NO_COUNTER && of->counting != BENCH_UNCOUNTED)
        bench_count_text(bench_counter_get(&of->counts, view->counter), text);
}

static void remark_cell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN])
{
    (void)index;
    const CasesView *view = context;
    char message[BENCH_CLEAN];
    for (size_t c = 0; c < view->count; c++) {
        const BenchRow *of = find_row(view->groups[c], view->names[row]);
        if (of == NULL || of->verdict != BENCH_FAILED || of->message[0] == '\0')
            continue;
        bench_clean_text(of->message, message);
        snprintf(text, BENCH_CLEAN, "FAIL: %.*s", BENCH_CLEAN - 16, message);
        return;
    }
}

static BenchTint tint(const void *context, size_t row)
{
    const CasesView *view = context;
    BenchTint found = BENCH_PLAIN;
    for (size_t c = 0; c < view->count; c++) {
        const BenchRow *of = find_row(view->groups[c], view->names[row]);
        if (of != NULL && of->verdict == BENCH_FAILED)
            return BENCH_BAD;
        if (of != NULL && of->verdict == BENCH_LIMIT)
            found = BENCH_DIM;
    }
    return found;
}

/* --- Tables ----------------------------------------------------------------------------------- */

static BenchTable cases_table(CasesView *view, size_t first, size_t end)
{
    BenchTable table = {
        .row_count = view->row_count, .context = view, .tint = tint, .remark = remark_cell};
    bench_table_add(&table, "variant", name_cell, 0, BENCH_LEFT);
    for (size_t c = first; c < end; c++)
        bench_table_add(&table, view->headings[c], value_cell, c, BENCH_RIGHT);
    return table;
}

/* Prints the cases from `first` to `end - 1`. If one table would be too wide, prints several
 * tables, one below the other. */
static void print_cases(FILE *out, CasesView *view, size_t first, size_t end,
                        const BenchStyle *style)
{
    BenchTable table = cases_table(view, first, end);
    if (end - first > 1 && !bench_table_fits(&table, style->width, true)) {
        size_t middle = first + (end - first + 1) / 2;
        print_cases(out, view, first, middle, style);
        print_cases(out, view, middle, end, style);
        return;
    }
    bench_table_print(out, &table, style);
}

static void print_measure(FILE *out, CasesView *view, LabCounter counter, const char *what,
                          const BenchStyle *style)
{
    char line[BENCH_HEADING], title[BENCH_CLEAN];
    view->counter = counter;
    for (size_t c = 0; c < view->count; c++)
        name_case(view, view->groups[c], view->headings[c]);
    snprintf(line, sizeof line, "%s: %s", bench_clean_text(view->groups[0]->title, title), what);
    fputc('\n', out);
    bench_print_wrapped(out, 2, 4, BENCH_BOLD, line, style);
    print_cases(out, view, 0, view->count, style);
}

static bool is_timed(const CasesView *view)
{
    bool timed = false;
    for (size_t c = 0; c < view->count; c++)
        timed |= bench_group_view(view->groups[c], false).timed;
    return timed;
}

static bool same_counts(const CasesView *a, const CasesView *b)
{
    if (a->count != b->count || a->row_count != b->row_count || is_timed(a) || is_timed(b))
        return false;
    for (size_t c = 0; c < a->count; c++)
        for (size_t r = 0; r < a->row_count; r++) {
            const BenchRow *one = find_row(a->groups[c], a->names[r]);
            const BenchRow *other = find_row(b->groups[c], a->names[r]);
            if ((one == NULL) != (other == NULL) ||
                (one != NULL && (one->verdict != other->verdict ||
                                 memcmp(&one->counts, &other->counts, sizeof one->counts) != 0)))
                return false;
        }
    return true;
}

static void print_measures(FILE *out, CasesView *view, const BenchStyle *style)
{
    const BenchGroup *first = view->groups[0];
    if (first == NULL) /* The experiment has no cases. */
        return;
    bool any = is_timed(view);
    if (any)
        print_measure(out, view, LAB_NO_COUNTER, "median of a run", style);
    for (int i = 0; i < LAB_LESSON_COUNTERS; i++) {
        LabCounter counter = first->counters[i];
        bool counted = counter != LAB_NO_COUNTER && bench_group_view(first, false).counted;
        if (counted)
            print_measure(out, view, counter, bench_counter(counter)->name, style);
        any |= counted;
    }
    view->verdicts = !any;
    if (!any)
        print_measure(out, view, LAB_NO_COUNTER, "results", style);
}

/* Returns a view of the first group and of the groups after it that have the same title, at most
 * CASES_MAX in all. */
static CasesView take_cases(const BenchGroup *groups, size_t count)
{
    CasesView view = {.count = 0};
    while (view.count < count && view.count < CASES_MAX &&
           strcmp(groups[view.count].title, groups[0].title) == 0) {
        view.groups[view.count] = &groups[view.count];
        add_names(&view, &groups[view.count++]);
    }
    return view;
}

static void print_heading(FILE *out, const BenchGroup *group, const BenchStyle *style)
{
    char line[BENCH_HEADING], clean[BENCH_CLEAN];
    bool mixed;
    BenchCounting counting = bench_group_counting(group, &mixed);
    snprintf(line, sizeof line, "%s%s%s", bench_clean_text(group->heading, clean),
             counting == BENCH_UNCOUNTED ? "" : "; counts ",
             mixed ? "modelled or measured" : bench_counting_name(counting));
    bench_print_wrapped(out, 0, 2, BENCH_BOLD, line, style);
    if (group->help != NULL)
        bench_print_wrapped(out, 2, 2, BENCH_DIM, group->help, style);
}

void bench_print_experiment(FILE *out, const BenchGroup *groups, size_t count,
                            const BenchStyle *style)
{
    char line[BENCH_HEADING], title[BENCH_CLEAN], as[BENCH_CLEAN];
    CasesView first = take_cases(groups, count);
    if (count == 1) {
        bench_print_group(out, groups, style);
        return;
    }
    print_heading(out, groups, style);
    print_measures(out, &first, style);
    for (size_t g = first.count; g < count;) {
        CasesView view = take_cases(groups + g, count - g);
        if (same_counts(&first, &view)) {
            snprintf(line, sizeof line, "%s: the same counts as %s",
                     bench_clean_text(groups[g].title, title),
                     bench_clean_text(groups[0].title, as));
            fputc('\n', out);
            bench_print_wrapped(out, 2, 4, BENCH_BOLD, line, style);
        } else {
            print_measures(out, &view, style);
        }
        g += view.count;
    }
    fputc('\n', out);
}
