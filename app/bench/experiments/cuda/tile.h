/* Variants of `square` and `rectangle`: how a tile of shared memory is written and read. By rows a
 * warp accesses 32 banks, by columns of a square one bank. */
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
