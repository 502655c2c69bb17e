/* Tables for a terminal and for Markdown. Nothing is stored: callbacks provide each cell, once for
 * the widths and once for printing. The first column is the name of the row, left-aligned. Empty
 * columns, and rows with a name only, are omitted. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TABLE_H
#define IMGTOOL_APP_BENCH_PRINT_TABLE_H

#include "app/bench/print/style.h"
#include "app/bench/print/units.h"

enum { BENCH_INDENT = 2, BENCH_GAP = 2, BENCH_COLUMNS = 40 };

/* Writes the text of a cell to `text`, which is "" before. `context` is that of the table, `index`
 * that of the column. */
typedef void BenchCell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN]);

enum {
    BENCH_RIGHT = 0,
    BENCH_LEFT = 1,
    /* Omitted if lines are too long, the last such column first, together with those of the same
     * heading. */
    BENCH_OPTIONAL = 2,
};

typedef struct BenchColumn {
    const char *heading; /* two lines if it contains a newline */
    BenchCell *cell;
    size_t index; /* argument of `cell` */
    unsigned flags;
} BenchColumn;

typedef struct BenchTable {
    BenchColumn columns[BENCH_COLUMNS];
    size_t column_count, row_count;
    const void *context;
    BenchTint (*tint)(const void *context, size_t row); /* NULL: all rows are plain */
    /* Text below a row. If the row has at most one cell besides the name, the text replaces it.
     * NULL: none. */
    BenchCell *remark;
} BenchTable;

void bench_table_add(BenchTable *table, const char *heading, BenchCell *cell, size_t index,
                     unsigned flags);

/* True if all lines fit in the width, names included. `tight`: with one blank between columns. */
bool bench_table_fits(const BenchTable *table, size_t width, bool tight);

/* Prints the table. A name that is too long for its column gets its own line. */
void bench_table_print(FILE *out, const BenchTable *table, const BenchStyle *style);

/* Prints the table as Markdown. The remark of a row replaces its last cell. */
void bench_table_markdown(FILE *out, const BenchTable *table);

/* Prints clean text with Markdown characters escaped. */
void bench_markdown_text(FILE *out, const char *text);

/* Write a cell of a table, or the remark of a row; return `text`. */
const char *bench_table_cell(const BenchTable *table, size_t column, size_t row,
                             char text[BENCH_CLEAN]);
const char *bench_table_remark(const BenchTable *table, size_t row, char text[BENCH_CLEAN]);

#endif
