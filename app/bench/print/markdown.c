#include "app/bench/print/text.h"

#include <string.h>

#include "app/bench/print/tables.h"

/* --- Tables for GitHub's Markdown. Numbers are right-aligned, and no column is omitted for lack of
 * space  */

void bench_markdown_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_[]<>|&~#", *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* Prints a column heading in one line. If its two lines divide a word, the parts are joined. */
static void print_column_heading(FILE *out, const char *heading)
{
    for (; *heading != '\0'; heading++) {
        if (heading[0] == '-' && heading[1] == '\n')
            heading++;
        else
            fputc(*heading == '\n' ? ' ' : *heading, out);
    }
}

static bool column_used(const BenchTable *table, size_t column)
{
    char text[BENCH_CLEAN];
    for (size_t r = 0; r < table->row_count; r++)
        if (bench_table_cell(table, column, r, text)[0] != '\0')
            return true;
    return column == 0;
}

static void find_columns(const BenchTable *table, bool used[BENCH_COLUMNS])
{
    for (size_t c = 0; c < table->column_count; c++)
        used[c] = column_used(table, c);
}

/* Returns the index of the last column that has text in this row; 0 if only the row's name has
 * text. */
static size_t last_cell(const BenchTable *table, const bool used[BENCH_COLUMNS], size_t row)
{
    char text[BENCH_CLEAN];
    size_t last = 0;
    for (size_t c = 1; c < table->column_count; c++)
        if (used[c] && bench_table_cell(table, c, row, text)[0] != '\0')
            last = c;
    return last;
}

static void print_row(FILE *out, const BenchTable *table, const bool used[BENCH_COLUMNS],
                      size_t row)
{
    char text[BENCH_CLEAN], remark[BENCH_CLEAN];
    size_t last = last_cell(table, used, row);
    BenchTint tint = table->tint != NULL ? table->tint(table->context, row) : BENCH_PLAIN;
    if (last == 0)
        return;
    bench_table_remark(table, row, remark);
    for (size_t c = 0; c < table->column_count; c++) {
        if (!used[c])
            continue;
        const char *mark = c == 0 && tint == BENCH_BEST ? "**" : "";
        fprintf(out, "| %s", mark);
        bench_markdown_text(
            out, c == last && remark[0] != '\0' ? remark : bench_table_cell(table, c, row, text));
        fprintf(out, "%s ", mark);
    }
    fputs("|\n", out);
}

void bench_table_markdown(FILE *out, const BenchTable *table)
{
    bool used[BENCH_COLUMNS];
    find_columns(table, used);
    for (size_t c = 0; c < table->column_count; c++) {
        if (!used[c])
            continue;
        fputs("| ", out);
        print_column_heading(out, table->columns[c].heading);
        fputc(' ', out);
    }
    fputs("|\n", out);
    for (size_t c = 0; c < table->column_count; c++)
        if (used[c])
            fputs(c == 0 || table->columns[c].flags & BENCH_LEFT ? "| --- " : "| --: ", out);
    fputs("|\n", out);
    for (size_t r = 0; r < table->row_count; r++)
        print_row(out, table, used, r);
}

/* --- The report ------------------------------------------------------------------------------- */

static void print_heading(FILE *out, const char *text)
{
    fputs("### ", out);
    bench_markdown_text(out, text);
    fputs("\n\n", out);
}

static void print_machine(FILE *out, const BenchMachine *machine)
{
    char text[BENCH_MACHINE_LINE];
    bench_machine_run(machine, text);
    bench_markdown_text(out, text);
    bench_machine_cpu(machine, text);
    fputs("\\\nCPU: ", out);
    bench_markdown_text(out, text);
    bench_machine_gpu(machine, text);
    fputs("\\\nGPU: ", out);
    bench_markdown_text(out, text[0] != '\0' ? text : "none");
    fputs("\n\n", out);
}

/* Prints a group. If it has both times and counts, they become two tables, because one table would
 * be wider than a page. */
static void print_group(FILE *out, const BenchGroup *group)
{
    char heading[BENCH_HEADING];
    BenchGroupView view = bench_group_view(group, true);
    BenchTable table = bench_group_table(&view, view.timed, view.counted && !view.timed, true);
    bench_group_heading(group, heading);
    print_heading(out, heading);
    bench_table_markdown(out, &table);
    fputc('\n', out);
    if (!view.timed || !view.counted)
        return;
    table = bench_group_table(&view, false, true, false);
    bench_table_markdown(out, &table);
    fputc('\n', out);
}

static void print_jobs(FILE *out, const BenchJobsView *view)
{
    char heading[BENCH_HEADING], clean[BENCH_CLEAN];
    BenchTable table = bench_jobs_table(view);
    bench_job_heading(view->jobs, heading);
    print_heading(out, heading);
    for (size_t j = 0; j < view->count; j++) {
        const BenchJob *job = &view->jobs[j];
        if (job->device[0] == '\0' && job->message[0] == '\0')
            continue;
        fprintf(out, "- %s: ", bench_backend_label(job->backend));
        bench_markdown_text(out, bench_clean_text(job->device, clean));
        if (job->message[0] != '\0')
            fprintf(out, "%s%s", job->device[0] != '\0' ? "; " : "",
                    job->verdict == BENCH_FAILED ? "FAIL: " : "");
        bench_markdown_text(out, bench_clean_text(job->message, clean));
        fputc('\n', out);
    }
    fputc('\n', out);
    bench_table_markdown(out, &table);
    fputc('\n', out);
}

void bench_print_markdown(FILE *out, const BenchReport *report)
{
    char summary[BENCH_SUMMARY];
    print_machine(out, &report->machine);
    for (size_t g = 0; g < report->group_count; g++)
        print_group(out, &report->groups[g]);
    for (size_t j = 0; j < report->job_count;) {
        BenchJobsView view = bench_jobs_view(report->jobs + j, report->job_count - j, true);
        print_jobs(out, &view);
        j += view.count;
    }
    bench_noise_remark(report, summary);
    if (summary[0] != '\0')
        fprintf(out, "%s\n\n", summary);
    bench_summary(report, summary);
    fprintf(out, "%s\n", summary);
}
