/* Private: parses the text chunks of PNG (tEXt, zTXt, iTXt) and reads their text. PNG
 * specification, third edition, section 11.3.3. */
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

/* Limits the total size to which all compressed texts of one file may inflate: many small ones
 * together would still cost seconds. */
typedef struct ImgTextBudget {
    size_t limit, left;
} ImgTextBudget;

static inline bool img_text_is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Returns false if the chunk is not a text chunk or is damaged. */
bool img_text_parse(const ImgChunk *chunk, ImgText *text);

/* The text of a chunk: borrowed from the chunk, or inflated. */
typedef struct ImgTextBytes {
    const uint8_t *data; /* NULL: the compressed data is damaged */
    size_t size;
    uint8_t
        *inflated; /* the same data, for the caller to free; NULL: `data` points into the chunk */
} ImgTextBytes;

/* Reads the text; after a failure there is nothing to free. Fails with IMG_E_LIMIT if it inflates
 * to more than the budget has left. Inflated bytes are subtracted from the budget, even if the data
 * is damaged. */
ImgStatus img_text_read(const ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgTextBytes *bytes, ImgError *err);

#endif
