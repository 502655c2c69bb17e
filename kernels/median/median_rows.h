/* Private: rows of medians on the CPU. The sources are compiled once for each variant. A tile is a
 * range of columns of a picture. Its rows are computed one after another, from lines: rows of the
 * source with the pixels beyond the edges. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_ROWS_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_ROWS_H

#include <stddef.h>

#include "kernels/median/median.h"
#include "kernels/median/median_program.h"

/* Bytes per block. Rows are processed in blocks, and the last block extends past the end of the
 * row. */
enum { IMG_MEDIAN_BLOCK = 128 };

/* Counts of a column. For up to 8 bits, the upper four bits of a sample select its coarse bin, and
 * the lower four bits its fine bin. 16 bins are adjacent. For 16 bits, the upper byte is counted in
 * this way, and so is the lower byte of the samples that have the upper byte of the median. */
enum { IMG_MEDIAN_BINS = 16, IMG_MEDIAN_COLUMN = 64 };

typedef struct ImgMedianCounts {
    uint8_t *coarse; /* [line sample][bin]: coarse bins of each column */
    uint8_t *fine;   /* [coarse bin][line sample][bin]: fine bins of each column */
    /* for 16 bits: [line sample][line]: upper bytes of the samples of each column */
    uint8_t *upper;
    uint8_t *lower;
} ImgMedianCounts;

typedef struct ImgMedianTile {
    int32_t radius, channels;
    int32_t bytes;        /* bytes per sample */
    int32_t samples;      /* samples of a row of results: pixels times channels */
    int32_t line_samples; /* samples of a line, which has `radius` more pixels at each end */
    uint8_t *lines;       /* 2 radius + 1 lines, in any order */
    size_t line_stride;   /* distance of lines: a multiple of the block; all of it is readable */
    const ImgMedianProgram *program;
    uint8_t *planes, *registers; /* memory of the program; planes are line_stride apart */
    ImgMedianCounts counts;
} ImgMedianTile;

/* Computes a row of results; `to` has room for whole blocks. */
typedef void ImgMedianRow(const ImgMedianTile *tile, uint8_t *to);

/* With a network: that of 3 x 3, or that of the tile's program. */
ImgMedianRow img_median_network_portable, img_median_network_avx2, img_median_network_avx512;
/* With the counts of the tile. */
ImgMedianRow img_median_counts_portable, img_median_counts_avx2, img_median_counts_avx512;

/* Updates the counts; call it before `line` replaces line `place`. `first` means that there was no
 * line at `place` before. */
void img_median_counts_replace(const ImgMedianTile *tile, int32_t place, const uint8_t *line,
                               bool first);

#endif
