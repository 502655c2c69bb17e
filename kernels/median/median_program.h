/* Private: a median network as data. Each column of the window is sorted; neighbouring columns are
 * merged to sorted lists of 2, 4, 8, ... columns, which neighbouring windows share; the window is
 * put together from them (after A. Adams, "Fast median filters using separable sorting networks",
 * 2021). Of a list only samples that can still be the median are kept. Merges are Batcher's
 * ("Sorting networks and their applications", 1968), of lists of any lengths, without the parts
 * that no kept sample depends on. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_PROGRAM_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* Registers are numbered; a pair becomes its minimum at `low` and its maximum at `high`. */
typedef struct ImgMedianPair {
    uint16_t low, high;
} ImgMedianPair;

/* Pairs that do not depend on each other: first those of which both results are needed, then those
 * of which only the minimum is, then those of which only the maximum is. */
typedef struct ImgMedianRun {
    int32_t first, both, minima, maxima;
} ImgMedianRun;

/* Sorts the columns, if it is the first one; the others merge two lists. Registers begin with the
 * samples of `left`, then those of `right`. */
typedef struct ImgMedianMerge {
    int32_t left, right; /* planes where these lists begin */
    int32_t left_count, right_count;
    int32_t right_columns;    /* by how many columns the right list stands further to the right */
    int32_t result;           /* the plane where the kept samples go, or of the last the median */
    int32_t kept_first, kept; /* registers */
    int32_t columns;          /* that the result covers */
    int32_t first_run, runs;
} ImgMedianMerge;

enum { IMG_MEDIAN_MERGES_MAX = 16 };

typedef struct ImgMedianProgram {
    int32_t side;   /* of the window */
    int32_t planes; /* of lists, the median among them */
    int32_t registers;
    int32_t merges;
    ImgMedianMerge merge[IMG_MEDIAN_MERGES_MAX];
    ImgMedianRun *run;
    ImgMedianPair *pair;
    int32_t runs, pairs;
} ImgMedianProgram;

/* False where there is no memory. Freed by img_median_program_free, in any case. */
bool img_median_program_make(int32_t radius, ImgMedianProgram *program);
void img_median_program_free(ImgMedianProgram *program);

#endif
