/* Private to median on the CPU: the sorting network of a median, as data. Each column of the window
 * is sorted. Neighbouring columns are merged to sorted lists of 2, 4, 8 ... columns, which
 * neighbouring windows share. The samples of a window are merged from such lists (after A. Adams,
 * "Fast median filters using separable sorting networks", 2021). A list keeps only samples that can
 * still be the median. It is stored in planes: plane k has sample k of the lists at all columns.
 * Merges are Batcher's ("Sorting networks and their applications", 1968), for lists of any lengths,
 * without the parts on which no kept sample depends. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_PROGRAM_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
