/* Private: a median network as data. Each column of the window is sorted. Neighbouring columns are
 * merged to sorted lists of 2, 4, 8 ... columns, which neighbouring windows share. A window is
 * merged from such lists (after A. Adams, "Fast median filters using separable sorting networks",
 * 2021). A list keeps only samples that can still be the median. Merges are Batcher's ("Sorting
 * networks and their applications", 1968), for lists of any lengths, without the parts on which no
 * kept sample depends. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_PROGRAM_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* A comparison of two registers: the minimum goes to register `low` and the maximum to register
 * `high`. */
typedef struct ImgMedianPair {
    uint16_t low, high;
} ImgMedianPair;

/* A run of pairs that do not depend on each other: first those of which both results are needed,
 * then those of which only the minimum is needed, then those of which only the maximum is. */
typedef struct ImgMedianRun {
    int32_t first, both, minima, maxima;
} ImgMedianRun;

/* One merge. The first merge of a program sorts the columns; all others merge two lists. Registers
 * begin with the samples of list `left`, followed by those of list `right`. */
typedef struct ImgMedianMerge {
    int32_t left, right; /* planes in which the two lists begin */
    int32_t left_count, right_count;
    int32_t right_columns; /* distance of the right list, in columns to the right */
    int32_t result; /* first plane of the kept samples; for the last merge, plane of the median */
    int32_t kept_first, kept; /* first register to keep; number of registers to keep */
    int32_t columns;          /* number of columns whose samples the result contains */
    int32_t first_run, runs;
} ImgMedianMerge;

enum { IMG_MEDIAN_MERGES_MAX = 16 };

typedef struct ImgMedianProgram {
    int32_t side;   /* width and height of the window, in pixels */
    int32_t planes; /* number of planes for lists, including that of the median */
    int32_t registers;
    int32_t merges;
    ImgMedianMerge merge[IMG_MEDIAN_MERGES_MAX];
    ImgMedianRun *run;
    ImgMedianPair *pair;
    int32_t runs, pairs;
} ImgMedianProgram;

/* Builds the network. Returns false when memory is short. Call img_median_program_free in any
 * case. */
bool img_median_program_make(int32_t radius, ImgMedianProgram *program);
void img_median_program_free(ImgMedianProgram *program);

#endif
