/* Private to metadata.c: chunk types and the data of text chunks. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_CHUNK_TEXT_H
#define IMGTOOL_APP_LIBRARY_CODEC_CHUNK_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* True if `type` is exactly four ASCII letters. */
bool img_lib_is_chunk_type(const char *type);

/* Makes the data of an uncompressed iTXt chunk without a language. The caller frees *data.
 * IMG_E_USAGE for a keyword that PNG does not allow and for text that is not UTF-8;
 * IMG_E_MEMORY. */
ImgStatus img_lib_make_text(const char *keyword, const char *text, uint8_t **data, uint32_t *bytes,
                            ImgError *err);

#endif
