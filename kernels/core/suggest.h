/* Suggestions for mistyped names: the nearest known name. */
#ifndef IMGTOOL_KERNELS_CORE_SUGGEST_H
#define IMGTOOL_KERNELS_CORE_SUGGEST_H

#include <stddef.h>

/* Returns the number of edits that convert one name to the other: insertions, deletions and
 * substitutions of a character, and swaps of neighbours (optimal string alignment distance). Letter
 * case is ignored. */
size_t img_edit_distance(const char *a, const char *b);

/* The best of a series of candidates. */
typedef struct ImgSuggestion {
    const char *typed;
    const char *best; /* NULL if no candidate so far is near enough */
    size_t distance;
} ImgSuggestion;

ImgSuggestion img_suggest_start(const char *typed);
void img_suggest_offer(ImgSuggestion *suggestion, const char *candidate);

#endif
