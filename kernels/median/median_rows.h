/* Private to median on the CPU: functions that compute rows of medians. Their sources are compiled
 * once for each instruction set. A tile is a range of columns of a picture. Its rows are computed
 * one after another from lines, which are rows of the source extended beyond the edges. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_ROWS_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_ROWS_H

#include <stddef.h>

#include "kernels/median/median.h"
#include "kernels/median/median_program.h"

/* Number of bytes per block. Rows are processed in blocks, and the last block may extend past the
 * end of the row. */
enum { IMG_MEDIAN_BLOCK = 128 };

/* Sizes of the counts of a column. For up to 8 bits, the upper four bits of a sample select its
 * coarse bin, and the lower four bits its fine bin. The 16 bins of one kind are adjacent in memory.
 * For 16 bits, the upper bytes of all samples are counted in this way. So are the lower bytes of
 * those samples whose upper byte equals the upper byte of the median. */
enum { IMG_MEDIAN_BINS = 16, IMG_MEDIAN_COLUMN = 64 };

typedef struct ImgMedianCounts {
    uint8_t *coarse; /* coarse bins of each column, in the order [line sample][bin] */
    uint8_t *fine;   /* fine bins of each column, in the order [coarse bin][line sample][bin] */
    /* For 16 bits: upper bytes of the samples of each column, in the order [line sample][line]. */
    uint8_t *upper;
    uint8_t *lower;
} ImgMedianCounts;

typedef struct ImgMedianTile {
    int32_t radius, channels;
    int32_t bytes;   /* number of bytes per sample */
    int32_t samples; /* number of samples in a row of results: pixels times channels */
    /* number of samples in a line, which has `radius` more pixels at each end */
    int32_t line_samples;
    uint8_t *lines; /* 2 * radius + 1 lines, in any order */
    /* distance between lines in bytes, a multiple of the block size; all bytes up to the next line
     * are readable */
    size_t line_stride;
    const ImgMedianProgram *program;
    uint8_t *planes, *registers; /* memory for the program; planes are line_stride bytes apart */
    ImgMedianCounts counts;
} ImgMedianTile;

/* Computes a row of medians. `to` must have room for whole blocks. */
typedef void ImgMedianRow(const ImgMedianTile *tile, uint8_t *to);

/* Functions that use a sorting network: a fixed one for 3 x 3 windows, otherwise the program of the
 * tile. */
ImgMedianRow img_median_network_portable, img_median_network_avx2, img_median_network_avx512;
/* Functions that use the counts of the tile. */
ImgMedianRow img_median_counts_portable, img_median_counts_avx2, img_median_counts_avx512;

/* Updates the counts of all columns. Must be called before `line` is stored as line number `place`
 * of the tile. `first` is true if the tile has no line with this number yet. */
void img_median_counts_replace(const ImgMedianTile *tile, int32_t place, const uint8_t *line,
                               bool first);

#endif
