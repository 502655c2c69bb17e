#include "kernels/core/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/minmax.h"

enum { LONGEST = 63 };

size_t img_edit_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST)
        return m > n ? m : n;
    size_t rows[3][LONGEST + 1]; /* the last three rows of the table of distances */
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n; j++)
        above[j] = j;
    for (size_t i = 1; i <= m; i++) {
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = img_min_size(img_min_size(above[j], row[j - 1]) + 1, above[j - 1] + (x != y));
            bool swapped = i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                           y == tolower((unsigned char)a[i - 2]);
            if (swapped)
                row[j] = img_min_size(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[n];
}

ImgSuggestion img_suggest_start(const char *typed)
{
    return (ImgSuggestion){typed, NULL, 0};
}

void img_suggest_offer(ImgSuggestion *suggestion, const char *candidate)
{
    size_t typed = strlen(suggestion->typed);
    size_t distance = img_edit_distance(suggestion->typed, candidate);
    /* A candidate is near if it begins with the typed name, of at least 2 characters. It is also
     * near if the distance is at most 3 and at most half the length of the candidate. */
    bool begins = typed >= 2 && strncmp(suggestion->typed, candidate, typed) == 0;
    if (begins)
        distance = 1;
    bool near = begins || (distance <= 3 && 2 * distance <= strlen(candidate));
    if (near && (suggestion->best == NULL || distance < suggestion->distance)) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}

const char *img_suggestion_text(const ImgSuggestion *suggestion, const char *otherwise,
                                char text[IMG_SUGGESTION_TEXT])
{
    if (suggestion->best == NULL)
        return otherwise;
    snprintf(text, IMG_SUGGESTION_TEXT, "did you mean '%s'?", suggestion->best);
    return text;
}
