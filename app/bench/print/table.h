/* Tables for terminals and for Markdown. A table does not store its cells. Callbacks write the text
 * of each cell twice: for computing the widths and for printing. The first column has the names of
 * the rows, left-aligned. Empty columns, and rows that have only a name, are left out. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TABLE_H
#define IMGTOOL_APP_BENCH_PRINT_TABLE_H

#include "app/bench/print/style.h"
#include "app/bench/print/units.h"

enum { BENCH_INDENT = 2, BENCH_GAP = 2, BENCH_COLUMNS = 40 };

/* Writes the text of one cell to `text`, which is "" before the call. `context` is the context of
 * the table, and `index` is BenchColumn.index. */
typedef void BenchCell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN]);

enum {
    BENCH_RIGHT = 0,
    BENCH_LEFT = 1,
    /* The column may be left out if lines are too long. The last optional column is left out first,
     * together with all columns that have the same heading. */
    BENCH_OPTIONAL = 2,
};

typedef struct BenchColumn {
    const char *heading; /* text of the heading; a newline divides it into two lines */
    BenchCell *cell;
    size_t index; /* argument `index` for the function `cell` */
    unsigned flags;
} BenchColumn;

typedef struct BenchTable {
    BenchColumn columns[BENCH_COLUMNS];
    size_t column_count, row_count;
    const void *context;
    /* Returns the colour of a row. NULL: no row has a colour. */
    BenchTint (*tint)(const void *context, size_t row);
    /* Writes a text to print below a row. If the row has at most one cell besides its name, the
     * text replaces that cell. NULL: there are no texts below rows. */
    BenchCell *remark;
} BenchTable;

void bench_table_add(BenchTable *table, const char *heading, BenchCell *cell, size_t index,
                     unsigned flags);

/* Returns true if all lines of the table fit in `width` columns, if necessary without optional
 * columns. If `tight` is set, columns may be a single blank apart. */
bool bench_table_fits(const BenchTable *table, size_t width, bool tight);

/* Prints the table as text. If a name is longer than the column of names, the cells of its row
 * follow on the next line. */
void bench_table_print(FILE *out, const BenchTable *table, const BenchStyle *style);

/* Prints the table as Markdown. The text that `remark` writes for a row replaces the row's last
 * cell. */
void bench_table_markdown(FILE *out, const BenchTable *table);

/* Prints text as Markdown. Characters that Markdown interprets are escaped. The text must be a
 * constant or a result of bench_clean_text. */
void bench_markdown_text(FILE *out, const char *text);

/* Write the text of a cell, or the text to print below a row, to `text`. Return `text`. */
const char *bench_table_cell(const BenchTable *table, size_t column, size_t row,
                             char text[BENCH_CLEAN]);
const char *bench_table_remark(const BenchTable *table, size_t row, char text[BENCH_CLEAN]);

#endif
