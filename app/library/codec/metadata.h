/* Private to the library: the metadata of a PNG, which is all chunks except its pixels. */
#ifndef IMGTOOL_APP_LIBRARY_CODEC_METADATA_H
#define IMGTOOL_APP_LIBRARY_CODEC_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "app/library/context.h"
#include "io/metadata/metadata.h"
#include "kernels/core/status.h"

/* This struct has only one member, so that a cast converts the metadata of a source to the caller's
 * type. */
struct imgtool_metadata {
    ImgMetadata own;
};

static inline const imgtool_metadata *img_lib_metadata_public(const ImgMetadata *metadata)
{
    return (const imgtool_metadata *)(const void *)metadata;
}

ImgStatus img_lib_metadata_copy(const ImgMetadata *from, ImgMetadata *to, ImgError *err);

/* Adapts the metadata of pixels in the file format `before` to the format `after`. */
ImgStatus img_lib_metadata_follow(ImgMetadata *metadata, ImgFormat before, imgtool_format after,
                                  ImgError *err);

/* Drops the chunks that do not fit a picture of this format. Examples are alpha values beside an
 * alpha channel, data for entries of another palette, and samples of another size or number. Also
 * drops chunks that are valid for one file only, such as signatures. */
void img_lib_metadata_fit(ImgMetadata *metadata, ImgFormat format);

/* --- Parts of chunks -------------------------------------------------------------------------- */

/* Returns true if `type` is exactly four ASCII letters. */
bool img_lib_is_chunk_type(const char *type);

/* Makes the data of an uncompressed iTXt chunk without a language. The caller frees *data. Fails
 * with IMG_E_USAGE if PNG does not allow the keyword or the text is not UTF-8. Fails with
 * IMG_E_MEMORY if there is no memory. */
ImgStatus img_lib_make_text(const char *keyword, const char *text, uint8_t **data, uint32_t *bytes,
                            ImgError *err);

#endif
