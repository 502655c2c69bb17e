/* The variants of `square` and `rectangle`: ways to write and read a tile of shared memory. By rows
 * a warp accesses 32 banks. By columns of a square it accesses a single bank. */
#ifndef IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_TILE_H
#define IMGTOOL_APP_BENCH_EXPERIMENTS_CUDA_TILE_H

typedef enum LabTile {
    LAB_ROW_ROW,       /* write by rows, read by rows */
    LAB_COLUMN_COLUMN, /* write by columns, read by columns */
    LAB_ROW_COLUMN,    /* write by rows, read by columns: a transpose */
    LAB_ROW_COLUMN_DYNAMIC,
    LAB_ROW_COLUMN_PADDED,
    LAB_ROW_COLUMN_PADDED_DYNAMIC,
} LabTile;

#endif
