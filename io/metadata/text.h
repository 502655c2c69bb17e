/* Private: parses the text chunks of PNG (tEXt, zTXt, iTXt; PNG specification, third edition,
 * section 11.3.3), reads their text and edits it. */
#ifndef IMGTOOL_IO_METADATA_TEXT_H
#define IMGTOOL_IO_METADATA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "kernels/core/status.h"

typedef struct ImgText {
    const char *keyword; /* keyword of the text; points into the chunk's data */
    size_t head;         /* number of bytes of the chunk before its text */
    bool compressed;
} ImgText;

/* A limit for the total number of bytes to which all compressed texts of a file may inflate. A
 * limit for each text is not enough, because many small texts together could still take seconds. */
typedef struct ImgTextBudget {
    size_t limit, left;
} ImgTextBudget;

static inline bool img_text_is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Parses a text chunk. Returns false if the chunk is of another type or damaged. */
bool img_text_parse(const ImgChunk *chunk, ImgText *text);

/* The text of a chunk. It lies in the chunk, or in allocated memory if it was inflated. */
typedef struct ImgTextBytes {
    const uint8_t *data; /* bytes of the text; NULL: the compressed data is damaged */
    size_t size;
    /* The same address as `data` if the caller must free it; NULL if `data` points into the
     * chunk. */
    uint8_t *inflated;
} ImgTextBytes;

/* Reads the text of a chunk. After a failure there is nothing to free. Fails with IMG_E_LIMIT if
 * the text inflates to more bytes than the budget has left. Inflated bytes are subtracted from the
 * budget even if the data is damaged. */
ImgStatus img_text_read(const ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgTextBytes *bytes, ImgError *err);

/* --- Editing the text of a chunk -------------------------------------------------------------- */

/* The text that these functions edit may be compressed, or consist of hexadecimal digits that
 * encode a profile, or both. */

/* Changes bytes in place. Returns true if any byte changed. `context` is the pointer that was
 * passed to img_text_edit. */
typedef bool ImgBytesEdit(uint8_t *bytes, size_t size, const void *context);

/* Edits the text of a chunk with `edit`. If nothing changes or the text is damaged, all bytes of
 * the chunk stay the same. Fails with IMG_E_LIMIT if the text inflates to more bytes than the
 * budget has left. */
ImgStatus img_text_edit(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgBytesEdit *edit, const void *context, ImgError *err);

/* Works as img_text_edit does, but edits the profile that the hexadecimal digits of the text
 * encode. */
ImgStatus img_text_edit_profile(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                                ImgBytesEdit *edit, const void *context, ImgError *err);

/* --- Raw profiles ----------------------------------------------------------------------------- */

/* A raw profile is a text with a keyword "Raw profile type ..." that contains a profile as
 * hexadecimal digits. ImageMagick and ExifTool have written raw profiles since before PNG had the
 * chunk eXIf. */

/* Limit in bytes for EXIF data as text. It is generous, because EXIF data usually comes from JPEG,
 * which limits it to 64 KiB. As text it has two hexadecimal digits per byte, and line ends. */
enum { IMG_EXIF_TEXT_MOST = 2 << 20 };

/* Returns true if a text with this keyword contains EXIF. Exception: an "APP1" profile (a segment
 * of a JPEG file) may contain XMP instead. */
bool img_raw_profile_is_exif(const char *keyword);

typedef struct ImgRawProfile {
    /* The decoded bytes. Decoding ends at the first character that is neither a digit nor white
     * space. */
    uint8_t *data;
    size_t size;
} ImgRawProfile;

/* Decodes the digits of `text`. The caller frees profile->data, even after a failure. Fails with
 * IMG_E_LIMIT if the digits may encode more than `most` bytes. */
ImgStatus img_raw_profile_decode(const uint8_t *text, size_t size, size_t most,
                                 ImgRawProfile *profile, ImgError *err);

/* Overwrites the digits of `text` with the bytes of `profile`, which must have the decoded size.
 * Digits of unchanged bytes stay as they are. */
void img_raw_profile_update(const ImgRawProfile *profile, uint8_t *text, size_t size);

/* --- The copyright notice --------------------------------------------------------------------- */

/* Finds the copyright notice of a picture, in EXIF or in a text chunk with the keyword
 * "Copyright". */
/* Sets `*text` to the notice and `*size` to its size in bytes. The notice lies in a chunk of
 * `metadata`; it is Latin-1, UTF-8 or ASCII, without a terminating zero. Returns false if there is
 * no notice, or only a compressed one. */
bool img_copyright_find(const ImgMetadata *metadata, const uint8_t **text, size_t *size);

#endif
