/* Private: changes bytes of a text, whether it is compressed, of hexadecimal digits, or both. */
#ifndef IMGTOOL_IO_METADATA_TEXT_EDIT_H
#define IMGTOOL_IO_METADATA_TEXT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/text.h"

/* Changes bytes where they stand; true if it did. `context` is what the caller gave. */
typedef bool ImgBytesEdit(uint8_t *bytes, size_t size, const void *context);

/* A text without a change stays as it is, to the byte, and so does one that is damaged.
 * IMG_E_LIMIT as img_text_read. */
ImgStatus img_text_edit(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgBytesEdit *edit, const void *context, ImgError *err);

/* The same with the profile that a raw profile's digits say (raw_profile.h). */
ImgStatus img_text_edit_profile(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                                ImgBytesEdit *edit, const void *context, ImgError *err);

#endif
