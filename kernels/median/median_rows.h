/* Private: rows of medians on the CPU, in the variants that compilers make of the same sources. A
 * tile is some columns of a picture; its rows are made one after another, from lines that hold what
 * the window covers, borders included. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_ROWS_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_ROWS_H

#include <stddef.h>

#include "kernels/median/median.h"
#include "kernels/median/median_program.h"

/* Rows are worked on in blocks of so many bytes, the last one reaching past what is asked for. */
enum { IMG_MEDIAN_BLOCK = 128 };

/* Counting up to 8 bits: a sample's upper and lower four bits choose its bins, of which 16 lie side
 * by side. At 16 bits its upper byte is counted so, and the lower byte of those samples whose upper
 * byte is that of the median. */
enum { IMG_MEDIAN_BINS = 16, IMG_MEDIAN_COLUMN = 64 };

typedef struct ImgMedianCounts {
    uint8_t *coarse; /* [line sample][bin]: how many samples of a column are there */
    uint8_t *fine;   /* [coarse bin][line sample][bin] */
    uint8_t *upper;  /* 16 bits: [line sample][line]: bytes of the column's samples */
    uint8_t *lower;
} ImgMedianCounts;

typedef struct ImgMedianTile {
    int32_t radius, channels;
    int32_t bytes;        /* of a sample */
    int32_t samples;      /* of a row of results: pixels times channels */
    int32_t line_samples; /* of a line: radius pixels more at each end */
    uint8_t *lines;       /* 2 radius + 1, in any order */
    size_t line_stride;   /* a multiple of the block, which may be read */
    const ImgMedianProgram *program;
    uint8_t *planes, *registers; /* of the program; planes are line_stride apart */
    ImgMedianCounts counts;
} ImgMedianTile;

/* A row of results; `to` has room for whole blocks. */
typedef void ImgMedianRow(const ImgMedianTile *tile, uint8_t *to);

/* By a network: of 3 x 3, or that of the tile's program. */
ImgMedianRow img_median_network_portable, img_median_network_avx2, img_median_network_avx512;
/* By the tile's counts. */
ImgMedianRow img_median_counts_portable, img_median_counts_avx2, img_median_counts_avx512;

/* Has the counts follow: line `place` is to be replaced by `line`; `first`: there was none. */
void img_median_counts_replace(const ImgMedianTile *tile, int32_t place, const uint8_t *line,
                               bool first);

#endif
