#include "app/bench/print/table.h"

#include <string.h>

/* Layout of a table, computed in a first pass over all cells. */
typedef struct Layout {
    size_t width[BENCH_COLUMNS];
    bool used[BENCH_COLUMNS];
    bool two_lines; /* true if at least one heading has two lines */
    size_t gap;     /* number of blanks between columns */
} Layout;

/* State of printing a table in the second pass over its cells. */
typedef struct Printer {
    FILE *out;
    const BenchTable *table;
    const BenchStyle *style;
    Layout layout;
    BenchTint tint; /* colour of the current row */
    /* blanks to print before the next text of the line. Printing them late avoids blanks at the end
     * of lines */
    size_t pending;
} Printer;

void bench_table_add(BenchTable *table, const char *heading, BenchCell *cell, size_t index,
                     unsigned flags)
{
    if (table->column_count < BENCH_COLUMNS)
        table->columns[table->column_count++] = (BenchColumn){heading, cell, index, flags};
}

const char *bench_table_cell(const BenchTable *table, size_t column, size_t row,
                             char text[BENCH_CLEAN])
{
    text[0] = '\0';
    table->columns[column].cell(table->context, table->columns[column].index, row, text);
    return text;
}

const char *bench_table_remark(const BenchTable *table, size_t row, char text[BENCH_CLEAN])
{
    text[0] = '\0';
    if (table->remark != NULL)
        table->remark(table->context, 0, row, text);
    return text;
}

/* --- Widths ----------------------------------------------------------------------------------- */

/* Sets *start to line 0 or 1 of a heading, and returns the length of that line. If the heading has
 * only one line, it is line 1, so that it stands directly above the cells. */
static size_t heading_line(const char *heading, int line, const char **start)
{
    size_t first = strcspn(heading, "\n");
    bool two = heading[first] == '\n';
    *start = two && line == 1 ? heading + first + 1 : heading;
    if (line == 0)
        return two ? first : 0;
    return strlen(*start);
}

static size_t heading_width(const char *heading)
{
    const char *start;
    size_t first = heading_line(heading, 0, &start), second = heading_line(heading, 1, &start);
    return first > second ? first : second;
}

static size_t line_width(const BenchTable *table, const Layout *layout)
{
    size_t width = BENCH_INDENT + layout->width[0];
    for (size_t c = 1; c < table->column_count; c++)
        if (layout->used[c])
            width += layout->gap + layout->width[c];
    return width;
}

/* Removes the optional column `column`, and all other optional columns with the same heading. */
static void leave_out(const BenchTable *table, size_t column, Layout *layout)
{
    for (size_t c = 1; c < table->column_count; c++)
        if (table->columns[c].flags & BENCH_OPTIONAL &&
            strcmp(table->columns[c].heading, table->columns[column].heading) == 0)
            layout->used[c] = false;
}

static Layout lay_out(const BenchTable *table, size_t most)
{
    char text[BENCH_CLEAN];
    Layout layout = {.used = {true}, .gap = BENCH_GAP};
    for (size_t c = 0; c < table->column_count; c++) {
        const char *heading = table->columns[c].heading;
        layout.width[c] = heading_width(heading);
        for (size_t r = 0; r < table->row_count; r++) {
            size_t width = bench_text_width(bench_table_cell(table, c, r, text));
            layout.used[c] |= width > 0;
            layout.width[c] = width > layout.width[c] ? width : layout.width[c];
        }
        layout.two_lines |= layout.used[c] && strchr(heading, '\n') != NULL;
    }
    for (size_t c = table->column_count; c-- > 1 && line_width(table, &layout) > most;)
        if (table->columns[c].flags & BENCH_OPTIONAL)
            leave_out(table, c, &layout);
    if (line_width(table, &layout) > most)
        layout.gap = 1;
    return layout;
}

bool bench_table_fits(const BenchTable *table, size_t width, bool tight)
{
    Layout layout = lay_out(table, width);
    return tight ? line_width(table, &layout) <= width : layout.gap == BENCH_GAP;
}

/* If lines are too long, reduces the width of the column of names. The new width is the length of
 * the longest name that still leaves room for the other columns. */
