/* Private: edits the text of a chunk. The text may be compressed, or consist of hexadecimal digits,
 * or both. */
#ifndef IMGTOOL_IO_METADATA_TEXT_EDIT_H
#define IMGTOOL_IO_METADATA_TEXT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/text.h"

/* Changes bytes in place. Returns true if it changed any. `context` is the pointer passed to
 * img_text_edit. */
typedef bool ImgBytesEdit(uint8_t *bytes, size_t size, const void *context);

/* Edits the text of a chunk. If the edit changes nothing or the text is damaged, all bytes of the
 * chunk stay the same. Fails with IMG_E_LIMIT as img_text_read does. */
ImgStatus img_text_edit(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgBytesEdit *edit, const void *context, ImgError *err);

/* Like img_text_edit, but edits the profile that the hexadecimal digits encode (raw_profile.h). */
ImgStatus img_text_edit_profile(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                                ImgBytesEdit *edit, const void *context, ImgError *err);

#endif
