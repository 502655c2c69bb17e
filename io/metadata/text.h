/* Private: the text chunks of PNG (tEXt, zTXt, iTXt), as far as their text has to be read or
 * changed. PNG specification, third edition, section 11.3.3. */
#ifndef IMGTOOL_IO_METADATA_TEXT_H
#define IMGTOOL_IO_METADATA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"

typedef struct ImgText {
    const char *keyword; /* points into the chunk */
    size_t head;         /* bytes of the chunk before its text */
    bool compressed;
} ImgText;

/* What all compressed texts of one file may inflate to together: many that are small enough each
 * would still cost seconds. */
typedef struct ImgTextBudget {
    size_t limit, left;
} ImgTextBudget;

static inline bool img_text_is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* False if the chunk is not a text or is damaged. */
bool img_text_parse(const ImgChunk *chunk, ImgText *text);

/* A text of a chunk: where it stands there, or inflated. */
typedef struct ImgTextBytes {
    const uint8_t *data; /* NULL: the compressed data is damaged */
    size_t size;
    uint8_t *inflated; /* the same data, to be freed; NULL: it stands in the chunk */
} ImgTextBytes;

/* The text itself; on failure there is nothing to be freed. IMG_E_LIMIT where it inflates to more
 * than the budget leaves. What was inflated is taken from the budget, damaged or not. */
ImgStatus img_text_read(const ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgTextBytes *bytes, ImgError *err);

#endif