static void narrow_names(const BenchTable *table, size_t most, Layout *layout)
{
    char text[BENCH_CLEAN];
    size_t width = line_width(table, layout), room = layout->width[0];
    if (width <= most)
        return;
    room = room > width - most ? room - (width - most) : 0;
    layout->width[0] = heading_width(table->columns[0].heading);
    for (size_t r = 0; r < table->row_count; r++) {
        width = bench_text_width(bench_table_cell(table, 0, r, text));
        if (width <= room && width > layout->width[0])
            layout->width[0] = width;
    }
}

/* --- Lines ------------------------------------------------------------------------------------ */

static void print_cell(Printer *to, size_t column, const char *text, size_t length)
{
    size_t width = to->layout.width[column], needed = bench_text_width(text);
    bool left = column == 0 || to->table->columns[column].flags & BENCH_LEFT;
    /* A heading can have two lines, so only the `length` bytes of the current line count. */
    needed = needed < length ? needed : length;
    size_t blank = width > needed ? width - needed : 0;
    if (length == 0) {
        to->pending += width;
        return;
    }
    fprintf(to->out, "%*s", (int)(to->pending + (left ? 0 : blank)), "");
    fwrite(text, 1, length, to->out);
    to->pending = left ? blank : 0;
}

static void begin_line(Printer *to, BenchTint tint)
{
    to->pending = BENCH_INDENT;
    bench_tint_begin(to->out, tint, to->style);
}

static void end_line(Printer *to, BenchTint tint)
{
    bench_tint_end(to->out, tint, to->style);
    fputc('\n', to->out);
}

static void print_headings(Printer *to)
{
    for (int line = to->layout.two_lines ? 0 : 1; line < 2; line++) {
        begin_line(to, BENCH_DIM);
        for (size_t c = 0; c < to->table->column_count; c++) {
            const char *start;
            if (!to->layout.used[c])
                continue;
            size_t length = heading_line(to->table->columns[c].heading, line, &start);
            to->pending += c > 0 ? to->layout.gap : 0;
            print_cell(to, c, start, length);
        }
        end_line(to, BENCH_DIM);
    }
}

/* Returns the number of cells with text in this row, without the name. */
static size_t count_cells(const Printer *to, size_t row)
{
    char text[BENCH_CLEAN];
    size_t cells = 0;
    for (size_t c = 1; c < to->table->column_count; c++)
        cells += to->layout.used[c] && bench_table_cell(to->table, c, row, text)[0] != '\0';
    return cells;
}

/* Prints the name of a row. If the name is too long, ends the line, so that the cells follow on the
 * next line. */
static void print_name(Printer *to, size_t row)
{
    char name[BENCH_CLEAN];
    bench_table_cell(to->table, 0, row, name);
    begin_line(to, to->tint);
    print_cell(to, 0, name, strlen(name));
    if (bench_text_width(name) > to->layout.width[0]) {
        end_line(to, to->tint);
        begin_line(to, to->tint);
        to->pending += to->layout.width[0];
    }
}

static void print_cells(Printer *to, size_t row)
{
    char text[BENCH_CLEAN];
    print_name(to, row);
    for (size_t c = 1; c < to->table->column_count; c++) {
        if (!to->layout.used[c])
            continue;
        to->pending += to->layout.gap;
        bench_table_cell(to->table, c, row, text);
        print_cell(to, c, text, strlen(text));
    }
    end_line(to, to->tint);
}

static void print_row(Printer *to, size_t row)
{
    enum { BELOW = BENCH_INDENT + 4 };
    char remark[BENCH_CLEAN];
    bool alone = count_cells(to, row) <= 1;
    bench_table_remark(to->table, row, remark);
    size_t width = BENCH_INDENT + to->layout.width[0] + to->layout.gap + bench_text_width(remark);
    if (remark[0] != '\0' && alone && width <= to->style->width) {
        print_name(to, row);
        fprintf(to->out, "%*s%s", (int)(to->pending + to->layout.gap), "", remark);
        end_line(to, to->tint);
        return;
    }
    print_cells(to, row);
    bench_print_wrapped(to->out, BELOW, BELOW, to->tint, remark, to->style);
}

void bench_table_print(FILE *out, const BenchTable *table, const BenchStyle *style)
{
    Printer to = {
        .out = out, .table = table, .style = style, .layout = lay_out(table, style->width)};
    narrow_names(table, style->width, &to.layout);
    print_headings(&to);
    for (size_t r = 0; r < table->row_count; r++) {
        if (count_cells(&to, r) == 0)
            continue;
        to.tint = table->tint != NULL ? table->tint(table->context, r) : BENCH_PLAIN;
        print_row(&to, r);
    }
}
