/* Private to median on the CPU: functions that compute rows of medians. Their sources are compiled
 * once for each instruction set. A tile is a range of columns of a picture. Its rows are computed
 * one after another from lines, which are rows of the source extended beyond the edges. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_ROWS_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/median/median.h"

/* --- The sorting network ---------------------------------------------------------------------- */

/* The sorting network of a median, as data. Each column of the window
 * is sorted. Neighbouring columns are merged to sorted lists of 2, 4, 8 ... columns, which
 * neighbouring windows share. The samples of a window are merged from such lists (after A. Adams,
 * "Fast median filters using separable sorting networks", 2021). A list keeps only samples that can
 * still be the median. It is stored in planes: plane k has sample k of the lists at all columns.
 * Merges are Batcher's ("Sorting networks and their applications", 1968), for lists of any lengths,
 * without the parts on which no kept sample depends. */
/* A compare step on two registers: the smaller value goes to register `low` and the larger one to
 * register `high`. */
typedef struct ImgMedianPair {
    uint16_t low, high;
} ImgMedianPair;

/* A run of pairs that do not depend on each other. It has `both` pairs for which both results are
 * needed. Then follow `minima` pairs for which only the smaller value is needed, and `maxima` pairs
 * for which only the larger value is needed. */
typedef struct ImgMedianRun {
    int32_t first, both, minima, maxima;
} ImgMedianRun;

/* One merge of a program. The first merge sorts the columns; all others merge two lists. The first
 * registers have the samples of list `left`, the following registers the samples of list
 * `right`. */
typedef struct ImgMedianMerge {
    int32_t left, right; /* indices of the first planes of the two lists */
    int32_t left_count, right_count;
    int32_t right_columns; /* distance of the right list from the left one, in columns */
    /* first plane of the kept samples; for the last merge, the plane of the median */
    int32_t result;
    int32_t kept_first, kept; /* first register that is kept, and number of kept registers */
    /* number of columns of the window whose samples the result contains */
    int32_t columns;
    int32_t first_run, runs;
} ImgMedianMerge;

enum { IMG_MEDIAN_MERGES_MAX = 16 };

typedef struct ImgMedianProgram {
    int32_t side;   /* width and height of the window, in pixels */
    int32_t planes; /* number of planes for lists, including the plane of the median */
    int32_t registers;
    int32_t merges;
    ImgMedianMerge merge[IMG_MEDIAN_MERGES_MAX];
    ImgMedianRun *run;
    ImgMedianPair *pair;
    int32_t runs, pairs;
} ImgMedianProgram;

/* Builds the program for a window of the given radius. Returns false when memory is short. Call
 * img_median_program_free in any case. */
bool img_median_program_make(int32_t radius, ImgMedianProgram *program);
void img_median_program_free(ImgMedianProgram *program);

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
ImgMedianRow img_median_counts_portable, img_median_counts_avx2;

#endif
