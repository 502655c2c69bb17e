/* Private: edits the text of a chunk that may be compressed, in hexadecimal digits, or both. */
#ifndef IMGTOOL_IO_METADATA_TEXT_EDIT_H
#define IMGTOOL_IO_METADATA_TEXT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/text.h"

/* Changes bytes in place; returns true if it changed any. `context` is the caller's. */
typedef bool ImgBytesEdit(uint8_t *bytes, size_t size, const void *context);

/* Edits the text of a chunk. A text that the edit does not change, or that is damaged, stays the
 * same to the byte. Fails with IMG_E_LIMIT as img_text_read does. */
ImgStatus img_text_edit(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgBytesEdit *edit, const void *context, ImgError *err);

/* Like img_text_edit, but edits the profile that the hexadecimal digits encode (raw_profile.h). */
ImgStatus img_text_edit_profile(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                                ImgBytesEdit *edit, const void *context, ImgError *err);

#endif
