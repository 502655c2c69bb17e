/* Private to metadata.c: checks the types of chunks and makes the data of text chunks. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_CHUNK_TEXT_H
#define IMGTOOL_APP_LIBRARY_CODEC_CHUNK_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Returns true if `type` is exactly four ASCII letters. */
bool img_lib_is_chunk_type(const char *type);

/* Makes the data of an uncompressed iTXt chunk without a language. The caller frees *data. Fails
 * with IMG_E_USAGE if PNG does not allow the keyword or the text is not UTF-8. Fails with
 * IMG_E_MEMORY if there is no memory. */
ImgStatus img_lib_make_text(const char *keyword, const char *text, uint8_t **data, uint32_t *bytes,
                            ImgError *err);

#endif
