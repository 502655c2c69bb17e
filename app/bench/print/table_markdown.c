/* Tables as GitHub's Markdown has them: right-aligned, as figures are; nothing is left out. */
#include <string.h>

#include "app/bench/print/table.h"

void bench_markdown_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_[]<>|&~#", *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* In one line; a word that was divided is whole again. */
static void print_heading(FILE *out, const char *heading)
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

/* The last one that has a cell; 0 where the name is alone. */
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
        print_heading(out, table->columns[c].heading);
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
