/* Tables for a terminal and for Markdown. Nothing is kept: cells are asked for, once to find the
 * widths and once to print. The first column names its row and is left-aligned. Columns without any
 * cell are left out, and so are rows that have none beside their name. */
#ifndef IMGTOOL_APP_BENCH_PRINT_TABLE_H
#define IMGTOOL_APP_BENCH_PRINT_TABLE_H

#include "app/bench/print/style.h"
#include "app/bench/print/units.h"

enum { BENCH_INDENT = 2, BENCH_GAP = 2, BENCH_COLUMNS = 40 };

/* Writes the text of a cell over `text`, which holds ""; `context` is the table's, `index` the
 * column's. */
typedef void BenchCell(const void *context, size_t index, size_t row, char text[BENCH_CLEAN]);

enum {
    BENCH_RIGHT = 0,
    BENCH_LEFT = 1,
    /* Left out where lines would get too long, the last such column first, and with it those of the
     * same heading. */
    BENCH_OPTIONAL = 2,
};

typedef struct BenchColumn {
    const char *heading; /* two lines where it holds a newline */
    BenchCell *cell;
    size_t index; /* for `cell` */
    unsigned flags;
} BenchColumn;

typedef struct BenchTable {
    BenchColumn columns[BENCH_COLUMNS];
    size_t column_count, row_count;
    const void *context;
    BenchTint (*tint)(const void *context, size_t row); /* NULL: all are plain */
    /* Words below a row, or beside the name where the row has but one more cell, in place of that.
     * NULL: none. */
    BenchCell *remark;
} BenchTable;

void bench_table_add(BenchTable *table, const char *heading, BenchCell *cell, size_t index,
                     unsigned flags);

/* Do all lines fit into the width, names included? `tight`: with columns one blank apart. */
bool bench_table_fits(const BenchTable *table, size_t width, bool tight);

/* A name that is too long for its column gets a line of its own. */
void bench_table_print(FILE *out, const BenchTable *table, const BenchStyle *style);

/* The remark of a row takes the place of its last cell. */
void bench_table_markdown(FILE *out, const BenchTable *table);

/* Clean text as Markdown that shows it as it is. */
void bench_markdown_text(FILE *out, const char *text);

/* Of a table: a cell's text; returns `text`. */
const char *bench_table_cell(const BenchTable *table, size_t column, size_t row,
                             char text[BENCH_CLEAN]);
const char *bench_table_remark(const BenchTable *table, size_t row, char text[BENCH_CLEAN]);

#endif
