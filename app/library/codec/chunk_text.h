/* Private to metadata.c: names and texts as chunks hold them. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_CHUNK_TEXT_H
#define IMGTOOL_APP_LIBRARY_CODEC_CHUNK_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Four letters, and no more. */
bool img_lib_is_chunk_type(const char *type);

/* An iTXt chunk's data, uncompressed and of no language, to be freed. IMG_E_USAGE for a keyword
 * that PNG does not allow and for what is not UTF-8; IMG_E_MEMORY. */
ImgStatus img_lib_make_text(const char *keyword, const char *text, uint8_t **data, uint32_t *bytes,
                            ImgError *err);

#endif
