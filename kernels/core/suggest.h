/* The nearest of the known names to what somebody typed. */
#ifndef IMGTOOL_KERNELS_CORE_SUGGEST_H
#define IMGTOOL_KERNELS_CORE_SUGGEST_H

#include <stddef.h>

/* Single-character insertions, deletions, substitutions and swaps of neighbours that lead from one
 * to the other (optimal string alignment distance), letter case ignored. */
size_t img_edit_distance(const char *a, const char *b);

/* Keeps the best of a series of candidates. */
typedef struct ImgSuggestion {
    const char *typed;
    const char *best; /* NULL while nothing is near enough to be meant */
    size_t distance;
} ImgSuggestion;

ImgSuggestion img_suggest_start(const char *typed);
void img_suggest_offer(ImgSuggestion *suggestion, const char *candidate);

#endif
