/* Private: a median network as data. Each column of the window is sorted. Neighbouring columns are
 * merged to sorted lists of 2, 4, 8, ... columns, which neighbouring windows share, and the window
 * is composed of them (after A. Adams, "Fast median filters using separable sorting networks",
 * 2021). A list keeps only samples that can still be the median. Merges are Batcher's ("Sorting
 * networks and their applications", 1968), for lists of any lengths, without the parts that no kept
 * sample depends on. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_PROGRAM_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* A comparison of two numbered registers: the minimum goes to `low` and the maximum to `high`. */
typedef struct ImgMedianPair {
    uint16_t low, high;
} ImgMedianPair;

/* A run of independent pairs: first those that need both results, then those that need only the
 * minimum, then those that need only the maximum. */
typedef struct ImgMedianRun {
    int32_t first, both, minima, maxima;
} ImgMedianRun;

/* The first merge sorts the columns; the others merge two lists. Registers begin with the samples
 * of `left`, followed by those of `right`. */
typedef struct ImgMedianMerge {
    int32_t left, right; /* planes where the lists begin */
    int32_t left_count, right_count;
    int32_t right_columns;    /* distance of the right list to the right, in columns */
    int32_t result;           /* plane of the kept samples, or of the median for the last merge */
    int32_t kept_first, kept; /* registers */
    int32_t columns;          /* columns that the result covers */
    int32_t first_run, runs;
} ImgMedianMerge;

enum { IMG_MEDIAN_MERGES_MAX = 16 };

typedef struct ImgMedianProgram {
    int32_t side;   /* of the window */
    int32_t planes; /* number of planes for lists, including the median */
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
