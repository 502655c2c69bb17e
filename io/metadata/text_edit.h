/* Private: edits the text of a chunk. The text may be compressed, or hexadecimal digits that encode
 * a profile, or both. */
#ifndef IMGTOOL_IO_METADATA_TEXT_EDIT_H
#define IMGTOOL_IO_METADATA_TEXT_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/text.h"

/* Changes bytes in place. Returns true if any byte changed. `context` is the pointer that was
 * passed to img_text_edit. */
typedef bool ImgBytesEdit(uint8_t *bytes, size_t size, const void *context);

/* Edits the text of a chunk with `edit`. If nothing changes or the text is damaged, all bytes of
 * the chunk stay the same. Fails with IMG_E_LIMIT if the text inflates to more bytes than the
 * budget has left. */
ImgStatus img_text_edit(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                        ImgBytesEdit *edit, const void *context, ImgError *err);

/* Works like img_text_edit, but edits the profile that the hexadecimal digits of the text encode
 * (raw_profile.h). */
ImgStatus img_text_edit_profile(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                                ImgBytesEdit *edit, const void *context, ImgError *err);

#endif
