/* Suggestions for mistyped names: finds the most similar known name. */
#ifndef IMGTOOL_KERNELS_CORE_SUGGEST_H
#define IMGTOOL_KERNELS_CORE_SUGGEST_H

#include <stddef.h>

/* Returns the number of edits that convert one name to the other (optimal string alignment
 * distance). An edit inserts, deletes or replaces a character, or swaps two neighbours. Letter case
 * is ignored. */
size_t img_edit_distance(const char *a, const char *b);

/* The most similar of a series of candidates so far. */
typedef struct ImgSuggestion {
    const char *typed;
    const char *best; /* best candidate so far; NULL if none was similar enough */
    size_t distance;
} ImgSuggestion;

ImgSuggestion img_suggest_start(const char *typed);
void img_suggest_offer(ImgSuggestion *suggestion, const char *candidate);

enum { IMG_SUGGESTION_TEXT = 256 };

/* Returns the end of a message: "did you mean 'NAME'?", written to `text`, if a candidate was
 * similar enough. Otherwise returns `otherwise`. */
const char *img_suggestion_text(const ImgSuggestion *suggestion, const char *otherwise,
                                char text[IMG_SUGGESTION_TEXT]);

#endif
