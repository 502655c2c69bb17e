/* Tables for a terminal and for Markdown. A table stores no cells: callbacks provide each cell
 * twice, first to find the widths and then for printing. The first column is the name of the row,
 * left-aligned. Empty columns, and rows with a name only, are omitted. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TABLE_H
#define IMGTOOL_APP_BENCH_PRINT_TABLE_H

#include "app/bench/print/style.h"
#include "app/bench/print/units.h"

enum { BENCH_INDENT = 2, BENCH_GAP = 2, BENCH_COLUMNS = 40 };

/* Writes the text of a cell to `text`, which is "" before the call. `context` comes from the table,
 * `index` from the column. */
typedef void BenchCell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN]);

enum {
    BENCH_RIGHT = 0,
    BENCH_LEFT = 1,
    /* The column may be omitted if lines are too long. The last such column is omitted first,
     * together with those of the same heading. */
    BENCH_OPTIONAL = 2,
};

typedef struct BenchColumn {
    const char *heading; /* heading; a newline divides it into two lines */
    BenchCell *cell;
    size_t index; /* value that `cell` gets as its argument `index` */
    unsigned flags;
} BenchColumn;

typedef struct BenchTable {
    BenchColumn columns[BENCH_COLUMNS];
    size_t column_count, row_count;
    const void *context;
    /* returns the colour of a row; NULL: no row has a colour */
    BenchTint (*tint)(const void *context, size_t row);
    /* Returns a text to print below a row. If the row has at most one cell besides the name, the
     * text replaces this cell. NULL: there are no such texts. */
    BenchCell *remark;
} BenchTable;

void bench_table_add(BenchTable *table, const char *heading, BenchCell *cell, size_t index,
                     unsigned flags);

/* Returns true if all lines, with their names, fit in `width` columns. `tight`: with a single blank
 * between columns. */
bool bench_table_fits(const BenchTable *table, size_t width, bool tight);

/* Prints the table. A name that is too long for the column of names gets a line of its own. */
void bench_table_print(FILE *out, const BenchTable *table, const BenchStyle *style);

/* Prints the table as Markdown. The remark of a row is printed in place of its last cell. */
void bench_table_markdown(FILE *out, const BenchTable *table);

/* Prints clean text, with escapes for the characters that Markdown interprets. */
void bench_markdown_text(FILE *out, const char *text);

/* Write the text of a cell, or the remark of a row. Return `text`. */
const char *bench_table_cell(const BenchTable *table, size_t column, size_t row,
                             char text[BENCH_CLEAN]);
const char *bench_table_remark(const BenchTable *table, size_t row, char text[BENCH_CLEAN]);

#endif
