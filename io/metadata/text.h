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

/* Limits the total size to which all compressed texts of one file may inflate. Limiting each text
 * is not enough: many small ones together would still take seconds. */
typedef struct ImgTextBudget {
    size_t limit, left;
} ImgTextBudget;

static inline bool img_text_is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Parses a text chunk. Returns false if the chunk is of another type or is damaged. */
bool img_text_parse(const ImgChunk *chunk, ImgText *text);

/* The text of a chunk: borrowed from the chunk, or inflated. */
typedef struct ImgTextBytes {
    const uint8_t *data; /* bytes of the text; NULL: the compressed data is damaged */
    size_t size;
    uint8_t *inflated; /* the same address if the caller must free it; NULL: `data` points into the
                        * chunk */
} ImgTextBytes;

/* Reads the text. After a failure there is nothing to free. Fails with IMG_E_LIMIT if the text
 * inflates to more bytes than the budget has left. Inflated bytes are subtracted from the budget
 * even if the data is damaged. */
ImgStatus img_text_read(const ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgTextBytes *bytes, ImgError *err);

#endif
